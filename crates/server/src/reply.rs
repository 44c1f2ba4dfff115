//! JSON responses outside the management API; errors have the same shape: `{code, message, data: {status}}`.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use serde_json::{Value, json};

/// A JSON response that must not be cached.
pub(crate) fn json_reply(status: StatusCode, body: &Value) -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    (status, headers, body.to_string()).into_response()
}

/// An error with a stable code and a message for people.
pub(crate) fn error_reply(status: StatusCode, code: &str, message: &str) -> Response {
    let body = json!({"code": code, "message": message, "data": {"status": status.as_u16()}});
    json_reply(status, &body)
}

pub(crate) fn not_found() -> Response {
    error_reply(StatusCode::NOT_FOUND, "not_found", "There is nothing at this address.")
}

pub(crate) fn method_not_allowed() -> Response {
    error_reply(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "This method is not allowed at this address.")
}
