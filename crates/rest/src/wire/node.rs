//! Nodes in replies.

use toolgate_domain::node::{ListedNode, NodeIdentity};
use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;

reply_object! {
    /// A node of the installation.
    pub(crate) struct NodeOut<'a>(node: &'a ListedNode, this: &NodeIdentity) {
        /// Random for each start.
        id: &'a str = &node.identity.id,
        /// Its name (`TOOLGATE_NODE`).
        name: &'a str = &node.identity.name,
        version: &'a str = &node.identity.version,
        /// The address that it listens on; null if it listens on all addresses.
        address: Option<&'a str> = node.identity.address.as_deref(),
        started_at: Timestamp = node.started_at,
        last_seen_at: Timestamp = node.last_seen_at,
        /// ready; degraded: without Redis; stopping; lost: not seen for 30 seconds.
        state: &'static str = node.status.as_str(),
        /// Whether this node sent the reply.
        is_current: bool = node.identity.id == this.id,
    }
}
