//! JSON replies outside the management API; refusals have its shape: `{code, message, data: {status}}`.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use serde_json::{Value, json};

/// A reply that is true now and not to be kept.
pub(crate) fn json_reply(status: StatusCode, body: &Value) -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    (status, headers, body.to_string()).into_response()
}

/// A refusal with a stable code and a message for people.
pub(crate) fn refusal(status: StatusCode, code: &str, message: &str) -> Response {
    let body = json!({"code": code, "message": message, "data": {"status": status.as_u16()}});
    json_reply(status, &body)
}

pub(crate) fn not_found() -> Response {
    refusal(StatusCode::NOT_FOUND, "not_found", "There is nothing at this address.")
}

pub(crate) fn method_not_allowed() -> Response {
    refusal(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "This address does not know this method.")
}
