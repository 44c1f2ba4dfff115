//! `/metrics`. On the monitoring address it needs no key, because the operator decides who can reach that address. On
//! the main address it needs an API key with the scope `metrics`.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use toolgate_auth::Principal;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::sync::lock;
use toolgate_domain::time::Timestamp;

use crate::metrics::{self, ExpositionFormat};
use crate::node_state::{NodeState, NodeStateCell};
use crate::reply::error_reply;

/// The metrics without a key.
pub(super) fn open_routes(node: NodeStateCell) -> Router {
    Router::new().route("/metrics", get(open)).with_state(node)
}

/// The metrics for holders of a key.
pub(super) fn protected_routes(node: NodeStateCell) -> Router {
    Router::new()
        .route("/metrics", get(protected))
        .with_state(Arc::new(ProtectedMetrics { node, last_accepted: Mutex::default() }))
}

struct ProtectedMetrics {
    node: NodeStateCell,
    last_accepted: Mutex<Option<AcceptedKey>>,
}

/// The last key that was accepted. It stays valid while the database, which stores the keys, is unavailable: that is
/// when the metrics are needed most.
#[derive(Clone, Copy)]
struct AcceptedKey {
    hash: KeyHash,
    expires_at: Option<Timestamp>,
}

async fn open(State(node): State<NodeStateCell>, headers: HeaderMap) -> Response {
    match node.get() {
        Some(node) => render(node, &headers).await,
        None => starting(),
    }
}

async fn protected(State(metrics): State<Arc<ProtectedMetrics>>, headers: HeaderMap) -> Response {
    let Some(node) = metrics.node.get() else { return starting() };
    match metrics.admit(node, &headers).await {
        Ok(()) => render(node, &headers).await,
        Err(refusal) => refusal,
    }
}

async fn render(node: &NodeState, headers: &HeaderMap) -> Response {
    let format = ExpositionFormat::from_headers(headers);
    let headers = [(CONTENT_TYPE, format.content_type()), (CACHE_CONTROL, "no-store"), (VARY, "accept")];
    (headers, metrics::render(node, format).await).into_response()
}

impl ProtectedMetrics {
    async fn admit(&self, node: &NodeState, headers: &HeaderMap) -> Result<(), Response> {
        let key = toolgate_auth::bearer_token(headers).ok_or_else(unauthorized)?;
        let hash = toolgate_auth::hash_secret(key);
        let Ok(found) = node.storage.find_api_key(hash).await else {
            return if self.was_accepted(hash, node.clock.now()) { Ok(()) } else { Err(unavailable()) };
        };
        let principal = found.and_then(|key| Principal::new(key, node.clock.now()).ok()).ok_or_else(unauthorized)?;
        if !principal.may_read_metrics() {
            return Err(forbidden());
        }
        *lock(&self.last_accepted) = Some(AcceptedKey { hash, expires_at: principal.expires_at() });
        Ok(())
    }

    fn was_accepted(&self, hash: KeyHash, now: Timestamp) -> bool {
        let is_same = |key: AcceptedKey| key.hash == hash && key.expires_at.is_none_or(|end| end > now);
        lock(&self.last_accepted).is_some_and(is_same)
    }
}

fn unauthorized() -> Response {
    let message = "Send an API key with the scope metrics as 'Authorization: Bearer <key>'.";
    let mut response = error_reply(StatusCode::UNAUTHORIZED, "unauthorized", message);
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"toolgate\""));
    response
}

fn forbidden() -> Response {
    let message = "This API key may not read metrics: an administrator must create one with the scope metrics.";
    error_reply(StatusCode::FORBIDDEN, "forbidden", message)
}

fn unavailable() -> Response {
    let message = "The key cannot be checked because the database is unavailable. Set TOOLGATE_METRICS_LISTEN for metrics that need no key.";
    error_reply(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
}

fn starting() -> Response {
    error_reply(StatusCode::SERVICE_UNAVAILABLE, "starting", "The service is starting.")
}
