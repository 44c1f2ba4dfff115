//! Wakes the ingest worker: immediately if a caller waits for records, otherwise after a delay, so that batches are
//! large.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

/// How long records accumulate before they are ingested.
const BATCH_DELAY: Duration = Duration::from_secs(1);

/// Signals from recorders and readers to the ingest worker.
#[derive(Debug, Default)]
pub(crate) struct WakeSignal {
    recorded: Notify,
    /// Whether `recorded` was notified since the last wait. All calls read it, so that only the first one after a wait
    /// writes memory that the threads share. Recorders read it after a write to the journal, and the worker clears it
    /// before it reads the journals: the lock of each journal orders these, so that no record is missed.
    is_notified: AtomicBool,
    expedited: Notify,
    /// Number of callers that wait for records to be ingested.
    waiters: AtomicUsize,
    closing: CancellationToken,
}

impl WakeSignal {
    /// Signals that a record was written.
    pub(crate) fn notify(&self) {
        if !self.is_notified.load(Ordering::Acquire) && !self.is_notified.swap(true, Ordering::AcqRel) {
            self.recorded.notify_one();
        }
    }

    /// Makes the worker ingest without delay until the guard is dropped.
    pub(crate) fn expedite(&self) -> WaiterGuard<'_> {
        // Incremented before the notifications, so that the worker sees the waiter when it wakes up.
        self.waiters.fetch_add(1, Ordering::SeqCst);
        self.expedited.notify_one();
        self.recorded.notify_one();
        WaiterGuard(self)
    }

    /// Signals that recording has ended.
    pub(crate) fn close(&self) {
        self.closing.cancel();
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// Waits for [`Self::close`].
    pub(crate) async fn closing(&self) {
        self.closing.cancelled().await;
    }

    /// Waits for a record and then for the batch delay. Returns at `deadline` if there is no record, and on closing.
    /// The caller then reads the journal; a record that is written after that notifies again.
    pub(crate) async fn wait(&self, deadline: Instant) {
        self.wait_for_batch(deadline).await;
        self.is_notified.store(false, Ordering::Release);
    }

    async fn wait_for_batch(&self, deadline: Instant) {
        tokio::select! {
            () = self.recorded.notified() => {}
            () = self.closing() => return,
            () = sleep_until(deadline) => return,
        }
        if self.waiters.load(Ordering::SeqCst) == 0 {
            tokio::select! {
                () = sleep(BATCH_DELAY) => {}
                () = self.expedited.notified() => {}
                () = self.closing() => {}
            }
        }
    }

    /// Waits after a failure. Closing ends a wait that has begun; a wait that begins later has its full duration.
    pub(crate) async fn pause(&self, duration: Duration) {
        if self.is_closing() {
            return sleep(duration).await;
        }
        tokio::select! {
            () = sleep(duration) => {}
            () = self.closing() => {}
        }
    }
}

/// Registers a waiting caller until it is dropped.
pub(crate) struct WaiterGuard<'a>(&'a WakeSignal);

impl Drop for WaiterGuard<'_> {
    fn drop(&mut self) {
        self.0.waiters.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_first_record_after_each_wait_ends_the_next_one() {
        let wake_signal = WakeSignal::default();
        for wait in 1..=3 {
            wake_signal.notify();
            wake_signal.notify();
            let start = Instant::now();
            wake_signal.wait(start + BATCH_DELAY * 10).await;
            assert_eq!(start.elapsed(), BATCH_DELAY, "wait {wait}");
        }
        let start = Instant::now();
        wake_signal.wait(start + BATCH_DELAY * 10).await;
        assert_eq!(start.elapsed(), BATCH_DELAY * 10, "without a record");
    }
}
