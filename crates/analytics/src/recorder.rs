//! Where the record of each call goes.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{broadcast, watch};
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;
use toolgate_domain::call::{CallRecord, FailureReason};
use toolgate_domain::time::Clock;
use toolgate_storage::Calls;

use crate::event::{ClientConnected, Event};
use crate::journal::{self, Journal};
use crate::mover::{self, Bell, Mover, Progress};
use crate::retention::Retention;

/// Longest time that a report waits for what was just recorded.
const SETTLE: Duration = Duration::from_secs(2);
/// Events on their way to whoever watches; who is slower than this misses some.
const EVENTS: usize = 1024;

/// What a recorder needs.
pub struct Config {
    /// Where journals are kept.
    pub folder: PathBuf,
    /// Most bytes that journals may take there.
    pub journal_max: u64,
    /// How long single calls are kept.
    pub retention_days: u32,
    /// Where calls go in the end.
    pub storage: Arc<dyn Calls>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// A random number: names the journal of this start.
    pub boot: u64,
}

/// How recording is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordingState {
    /// Records that are not in the database yet.
    pub pending: u64,
    /// Bytes that journals take.
    pub journal_bytes: u64,
    /// Records that are gone, and of which the database does not know yet.
    pub lost: u64,
}

/// Why recording cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The journal's folder cannot be used.
    #[error("cannot write the journal of calls in {}: {source}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The operating system gives no thread.
    #[error("cannot start the thread that moves calls into the database: {0}")]
    Thread(std::io::Error),
    /// The database refused.
    #[error(transparent)]
    Storage(#[from] toolgate_storage::StorageError),
}

/// Takes the records of calls.
#[derive(Debug)]
pub struct Recorder {
    events: broadcast::Sender<Arc<Event>>,
    /// None where nothing is kept.
    keeping: Option<Keeping>,
}

/// What a recorder that keeps records is made of.
#[derive(Debug)]
struct Keeping {
    journal: Arc<Journal>,
    bell: Arc<Bell>,
    progress: watch::Receiver<Progress>,
    tasks: TaskTracker,
    /// Ends the tasks, whatever they are doing; so does a recorder that is dropped.
    abandoned: CancellationToken,
    _abandon: DropGuard,
}

impl Recorder {
    /// Opens a journal, and begins to move what it and those of earlier starts hold into the database.
    pub async fn open(config: Config) -> Result<Arc<Self>, OpenError> {
        config.storage.prepare_days(config.clock.now()).await?;
        let journal = open_journal(&config).await?;
        let keeping = Keeping::start(config, Arc::new(journal)).map_err(OpenError::Thread)?;
        Ok(Arc::new(Self { events: broadcast::Sender::new(EVENTS), keeping: Some(keeping) }))
    }

    /// A recorder that keeps nothing: what recording costs is measured beside it.
    pub fn off() -> Arc<Self> {
        Arc::new(Self { events: broadcast::Sender::new(EVENTS), keeping: None })
    }

    /// Whether calls are kept.
    pub fn is_on(&self) -> bool {
        self.keeping.is_some()
    }

    /// Takes one record. It is in the journal when this returns, and the answer may leave; nothing here waits for the
    /// database.
    pub fn record(&self, record: &CallRecord) {
        if let Some(keeping) = &self.keeping {
            keeping.journal.append(record);
            keeping.bell.ring();
        }
        if self.events.receiver_count() > 0 {
            let is_captured = self.is_on() && record.captured.is_some();
            let _ = self.events.send(Arc::new(Event::call(record, is_captured)));
        }
        log(record);
    }

    /// Tells whoever watches that a client came.
    pub fn connected(&self, client: impl FnOnce() -> ClientConnected) {
        if self.events.receiver_count() > 0 {
            let _ = self.events.send(Arc::new(Event::ClientConnected(client())));
        }
    }

    /// What happens from now on.
    pub fn watch(&self) -> broadcast::Receiver<Arc<Event>> {
        self.events.subscribe()
    }

    /// Waits until what was recorded before is in the database, but not for long: reports then show what their reader
    /// just did.
    pub async fn settle(&self) {
        if let Some(Keeping { journal, bell, progress, .. }) = &self.keeping {
            mover::settled(progress.clone(), journal.last(), bell, SETTLE).await;
        }
    }

    /// How recording is doing.
    pub fn state(&self) -> RecordingState {
        self.keeping.as_ref().map(|keeping| keeping.journal.state()).unwrap_or_default()
    }

    /// Moves what is left into the database, within the deadline; the rest waits in the journal for the next start.
    /// What is recorded later is lost.
    pub async fn close(&self, deadline: Duration) {
        let Some(keeping) = &self.keeping else { return };
        keeping.bell.close();
        keeping.tasks.close();
        if timeout(deadline, keeping.tasks.wait()).await.is_err() {
            keeping.abandoned.cancel();
            keeping.tasks.wait().await;
            keeping.journal.mark_end();
            let pending = self.state().pending;
            tracing::warn!(pending, "calls that are not in the database yet wait in the journal for the next start");
        }
        keeping.journal.room().log_all_losses();
    }
}

#[cfg(test)]
impl Recorder {
    /// How far moving has come.
    pub(crate) fn progress(&self) -> Option<watch::Receiver<Progress>> {
        Some(self.keeping.as_ref()?.progress.clone())
    }
}

impl Keeping {
    fn start(config: Config, journal: Arc<Journal>) -> std::io::Result<Self> {
        let bell = Arc::new(Bell::default());
        let (tasks, abandoned) = (TaskTracker::new(), CancellationToken::new());
        let storage = Arc::clone(&config.storage);
        let mover = Mover::new(storage, Arc::clone(&journal), config.folder, Arc::clone(&bell));
        let progress = mover.progress();
        mover::on_its_own_thread(abandoned.clone().run_until_cancelled_owned(mover.run()), tasks.token())?;
        let retention = Retention { storage: config.storage, clock: config.clock, days: config.retention_days };
        tasks.spawn(abandoned.clone().run_until_cancelled_owned(retention.run(Arc::clone(&bell))));
        let abandon = abandoned.clone().drop_guard();
        Ok(Self { journal, bell, progress, tasks, abandoned, _abandon: abandon })
    }
}

/// Makes the journal of this start, and makes it known to the database.
async fn open_journal(config: &Config) -> Result<Journal, OpenError> {
    let unusable = |source| OpenError::Folder { folder: config.folder.clone(), source };
    let journal = Journal::create(&config.folder, config.boot, config.journal_max).map_err(unusable)?;
    if let Err(error) = config.storage.open_journal(journal.segments().id()).await {
        // An empty folder; where it stays, the next start removes it.
        let _ = journal::remove(journal.segments().folder());
        return Err(error.into());
    }
    Ok(journal)
}

fn log(record: &CallRecord) {
    tracing::debug!(
        target: "toolgate::call",
        server_id = record.server_id.0,
        tool_id = record.tool_id.0,
        client_type = record.client_type,
        client_name = record.client_name,
        protocol_version = record.protocol_version.as_deref(),
        failure = record.failure.map(FailureReason::as_str),
        upstream_status = record.upstream_status,
        duration_us = record.duration_us,
        upstream_us = record.upstream_us,
        request_bytes = record.request_bytes,
        response_bytes = record.response_bytes,
        cache_hit = record.cache_hit,
        request_id = record.request_id,
        "call"
    );
}
