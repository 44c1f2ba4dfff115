//! `/revoke`: revokes tokens (RFC 7009). Revoking an access token or a refresh token ends its grant.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use toolgate_auth::{ACCESS_TOKEN_KEYS, ACCESS_TOKEN_PREFIX, AccessToken, hash_secret};
use toolgate_domain::audit::Actor;
use toolgate_domain::oauth::client::OAuthClient;
use toolgate_domain::oauth::grant::Grant;
use toolgate_storage::{Storage, StorageError};

use crate::client_auth;
use crate::context::IssuerContext;
use crate::oauth_error::OAuthError;
use crate::post_endpoint;
use crate::token_form::TokenForm;

pub(crate) fn routes(context: &Arc<IssuerContext>) -> Router {
    post_endpoint::route("/revoke", context, respond)
}

/// The reply is the same for a token that was valid, and for one that never was.
async fn respond(context: Arc<IssuerContext>, request: Request) -> Result<Response, OAuthError> {
    let (headers, form) = TokenForm::read(request).await?;
    let token = form.require("token")?;
    let storage = &*context.storage;
    let client = if client_auth::is_presented(&headers, &form) {
        Some(client_auth::authenticate(storage, &headers, &form).await?)
    } else {
        None
    };
    if let Some(grant) = find_grant(storage, token).await?
        && may_end(storage, client.as_ref(), &grant).await?
    {
        let actor = Actor {
            user_id: Some(grant.user_id),
            user_name: Some(grant.user_name.clone()),
            ..Actor::service(context.clock.now())
        };
        match storage.end_grant(&actor, grant.id).await {
            Ok(_) | Err(StorageError::NotFound(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(StatusCode::OK.into_response())
}

/// The grant of a refresh token, used or not, or of an access token, expired or not. `token_type_hint` is not needed:
/// the prefix says what a token is.
async fn find_grant(storage: &dyn Storage, token: &str) -> Result<Option<Grant>, OAuthError> {
    if !token.starts_with(ACCESS_TOKEN_PREFIX) {
        return Ok(storage.refresh_token(&hash_secret(token)).await?.map(|stored| stored.grant));
    }
    let Some(token) = AccessToken::verify(token, &storage.signing_keys(ACCESS_TOKEN_KEYS)) else { return Ok(None) };
    match storage.grant_of_user(token.user_id, token.grant_id).await {
        Ok(grant) => Ok(Some(grant)),
        Err(StorageError::NotFound(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Whether the request may end a grant. A client may end its own grants. A request that names no client may end a grant
/// whose client has no secret: the holder of the token could send the id of that client anyway.
async fn may_end(storage: &dyn Storage, client: Option<&OAuthClient>, grant: &Grant) -> Result<bool, OAuthError> {
    match client {
        Some(client) => Ok(client.id == grant.client_id),
        None => Ok(storage.client(grant.client_id).await?.secret_hash.is_none()),
    }
}
