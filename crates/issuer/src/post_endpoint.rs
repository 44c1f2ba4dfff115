//! Endpoints that programs call with POST. Web pages of any origin may call them too, because some clients run in a
//! browser; the endpoints ignore cookies.

use std::sync::Arc;

use axum::Router;
use axum::body::{self, Body};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
    ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode};

use crate::context::IssuerContext;
use crate::oauth_error::OAuthError;

/// The largest body of a request.
const BODY_BYTES_MAX: usize = 16 * 1024;

const METHODS: HeaderValue = HeaderValue::from_static("POST, OPTIONS");
/// Without `*`, which does not cover `Authorization`.
const ALLOWED_HEADERS: HeaderValue =
    HeaderValue::from_static("Authorization, Content-Type, Accept, MCP-Protocol-Version");

/// A route that answers POST with `handler`, OPTIONS with CORS headers, and other methods with 405.
pub(crate) fn route<H, F>(path: &'static str, context: &Arc<IssuerContext>, handler: H) -> Router
where
    H: Fn(Arc<IssuerContext>, Request) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Response, OAuthError>> + Send + 'static,
{
    let context = Arc::clone(context);
    let respond = move |request: Request| {
        let (context, handler) = (Arc::clone(&context), handler.clone());
        async move {
            let response = match *request.method() {
                Method::POST => handler(context, request).await,
                Method::OPTIONS => Ok(preflight()),
                _ => Ok(method_not_allowed()),
            };
            let mut response = response.into_response();
            let headers = response.headers_mut();
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            response
        }
    };
    Router::new().route(path, any(respond))
}

fn preflight() -> Response {
    let headers = [
        (ALLOW, METHODS),
        (ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS),
        (ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600")),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

fn method_not_allowed() -> Response {
    let error = OAuthError::new(StatusCode::METHOD_NOT_ALLOWED, "invalid_request", "Send the request with POST.");
    let mut response = error.into_response();
    response.headers_mut().insert(ALLOW, METHODS);
    response
}

/// A JSON reply.
pub(crate) fn json_reply(status: StatusCode, body: &serde_json::Value) -> Response {
    (status, [(CONTENT_TYPE, HeaderValue::from_static("application/json"))], body.to_string()).into_response()
}

/// Whether `Content-Type` names this media type, with any parameters.
pub(crate) fn has_media_type(headers: &HeaderMap, expected: &str) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(expected)
}

/// Reads a body of at most 16 KiB. `error` is the code of the error if it is larger.
pub(crate) async fn read_body(headers: &HeaderMap, body: Body, error: &'static str) -> Result<Bytes, OAuthError> {
    let too_large = || {
        let description = format!("The body of the request may have at most {BODY_BYTES_MAX} bytes.");
        OAuthError::new(StatusCode::PAYLOAD_TOO_LARGE, error, description)
    };
    let announced = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > BODY_BYTES_MAX as u64) {
        return Err(too_large());
    }
    // The error is the same if the connection ended early, but then the reply is not read anyway.
    body::to_bytes(body, BODY_BYTES_MAX).await.map_err(|_| too_large())
}
