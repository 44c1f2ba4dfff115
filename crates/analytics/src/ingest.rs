//! Ingests records from journals into the database, in batches. A single thread does it, so that memory holds at most
//! one batch. Failures are retried; until then the records stay in the journal.

mod backoff;
mod leftover_segments;
mod source;
#[cfg(test)]
mod tests;
mod wake_signal;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use tokio_util::task::task_tracker::TaskTrackerToken;
use toolgate_storage::CallStore;

use crate::journal::Journal;
use backoff::Backoff;
use leftover_segments::LeftoverSegments;
use source::{IngestError, JournalSource, StepOutcome};
pub(crate) use wake_signal::WakeSignal;

/// The progress of ingest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Number of the last record of the process's own journal that is in the database.
    ingested: u64,
    /// Whether leftover journals may still have records to ingest.
    is_replaying: bool,
}

/// Ingests the process's own journal and leftover journals.
pub(crate) struct IngestWorker {
    storage: Arc<dyn CallStore>,
    journal: Arc<Journal>,
    own: JournalSource,
    leftover_segments: LeftoverSegments,
    wake_signal: Arc<WakeSignal>,
    backoff: Backoff,
    progress: watch::Sender<Progress>,
}

impl IngestWorker {
    /// A worker for `journal`, which must be registered in the database, and for the leftover journals in the folder
    /// `journals`.
    pub(crate) fn new(
        storage: Arc<dyn CallStore>,
        journal: Arc<Journal>,
        journals: PathBuf,
        wake_signal: Arc<WakeSignal>,
    ) -> Self {
        let own = JournalSource::new(Arc::clone(journal.segments()));
        let leftover_segments = LeftoverSegments::new(journals, journal.segments().id().clone());
        let progress = watch::Sender::new(Progress { ingested: 0, is_replaying: true });
        Self { storage, journal, own, leftover_segments, wake_signal, backoff: Backoff::default(), progress }
    }

    /// Subscribes to the progress.
    pub(crate) fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Ingests until closing is signalled; then ingests the rest and removes the journal.
    pub(crate) async fn run(mut self) {
        loop {
            self.journal.disk_budget().log_due_losses();
            let has_leftovers = self.leftover_segments.step(&self.storage, self.journal.disk_budget()).await;
            let result = self.step().await;
            self.publish_progress(has_leftovers);
            match result {
                Ok(has_more) => {
                    self.backoff.recovered();
                    if has_more || has_leftovers {
                        continue;
                    }
                    // Sealing fails if a record was written after the batch was read: then there is another round.
                    if self.wake_signal.is_closing() && self.journal.seal() {
                        break;
                    }
                    self.wake_signal.wait(self.next_wakeup()).await;
                }
                Err(error) => self.wake_signal.pause(self.backoff.failed(&error)).await,
            }
        }
        self.remove().await;
    }

    /// Ingests a batch of the process's own journal; returns whether there are more records.
    async fn step(&mut self) -> Result<bool, IngestError> {
        let journal = Arc::clone(&self.journal);
        match self.own.step(&*self.storage, move || journal.snapshot()).await {
            // The database was replaced, for example restored from a backup: register the journal again.
            Err(IngestError::UnknownJournal) => {
                source::with_timeout(self.storage.open_journal(self.own.id())).await?;
                self.own.mark_position_known();
                Ok(true)
            }
            outcome => {
                let StepOutcome { has_more, damaged, .. } = outcome?;
                if damaged > 0 {
                    let folder = self.journal.segments().folder().display();
                    self.journal.disk_budget().log_loss(damaged, &format!("files in {folder} are missing or damaged"));
                }
                Ok(has_more)
            }
        }
    }

    /// When the worker must run even if nothing is recorded.
    fn next_wakeup(&self) -> Instant {
        let next_report_at = self.journal.disk_budget().next_report_at().map(Instant::from_std);
        next_report_at.into_iter().fold(self.leftover_segments.next_wakeup(), Instant::min)
    }

    fn publish_progress(&self, is_replaying: bool) {
        let ingested = self.journal.segments().ingested();
        self.progress.send_if_modified(|progress| {
            let is_changed = progress.ingested != ingested || progress.is_replaying != is_replaying;
            *progress = Progress { ingested, is_replaying };
            is_changed
        });
    }

    /// Removes the process's own journal, which is completely ingested. If the database fails, an empty folder stays,
    /// and the next start removes it.
    async fn remove(&self) {
        if let Err(error) = source::remove(&*self.storage, self.journal.segments()).await {
            tracing::warn!(error = ?error, "cannot remove the call journal");
        }
    }
}

/// Runs ingest on a dedicated thread; `token` is held until it ends. A batch takes tens of milliseconds and reads
/// files, which would delay calls on the threads that serve them.
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

/// Waits until the records up to `last` and those of leftover journals are in the database, at most for `limit`.
pub(crate) async fn wait_until_ingested(
    mut progress: watch::Receiver<Progress>,
    last: u64,
    wake_signal: &WakeSignal,
    limit: Duration,
) {
    let is_ingested = |progress: &Progress| progress.ingested >= last && !progress.is_replaying;
    if is_ingested(&progress.borrow()) {
        return;
    }
    let _waiter = wake_signal.expedite();
    // An error means that the worker has ended: there is nothing to wait for.
    let _ = timeout(limit, progress.wait_for(is_ingested)).await;
}
