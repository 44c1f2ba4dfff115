//! The nodes of an installation: processes of Toolgate that use one database.

use crate::closed_set::closed_set;
use crate::time::Timestamp;

closed_set! {
    /// What a node is doing.
    pub enum NodeStatus {
        /// It serves requests.
        Ready = "ready",
        /// It serves requests, but shares no state with other nodes, because Redis is unavailable.
        Degraded = "degraded",
        /// It finishes its last requests.
        Stopping = "stopping",
        /// It has not been seen for a while.
        Lost = "lost",
        /// It is of a newer release, and does something that this release has no name for.
        Unknown = "unknown",
    }
}

/// What identifies a node and does not change while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeIdentity {
    /// Random for each start. The same in the database and in Redis.
    pub id: String,
    /// The name in its settings; several nodes may have the same.
    pub name: String,
    /// Version of Toolgate.
    pub version: String,
    /// The address that it listens on, unless it listens on all addresses.
    pub address: Option<String>,
}

/// A node of the installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedNode {
    /// Id, name, version and address.
    pub identity: NodeIdentity,
    /// When it started.
    pub started_at: Timestamp,
    /// When it was last seen.
    pub last_seen_at: Timestamp,
    /// What it is doing.
    pub status: NodeStatus,
}
