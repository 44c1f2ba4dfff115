//! One span and one log line for each request. Never headers, bodies or the query: keys travel there.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use super::request_id::{HEADER, RequestIds};

/// Names the request, tells the log and the caller.
pub(super) async fn request(State(ids): State<Arc<RequestIds>>, mut request: Request, next: Next) -> Response {
    let id = ids.name(request.headers());
    // Whoever answers can name the request too.
    request.headers_mut().insert(HEADER, id.clone());
    let span = tracing::info_span!("request", id = id.to_str().unwrap_or_default());
    let mut response = answer(request, next).instrument(span).await;
    response.headers_mut().insert(HEADER, id);
    response
}

async fn answer(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let uri = request.uri().clone();
    let response = next.run(request).await;
    let (path, status) = (uri.path(), response.status().as_u16());
    let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::debug!(%method, path, status, ms, "answered");
    response
}
