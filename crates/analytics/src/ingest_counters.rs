//! Counters of ingest since the start of the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use toolgate_domain::time::{Clock, Timestamp};

/// The counters of ingest, written only by the ingest thread.
pub(crate) struct IngestCounters {
    clock: Arc<dyn Clock>,
    calls: AtomicU64,
    failures: AtomicU64,
    lag_ms: AtomicI64,
}

impl std::fmt::Debug for IngestCounters {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("IngestCounters").field("calls", &self.calls).finish_non_exhaustive()
    }
}

impl IngestCounters {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, calls: AtomicU64::new(0), failures: AtomicU64::new(0), lag_ms: AtomicI64::new(0) }
    }

    /// Counts a committed batch whose first call ended at `oldest`.
    pub(crate) fn count_batch(&self, calls: u64, oldest: Timestamp) {
        self.calls.fetch_add(calls, Ordering::Relaxed);
        let lag_ms = self.clock.now().as_millis().saturating_sub(oldest.as_millis());
        self.lag_ms.store(lag_ms.max(0), Ordering::Relaxed);
    }

    /// Counts a failed attempt.
    pub(crate) fn count_failure(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    /// Calls that were moved into the database.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Attempts that failed.
    pub(crate) fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// How long the oldest call of the last batch had waited, in milliseconds.
    pub(crate) fn lag_ms(&self) -> u64 {
        u64::try_from(self.lag_ms.load(Ordering::Relaxed)).unwrap_or_default()
    }
}
