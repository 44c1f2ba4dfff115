//! Handles the requests of one connection.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use http::header::{CONNECTION, TRANSFER_ENCODING};
use http::{HeaderValue, Request, Response};
use hyper::body::Incoming;
use tokio_util::sync::CancellationToken;

use super::activity::{Activity, TrackedBody};
use crate::web::App;

/// The application and the state of the connection, shared by the requests of one connection.
pub(super) struct RequestHandler {
    pub(super) app: App,
    pub(super) peer: SocketAddr,
    pub(super) stopping: CancellationToken,
    /// Counts the requests of all connections that arrive after `stopping` is cancelled.
    pub(super) late_requests: Arc<AtomicUsize>,
    pub(super) activity: Arc<Activity>,
}

impl RequestHandler {
    pub(super) async fn handle(&self, request: Request<Incoming>) -> Response<TrackedBody> {
        let active_request = self.activity.start_request();
        // `StrictReader` does not parse chunks, so it cannot check a request after a chunked body.
        let is_last = request.headers().contains_key(TRANSFER_ENCODING);
        if self.stopping.is_cancelled() {
            self.late_requests.fetch_add(1, Ordering::Relaxed);
        }
        let mut response = self.app.handle(request.map(Body::new), self.peer).await;
        if is_last || self.stopping.is_cancelled() {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response.map(|body| active_request.track_body(body))
    }
}
