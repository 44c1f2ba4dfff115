//! Health checks: `/healthz` reports that the process is alive (a failure restarts the container), `/readyz` that it
//! can serve (a failure takes it out of the load balancer).

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolgate_storage::Storage;

use crate::reply::json_reply;

/// If the database takes longer to respond, the service is not ready.
const PING_TIMEOUT: Duration = Duration::from_secs(2);

/// The dependencies of the readiness check.
#[derive(Clone)]
pub(super) struct Readiness {
    pub(super) storage: Arc<dyn Storage>,
    pub(super) stopping: CancellationToken,
}

pub(super) async fn healthz() -> Response {
    json_reply(StatusCode::OK, &json!({"status": "ok"}))
}

pub(super) async fn readyz(State(readiness): State<Readiness>) -> Response {
    match unavailable_reason(&readiness).await {
        None => json_reply(StatusCode::OK, &json!({"status": "ok"})),
        Some(reason) => {
            json_reply(StatusCode::SERVICE_UNAVAILABLE, &json!({"status": "unavailable", "reason": reason}))
        }
    }
}

/// Why the service is not ready; `None` if it is.
async fn unavailable_reason(readiness: &Readiness) -> Option<String> {
    if readiness.stopping.is_cancelled() {
        return Some("the service is stopping".to_owned());
    }
    match tokio::time::timeout(PING_TIMEOUT, readiness.storage.ping()).await {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some("the database did not respond in time".to_owned()),
    }
}
