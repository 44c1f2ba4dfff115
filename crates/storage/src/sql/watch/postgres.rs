//! Receives change notifications from PostgreSQL. Notifications are lost while no connection listens, so after each
//! connect everything may have changed.
//!
//! A network can drop a connection without closing it, so a silent connection is checked with frequent heartbeats. An
//! overdue reply has two causes: the connection is dead, or the database is slow. A new connection that is opened at the
//! same time tells which: it needs several replies, so it is ready before the one overdue reply only if the old connection
//! is dead. A slow database therefore neither loses its connection nor causes everything to be read again.

use std::convert::Infallible;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{Acquire as _, Connection as _, PgPool};
use tokio::time::{Instant, sleep, timeout};

use super::round_trip::RoundTripEstimate;
use crate::changes::ChangeEvent;
use crate::sql::change_bus::ChangeBus;
use crate::sql::pools::CONNECT_TIMEOUT;
use crate::sql::tx::CHANNEL;

/// A connection that is silent for this long is checked. Together with the timeout of the reply it bounds how long a lost
/// connection hides changes.
const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(40);
const RECONNECT_DELAY_MIN: Duration = Duration::from_millis(100);
const RECONNECT_DELAY_MAX: Duration = Duration::from_secs(5);

/// Listens on a separate connection, because `pool_queue.rs` has one permit for each connection of the pool.
pub(in crate::sql) struct PostgresWatcher {
    options: PgConnectOptions,
    change_bus: Arc<ChangeBus>,
    round_trip: RoundTripEstimate,
}

/// A connection that receives notifications.
struct NotificationConnection {
    listener: PgListener,
    /// Its own pool: the only connection of an older pool may hang until TCP gives up.
    pool: PgPool,
}

impl PostgresWatcher {
    pub(in crate::sql) fn new(options: PgConnectOptions, change_bus: Arc<ChangeBus>) -> Self {
        Self { options, change_bus, round_trip: RoundTripEstimate::default() }
    }

    /// Runs until the storage closes.
    pub(in crate::sql) async fn run(mut self) {
        let (stopping, mut current) = (self.change_bus.stopping.clone(), None);
        stopping.run_until_cancelled(Box::pin(self.listen_forever(&mut current))).await;
        if let Some(NotificationConnection { listener, pool }) = current {
            drop(listener);
            // A dead connection must not delay the shutdown.
            let _ = timeout(CONNECT_TIMEOUT, pool.close()).await;
        }
    }

    /// Listens with one connection after the other; `current` is the open one.
    async fn listen_forever(&mut self, current: &mut Option<NotificationConnection>) -> Infallible {
        // The first new connection is opened at once, because changes are hidden until then.
        let mut delay = Duration::ZERO;
        loop {
            let started = Instant::now();
            let Err(error) = self.listen(current).await;
            *current = None;
            tracing::warn!(%error, "lost the connection that receives changes of other nodes; reconnecting");
            if started.elapsed() > RECONNECT_DELAY_MAX {
                delay = Duration::ZERO;
            }
            sleep(delay).await;
            delay = (delay * 2).clamp(RECONNECT_DELAY_MIN, RECONNECT_DELAY_MAX);
        }
    }

    /// Publishes the changes of other nodes until the connection reports an error.
    async fn listen(&mut self, current: &mut Option<NotificationConnection>) -> sqlx::Result<Infallible> {
        let mut connection = current.insert(self.connect().await?);
        loop {
            tracing::debug!("listening for changes made by other nodes");
            self.change_bus.publish(&ChangeEvent::Everything);
            let replacement = self.receive(&mut connection.listener).await?;
            tracing::warn!("the connection that receives changes of other nodes did not respond and has been replaced");
            connection = current.insert(replacement);
        }
    }

    async fn connect(&self) -> sqlx::Result<NotificationConnection> {
        let pool = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let pool = pool.acquire_timeout(CONNECT_TIMEOUT).connect_lazy_with(self.options.clone());
        let mut listener = PgListener::connect_with(&pool).await?;
        // A reconnect inside the listener would hide that notifications may have been lost.
        listener.eager_reconnect(false);
        let listen = timeout(CONNECT_TIMEOUT, listener.listen(CHANNEL)).await;
        listen.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))?;
        Ok(NotificationConnection { listener, pool })
    }

    /// Publishes the changes of other nodes until the connection is dead. Returns the one that replaces it.
    async fn receive(&mut self, listener: &mut PgListener) -> sqlx::Result<NotificationConnection> {
        loop {
            let Ok(received) = timeout(HEARTBEAT_INTERVAL, listener.try_recv()).await else {
                match self.check(listener).await? {
                    Some(replacement) => return Ok(replacement),
                    None => continue,
                }
            };
            let notification = received?.ok_or_else(|| io::Error::from(io::ErrorKind::ConnectionAborted))?;
            if let Some(change) = self.change_bus.parse_payload(notification.payload()) {
                self.change_bus.publish(&change);
            }
        }
    }

    /// Checks the connection with a heartbeat. Returns another connection if that is ready before the reply arrives.
    async fn check(&mut self, listener: &mut PgListener) -> sqlx::Result<Option<NotificationConnection>> {
        let (sent, overdue) = (Instant::now(), self.round_trip.timeout());
        let mut reply = pin!(async { listener.acquire().await?.ping().await });
        let outcome = match timeout(overdue, &mut reply).await {
            Ok(reply) => reply.map(|()| None),
            Err(_) => tokio::select! {
                biased;
                reply = &mut reply => reply.map(|()| None),
                replacement = self.connect_again() => Ok(Some(replacement)),
            },
        };
        let waited = sent.elapsed();
        if waited > overdue {
            let is_replaced = matches!(outcome, Ok(Some(_)));
            tracing::debug!(?overdue, ?waited, is_replaced, "late reply on the connection that receives changes");
        }
        // A reply that did not arrive counts, too: the next connection gets more time, in case this one was only slow.
        self.round_trip.record(waited);
        outcome
    }

    /// Tries to connect until it succeeds.
    async fn connect_again(&self) -> NotificationConnection {
        let mut delay = RECONNECT_DELAY_MIN;
        loop {
            match self.connect().await {
                Ok(connection) => return connection,
                Err(error) => tracing::debug!(%error, "cannot connect to receive changes of other nodes; retrying"),
            }
            sleep(delay).await;
            delay = (delay * 2).min(RECONNECT_DELAY_MAX);
        }
    }
}
