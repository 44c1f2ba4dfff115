//! The list of nodes: processes of Toolgate that use the database.

use std::time::Duration;

use async_trait::async_trait;
use toolgate_domain::node::{ListedNode, NodeIdentity, NodeStatus};

use crate::error::Result;

/// A heartbeat of a node. The database adds the time, because the clocks of nodes may differ.
#[derive(Clone, Debug)]
pub struct NodeHeartbeat {
    /// The node.
    pub identity: NodeIdentity,
    /// How long it has been running.
    pub uptime: Duration,
    /// What it is doing.
    pub status: NodeStatus,
}

/// Stores the nodes.
#[async_trait]
pub trait NodeStore {
    /// Adds the node or notes that it was seen. Removes nodes that were not seen for a day, and earlier starts of this
    /// node (with the same name) that were not seen for a minute.
    async fn record_heartbeat(&self, heartbeat: &NodeHeartbeat) -> Result<()>;

    /// All nodes by name. One that was not seen for 30 seconds is lost.
    async fn nodes(&self) -> Result<Vec<ListedNode>>;

    /// Removes a node that has stopped.
    async fn remove_node(&self, id: &str) -> Result<()>;
}
