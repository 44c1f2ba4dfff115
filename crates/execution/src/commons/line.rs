//! The line to the commons, and the breaker in it: a few failures in a row cut it, and from then on nobody waits.
//! Only the keeper, of whom no call depends, puts it up again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use redis::aio::MultiplexedConnection;
use redis::{RedisError, RedisResult};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use super::BUDGET;

/// Failures in a row that cut the line.
const FAILURES_MAX: u32 = 3;

/// As long as the limiter's window is: what was admitted without the commons is older then.
const WINDOW: Duration = Duration::from_secs(61);

pub(super) struct Line {
    /// None while it is cut.
    live: ArcSwapOption<MultiplexedConnection>,
    failures: AtomicU32,
    start: Instant,
    /// From when on the commons knows of all that happened within a window, in milliseconds since `start`.
    trusted_at_ms: AtomicU64,
    /// Told when the line is cut.
    pub(super) cut: Notify,
}

impl Default for Line {
    fn default() -> Self {
        Self {
            live: ArcSwapOption::empty(),
            failures: AtomicU32::new(0),
            start: Instant::now(),
            trusted_at_ms: AtomicU64::new(0),
            cut: Notify::new(),
        }
    }
}

impl Line {
    /// What `work` brings within the budget; `None` where there is no line, or it failed.
    pub(super) async fn ask<T, F>(&self, work: impl FnOnce(MultiplexedConnection) -> F) -> Option<T>
    where
        F: Future<Output = RedisResult<T>>,
    {
        let connection = self.live.load_full()?;
        let failure = match timeout(BUDGET, work((*connection).clone())).await {
            Ok(Ok(answer)) => {
                self.failures.store(0, Ordering::Relaxed);
                return Some(answer);
            }
            Ok(Err(error)) => Failure::of(&error),
            Err(_) => Failure { kind: "no answer in time".to_owned(), is_final: false },
        };
        self.note(&connection, &failure);
        None
    }

    pub(super) fn is_up(&self) -> bool {
        self.live.load().is_some()
    }

    pub(super) fn is_trusted(&self) -> bool {
        self.now_ms() >= self.trusted_at_ms.load(Ordering::Relaxed)
    }

    /// There is no line to begin with.
    pub(super) fn begin_cut(&self) {
        self.trusted_at_ms.store(u64::MAX, Ordering::Relaxed);
    }

    pub(super) fn put_up(&self, connection: MultiplexedConnection) {
        if self.trusted_at_ms.load(Ordering::Relaxed) == u64::MAX {
            let window_ms = u64::try_from(WINDOW.as_millis()).unwrap_or(u64::MAX);
            self.trusted_at_ms.store(self.now_ms().saturating_add(window_ms), Ordering::Relaxed);
        }
        self.failures.store(0, Ordering::Relaxed);
        self.live.store(Some(Arc::new(connection)));
    }

    /// A failure of a line that was replaced since says nothing of this one.
    fn note(&self, connection: &Arc<MultiplexedConnection>, failure: &Failure) {
        let current = self.live.load();
        if !current.as_ref().is_some_and(|live| Arc::ptr_eq(live, connection)) {
            return;
        }
        let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
        if failures < FAILURES_MAX && !failure.is_final {
            return;
        }
        let was = self.live.compare_and_swap(&*current, None);
        if was.as_ref().is_some_and(|was| Arc::ptr_eq(was, connection)) {
            self.begin_cut();
            tracing::warn!(
                reason = failure.kind,
                "Redis is away: limits are counted on this node alone, for its share, and answers are not shared"
            );
            self.cut.notify_one();
        }
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// What went wrong, in words of ours: those of a server may repeat what was said to it, a password among it.
pub(super) struct Failure {
    pub(super) kind: String,
    /// Whether nothing more can come over this connection.
    is_final: bool,
}

impl Failure {
    pub(super) fn of(error: &RedisError) -> Self {
        let is_final = error.is_connection_dropped() || error.is_unrecoverable_error();
        Self { kind: format!("{:?}", error.kind()), is_final }
    }
}
