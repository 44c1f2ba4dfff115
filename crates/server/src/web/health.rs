//! `/healthz` says that the process lives, `/readyz` that it can serve: the one restarts a container, the
//! other takes it out of a load balancer.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolgate_storage::Storage;

use super::reply::json_reply;

/// How long the database may take to answer while we still call ourselves ready.
const PING_DEADLINE: Duration = Duration::from_secs(2);

/// What readiness depends on.
#[derive(Clone)]
pub(super) struct Readiness {
    pub(super) storage: Arc<dyn Storage>,
    pub(super) stopping: CancellationToken,
}

pub(super) async fn is_alive() -> Response {
    json_reply(StatusCode::OK, &json!({"status": "ok"}))
}

pub(super) async fn is_ready(State(readiness): State<Readiness>) -> Response {
    match obstacle(&readiness).await {
        None => json_reply(StatusCode::OK, &json!({"status": "ok"})),
        Some(reason) => {
            json_reply(StatusCode::SERVICE_UNAVAILABLE, &json!({"status": "unavailable", "reason": reason}))
        }
    }
}

/// Why the service cannot serve, if it cannot.
async fn obstacle(readiness: &Readiness) -> Option<String> {
    if readiness.stopping.is_cancelled() {
        return Some("the service is stopping".to_owned());
    }
    match tokio::time::timeout(PING_DEADLINE, readiness.storage.ping()).await {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some("the database did not answer in time".to_owned()),
    }
}
