//! `/users`.

use serde_json::json;
use toolgate_domain::text::{self, NAME_MAX};
use toolgate_domain::user::{NewUser, Role};

use super::{DEFAULT_PAGE_SIZE, deleted, force_arg, list, one, paging_args};
use crate::call::Call;
use crate::error::RestError;
use crate::params::Arg;
use crate::reply::Reply;
use crate::route::{Route, handler};
use crate::wire::UserOut;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::read("/users", "listUsers", "List users.", handler!(list_users))
            .args(paging_args().to_vec())
            .reply(list::<UserOut<'_>>())
            .admin(),
        Route::create("/users", "createUser", "Create a user.", handler!(create))
            .args(vec![
                Arg::text("name", usize::MAX, "Unique name.")
                    .shaped(json!({"minLength": 1, "maxLength": NAME_MAX}))
                    .required(),
                Arg::name_of(
                    "role",
                    Role::NAMES,
                    "admin: all servers; owner: own servers; viewer: reading own servers.",
                )
                .default("owner"),
            ])
            .reply(one::<UserOut<'_>>(201))
            .errors(&[409])
            .admin(),
        Route::read("/users/{id}", "getUser", "Get a user.", handler!(get)).reply(one::<UserOut<'_>>(200)).admin(),
        Route::delete(
            "/users/{id}",
            "deleteUser",
            "Delete a user and the user's keys. The user must own no servers.",
            handler!(delete),
        )
        .args(vec![force_arg()])
        .reply(deleted::<UserOut<'_>>())
        .errors(&[409])
        .admin(),
    ]
}

async fn list_users(call: Call) -> Result<Reply, RestError> {
    let page = call.args.page(DEFAULT_PAGE_SIZE);
    let listing = call.storage().list_users(page).await?;
    Reply::list(&call, &listing, page, UserOut::from)
}

async fn create(call: Call) -> Result<Reply, RestError> {
    let name = text::display_name("name", call.args.text("name").unwrap_or_default())?;
    let role = call.args.text("role").and_then(Role::parse).unwrap_or(Role::Owner);
    let user = call.storage().create_user(&call.actor()?, NewUser { name, role }).await?;
    Reply::created(&UserOut::from(&user), &call.link(&format!("/users/{}", user.id)))
}

async fn get(call: Call) -> Result<Reply, RestError> {
    Reply::ok(&UserOut::from(&call.storage().user(call.user_id()).await?))
}

async fn delete(call: Call) -> Result<Reply, RestError> {
    let user = call.storage().delete_user(&call.actor()?, call.user_id()).await?;
    Reply::deleted(&UserOut::from(&user))
}
