//! PostgreSQL tells whoever listens. Its notifications are not kept for those who are away, so after every time away
//! everything may have changed; and a connection on which nothing comes may be dead, so it is asked now and then.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::time::timeout;

use crate::Change;
use crate::sql::notices::Notices;
use crate::sql::pools::CONNECT_TIMEOUT;
use crate::sql::tx::CHANNEL;

/// After so long a silence the connection must show that it lives.
const SILENCE: Duration = Duration::from_secs(20);
const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// Listens on a connection of its own: those of the pool are each promised to somebody (see `turns.rs`).
pub(in crate::sql) struct Watch {
    options: PgConnectOptions,
    notices: Arc<Notices>,
    /// How long to wait after the next failure.
    pause: Duration,
}

impl Watch {
    pub(in crate::sql) fn new(options: PgConnectOptions, notices: Arc<Notices>) -> Self {
        Self { options, notices, pause: PAUSE_MIN }
    }

    /// Until the storage closes.
    pub(in crate::sql) async fn run(mut self) {
        let stopping = self.notices.stopping.clone();
        loop {
            // A new pool each time: the old one's only connection may hang for as long as the network lets it.
            let pool = self.pool();
            let Some(Err(error)) = stopping.run_until_cancelled(Box::pin(self.listen(&pool))).await else {
                return close(&pool).await;
            };
            tracing::warn!(%error, "changes made by other nodes are not heard; connecting again");
            if stopping.run_until_cancelled(tokio::time::sleep(self.pause)).await.is_none() {
                return;
            }
            self.pause = (self.pause * 2).min(PAUSE_MAX);
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
        in_time(listener.listen(CHANNEL)).await?;
        self.pause = PAUSE_MIN;
        tracing::debug!("listening for changes made by other nodes");
        self.notices.tell(&Change::Everything);
        loop {
            let Ok(received) = timeout(SILENCE, listener.try_recv()).await else {
                in_time(sqlx::query("SELECT 1").execute(&mut listener)).await?;
                continue;
            };
            let notification = received?.ok_or_else(|| io::Error::from(io::ErrorKind::ConnectionAborted))?;
            if let Some(change) = self.notices.heard(notification.payload()) {
                self.notices.tell(&change);
            }
        }
    }
}

/// A connection may have died without a word; then there is no answer either.
async fn in_time<T>(answer: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    timeout(CONNECT_TIMEOUT, answer).await.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))
}

/// Politely, but without holding up the end.
async fn close(pool: &PgPool) {
    let _ = timeout(CONNECT_TIMEOUT, pool.close()).await;
}
