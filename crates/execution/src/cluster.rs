//! State that the nodes of a cluster share in Redis or Valkey: rate-limit windows, cached upstream responses, sessions
//! of MCP clients, and the list of nodes. Nodes also send each other messages through Redis. If Redis is down or slow,
//! each node continues alone.
//!
//! A reader of the Redis data sees the node ids and how many requests each server id receives, but no response, no
//! session and no message: these are encrypted, and the Redis keys of responses and sessions are keyed hashes, so only
//! nodes with the installation's encryption keys can find, read or forge them.

mod changes;
mod keys;
mod rate_limit;
mod reconnect;
mod redis_client;
mod redis_connection;
mod redis_url;
mod responses;
mod session_events;
mod sessions;
mod subscription;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use redis::Script;

use changes::ChangeChannel;
use keys::ClusterKeys;
pub(crate) use rate_limit::{SlotReply, SlotRequest};
use redis_client::RedisClient;
use redis_connection::RedisConnection;
pub use redis_connection::RedisStats;
pub use redis_url::{InvalidRedisCa, InvalidRedisUrl, RedisUrl};
pub use session_events::SessionEvent;
pub use sessions::{SessionChange, SharedSession};

/// The shared state, as one node sees it.
pub struct ClusterState {
    client: RedisClient,
    keys: ClusterKeys,
    connection: RedisConnection,
    changes: ChangeChannel,
    /// The id of this node, as in the list of nodes.
    node_id: String,
    /// The last known number of nodes.
    node_count: AtomicU32,
    window_script: Script,
    uncount_script: Script,
    presence_script: Script,
    session_script: Script,
    stream_script: Script,
}

impl std::fmt::Debug for ClusterState {
    /// Omits the client, which contains a password.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ClusterState").field("node_count", &self.node_count).finish_non_exhaustive()
    }
}

impl ClusterState {
    /// The state of all nodes with the same `secret`; a call waits for one Redis operation for at most `timeout`. Does
    /// not connect yet.
    pub fn new(url: &RedisUrl, timeout: Duration, secret: &[u8; 32], node_id: &str) -> Result<Self, InvalidRedisUrl> {
        Ok(Self {
            client: url.client()?,
            keys: ClusterKeys::from_secret(secret).ok_or(InvalidRedisUrl)?,
            connection: RedisConnection::new(timeout),
            changes: ChangeChannel::new(),
            node_id: node_id.to_owned(),
            node_count: AtomicU32::new(1),
            window_script: Script::new(include_str!("cluster/window.lua")),
            uncount_script: Script::new(include_str!("cluster/uncount.lua")),
            presence_script: Script::new(include_str!("cluster/presence.lua")),
            session_script: Script::new(include_str!("cluster/session.lua")),
            stream_script: Script::new(include_str!("cluster/stream.lua")),
        })
    }

    /// This node's share of a limit, which applies while Redis is unavailable. Never 0, because 0 means no limit.
    pub(crate) fn limit_per_node(&self, limit: u32) -> u32 {
        (limit / self.node_count()).max(1)
    }

    /// The last known number of nodes, at least 1.
    pub fn node_count(&self) -> u32 {
        self.node_count.load(Ordering::Relaxed).max(1)
    }

    /// The statistics of the connection.
    pub fn redis_stats(&self) -> RedisStats {
        self.connection.stats()
    }

    /// Notifications of changes of this node that were not sent to Redis, because it was unavailable or too slow.
    pub fn unsent_changes(&self) -> u64 {
        self.changes.unsent()
    }

    /// Whether there is a connection to Redis.
    pub(crate) fn is_connected(&self) -> bool {
        self.connection.is_connected()
    }

    /// A number that changes when the connection is lost: Redis may have forgotten the leases from before.
    pub(crate) fn connection_number(&self) -> u64 {
        self.connection.number()
    }

    /// Whether Redis has counted every request of the last minute.
    pub(crate) fn has_full_window(&self) -> bool {
        self.connection.has_full_window()
    }
}

#[cfg(test)]
mod tests;
