//! The documents below `/.well-known`. Clients probe for several: an address without a document is a JSON 404, never a
//! page and never a redirect, because both end the search.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
    ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER,
};
use http::request::Parts;
use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::oauth::scopes::McpScope;
use toolgate_domain::oauth::settings::OAuthIssuer;
use toolgate_storage::{OAuthServer, StorageError};

use crate::context::IssuerContext;
use crate::issuer_url::{EndpointName, IssuerUrl};
use crate::outage::outage_text;

const ROOT: &str = "/.well-known";
const ISSUER_DOCUMENT: &str = "/oauth-authorization-server";
const RESOURCE_DOCUMENT: &str = "/oauth-protected-resource";
const METHODS: &str = "GET, HEAD, OPTIONS";

pub(crate) fn routes(context: &Arc<IssuerContext>) -> Router {
    let handlers = || get(document).options(preflight).fallback(method_not_allowed);
    Router::new()
        .route(ROOT, handlers())
        .route("/.well-known/", handlers())
        .route("/.well-known/{*path}", handlers())
        .with_state(Arc::clone(context))
}

async fn document(State(context): State<Arc<IssuerContext>>, request: Parts) -> Response {
    match find_document(&context, request.uri.path()).await {
        Ok(Some(document)) => reply(StatusCode::OK, "max-age=300", &document),
        Ok(None) => error(StatusCode::NOT_FOUND, "not_found", "There is no document at this address."),
        Err(failure) => {
            tracing::warn!(error = ?failure, "failed to read the servers for a metadata document");
            let mut response = error(StatusCode::SERVICE_UNAVAILABLE, "unavailable", outage_text(&failure));
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("5"));
            response
        }
    }
}

async fn find_document(context: &IssuerContext, path: &str) -> Result<Option<Value>, StorageError> {
    let Some(issuer) = context.config.issuer.as_deref().map(IssuerUrl::new) else { return Ok(None) };
    let Some(path) = path.strip_prefix(ROOT) else { return Ok(None) };
    if let Some(rest) = path.strip_prefix(ISSUER_DOCUMENT) {
        let is_document = rest.is_empty() || rest == issuer.base_path();
        let is_used = is_document && context.issuer_use.is_used(&*context.storage).await?;
        return Ok(is_used.then(|| issuer_document(issuer, context.config.is_registration_open)));
    }
    let Some(rest) = path.strip_prefix(RESOURCE_DOCUMENT) else { return Ok(None) };
    // Clients insert the well-known path before the path of the base URL; proxies may remove the latter.
    let endpoint = rest.strip_prefix(issuer.base_path()).unwrap_or(rest);
    let Some(name) = EndpointName::from_path(endpoint) else { return Ok(None) };
    let server = context.storage.oauth_server(&name.public_id).await?;
    let server = server.filter(|server| server.server.slug.as_str() == name.slug);
    // A client compares the resource with the URL that a person entered, which may end with a slash.
    let slash = if endpoint.ends_with('/') { "/" } else { "" };
    Ok(server.map(|server| resource_document(issuer, &server, slash)))
}

fn issuer_document(issuer: IssuerUrl<'_>, is_registration_open: bool) -> Value {
    let issuer = issuer.as_str();
    let mut document = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "registration_endpoint": format!("{issuer}/register"),
        "revocation_endpoint": format!("{issuer}/revoke"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_post", "client_secret_basic"],
        "scopes_supported": ["mcp:read", "mcp:write", "offline_access"],
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
    });
    if !is_registration_open && let Some(document) = document.as_object_mut() {
        document.shift_remove("registration_endpoint");
    }
    document
}

fn resource_document(issuer: IssuerUrl<'_>, server: &OAuthServer, slash: &str) -> Value {
    let settings = &server.settings;
    let (authorization_server, scopes) = match &settings.issuer {
        OAuthIssuer::BuiltIn => (issuer.as_str(), McpScope::NAMES.to_vec()),
        OAuthIssuer::External(external) => {
            let scopes = [&settings.scope_read, &settings.scope_write];
            (external.as_str(), scopes.into_iter().filter_map(Option::as_deref).collect())
        }
    };
    let mut document = json!({
        "resource": format!("{}{slash}", issuer.endpoint(&server.server)),
        "authorization_servers": [authorization_server],
        "scopes_supported": scopes,
        "bearer_methods_supported": ["header"],
        "resource_name": server.server.spec.name,
    });
    // RFC 9728, section 3.2: a member without values is left out.
    if scopes.is_empty()
        && let Some(document) = document.as_object_mut()
    {
        document.shift_remove("scopes_supported");
    }
    document
}

async fn preflight() -> Response {
    let headers = [
        (ALLOW, METHODS),
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        // The wildcard does not include `Authorization`.
        (ACCESS_CONTROL_ALLOW_HEADERS, "*, Authorization"),
        (ACCESS_CONTROL_MAX_AGE, "7200"),
        (CACHE_CONTROL, "max-age=300"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

async fn method_not_allowed() -> Response {
    let message = "Use GET, HEAD or OPTIONS at this address.";
    let mut response = error(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(METHODS));
    response
}

/// An error in the format of the management API.
fn error(status: StatusCode, code: &str, message: &str) -> Response {
    let body = json!({"code": code, "message": message, "data": {"status": status.as_u16()}});
    reply(status, "no-store", &body)
}

fn reply(status: StatusCode, cache_control: &'static str, body: &Value) -> Response {
    let headers =
        [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, cache_control), (ACCESS_CONTROL_ALLOW_ORIGIN, "*")];
    (status, headers, body.to_string()).into_response()
}
