//! Turns a panic of a handler into a 500 response; other requests are not affected.

use std::any::Any;

use axum::response::Response;
use http::StatusCode;

use crate::reply::error_reply;

/// The panic hook has already logged the panic, see [`crate::logging`].
pub(super) fn reply(_panic: Box<dyn Any + Send + 'static>) -> Response {
    error_reply(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", "Internal error. See the service log for details.")
}
