//! The parts of this node that health checks and metrics read.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use toolgate_analytics::{AccessCounters, Recorder};
use toolgate_domain::time::Clock;
use toolgate_execution::Executor;
use toolgate_execution::cluster::ClusterState;
use toolgate_mcp::McpService;
use toolgate_storage::Storage;

use crate::request_counters::RequestCounters;
use crate::telemetry::Telemetry;
use crate::workers::Workers;

/// If the database takes longer to respond, the node is not ready. Less than the time that Prometheus and load
/// balancers usually wait.
const PING_TIMEOUT: Duration = Duration::from_secs(2);

/// Holds the state of this node; empty until the service has started.
pub(crate) type NodeStateCell = Arc<OnceLock<NodeState>>;

/// The state of a node that has started.
pub(crate) struct NodeState {
    /// Its name, from the settings.
    pub(crate) name: String,
    pub(crate) is_postgres: bool,
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) executor: Arc<Executor>,
    pub(crate) recorder: Arc<Recorder>,
    pub(crate) access_counters: Arc<AccessCounters>,
    pub(crate) mcp: Arc<McpService>,
    /// `None` without Redis.
    pub(crate) cluster: Option<Arc<ClusterState>>,
    pub(crate) requests: Arc<RequestCounters>,
    pub(crate) workers: Arc<Workers>,
    pub(crate) telemetry: Arc<Telemetry>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Cancelled when the service stops.
    pub(crate) stopping: CancellationToken,
}

impl NodeState {
    /// Fails with the reason if the database does not respond. Health checks and metrics both use it, so that they
    /// agree.
    pub(crate) async fn ping_database(&self) -> Result<(), String> {
        match timeout(PING_TIMEOUT, self.storage.ping()).await {
            Ok(result) => result.map_err(|error| error.to_string()),
            Err(_) => Err("the database did not respond in time".to_owned()),
        }
    }
}
