//! HTTP responses with JSON bodies.

use axum::body::Body;
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, StatusCode};

use crate::challenge::KEY_CHALLENGE;
use crate::era::Era;
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::message::RpcId;
use crate::jsonrpc::reply::{ErrorReplyId, error_reply};

/// A JSON response.
pub(super) fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// The error for one JSON-RPC request; without an id, for a whole HTTP request.
pub(super) fn error_response(id: Option<&RpcId>, error: &RpcError, era: Era) -> Response {
    let status = error.status(era);
    let id = match id {
        Some(id) => ErrorReplyId::Request(id),
        None if era.is_modern() => ErrorReplyId::Absent,
        None => ErrorReplyId::Null,
    };
    let mut response = json(status, error_reply(id, error));
    if let Some(challenge) = error.challenge() {
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge.clone());
    } else if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(WWW_AUTHENTICATE, KEY_CHALLENGE);
    }
    if let Some(seconds) = error.retry_after_secs() {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}
