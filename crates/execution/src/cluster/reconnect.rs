//! Keeps the Redis connection open and registers this node, independently of calls.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::ClusterState;
use super::redis_client::SharedConnection;
use super::redis_connection::{RedisFailure, run_within};

const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(5);

/// How long a node stays in the list of nodes after a heartbeat.
const PRESENCE_TTL: Duration = Duration::from_secs(20);

pub(super) const RECONNECT_DELAY: Duration = Duration::from_secs(2);

impl ClusterState {
    /// Makes the first attempt to connect, before the service accepts requests. A failure does not prevent the start.
    pub async fn connect_at_start(&self) {
        let address = &self.client.addresses;
        match self.connect().await {
            Ok(()) => {
                tracing::info!(%address, "connected to Redis: rate limits, cached responses and sessions are shared");
            }
            Err(failure) => {
                self.connection.mark_disconnected();
                tracing::warn!(%address, reason = failure.kind, "Redis cannot be reached; this node runs alone and keeps retrying");
            }
        }
    }

    /// Sends heartbeats and reconnects after a failure. Runs for as long as the service does.
    pub async fn run_reconnect(&self) -> std::convert::Infallible {
        loop {
            if self.connection.is_connected() {
                let _ = timeout(HEARTBEAT_INTERVAL, self.connection.disconnected.notified()).await;
                self.send_heartbeat().await;
                continue;
            }
            sleep(RECONNECT_DELAY).await;
            match self.connect().await {
                Ok(()) => {
                    tracing::info!("Redis is available again: rate limits, cached responses and sessions are shared");
                }
                Err(failure) => tracing::debug!(reason = failure.kind, "Redis is still unavailable"),
            }
        }
    }

    /// Removes this node from the list of nodes, so that the shares of the others grow immediately.
    pub async fn leave(&self) {
        let leave = |connection| self.update_presence(connection, Duration::ZERO);
        self.connection.query(leave).await;
    }

    pub(super) async fn send_heartbeat(&self) {
        let heartbeat = |connection| self.update_presence(connection, PRESENCE_TTL);
        if let Some(nodes) = self.connection.query(heartbeat).await {
            self.set_node_count(nodes);
        }
    }

    /// Connects and registers this node. The registration must succeed within the timeout of calls: a Redis that is too
    /// slow for it would be too slow for calls as well.
    async fn connect(&self) -> Result<(), RedisFailure> {
        let connection = run_within(self.client.connect_timeout(), self.client.connect()).await?;
        let presence = self.update_presence(connection.clone(), PRESENCE_TTL);
        let nodes = run_within(self.connection.timeout, presence).await?;
        self.connection.set_connected(connection);
        self.set_node_count(nodes);
        Ok(())
    }

    async fn update_presence(&self, mut connection: SharedConnection, ttl: Duration) -> redis::RedisResult<u32> {
        let ttl_ms = u64::try_from(ttl.as_millis()).unwrap_or_default();
        let mut script = self.presence_script.key(self.keys.plain_key(format_args!("nodes")));
        script.arg(&self.node_id).arg(ttl_ms).invoke_async(&mut connection).await
    }

    /// In the first window after a reconnect the count only grows: Redis may have lost its data, and the other nodes
    /// may not have sent a heartbeat yet.
    fn set_node_count(&self, nodes: u32) {
        let previous = self.node_count.load(Ordering::Relaxed);
        let nodes = if self.connection.has_full_window() { nodes.max(1) } else { nodes.max(previous) };
        if nodes != previous {
            self.node_count.store(nodes, Ordering::Relaxed);
            tracing::info!(nodes, "the number of nodes in the cluster changed");
        }
    }
}
