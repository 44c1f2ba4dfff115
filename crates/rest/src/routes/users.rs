//! `/users`: the users of the service.

use http::StatusCode;
use toolgate_domain::ids::UserId;
use toolgate_domain::text::{self, NAME_MAX};
use toolgate_domain::user::{NewUser, Role, UserPatch};
use toolgate_storage::StorageError;

use super::{DeleteArgs, PagingArgs, deletion_doc, object_doc, paged_list_doc};
use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::user::UserOut;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new("listUsers", "List users.")
            .read("/users", list_users)
            .reply(paged_list_doc::<UserOut<'_>>())
            .admin(),
        Operation::new("createUser", "Create a user.")
            .create("/users", create)
            .reply(object_doc::<UserOut<'_>>(201))
            .errors(&[409])
            .admin(),
        Operation::new("getUser", "Get a user.").read("/users/{id}", get).reply(object_doc::<UserOut<'_>>(200)).admin(),
        Operation::new(
            "updateUser",
            "Update a user. Fields that are not sent stay unchanged. The keys of a disabled user are refused immediately; \
             the user's servers go on working.",
        )
        .update("/users/{id}", update)
        .reply(object_doc::<UserOut<'_>>(200))
        .errors(&[409])
        .admin(),
        Operation::new("deleteUser", "Delete a user and the user's keys. The user must own no servers.")
            .delete("/users/{id}", delete)
            .reply(deletion_doc::<UserOut<'_>>())
            .errors(&[409])
            .admin(),
    ]
}

const ROLES: &str = "admin: all servers; owner: own servers and those shared with the user; viewer: read access to these; member: may \
     use servers over MCP and manage nothing.";

arguments! {
    struct NewUserArgs {
        name: String = arg::text_with_rule(NAME_MAX, "Unique name.").required(),
        role: Option<Role> =
            arg::one_of::<Role>(ROLES)
                .default(Role::Owner.as_str()),
    }
}

arguments! {
    struct UserChangeArgs {
        name: Option<String> = arg::text_with_rule(NAME_MAX, "Unique name."),
        role: Option<Role> = arg::one_of::<Role>(ROLES),
        disabled: Option<bool> = arg::boolean("Whether the user's keys are refused."),
    }
}

async fn list_users(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let page = paging.page();
    let listing = request.storage().list_users(page).await?;
    let ids: Vec<UserId> = listing.items.iter().map(|user| user.id).collect();
    let with_account = request.storage().users_with_identity(&ids).await?;
    ApiReply::list(&request, &listing, page, |user| UserOut::new(user, with_account.contains(&user.id)))
}

async fn create(request: ApiRequest, args: NewUserArgs) -> Result<ApiReply, RestError> {
    let name = text::display_name("name", &args.name)?;
    let role = args.role.unwrap_or(Role::Owner);
    let user = request.storage().create_user(&request.actor()?, NewUser { name, role }).await?;
    let has_provider_account = false;
    let body = UserOut::new(&user, has_provider_account);
    ApiReply::created(&body, &request.link(&format!("/users/{}", user.id)))
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let user = request.storage().user(request.id(UserId)).await?;
    ApiReply::ok(&UserOut::new(&user, has_provider_account(&request).await?))
}

/// Whether the user that the request is about signs in through an OpenID provider.
async fn has_provider_account(request: &ApiRequest) -> Result<bool, RestError> {
    let id = request.id(UserId);
    Ok(request.storage().users_with_identity(&[id]).await?.contains(&id))
}

async fn update(request: ApiRequest, args: UserChangeArgs) -> Result<ApiReply, RestError> {
    let name = args.name.as_deref().map(|name| text::display_name("name", name)).transpose()?;
    let patch = UserPatch { name, role: args.role, is_disabled: args.disabled };
    let updated = request.storage().update_user(&request.actor()?, request.id(UserId), patch).await;
    let user = updated.map_err(|error| match error {
        StorageError::InUse(reason) => RestError::new(StatusCode::CONFLICT, "rest_cannot_update", reason),
        other => other.into(),
    })?;
    ApiReply::ok(&UserOut::new(&user, has_provider_account(&request).await?))
}

async fn delete(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    let has_account = has_provider_account(&request).await?;
    let user = request.storage().delete_user(&request.actor()?, request.id(UserId)).await?;
    ApiReply::deleted(&UserOut::new(&user, has_account))
}
