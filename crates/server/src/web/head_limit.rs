//! The head of a request has a limit. hyper's own bounds the memory of a connection, but lets a head of up to
//! twice its size pass.

use axum::body::Body;
use axum::response::Response;
use http::header::CONNECTION;
use http::{HeaderValue, Request, StatusCode};

use super::reply;
use crate::listener::MAX_HEAD;

pub(super) fn is_exceeded(request: &Request<Body>) -> bool {
    size(request) > MAX_HEAD
}

pub(super) fn refusal() -> Response {
    let message = format!("The request line and headers are larger than {MAX_HEAD} bytes.");
    let mut response = reply::refusal(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "head_too_large", &message);
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

fn size(request: &Request<Body>) -> usize {
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    let headers: usize = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    target + headers
}
