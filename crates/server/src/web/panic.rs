//! A panic in a handler is our fault and one request's misfortune: the others never notice.

use std::any::Any;

use axum::response::Response;
use http::StatusCode;

use super::reply::refusal;

/// The panic itself was logged where it happened, see [`crate::logging`].
pub(super) fn reply(_panic: Box<dyn Any + Send + 'static>) -> Response {
    refusal(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", "The service failed; its log says more.")
}
