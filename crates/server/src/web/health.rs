//! Health checks: `/livez` and `/healthz` report that the process is alive (a failure restarts the container),
//! `/startupz` that it has started, `/readyz` that it can serve (a failure takes it out of the load balancer).

use std::sync::Arc;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use axum::routing::get;
use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::node_state::{NodeState, NodeStateCell};
use crate::reply::json_reply;

const STARTING: &str = "the service is starting";

pub(super) fn routes(node: &NodeStateCell) -> Router {
    Router::new()
        .route("/healthz", get(alive))
        .route("/livez", get(alive))
        .route("/startupz", get(startupz))
        .route("/readyz", get(readyz))
        .with_state(Arc::clone(node))
}

async fn alive() -> Response {
    json_reply(StatusCode::OK, &json!({"status": "ok"}))
}

async fn startupz(State(node): State<NodeStateCell>) -> Response {
    health_reply(node.get().is_none().then(|| STARTING.to_owned()), None)
}

async fn readyz(State(node): State<NodeStateCell>, RawQuery(query): RawQuery) -> Response {
    let Some(node) = node.get() else { return health_reply(Some(STARTING.to_owned()), None) };
    let checks = check_all(node).await;
    let failure = checks.iter().find_map(|(_, check)| check.failure()).map(str::to_owned);
    let is_verbose =
        query.as_deref().is_some_and(|query| query.split('&').any(|pair| pair.split('=').next() == Some("verbose")));
    let shown = |(name, check): (&str, HealthCheck)| (name.to_owned(), check.to_json());
    health_reply(failure, is_verbose.then(|| checks.into_iter().map(shown).collect()))
}

fn health_reply(failure: Option<String>, checks: Option<Map<String, Value>>) -> Response {
    let (status, mut body) = match failure {
        None => (StatusCode::OK, json!({"status": "ok"})),
        Some(reason) => (StatusCode::SERVICE_UNAVAILABLE, json!({"status": "unavailable", "reason": reason})),
    };
    if let Some(checks) = checks {
        body["checks"] = checks.into();
    }
    json_reply(status, &body)
}

/// The result of one check. The reasons are public, so they contain no address and no name.
enum HealthCheck {
    Passed,
    /// The node still serves requests, with limitations.
    Degraded(String),
    /// The node is not ready.
    Failed(String),
}

impl HealthCheck {
    fn failure(&self) -> Option<&str> {
        if let Self::Failed(reason) = self { Some(reason) } else { None }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Passed => json!({"status": "ok"}),
            Self::Degraded(reason) => json!({"status": "degraded", "reason": reason}),
            Self::Failed(reason) => json!({"status": "failed", "reason": reason}),
        }
    }
}

/// The checks of a node, the most important one first.
async fn check_all(node: &NodeState) -> Vec<(&'static str, HealthCheck)> {
    let stopping = if node.stopping.is_cancelled() {
        HealthCheck::Failed("the service is stopping".to_owned())
    } else {
        HealthCheck::Passed
    };
    let mut checks = vec![("stopping", stopping), ("database", check_database(node).await)];
    if let Some(cluster) = &node.cluster {
        checks.push(("redis", check_redis(cluster.redis_stats().is_connected)));
    }
    checks.push(("journal", check_journal(node)));
    checks
}

async fn check_database(node: &NodeState) -> HealthCheck {
    node.ping_database().await.map_or_else(HealthCheck::Failed, |()| HealthCheck::Passed)
}

/// Without Redis, a node continues alone, so it stays ready.
fn check_redis(is_connected: bool) -> HealthCheck {
    if is_connected {
        return HealthCheck::Passed;
    }
    HealthCheck::Degraded("Redis is unavailable: this node enforces its share of each rate limit".to_owned())
}

/// Lost calls are missing in reports, but no client notices.
fn check_journal(node: &NodeState) -> HealthCheck {
    let stats = node.recorder.stats();
    if stats.lost > 0 {
        return HealthCheck::Degraded(format!("{} calls were lost for reports", stats.lost));
    }
    HealthCheck::Passed
}
