//! Registers this node in the database, so that `GET /nodes` lists all nodes. The database is the place that all nodes
//! share, with and without Redis. With SQLite there is one node, which needs no heartbeat.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolgate_domain::node::{NodeIdentity, NodeStatus};
use toolgate_execution::cluster::ClusterState;
use toolgate_storage::{NodeHeartbeat, Storage};

use crate::settings::Settings;

/// How often a node updates its entry in the list of nodes.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(10);
/// How long a heartbeat may take: the service must not wait longer for it when it stops.
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(2);

/// Identifies this process.
pub(crate) fn identity(settings: &Settings, bound: SocketAddr) -> anyhow::Result<NodeIdentity> {
    let id = getrandom::u64().context("the operating system provided no random bytes")?;
    Ok(NodeIdentity {
        id: format!("{id:016x}"),
        name: settings.node_name(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        address: (!bound.ip().is_unspecified()).then(|| bound.to_string()),
    })
}

/// The entry of this node in the list of nodes.
pub(crate) struct NodeRegistration {
    entry: Arc<NodeEntry>,
    tasks: TaskTracker,
}

struct NodeEntry {
    identity: NodeIdentity,
    storage: Arc<dyn Storage>,
    cluster: Option<Arc<ClusterState>>,
    started: Instant,
}

impl NodeRegistration {
    /// Registers the node until it leaves.
    pub(crate) fn start(
        identity: NodeIdentity,
        storage: &Arc<dyn Storage>,
        cluster: Option<Arc<ClusterState>>,
        stopping: &CancellationToken,
    ) -> Self {
        let entry = Arc::new(NodeEntry { identity, storage: Arc::clone(storage), cluster, started: Instant::now() });
        let tasks = TaskTracker::new();
        tasks.spawn(Arc::clone(&entry).run(stopping.clone()));
        Self { entry, tasks }
    }

    /// Removes the node from the list.
    pub(crate) async fn leave(self) {
        self.tasks.close();
        self.tasks.wait().await;
        let removed = timeout(HEARTBEAT_TIMEOUT, self.entry.storage.remove_node(&self.entry.identity.id)).await;
        if !matches!(removed, Ok(Ok(()))) {
            tracing::debug!("cannot remove this node from the list of nodes, which will show it as lost");
        }
    }
}

impl NodeEntry {
    async fn run(self: Arc<Self>, stopping: CancellationToken) {
        let mut ticks = interval(HEARTBEAT_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while stopping.run_until_cancelled(ticks.tick()).await.is_some() {
            self.send_heartbeat(self.status()).await;
        }
        self.send_heartbeat(NodeStatus::Stopping).await;
    }

    fn status(&self) -> NodeStatus {
        match &self.cluster {
            Some(cluster) if !cluster.redis_stats().is_connected => NodeStatus::Degraded,
            _ => NodeStatus::Ready,
        }
    }

    async fn send_heartbeat(&self, status: NodeStatus) {
        let heartbeat = NodeHeartbeat { identity: self.identity.clone(), uptime: self.started.elapsed(), status };
        match timeout(HEARTBEAT_TIMEOUT, self.storage.record_heartbeat(&heartbeat)).await {
            Ok(Ok(())) => {}
            // Other components log an outage of the database.
            Ok(Err(error)) => tracing::debug!(?error, "cannot register this node"),
            Err(_) => tracing::debug!("cannot register this node: the database did not respond in time"),
        }
    }
}
