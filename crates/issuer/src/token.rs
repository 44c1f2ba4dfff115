//! `/token`: exchanges codes and refresh tokens for access tokens.

mod code;
mod refresh;
mod verifier;

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use http::StatusCode;
use serde_json::json;
use toolgate_auth::{ACCESS_TOKEN_KEYS, AccessToken, hash_secret};
use toolgate_domain::closed_set;
use toolgate_domain::oauth::client::OAuthClient;
use toolgate_domain::oauth::grant::{Grant, NewRefreshToken};
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_domain::server::Server;
use toolgate_domain::time::Timestamp;
use toolgate_storage::OAuthServer;

use crate::client_auth;
use crate::context::IssuerContext;
use crate::issuer_url::IssuerUrl;
use crate::lifetimes::REFRESH_IDLE_MS;
use crate::oauth_error::OAuthError;
use crate::post_endpoint::{self, json_reply};
use crate::random_secret;
use crate::token_form::TokenForm;

/// The prefix of refresh tokens. It must not change: secret scanners find leaked tokens by it.
const REFRESH_TOKEN_PREFIX: &str = "tgr_";

pub(crate) fn routes(context: &Arc<IssuerContext>) -> Router {
    post_endpoint::route("/token", context, respond)
}

async fn respond(context: Arc<IssuerContext>, request: Request) -> Result<Response, OAuthError> {
    let (headers, form) = TokenForm::read(request).await?;
    let grant_type = TokenGrantType::parse(form.require("grant_type")?).ok_or_else(|| {
        let description = "grant_type must be authorization_code or refresh_token.";
        OAuthError::bad_request("unsupported_grant_type", description)
    })?;
    let client = client_auth::authenticate(&*context.storage, &headers, &form).await?;
    let request = TokenRequest { context: &context, client, form: &form, now: context.clock.now() };
    match grant_type {
        TokenGrantType::Code => code::exchange(&request).await,
        TokenGrantType::RefreshToken => refresh::exchange(&request).await,
    }
}

closed_set! {
    /// What a client exchanges for tokens.
    enum TokenGrantType {
        /// An authorization code.
        Code = "authorization_code",
        /// A refresh token.
        RefreshToken = "refresh_token",
    }
}

/// A request of an authenticated client.
struct TokenRequest<'a> {
    context: &'a IssuerContext,
    client: OAuthClient,
    form: &'a TokenForm,
    now: Timestamp,
}

impl TokenRequest<'_> {
    /// Checks that a grant belongs to this client, has not ended and was not restored from a backup.
    async fn check_grant(&self, grant: &Grant) -> Result<(), OAuthError> {
        if grant.client_id != self.client.id {
            return Err(OAuthError::invalid_grant("It was issued to another client."));
        }
        if grant.ends_at <= self.now {
            return Err(OAuthError::invalid_grant("The access has ended. Ask the person again."));
        }
        // A restored backup would bring ended grants back.
        let valid_since = self.context.storage.tokens_valid_since().await?;
        if valid_since.is_some_and(|since| grant.created_at < since) {
            return Err(OAuthError::invalid_grant("It is from before a backup was restored. Ask the person again."));
        }
        Ok(())
    }

    /// The server of a grant. `resource` must be absent or name it.
    async fn server(&self, grant: &Grant) -> Result<OAuthServer, OAuthError> {
        let server = self.context.storage.oauth_server(&grant.server_public_id).await?;
        let server = server.ok_or_else(|| OAuthError::invalid_grant("Its server no longer accepts tokens."))?;
        if self.form.get("resource").is_some_and(|resource| !self.is_endpoint(resource, &server.server)) {
            let description = "resource must be the endpoint that the person allowed access to.";
            return Err(OAuthError::bad_request("invalid_target", description));
        }
        Ok(server)
    }

    /// Whether a `resource` is the endpoint of a server.
    fn is_endpoint(&self, resource: &str, server: &Server) -> bool {
        let issuer = self.context.config.issuer.as_deref().map(IssuerUrl::new);
        let endpoint = issuer.and_then(|issuer| issuer.endpoint_name(resource));
        endpoint.is_some_and(|name| name.public_id == server.public_id && name.slug == server.slug.as_str())
    }

    /// A new access token for a server of a grant, and a new refresh token, which is not stored yet.
    fn new_tokens(&self, grant: &Grant, server: &OAuthServer, scopes: McpScopes) -> Result<NewTokens, OAuthError> {
        let remaining = (grant.ends_at.as_millis() - self.now.as_millis()) / 1000;
        let expires_in = server.settings.access_token_ttl.min(remaining);
        let access = AccessToken {
            grant_id: grant.id,
            user_id: grant.user_id,
            server: grant.server_public_id.clone(),
            scopes,
            issued_at: self.now,
            expires_at: self.now.plus_millis(expires_in.saturating_mul(1000)),
        };
        let keys = self.context.storage.signing_keys(ACCESS_TOKEN_KEYS);
        let access = access.sign(&keys).ok_or_else(|| OAuthError::internal(&"there is no key to sign tokens with"))?;
        let refresh = random_secret::generate(REFRESH_TOKEN_PREFIX).map_err(|error| OAuthError::internal(&error))?;
        let refresh_expires_at = self.now.plus_millis(REFRESH_IDLE_MS).min(grant.ends_at);
        Ok(NewTokens { access, expires_in, refresh, refresh_expires_at, scopes })
    }
}

/// The tokens of a response.
struct NewTokens {
    access: String,
    /// Lifetime of the access token, in seconds.
    expires_in: i64,
    refresh: String,
    refresh_expires_at: Timestamp,
    scopes: McpScopes,
}

impl NewTokens {
    /// The refresh token, to store.
    fn stored_refresh(&self) -> NewRefreshToken {
        NewRefreshToken { hash: hash_secret(&self.refresh), expires_at: self.refresh_expires_at }
    }

    fn reply(&self) -> Response {
        let body = json!({
            "access_token": self.access,
            "token_type": "Bearer",
            "expires_in": self.expires_in,
            "refresh_token": self.refresh,
            "scope": self.scopes.to_text(),
        });
        json_reply(StatusCode::OK, &body)
    }
}
