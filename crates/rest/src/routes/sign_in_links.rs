//! `/users/{id}/signin-links` and `/me/signin-link`: links that sign people in with a browser.

use http::StatusCode;
use toolgate_auth::{SecretKey, SignedInWith};
use toolgate_domain::ids::{ApiKeyId, UserId};
use toolgate_domain::oauth::sign_in::{NewSignInLink, SignInLinkPurpose};
use toolgate_domain::time::DAY_MS;

use super::object_doc;
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::sign_in_link::SignInLinkOut;

const LINK_PREFIX: &str = "tgl_";
/// Lifetime of a link that is sent to another person.
const INVITATION_TTL_MS: i64 = DAY_MS;
/// Lifetime of a link that the caller opens at once.
const OWN_LINK_TTL_MS: i64 = 2 * 60 * 1000;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new(
            "createSignInLink",
            "Create a link with which a user sets a password and signs in: an invitation, or help with a forgotten \
             password. It can be used once, within 24 hours.",
        )
        .create("/users/{id}/signin-links", create_for_user)
        .reply(object_doc::<SignInLinkOut>(201).without_location())
        .errors(&[409])
        .admin(),
        Operation::new(
            "createMySignInLink",
            "Create a link that signs the caller in with a browser. It can be used once, within 2 minutes. The key of the \
             request needs the scope mcp; deleting it ends the session.",
        )
        .create("/me/signin-link", create_own)
        .reply(object_doc::<SignInLinkOut>(201).without_location())
        .errors(&[409])
        .own(),
    ]
}

async fn create_for_user(request: ApiRequest) -> Result<ApiReply, RestError> {
    let user = request.id(UserId);
    create(&request, user, SignInLinkPurpose::SetPassword, None, INVITATION_TTL_MS).await
}

async fn create_own(request: ApiRequest) -> Result<ApiReply, RestError> {
    let principal = request.principal()?;
    if !principal.may_use_mcp() {
        return Err(RestError::forbidden_by("A sign-in link needs a key with the scope mcp."));
    }
    if principal.signed_in_with() == SignedInWith::Session {
        // With links that create sessions that create links, a session could be extended without end.
        return Err(RestError::forbidden_by("You are signed in with a browser. A sign-in link is created with a key."));
    }
    let (user, key) = (principal.user_id(), principal.key_id());
    create(&request, user, SignInLinkPurpose::SignIn, key, OWN_LINK_TTL_MS).await
}

async fn create(
    request: &ApiRequest,
    user_id: UserId,
    purpose: SignInLinkPurpose,
    key_id: Option<ApiKeyId>,
    ttl_ms: i64,
) -> Result<ApiReply, RestError> {
    request.context.config.base_url.issuer().map_err(|_| {
        let text = "People cannot sign in at this service with a browser: set TOOLGATE_BASE_URL to its https URL.";
        RestError::new(StatusCode::CONFLICT, "rest_no_sign_in", text)
    })?;
    let secret = SecretKey::with_prefix(LINK_PREFIX)?;
    let actor = request.actor()?;
    let expires_at = actor.at.plus_millis(ttl_ms);
    let link = NewSignInLink { hash: secret.digest().hash, user_id, purpose, key_id, expires_at };
    request.storage().create_sign_in_link(&actor, link).await?;
    let url = format!("{}/signin?link={}", request.base_url, secret.expose());
    ApiReply::created_once(&SignInLinkOut::new(url, expires_at))
}
