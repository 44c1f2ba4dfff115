//! `/users/{id}/identities` and `/me/identities`: the accounts at OpenID providers with which people sign in.

use http::StatusCode;
use toolgate_domain::ids::UserId;

use super::{DeleteArgs, PagingArgs, deletion_doc, paged_list_doc};
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::identity::IdentityOut;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new("listUserIdentities", "List the accounts at OpenID providers with which a user signs in.")
            .read("/users/{id}/identities", list_of_user)
            .reply(paged_list_doc::<IdentityOut<'_>>())
            .admin(),
        Operation::new(
            "deleteUserIdentity",
            "Remove an account with which a user signs in, and end the user's browser sessions that were not opened with a \
             key. It may be the last way of the user to sign in; a sign-in link gives the user another one. To remove an \
             account of its own user, a key must not expire.",
        )
        .delete("/users/{id}/identities/{identity_id}", delete_of_user)
        .reply(deletion_doc::<IdentityOut<'_>>())
        .admin(),
        Operation::new("listMyIdentities", "List the accounts at OpenID providers with which the caller signs in.")
            .read("/me/identities", list_own)
            .reply(paged_list_doc::<IdentityOut<'_>>())
            .own(),
        Operation::new(
            "deleteMyIdentity",
            "Remove an account with which the caller signs in, and end the caller's browser sessions that were not opened \
             with a key. Sign in with a password or a linked account; administrators can also use a key with the scope \
             admin that does not expire. 409 if the caller has no other account at the configured provider, no password \
             and no valid API key.",
        )
        .delete("/me/identities/{identity_id}", delete_own)
        .reply(deletion_doc::<IdentityOut<'_>>())
        .errors(&[409])
        .own(),
    ]
}

async fn list_of_user(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let user = request.storage().user(request.id(UserId)).await?;
    list(&request, user.id, &paging).await
}

async fn delete_of_user(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    delete(&request, request.id(UserId)).await
}

async fn list_own(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    list(&request, request.principal()?.user_id(), &paging).await
}

async fn delete_own(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    delete(&request, request.principal()?.user_id()).await
}

async fn list(request: &ApiRequest, user_id: UserId, paging: &PagingArgs) -> Result<ApiReply, RestError> {
    let page = paging.page();
    let listing = request.storage().identities_of_user(user_id, page).await?;
    ApiReply::list(request, &listing, page, IdentityOut::new)
}

async fn delete(request: &ApiRequest, user_id: UserId) -> Result<ApiReply, RestError> {
    let principal = request.principal()?;
    if principal.user_id() == user_id && !principal.may_change_own_accounts() {
        return Err(RestError::forbidden_by(
            "You cannot remove your own account with a limited key. Sign in to the console with a password or a linked \
             account. Administrators can also use a key with the scope admin that does not expire.",
        ));
    }
    let provider = request.context.config.openid_issuer.as_deref();
    let deleted =
        request.storage().delete_identity(&request.actor()?, user_id, request.identity_id(), provider).await?;
    let deleted = deleted
        .ok_or_else(|| RestError::new(StatusCode::NOT_FOUND, "rest_identity_invalid_id", "Invalid identity ID."))?;
    ApiReply::deleted(&IdentityOut::new(&deleted))
}
