//! The Redis connection with a circuit breaker: after a few failures in a row it is closed, and calls no longer wait
//! for Redis. Only the reconnect task re-establishes the connection; calls never wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use redis::RedisResult;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use super::redis_client::SharedConnection;

/// Consecutive failures that close the connection.
const FAILURES_MAX: u32 = 3;

/// The length of the rate-limit window, rounded up: after it, requests that were admitted without Redis no longer
/// count.
const WINDOW: Duration = Duration::from_secs(61);

/// Plain figures of the connection of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RedisFigures {
    /// Whether the node uses Redis.
    pub is_connected: bool,
    /// Operations since the start, each of which is one round trip.
    pub trips: u64,
    /// Operations that failed or took too long.
    pub failed_trips: u64,
    /// How often the connection was lost.
    pub lost_connections: u64,
}

pub(super) struct RedisConnection {
    /// How long an operation may take.
    pub(super) timeout: Duration,
    /// `None` while disconnected.
    current: ArcSwapOption<SharedConnection>,
    /// Consecutive failures.
    failures: AtomicU32,
    start: Instant,
    /// The time at which Redis will have counted every request of a whole window, in milliseconds since `start`.
    /// `u64::MAX` while disconnected.
    full_window_at_ms: AtomicU64,
    /// The number of connections lost so far.
    lost: AtomicU64,
    trips: AtomicU64,
    failed_trips: AtomicU64,
    /// Notified when the connection is closed.
    pub(super) disconnected: Notify,
}

impl RedisConnection {
    pub(super) fn new(timeout: Duration) -> Self {
        Self {
            timeout,
            current: ArcSwapOption::empty(),
            failures: AtomicU32::new(0),
            start: Instant::now(),
            full_window_at_ms: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            trips: AtomicU64::new(0),
            failed_trips: AtomicU64::new(0),
            disconnected: Notify::new(),
        }
    }

    /// The result of `work` within the timeout; `None` if there is no connection or `work` failed.
    pub(super) async fn query<T, F>(&self, work: impl FnOnce(SharedConnection) -> F) -> Option<T>
    where
        F: Future<Output = RedisResult<T>>,
    {
        let connection = self.current.load_full()?;
        self.trips.fetch_add(1, Ordering::Relaxed);
        match run_within(self.timeout, work((*connection).clone())).await {
            Ok(result) => {
                self.failures.store(0, Ordering::Relaxed);
                Some(result)
            }
            Err(failure) => {
                self.failed_trips.fetch_add(1, Ordering::Relaxed);
                self.record_failure(&connection, &failure);
                None
            }
        }
    }

    pub(super) fn is_connected(&self) -> bool {
        self.current.load().is_some()
    }

    pub(super) fn has_full_window(&self) -> bool {
        // Without an outage so far, the clock need not be read.
        let full_at_ms = self.full_window_at_ms.load(Ordering::Relaxed);
        full_at_ms == 0 || self.now_ms() >= full_at_ms
    }

    pub(super) fn number(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    pub(super) fn figures(&self) -> RedisFigures {
        RedisFigures {
            is_connected: self.is_connected(),
            trips: self.trips.load(Ordering::Relaxed),
            failed_trips: self.failed_trips.load(Ordering::Relaxed),
            lost_connections: self.lost.load(Ordering::Relaxed),
        }
    }

    pub(super) fn mark_disconnected(&self) {
        self.full_window_at_ms.store(u64::MAX, Ordering::Relaxed);
    }

    pub(super) fn set_connected(&self, connection: SharedConnection) {
        if self.full_window_at_ms.load(Ordering::Relaxed) == u64::MAX {
            let window_ms = u64::try_from(WINDOW.as_millis()).unwrap_or(u64::MAX);
            self.full_window_at_ms.store(self.now_ms().saturating_add(window_ms), Ordering::Relaxed);
        }
        self.failures.store(0, Ordering::Relaxed);
        self.current.store(Some(Arc::new(connection)));
    }

    /// Ignores the failure of a connection that has been replaced.
    fn record_failure(&self, connection: &Arc<SharedConnection>, failure: &RedisFailure) {
        let current = self.current.load();
        if !current.as_ref().is_some_and(|current| Arc::ptr_eq(current, connection)) {
            return;
        }
        let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
        if failures < FAILURES_MAX && !failure.is_final {
            return;
        }
        // Of several calls that fail at the same time, only the one that removes the connection reports it.
        let previous = self.current.compare_and_swap(&*current, None);
        if previous.as_ref().is_some_and(|previous| Arc::ptr_eq(previous, connection)) {
            self.mark_disconnected();
            self.lost.fetch_add(1, Ordering::Relaxed);
            tracing::warn!(
                reason = failure.kind,
                "Redis is unavailable: this node enforces its share of each rate limit; cached responses are not shared"
            );
            self.disconnected.notify_one();
        }
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// A failed operation. Of an error that the server returned only the kind is stored: its message may repeat the command,
/// including a password.
pub(super) struct RedisFailure {
    pub(super) kind: String,
    /// Whether the connection is unusable.
    is_final: bool,
}

/// The result of an operation, which fails after `limit`.
pub(super) async fn run_within<T>(
    limit: Duration,
    operation: impl Future<Output = RedisResult<T>>,
) -> Result<T, RedisFailure> {
    match timeout(limit, operation).await {
        Ok(result) => result.map_err(|error| RedisFailure {
            // The message of a failed connection says what to do, e.g. about a certificate.
            kind: if error.is_io_error() { error.to_string() } else { format!("{:?}", error.kind()) },
            is_final: error.is_connection_dropped() || error.is_unrecoverable_error(),
        }),
        Err(_) => Err(RedisFailure { kind: "no response in time".to_owned(), is_final: false }),
    }
}
