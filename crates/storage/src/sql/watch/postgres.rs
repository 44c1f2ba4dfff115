//! Receives change notifications from PostgreSQL. Notifications are lost while the listener is disconnected, so after
//! each connect everything may have changed. A silent connection may be dead, because a network can drop a connection
//! without closing it, so a connection without notifications is checked with a query.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::time::timeout;

use crate::changes::ChangeEvent;
use crate::sql::change_bus::ChangeBus;
use crate::sql::pools::CONNECT_TIMEOUT;
use crate::sql::tx::CHANNEL;

/// A connection that is silent for this long is checked with a query. It bounds how long a lost connection hides
/// changes, together with [`HEARTBEAT_TIMEOUT`].
const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(750);
/// How long the query may take. If the database is slower, each reconnect reports that everything may have changed, so
/// the delay before a reconnect grows until a query is answered in time.
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(1);
/// The name of the connection in `pg_stat_activity`.
const APPLICATION_NAME: &str = "toolgate changes";
const RECONNECT_DELAY_MIN: Duration = Duration::from_millis(100);
const RECONNECT_DELAY_MAX: Duration = Duration::from_secs(5);

/// Listens on a separate connection, because `pool_queue.rs` has one permit for each connection of the pool.
pub(in crate::sql) struct PostgresWatcher {
    options: PgConnectOptions,
    change_bus: Arc<ChangeBus>,
    /// Delay after the next failure.
    reconnect_delay: Duration,
}

impl PostgresWatcher {
    pub(in crate::sql) fn new(options: PgConnectOptions, change_bus: Arc<ChangeBus>) -> Self {
        Self { options: options.application_name(APPLICATION_NAME), change_bus, reconnect_delay: RECONNECT_DELAY_MIN }
    }

    /// Runs until the storage closes.
    pub(in crate::sql) async fn run(mut self) {
        let stopping = self.change_bus.stopping.clone();
        loop {
            // A new pool for each attempt: the only connection of the old pool may hang until TCP gives up.
            let pool = self.new_pool();
            let Some(Err(error)) = stopping.run_until_cancelled(Box::pin(self.listen(&pool))).await else {
                return close(&pool).await;
            };
            tracing::warn!(%error, "lost the connection that receives changes of other nodes; reconnecting");
            if stopping.run_until_cancelled(tokio::time::sleep(self.reconnect_delay)).await.is_none() {
                return;
            }
            self.reconnect_delay = (self.reconnect_delay * 2).min(RECONNECT_DELAY_MAX);
        }
    }

    fn new_pool(&self) -> PgPool {
        let pool = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        pool.acquire_timeout(CONNECT_TIMEOUT).connect_lazy_with(self.options.clone())
    }

    /// Publishes the changes of other nodes until the connection is lost.
    async fn listen(&mut self, pool: &PgPool) -> sqlx::Result<Infallible> {
        let mut listener = PgListener::connect_with(pool).await?;
        // A reconnect inside the listener would hide that notifications may have been lost.
        listener.eager_reconnect(false);
        with_timeout(CONNECT_TIMEOUT, listener.listen(CHANNEL)).await?;
        tracing::debug!("listening for changes made by other nodes");
        self.change_bus.publish(&ChangeEvent::Everything);
        loop {
            let Ok(received) = timeout(HEARTBEAT_INTERVAL, listener.try_recv()).await else {
                with_timeout(HEARTBEAT_TIMEOUT, sqlx::query("SELECT 1").execute(&mut listener)).await?;
                self.reconnect_delay = RECONNECT_DELAY_MIN;
                continue;
            };
            let notification = received?.ok_or_else(|| io::Error::from(io::ErrorKind::ConnectionAborted))?;
            self.change_bus.receive(notification.payload());
        }
    }
}

/// Fails if there is no response in time: a dead connection may never report an error.
async fn with_timeout<T>(limit: Duration, operation: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    timeout(limit, operation).await.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))
}

/// Closes the pool, but does not let a dead connection delay the shutdown.
async fn close(pool: &PgPool) {
    let _ = timeout(CONNECT_TIMEOUT, pool.close()).await;
}
