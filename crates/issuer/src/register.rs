//! `/register`: clients register themselves (RFC 7591).

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use toolgate_auth::hash_secret;
use toolgate_domain::oauth::client::{ClientAuthMethod, ClientKind, NewOAuthClient, OAuthClient};

use crate::client_metadata::{ClientMetadata, MetadataFault};
use crate::context::IssuerContext;
use crate::oauth_error::OAuthError;
use crate::post_endpoint::{self, json_reply};
use crate::random_secret;
use crate::registration_limits::UNUSED_CLIENTS_MAX;

/// The prefix of the ids of clients that registered themselves.
const CLIENT_ID_PREFIX: &str = "tgx_";
/// The prefix of client secrets. It must not change: secret scanners find leaked secrets by it.
const CLIENT_SECRET_PREFIX: &str = "tgs_";
/// The name of a client that gives none.
const UNNAMED: &str = "Unnamed client";
/// How long a client waits if there are too many clients that were never allowed access.
const FULL_RETRY: Duration = Duration::from_mins(10);

pub(crate) fn routes(context: &Arc<IssuerContext>) -> Router {
    if !context.config.is_registration_open {
        return Router::new();
    }
    post_endpoint::route("/register", context, respond)
}

async fn respond(context: Arc<IssuerContext>, request: Request) -> Result<Response, OAuthError> {
    // Clients of servers without sign-in must not find an issuer here.
    if !context.issuer_use.is_used(&*context.storage).await? {
        let description = "No server of this service uses sign-in with OAuth.";
        return Err(OAuthError::new(StatusCode::NOT_FOUND, "invalid_request", description));
    }
    let (parts, body) = request.into_parts();
    let address = context.client_address(&parts);
    let metadata = match read(&context, &parts.headers, body).await {
        Ok(metadata) => metadata,
        Err(error) => {
            context.registration_limits.admit_invalid_request(address).map_err(OAuthError::too_many)?;
            return Err(error);
        }
    };
    context.registration_limits.admit_registration(address).map_err(OAuthError::too_many)?;
    register(&context, metadata).await
}

async fn read(context: &IssuerContext, headers: &HeaderMap, body: Body) -> Result<ClientMetadata, OAuthError> {
    let fault = |fault: MetadataFault| OAuthError::bad_request(fault.code, format!("{}.", fault.description));
    if !post_endpoint::has_media_type(headers, "application/json") {
        return Err(fault(MetadataFault::new("Send the metadata as JSON, with Content-Type application/json")));
    }
    let body = post_endpoint::read_body(headers, body, "invalid_client_metadata").await?;
    let Ok(Value::Object(object)) = serde_json::from_slice(&body) else {
        return Err(fault(MetadataFault::new("The body must be a JSON object")));
    };
    ClientMetadata::parse(&object, &context.config.redirect_schemes).map_err(fault)
}

async fn register(context: &IssuerContext, metadata: ClientMetadata) -> Result<Response, OAuthError> {
    let generate = |prefix| random_secret::generate(prefix).map_err(|error| OAuthError::internal(&error));
    let has_secret = metadata.auth_method != ClientAuthMethod::None;
    let secret = has_secret.then(|| generate(CLIENT_SECRET_PREFIX)).transpose()?;
    let client = NewOAuthClient {
        client_id: generate(CLIENT_ID_PREFIX)?,
        kind: ClientKind::Registered,
        name: metadata.name.unwrap_or_else(|| UNNAMED.to_owned()),
        redirect_uris: metadata.redirect_uris,
        auth_method: metadata.auth_method,
        secret_hash: secret.as_deref().map(hash_secret),
    };
    let registered = context.storage.register_client(client, UNUSED_CLIENTS_MAX, context.clock.now()).await?;
    let client = registered.ok_or_else(|| {
        let description = "Too many clients have registered without being used. Try again later.";
        OAuthError::unavailable(description, FULL_RETRY)
    })?;
    Ok(json_reply(StatusCode::CREATED, &registration(&client, secret.as_deref())))
}

/// The reply. It names both grant types, because some clients refuse a registration without `refresh_token`.
fn registration(client: &OAuthClient, secret: Option<&str>) -> Value {
    let mut body = json!({
        "client_id": client.client_id,
        "client_id_issued_at": client.created_at.as_millis() / 1000,
        "client_name": client.name,
        "redirect_uris": client.redirect_uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": client.auth_method,
    });
    if let Some(secret) = secret {
        body["client_secret"] = json!(secret);
        body["client_secret_expires_at"] = json!(0);
    }
    body
}
