//! The Redis connection with a circuit breaker: after a few failures in a row it is closed, and calls no longer wait
//! for Redis. Only the reconnect task re-establishes the connection; calls never wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use redis::{RedisError, RedisResult};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use toolgate_domain::counters::ShardedCounters;

use super::redis_client::SharedConnection;

/// Consecutive failures that close the connection.
const FAILURES_MAX: u32 = 3;

/// The length of the rate-limit window, rounded up: after it, requests that were admitted without Redis no longer
/// count.
const WINDOW: Duration = Duration::from_secs(61);

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
    /// Notified when the connection is closed.
    pub(super) disconnected: Notify,
    /// Operations that succeeded, that timed out, and that failed.
    trips: ShardedCounters<3>,
    /// How often the connection was closed after failures.
    disconnects: AtomicU64,
}

/// Operations and losses of the connection since the start of the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RedisStats {
    /// Whether it is connected.
    pub is_connected: bool,
    /// Operations that succeeded.
    pub succeeded: u64,
    /// Operations without a response in time.
    pub timed_out: u64,
    /// Operations that failed.
    pub failed: u64,
    /// How often the connection was closed after failures.
    pub disconnects: u64,
}

impl RedisStats {
    /// All operations, each of which is one round trip.
    pub fn trips(&self) -> u64 {
        self.succeeded + self.timed_out + self.failed
    }
}

impl RedisConnection {
    pub(super) fn new(timeout: Duration) -> Self {
        Self {
            timeout,
            current: ArcSwapOption::empty(),
            failures: AtomicU32::new(0),
            start: Instant::now(),
            full_window_at_ms: AtomicU64::new(0),
            disconnected: Notify::new(),
            trips: ShardedCounters::default(),
            disconnects: AtomicU64::new(0),
        }
    }

    /// The result of `work` within the timeout; `None` if there is no connection or `work` failed.
    pub(super) async fn query<T, F>(&self, work: impl FnOnce(SharedConnection) -> F) -> Option<T>
    where
        F: Future<Output = RedisResult<T>>,
    {
        let connection = self.current.load_full()?;
        match run_within(self.timeout, work((*connection).clone())).await {
            Ok(result) => {
                self.trips.add(0, 1);
                self.failures.store(0, Ordering::Relaxed);
                Some(result)
            }
            Err(failure) => {
                self.trips.add(if failure.is_timeout { 1 } else { 2 }, 1);
                self.record_failure(&connection, &failure);
                None
            }
        }
    }

    pub(super) fn stats(&self) -> RedisStats {
        let [succeeded, timed_out, failed] = self.trips.sums();
        let disconnects = self.disconnects.load(Ordering::Relaxed);
        RedisStats { is_connected: self.is_connected(), succeeded, timed_out, failed, disconnects }
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
        self.disconnects.load(Ordering::Relaxed)
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
            self.disconnects.fetch_add(1, Ordering::Relaxed);
            tracing::warn!(
                reason = failure.kind,
                "Redis is unavailable: this node enforces its share of each rate limit; cached responses and changes to \
                 sessions are not shared"
            );
            self.disconnected.notify_one();
        }
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// A failed operation. Only the kind of an error that the server returned is stored: its message may repeat the
/// command, including a password.
pub(super) struct RedisFailure {
    pub(super) kind: String,
    /// Whether the connection is unusable.
    is_final: bool,
    is_timeout: bool,
}

impl From<RedisError> for RedisFailure {
    fn from(error: RedisError) -> Self {
        Self {
            // The message of a failed connection says what to do, e.g. about a certificate.
            kind: if error.is_io_error() { error.to_string() } else { format!("{:?}", error.kind()) },
            is_final: error.is_connection_dropped() || error.is_unrecoverable_error(),
            is_timeout: false,
        }
    }
}

/// Runs an operation, which fails if it takes longer than `limit`.
pub(super) async fn run_within<T>(
    limit: Duration,
    operation: impl Future<Output = RedisResult<T>>,
) -> Result<T, RedisFailure> {
    match timeout(limit, operation).await {
        Ok(result) => result.map_err(RedisFailure::from),
        Err(_) => Err(RedisFailure { kind: "no response in time".to_owned(), is_final: false, is_timeout: true }),
    }
}
