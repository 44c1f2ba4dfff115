//! The application: adds a request id and a log line to every request, catches panics (within the log span, so that a
//! panic is logged with its request id), and routes the request. It uses plain functions instead of tower layers, which
//! would slow down every tool call.

use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use futures_util::FutureExt as _;
use http::Request;
use tokio::runtime::Handle;
use tokio_util::task::AbortOnDropHandle;
use toolgate_auth::PeerAddr;
use toolgate_mcp::McpService;
use tower::ServiceExt as _;
use tracing::Instrument as _;

use super::client_addresses::ClientAddresses;
use super::request_id::{REQUEST_ID_HEADER, RequestIds};
use super::request_log::LogLine;
use super::{body_deadline, panic};
use crate::request_counters::{RequestCounters, RouteClass};
use crate::telemetry::{Tracer, tracer};

/// The application with all its routes. Clones share the state.
#[derive(Clone)]
pub(crate) struct App {
    state: Arc<AppState>,
}

struct AppState {
    /// `None` if the application has no MCP endpoints.
    mcp: Option<Arc<McpService>>,
    /// All routes except the MCP endpoints.
    routes: Router,
    /// Runs the handlers of `routes`: the worker threads are reserved for tool calls.
    runtime: Handle,
    ids: RequestIds,
    client_addresses: ClientAddresses,
    observers: RequestObservers,
}

/// Counts and traces every request.
pub(crate) struct RequestObservers {
    pub(crate) counters: Arc<RequestCounters>,
    /// `None` if nothing is traced.
    pub(crate) tracer: Option<Arc<Tracer>>,
}

impl App {
    /// Must be called on the runtime that handles `routes`.
    pub(super) fn new(
        routes: Router,
        mcp: Option<Arc<McpService>>,
        ids: RequestIds,
        client_addresses: ClientAddresses,
        observers: RequestObservers,
    ) -> Self {
        let runtime = Handle::current();
        Self { state: Arc::new(AppState { mcp, routes, runtime, ids, client_addresses, observers }) }
    }

    /// Handles a request, traces it if it is sampled, and counts its response.
    pub(crate) async fn handle(&self, mut request: Request<Body>, peer: SocketAddr) -> Response {
        let (RequestObservers { counters, tracer }, started) = (&self.state.observers, Instant::now());
        let class = counters.classify(request.uri().path());
        let span = tracer.as_ref().and_then(|tracer| tracer.begin(&mut request, class));
        let response = self.respond(request, class, peer).await;
        if let Some(span) = span {
            tracer::set_response(&span, &response);
        }
        counters.count(class, response.status(), started.elapsed());
        response
    }

    async fn respond(&self, request: Request<Body>, class: RouteClass, peer: SocketAddr) -> Response {
        let AppState { mcp, routes, runtime, ids, client_addresses, .. } = &*self.state;
        with_request_context(ids, request, async |mut request: Request<Body>| {
            if class == RouteClass::Mcp
                && let Some(mcp) = mcp
            {
                let client_address = client_addresses.address(peer, request.headers());
                return mcp.handle(request, client_address).await;
            }
            request.extensions_mut().insert(PeerAddr(peer));
            let handling = route(routes.clone(), request).in_current_span();
            // Aborts the task when the client disconnects, and resumes its panics here.
            match AbortOnDropHandle::new(runtime.spawn(handling)).await {
                Ok(response) => response,
                Err(error) => match error.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    // The task was cancelled because the runtime shuts down, and the process with it.
                    Err(_) => std::future::pending().await,
                },
            }
        })
        .await
    }
}

pub(super) async fn route(routes: Router, request: Request<Body>) -> Response {
    body_deadline::enforce(request, |request| routes.oneshot(request)).await
}

/// Runs `handler` with a request id, which is logged and returned to the caller, and turns a panic into a response.
pub(super) async fn with_request_context(
    ids: &RequestIds,
    mut request: Request<Body>,
    handler: impl AsyncFnOnce(Request<Body>) -> Response,
) -> Response {
    let id = ids.for_request(request.headers());
    // Handlers read the id from the request headers.
    request.headers_mut().insert(REQUEST_ID_HEADER, id.clone());
    let span = tracing::info_span!("request", id = id.to_str().unwrap_or_default());
    // Pinned here, so that `instrument` wraps a pointer and does not copy the large future.
    let handling = pin!(async {
        let line = LogLine::begin(&request);
        let response = AssertUnwindSafe(pin!(handler(request))).catch_unwind().await.unwrap_or_else(panic::reply);
        line.end(response.status());
        response
    });
    let mut response = handling.instrument(span).await;
    response.headers_mut().insert(REQUEST_ID_HEADER, id);
    response
}
