//! When to move: as soon as somebody waits, else after a while, so that batches are large; after a failure, later.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use super::MoveError;

/// How long records are gathered before they are moved.
const GATHER: Duration = Duration::from_millis(500);
/// The first pause after a failure, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// Tells the mover that there is something to do.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    recorded: Notify,
    hurried: Notify,
    waiting: AtomicUsize,
    closing: CancellationToken,
}

impl Bell {
    /// Something was recorded.
    pub(crate) fn ring(&self) {
        self.recorded.notify_one();
    }

    /// Somebody waits for what was recorded, until the result is dropped.
    pub(crate) fn hurry(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        self.hurried.notify_one();
        self.recorded.notify_one();
        Waiting(self)
    }

    /// Nothing is recorded any more.
    pub(crate) fn close(&self) {
        self.closing.cancel();
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// Waits until it is told to close.
    pub(crate) async fn closing(&self) {
        self.closing.cancelled().await;
    }

    /// Waits for something to be recorded, and for more of it; but not beyond a moment.
    pub(super) async fn wait(&self, until: Instant) {
        tokio::select! {
            () = self.recorded.notified() => {}
            () = self.closing() => return,
            () = sleep_until(until) => return,
        }
        if self.waiting.load(Ordering::SeqCst) == 0 {
            tokio::select! {
                () = sleep(GATHER) => {}
                () = self.hurried.notified() => {}
                () = self.closing() => {}
            }
        }
    }

    /// Waits after a failure. The word to close cuts it short, once.
    pub(super) async fn pause(&self, pause: Duration) {
        if self.is_closing() {
            return sleep(pause).await;
        }
        tokio::select! {
            () = sleep(pause) => {}
            () = self.closing() => {}
        }
    }
}

/// Somebody who waits.
pub(crate) struct Waiting<'a>(&'a Bell);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Failures in a row. The log hears of the first, and of the end.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    last: Option<Duration>,
}

impl Backoff {
    /// It failed again; how long to wait.
    pub(super) fn failed(&mut self, error: &MoveError) -> Duration {
        if self.last.is_none() {
            tracing::warn!(error = ?error, "calls cannot be moved into the database for now; the journal keeps them");
        }
        let (first, longest) = PAUSES;
        let pause = self.last.map_or(first, |last| (last * 2).min(longest));
        self.last = Some(pause);
        pause
    }

    /// It did not fail.
    pub(super) fn recovered(&mut self) {
        if self.last.take().is_some() {
            tracing::info!("calls are moved into the database again");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_five_seconds_and_begin_anew_after_a_success() {
        let mut backoff = Backoff::default();
        let mut pauses = || backoff.failed(&MoveError::Unknown).as_millis();
        assert_eq!([(); 8].map(|()| pauses()), [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        backoff.recovered();
        assert_eq!(backoff.failed(&MoveError::Unknown).as_millis(), 100);
    }
}
