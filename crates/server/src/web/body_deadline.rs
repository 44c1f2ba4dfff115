//! A body must arrive whole within a deadline, however steadily it trickles in.

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

use super::reply::refusal;

const DEADLINE: Duration = Duration::from_secs(30);

/// Whoever reads the body sees an error and makes of it what it can; what the caller gets is 408.
pub(super) async fn enforce<F>(request: Request<Body>, next: impl FnOnce(Request<Body>) -> F) -> Response
where
    F: Future<Output = Result<Response, Infallible>>,
{
    if request.body().is_end_stream() {
        return never_fails(next(request).await);
    }
    let is_late = Arc::new(AtomicBool::new(false));
    let noted = Arc::clone(&is_late);
    let request = request.map(|body| {
        Body::new(DeadlineBody::new(DEADLINE, body).map_err(move |error| {
            noted.fetch_or(error.is::<tower_http::timeout::TimeoutError>(), Ordering::Relaxed);
            error
        }))
    });
    let response = never_fails(next(request).await);
    if is_late.load(Ordering::Relaxed) { too_late() } else { response }
}

fn never_fails(answered: Result<Response, Infallible>) -> Response {
    answered.unwrap_or_else(|never| match never {})
}

fn too_late() -> Response {
    let message = "The body of the request did not arrive in time.";
    let mut response = refusal(StatusCode::REQUEST_TIMEOUT, "request_timeout", message);
    // The rest of the body may still come: nobody will read it.
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}
