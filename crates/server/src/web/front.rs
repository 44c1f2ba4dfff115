//! What every request passes, whoever answers it, from the outside in: its name and log line, the net for panics (so that
//! a panic has a name too). Plain functions and no layers, for calls of tools come this way.

use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use futures_util::FutureExt as _;
use http::Request;
use tokio::runtime::Handle;
use tokio_util::task::AbortOnDropHandle;
use toolgate_mcp::Gate;
use tower::ServiceExt as _;
use tracing::Instrument as _;

use super::request_id::{HEADER, RequestIds};
use super::trace::LogLine;
use super::{body_deadline, panic};

/// All that is served. Clones share it.
#[derive(Clone)]
pub(crate) struct Front {
    shared: Arc<Shared>,
}

struct Shared {
    gate: Arc<Gate>,
    /// All but the endpoints of the gate.
    routes: Router,
    /// Answers those: the threads of connections are for calls.
    runtime: Handle,
    ids: RequestIds,
}

impl Front {
    /// Within the runtime that is to answer all but calls.
    pub(super) fn new(routes: Router, gate: Arc<Gate>, ids: RequestIds) -> Self {
        Self { shared: Arc::new(Shared { gate, routes, runtime: Handle::current(), ids }) }
    }

    /// Answers a request.
    pub(crate) async fn answer(&self, request: Request<Body>, peer: SocketAddr) -> Response {
        let Shared { gate, routes, runtime, ids } = &*self.shared;
        around(ids, request, async |mut request: Request<Body>| {
            if Gate::is_endpoint(request.uri().path()) {
                return gate.answer(request).await;
            }
            request.extensions_mut().insert(toolgate_rest::Peer(peer));
            let answering = by_route(routes.clone(), request).in_current_span();
            // Given up where the client leaves, as if it were no task of its own; and what it panics with goes on here.
            match AbortOnDropHandle::new(runtime.spawn(answering)).await {
                Ok(response) => response,
                Err(error) => match error.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    // The runtime ends, and the process with it.
                    Err(_) => std::future::pending().await,
                },
            }
        })
        .await
    }
}

pub(super) async fn by_route(routes: Router, request: Request<Body>) -> Response {
    body_deadline::enforce(request, |request| routes.oneshot(request)).await
}

/// Names the request, tells the log and the caller; catches what falls.
pub(super) async fn around(
    ids: &RequestIds,
    mut request: Request<Body>,
    answer: impl AsyncFnOnce(Request<Body>) -> Response,
) -> Response {
    let id = ids.name(request.headers());
    // Whoever answers can name the request too.
    request.headers_mut().insert(HEADER, id.clone());
    let span = tracing::info_span!("request", id = id.to_str().unwrap_or_default());
    // Pinned first: what wraps it would move it.
    let answering = pin!(async {
        let line = LogLine::begin(&request);
        let response = AssertUnwindSafe(pin!(answer(request))).catch_unwind().await.unwrap_or_else(panic::reply);
        line.end(response.status());
        response
    });
    let mut response = answering.instrument(span).await;
    response.headers_mut().insert(HEADER, id);
    response
}
