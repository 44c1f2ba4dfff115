//! Ingests records from journals into the database, in batches. It runs on one thread, so that memory holds the records
//! of at most one transaction. After a failure the records stay in the journal until a retry succeeds.

mod backoff;
mod leftover_segments;
mod source;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use tokio_util::task::task_tracker::TaskTrackerToken;
use toolgate_storage::CallStore;

use crate::ingest_counters::IngestCounters;
use crate::journal::OwnJournals;
use crate::wake_signal::WakeSignal;
use backoff::Backoff;
use leftover_segments::LeftoverSegments;
use source::{IngestError, JournalGroup, StepOutcome};

/// The progress of ingest.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// Number of the last ingested record of each journal of this process.
    ingested: Vec<u64>,
    /// Whether leftover journals may still have records to ingest.
    is_replaying: bool,
}

/// Ingests the journals of this process and leftover journals.
pub(crate) struct IngestWorker {
    storage: Arc<dyn CallStore>,
    journals: Arc<OwnJournals>,
    own_group: JournalGroup,
    leftover_segments: LeftoverSegments,
    wake_signal: Arc<WakeSignal>,
    backoff: Backoff,
    counters: Arc<IngestCounters>,
    progress: watch::Sender<Progress>,
}

impl IngestWorker {
    /// Creates a worker for `journals`, which must be registered in the database, and for the leftover journals in
    /// `folder`.
    pub(crate) fn new(
        storage: Arc<dyn CallStore>,
        journals: Arc<OwnJournals>,
        folder: PathBuf,
        wake_signal: Arc<WakeSignal>,
        counters: Arc<IngestCounters>,
    ) -> Self {
        let own_group = JournalGroup::new(journals.segments().cloned());
        let leftover_segments = LeftoverSegments::new(folder, journals.ids(), Arc::clone(&counters));
        let progress = watch::Sender::new(Progress { ingested: journals.ingested(), is_replaying: true });
        let backoff = Backoff::default();
        Self { storage, journals, own_group, leftover_segments, wake_signal, backoff, counters, progress }
    }

    /// Subscribes to the progress.
    pub(crate) fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Ingests until closing is signalled; then ingests the rest and removes the journals.
    pub(crate) async fn run(mut self) {
        loop {
            self.journals.disk_budget.log_due_losses();
            let has_leftovers = self.leftover_segments.step(&self.storage, &self.journals.disk_budget).await;
            let result = self.step().await;
            self.publish_progress(has_leftovers);
            let (has_more, error) = match result {
                Ok(StepOutcome { has_more, read_error, .. }) => {
                    (has_more || has_leftovers, read_error.map(IngestError::Read))
                }
                Err(error) => (false, Some(error)),
            };
            let delay = self.record_outcome(error.as_ref());
            if has_more {
                continue;
            }
            // The journals stay open if a record was appended after the batch was read; the next round ingests it.
            if error.is_none() && self.wake_signal.is_closing() && self.journals.close_if_ingested() {
                break;
            }
            match delay {
                Some(delay) => self.wake_signal.pause(delay).await,
                None => self.wake_signal.wait(self.next_wakeup()).await,
            }
        }
        self.remove_journals().await;
    }

    /// Records whether a step failed; returns the delay before the next attempt if it did.
    fn record_outcome(&mut self, error: Option<&IngestError>) -> Option<Duration> {
        let Some(error) = error else {
            self.backoff.record_success();
            return None;
        };
        self.counters.count_failure();
        Some(self.backoff.record_failure(error))
    }

    /// Ingests a batch of the journals of this process.
    async fn step(&mut self) -> Result<StepOutcome, IngestError> {
        match self.own_group.step(&*self.storage, || self.journals.segment_lists()).await {
            // The database was replaced, for example restored from a backup: register the journals again.
            Err(IngestError::UnknownJournal) => {
                source::with_timeout(self.storage.open_journals(&self.journals.ids())).await?;
                self.own_group.mark_positions_known();
                Ok(StepOutcome { has_more: true, ..StepOutcome::default() })
            }
            outcome => {
                let outcome = outcome?;
                if let Some(calls) = outcome.ingested {
                    self.counters.count_batch(calls.count, calls.oldest);
                }
                if outcome.lost_by_damage > 0 {
                    let cause = "files of the call journal are missing or damaged";
                    self.journals.disk_budget.log_loss(outcome.lost_by_damage, cause);
                }
                Ok(outcome)
            }
        }
    }

    /// When the worker must run even if no record is appended.
    fn next_wakeup(&self) -> Instant {
        let next_report_at = self.journals.disk_budget.next_report_at().map(Instant::from_std);
        next_report_at.into_iter().fold(self.leftover_segments.next_wakeup(), Instant::min)
    }

    fn publish_progress(&self, is_replaying: bool) {
        let ingested = self.journals.ingested();
        self.progress.send_if_modified(|progress| {
            let is_changed = progress.ingested != ingested || progress.is_replaying != is_replaying;
            *progress = Progress { ingested, is_replaying };
            is_changed
        });
    }

    /// Removes the journals of this process, which are completely ingested. If the database fails, an empty folder
    /// stays, and the next start removes it.
    async fn remove_journals(&self) {
        for segments in self.journals.segments() {
            if let Err(error) = source::remove_journal(&*self.storage, segments).await {
                tracing::warn!(error = ?error, "cannot remove the call journal");
            }
        }
    }
}

/// Runs ingest on a dedicated thread, which holds `token` until ingest ends. A batch takes tens of milliseconds and
/// reads files, which would delay calls on the threads that serve them.
pub(crate) fn spawn_thread(
    ingest: impl Future<Output: Send> + Send + 'static,
    token: TaskTrackerToken,
) -> io::Result<()> {
    let runtime = Handle::current();
    let work = move || {
        runtime.block_on(ingest);
        drop(token);
    };
    thread::Builder::new().name("ingest".to_owned()).spawn(work).map(drop)
}

/// Waits until the records up to `last_records`, one number for each journal, and those of leftover journals are in the
/// database, at most for `limit`.
pub(crate) async fn wait_until_ingested(
    mut progress: watch::Receiver<Progress>,
    last_records: &[u64],
    wake_signal: &WakeSignal,
    limit: Duration,
) {
    let is_ingested = |progress: &Progress| {
        !progress.is_replaying && progress.ingested.iter().zip(last_records).all(|(ingested, last)| ingested >= last)
    };
    if is_ingested(&progress.borrow()) {
        return;
    }
    let _waiter = wake_signal.expedite();
    // After the timeout, or if the worker has ended, the caller continues with the records that are ingested.
    let _ = timeout(limit, progress.wait_for(is_ingested)).await;
}
