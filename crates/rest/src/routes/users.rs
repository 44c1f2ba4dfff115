//! `/users`.

use serde_json::json;
use toolgate_domain::text::{self, NAME_MAX};
use toolgate_domain::user::{NewUser, Role};

use super::{DEFAULT_PAGE_SIZE, deletion_doc, force_arg, object_doc, paged_list_doc, paging_args};
use crate::error::RestError;
use crate::params::Arg;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Route, handler};
use crate::wire::UserOut;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::read("/users", "listUsers", "List users.", handler!(list_users))
            .args(paging_args().to_vec())
            .reply(paged_list_doc::<UserOut<'_>>())
            .admin(),
        Route::create("/users", "createUser", "Create a user.", handler!(create))
            .args(vec![
                Arg::text("name", usize::MAX, "Unique name.")
                    .with_schema(json!({"minLength": 1, "maxLength": NAME_MAX}))
                    .required(),
                Arg::one_of(
                    "role",
                    Role::NAMES,
                    "admin: all servers; owner: own servers; viewer: read access to own servers.",
                )
                .default("owner"),
            ])
            .reply(object_doc::<UserOut<'_>>(201))
            .errors(&[409])
            .admin(),
        Route::read("/users/{id}", "getUser", "Get a user.", handler!(get))
            .reply(object_doc::<UserOut<'_>>(200))
            .admin(),
        Route::delete(
            "/users/{id}",
            "deleteUser",
            "Delete a user and the user's keys. The user must own no servers.",
            handler!(delete),
        )
        .args(vec![force_arg()])
        .reply(deletion_doc::<UserOut<'_>>())
        .errors(&[409])
        .admin(),
    ]
}

async fn list_users(request: ApiRequest) -> Result<ApiReply, RestError> {
    let page = request.args.page(DEFAULT_PAGE_SIZE);
    let listing = request.storage().list_users(page).await?;
    ApiReply::list(&request, &listing, page, UserOut::from)
}

async fn create(request: ApiRequest) -> Result<ApiReply, RestError> {
    let name = text::display_name("name", request.args.text("name").unwrap_or_default())?;
    let role = request.args.text("role").and_then(Role::parse).unwrap_or(Role::Owner);
    let user = request.storage().create_user(&request.actor()?, NewUser { name, role }).await?;
    ApiReply::created(&UserOut::from(&user), &request.link(&format!("/users/{}", user.id)))
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    ApiReply::ok(&UserOut::from(&request.storage().user(request.user_id()).await?))
}

async fn delete(request: ApiRequest) -> Result<ApiReply, RestError> {
    let user = request.storage().delete_user(&request.actor()?, request.user_id()).await?;
    ApiReply::deleted(&UserOut::from(&user))
}
