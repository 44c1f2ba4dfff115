//! Moves records from journals into the database, in batches, for as long as the process lives. One thread does it, so
//! that memory holds one batch at most; whatever fails is tried again, and meanwhile only the journal grows.

mod orphans;
mod pace;
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
use toolgate_storage::Calls;

use crate::journal::Journal;
use orphans::Orphans;
use pace::Backoff;
pub(crate) use pace::Bell;
use source::{MoveError, Moved, Source};

/// How far moving has come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Number of the last record of the own journal that is in the database.
    moved: u64,
    /// Whether there may be records of an earlier start that can be moved.
    is_replaying: bool,
}

/// Moves records from journals into the database.
pub(crate) struct Mover {
    storage: Arc<dyn Calls>,
    journal: Arc<Journal>,
    own: Source,
    orphans: Orphans,
    bell: Arc<Bell>,
    backoff: Backoff,
    progress: watch::Sender<Progress>,
}

impl Mover {
    /// A mover of a journal that the database knows, and of the orphans in the folder of journals.
    pub(crate) fn new(storage: Arc<dyn Calls>, journal: Arc<Journal>, journals: PathBuf, bell: Arc<Bell>) -> Self {
        let own = Source::new(Arc::clone(journal.segments()));
        let orphans = Orphans::new(journals, journal.segments().id().clone());
        let progress = watch::Sender::new(Progress { moved: 0, is_replaying: true });
        Self { storage, journal, own, orphans, bell, backoff: Backoff::default(), progress }
    }

    /// How far it has come, from now on.
    pub(crate) fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Moves until it is told to close; then what is left, and the journal is removed.
    pub(crate) async fn run(mut self) {
        loop {
            self.journal.room().log_due_losses();
            let more_found = self.orphans.step(&self.storage, self.journal.room()).await;
            let moved = self.step().await;
            self.tell(more_found);
            match moved {
                Ok(more) => {
                    self.backoff.recovered();
                    if more || more_found {
                        continue;
                    }
                    if self.bell.is_closing() && self.journal.seal() {
                        break;
                    }
                    self.bell.wait(self.next_step()).await;
                }
                Err(error) => self.bell.pause(self.backoff.failed(&error)).await,
            }
        }
        self.remove().await;
    }

    /// Moves a batch of the own journal; says whether there was more when it was read.
    async fn step(&mut self) -> Result<bool, MoveError> {
        let journal = Arc::clone(&self.journal);
        match self.own.step(&*self.storage, move || journal.contents()).await {
            // Another database than it was, restored from a backup perhaps.
            Err(MoveError::Unknown) => {
                source::in_time(self.storage.open_journal(self.own.id())).await?;
                self.own.is_known();
                Ok(true)
            }
            moved => {
                let Moved { more, damaged, .. } = moved?;
                if damaged > 0 {
                    let folder = self.journal.segments().folder().display();
                    self.journal
                        .room()
                        .log_loss(damaged, &format!("files in {folder} are gone, or not what they were"));
                }
                Ok(more)
            }
        }
    }

    /// When there is something to do though nothing is recorded.
    fn next_step(&self) -> Instant {
        let next_line = self.journal.room().next_line().map(Instant::from_std);
        next_line.into_iter().fold(self.orphans.next_step(), Instant::min)
    }

    fn tell(&self, is_replaying: bool) {
        let moved = self.journal.segments().moved();
        self.progress.send_if_modified(|progress| {
            let is_news = progress.moved != moved || progress.is_replaying != is_replaying;
            *progress = Progress { moved, is_replaying };
            is_news
        });
    }

    /// Removes the own journal, of which all is in the database. Where the database refuses, an empty folder stays, and
    /// the next start removes it.
    async fn remove(&self) {
        if let Err(error) = source::remove(&*self.storage, self.journal.segments()).await {
            tracing::warn!(error = ?error, "cannot remove the journal of calls");
        }
    }
}

/// Runs on a thread of its own, until the end. A batch is tens of milliseconds of work, and files are read as it goes: where
/// calls are answered, both would hold up those that come meanwhile.
pub(crate) fn on_its_own_thread(
    moving: impl Future<Output: Send> + Send + 'static,
    until_the_end: TaskTrackerToken,
) -> io::Result<()> {
    let runtime = Handle::current();
    let work = move || {
        runtime.block_on(moving);
        drop(until_the_end);
    };
    thread::Builder::new().name("mover".to_owned()).spawn(work).map(drop)
}

/// Waits until the records up to `last`, and those of earlier starts, are in the database, but no longer than `limit`.
pub(crate) async fn settled(mut progress: watch::Receiver<Progress>, last: u64, bell: &Bell, limit: Duration) {
    let is_settled = |progress: &Progress| progress.moved >= last && !progress.is_replaying;
    if is_settled(&progress.borrow()) {
        return;
    }
    let _waiting = bell.hurry();
    // An error would be a mover that has ended: there is nothing to wait for.
    let _ = timeout(limit, progress.wait_for(is_settled)).await;
}
