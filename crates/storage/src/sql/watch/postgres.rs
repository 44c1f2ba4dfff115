//! PostgreSQL tells whoever listens. Its notifications are not kept for those who are away, so after every time away
//! everything may have changed; and a connection on which nothing comes may be dead, so it is asked now and then.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::time::timeout;

use crate::ChangeEvent;
use crate::sql::change_bus::ChangeBus;
use crate::sql::pools::CONNECT_TIMEOUT;
use crate::sql::tx::CHANNEL;

/// After so long a silence the connection must show that it lives.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
const RECONNECT_DELAY_MIN: Duration = Duration::from_millis(100);
const RECONNECT_DELAY_MAX: Duration = Duration::from_secs(5);

/// Listens on a connection of its own: those of the pool are each promised to somebody (see `queue.rs`).
pub(in crate::sql) struct PostgresWatcher {
    options: PgConnectOptions,
    change_bus: Arc<ChangeBus>,
    /// How long to wait after the next failure.
    reconnect_delay: Duration,
}

impl PostgresWatcher {
    pub(in crate::sql) fn new(options: PgConnectOptions, change_bus: Arc<ChangeBus>) -> Self {
        Self { options, change_bus, reconnect_delay: RECONNECT_DELAY_MIN }
    }

    /// Until the storage closes.
    pub(in crate::sql) async fn run(mut self) {
        let stopping = self.change_bus.stopping.clone();
        loop {
            // A new pool each time: the old one's only connection may hang for as long as the network lets it.
            let pool = self.pool();
            let Some(Err(error)) = stopping.run_until_cancelled(Box::pin(self.listen(&pool))).await else {
                return close(&pool).await;
            };
            tracing::warn!(%error, "changes made by other nodes are not heard; connecting again");
            if stopping.run_until_cancelled(tokio::time::sleep(self.reconnect_delay)).await.is_none() {
                return;
            }
            self.reconnect_delay = (self.reconnect_delay * 2).min(RECONNECT_DELAY_MAX);
        }
    }

    fn pool(&self) -> PgPool {
        let pool = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        pool.acquire_timeout(CONNECT_TIMEOUT).connect_lazy_with(self.options.clone())
    }

    /// Tells of what others tell, until the connection is lost.
    async fn listen(&mut self, pool: &PgPool) -> sqlx::Result<Infallible> {
        let mut listener = PgListener::connect_with(pool).await?;
        // It must not connect again by itself: we would not know in time what we missed.
        listener.eager_reconnect(false);
        with_timeout(listener.listen(CHANNEL)).await?;
        self.reconnect_delay = RECONNECT_DELAY_MIN;
        tracing::debug!("listening for changes made by other nodes");
        self.change_bus.publish(&ChangeEvent::Everything);
        loop {
            let Ok(received) = timeout(KEEPALIVE_INTERVAL, listener.try_recv()).await else {
                with_timeout(sqlx::query("SELECT 1").execute(&mut listener)).await?;
                continue;
            };
            let notification = received?.ok_or_else(|| io::Error::from(io::ErrorKind::ConnectionAborted))?;
            if let Some(change) = self.change_bus.parse_payload(notification.payload()) {
                self.change_bus.publish(&change);
            }
        }
    }
}

/// A connection may have died without a word; then there is no answer either.
async fn with_timeout<T>(response: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    timeout(CONNECT_TIMEOUT, response).await.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))
}

/// Politely, but without holding up the end.
async fn close(pool: &PgPool) {
    let _ = timeout(CONNECT_TIMEOUT, pool.close()).await;
}
