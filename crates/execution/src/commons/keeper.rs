//! Keeps the line up and says that this node is there, beside all calls.

use std::sync::atomic::Ordering;
use std::time::Duration;

use redis::AsyncConnectionConfig;
use redis::aio::MultiplexedConnection;
use tokio::time::{sleep, timeout};

use super::line::Failure;
use super::{BUDGET, Commons};

/// How often a node says that it is there.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// How long its word counts.
const PRESENCE: Duration = Duration::from_secs(20);

/// How long the line stays cut before it is tried again.
const PAUSE: Duration = Duration::from_secs(2);

/// Connecting takes a few round trips, and no call waits for it.
const CONNECT: Duration = Duration::from_secs(1);

impl Commons {
    /// The first try, before anything is served. That it fails is no reason not to serve.
    pub async fn greet(&self) {
        let address = self.client.get_connection_info().addr();
        match self.connect().await {
            Ok(()) => tracing::info!(%address, "limits and answers are shared"),
            Err(reason) => {
                self.line.begin_cut();
                tracing::warn!(%address, reason, "Redis cannot be reached; this node goes on alone and keeps trying");
            }
        }
    }

    /// Runs for as long as the service does.
    pub async fn keep(&self) -> std::convert::Infallible {
        loop {
            if self.line.is_up() {
                let _ = timeout(HEARTBEAT, self.line.cut.notified()).await;
                self.announce().await;
                continue;
            }
            sleep(PAUSE).await;
            match self.connect().await {
                Ok(()) => tracing::info!("Redis is back: limits and answers are shared again"),
                Err(reason) => tracing::debug!(reason, "Redis is still away"),
            }
        }
    }

    /// Takes this node's name from the list, so that the shares of the others grow at once.
    pub async fn leave(&self) {
        let leave = |connection| self.say_presence(connection, Duration::ZERO);
        self.line.ask(leave).await;
    }

    pub(super) async fn announce(&self) {
        if let Some(nodes) = self.line.ask(|connection| self.say_presence(connection, PRESENCE)).await {
            self.learn(nodes);
        }
    }

    /// Who is slow to say how many are there would be slow to count, so it has to be said within the budget.
    async fn connect(&self) -> Result<(), String> {
        let config = AsyncConnectionConfig::new().set_connection_timeout(Some(CONNECT)).set_response_timeout(None);
        let connecting = self.client.get_multiplexed_async_connection_with_config(&config);
        let connection = match timeout(CONNECT, connecting).await {
            Ok(connection) => connection.map_err(|error| Failure::of(&error).kind)?,
            Err(_) => return Err("no connection in time".to_owned()),
        };
        let nodes = match timeout(BUDGET, self.say_presence(connection.clone(), PRESENCE)).await {
            Ok(nodes) => nodes.map_err(|error| Failure::of(&error).kind)?,
            Err(_) => return Err("no answer in time".to_owned()),
        };
        self.line.put_up(connection);
        self.learn(nodes);
        Ok(())
    }

    async fn say_presence(&self, mut connection: MultiplexedConnection, lasting: Duration) -> redis::RedisResult<u32> {
        let lasting_ms = u64::try_from(lasting.as_millis()).unwrap_or_default();
        let mut script = self.presence.key(self.keys.plain(format_args!("nodes")));
        script.arg(&self.node).arg(lasting_ms).invoke_async(&mut connection).await
    }

    /// A Redis that comes back may have forgotten the others, who have yet to say that they are there.
    fn learn(&self, nodes: u32) {
        let known = self.nodes.load(Ordering::Relaxed);
        let nodes = if self.line.is_trusted() { nodes.max(1) } else { nodes.max(known) };
        if nodes != known {
            self.nodes.store(nodes, Ordering::Relaxed);
            tracing::info!(nodes, "the number of nodes that share limits and answers changed");
        }
    }
}
