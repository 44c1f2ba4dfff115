//! Limits the total time in which a request body must arrive: a steady trickle of bytes does not extend it.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use http::header::CONNECTION;
use http::{HeaderValue, Request, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Body as _;
use tower_http::timeout::DeadlineBody;

use crate::reply::error_reply;

const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Fails the body with an error after the timeout, and replaces the handler's response with 408.
pub(super) async fn enforce<F>(request: Request<Body>, next: impl FnOnce(Request<Body>) -> F) -> Response
where
    F: Future<Output = Result<Response, Infallible>>,
{
    if request.body().is_end_stream() {
        return into_ok(next(request).await);
    }
    let is_timed_out = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_timed_out);
    let request = request.map(|body| {
        Body::new(DeadlineBody::new(BODY_TIMEOUT, body).map_err(move |error| {
            flag.fetch_or(error.is::<tower_http::timeout::TimeoutError>(), Ordering::Relaxed);
            error
        }))
    });
    let response = into_ok(next(request).await);
    if is_timed_out.load(Ordering::Relaxed) { timeout_reply() } else { response }
}

fn into_ok(result: Result<Response, Infallible>) -> Response {
    result.unwrap_or_else(|never| match never {})
}

fn timeout_reply() -> Response {
    let message = "The request body did not arrive within 30 seconds.";
    let mut response = error_reply(StatusCode::REQUEST_TIMEOUT, "request_timeout", message);
    // The rest of the body may still arrive and is not read.
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}
