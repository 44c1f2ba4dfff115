//! Records calls: writes them to the journal and publishes them to subscribers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{broadcast, watch};
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;
use toolgate_domain::call::{CallRecord, FailureReason};
use toolgate_domain::time::Clock;
use toolgate_storage::CallStore;

use crate::call_counters::{CallCounters, CallTotals};
use crate::event::{ActivityEvent, ClientConnected};
use crate::ingest::{self, IngestWorker, Progress};
use crate::ingest_counters::IngestCounters;
use crate::journal::OwnJournals;
use crate::recording_state::{RecordingState, RecordingStats};
use crate::retention::Retention;
use crate::wake_signal::WakeSignal;

/// Maximum time that a report waits for recent records to be ingested.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);
/// Number of events that are buffered for a subscriber; one that falls further behind misses events.
const EVENT_BUFFER_SIZE: usize = 1024;

/// Configuration of a recorder.
pub struct RecorderConfig {
    /// Folder of the journals.
    pub folder: PathBuf,
    /// Maximum size of all journals together, in bytes.
    pub journal_max_bytes: u64,
    /// Number of days for which call records are stored.
    pub retention_days: u32,
    /// The database for ingest.
    pub storage: Arc<dyn CallStore>,
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
    /// A random number that names the first journal of this start.
    pub journal_number: u64,
    /// Number of threads that record calls. Each has its own journal, up to eight.
    pub threads: usize,
}

/// Why recording cannot start.
#[derive(Debug, thiserror::Error)]
pub enum RecorderOpenError {
    /// The folder of the journals is not writable.
    #[error("cannot write the call journal in {}: {source}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The ingest thread cannot be started.
    #[error("cannot start the ingest thread: {0}")]
    Thread(std::io::Error),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] toolgate_storage::StorageError),
}

/// Records tool calls.
#[derive(Debug)]
pub struct Recorder {
    events: broadcast::Sender<Arc<ActivityEvent>>,
    counters: CallCounters,
    /// `None` if recording is disabled.
    active: Option<ActiveRecording>,
}

/// The parts of a recorder that is enabled.
#[derive(Debug)]
struct ActiveRecording {
    journals: Arc<OwnJournals>,
    ingest_counters: Arc<IngestCounters>,
    wake_signal: Arc<WakeSignal>,
    progress: watch::Receiver<Progress>,
    tasks: TaskTracker,
    /// Cancels the tasks immediately; so does dropping the recorder.
    cancelled: CancellationToken,
    _cancel_on_drop: DropGuard,
}

impl Recorder {
    /// Creates journals, and starts ingest of them and of leftover journals.
    pub async fn open(config: RecorderConfig) -> Result<Arc<Self>, RecorderOpenError> {
        config.storage.prepare_partitions(config.clock.now()).await?;
        let journals = open_journals(&config).await?;
        let active = ActiveRecording::start(config, Arc::new(journals)).map_err(RecorderOpenError::Thread)?;
        Ok(Self::with_recording(Some(active)))
    }

    /// A recorder that stores nothing; it still publishes events.
    pub fn disabled() -> Arc<Self> {
        Self::with_recording(None)
    }

    fn with_recording(active: Option<ActiveRecording>) -> Arc<Self> {
        Arc::new(Self { events: broadcast::Sender::new(EVENT_BUFFER_SIZE), counters: CallCounters::default(), active })
    }

    /// Whether calls are recorded.
    pub fn is_enabled(&self) -> bool {
        self.active.is_some()
    }

    /// Records a call, without waiting for the database. When this returns, the record is in a journal and the
    /// response may be sent.
    pub fn record(&self, record: &CallRecord) {
        self.counters.count(record);
        if let Some(active) = &self.active {
            active.journals.append(record);
            active.wake_signal.notify();
        }
        if self.events.receiver_count() > 0 {
            let is_captured = self.is_enabled() && record.captured.is_some();
            let _ = self.events.send(Arc::new(ActivityEvent::from_record(record, is_captured)));
        }
        log(record);
    }

    /// Publishes that a client connected. `client` is called only if there are subscribers.
    pub fn client_connected(&self, client: impl FnOnce() -> ClientConnected) {
        if self.events.receiver_count() > 0 {
            let _ = self.events.send(Arc::new(ActivityEvent::ClientConnected(client())));
        }
    }

    /// Subscribes to events.
    pub fn subscribe(&self) -> broadcast::Receiver<Arc<ActivityEvent>> {
        self.events.subscribe()
    }

    /// Waits for earlier records to be ingested, with a short timeout, so that reports show the caller's own calls.
    pub async fn flush(&self) {
        if let Some(ActiveRecording { journals, wake_signal, progress, .. }) = &self.active {
            let last_records = journals.last_records();
            ingest::wait_until_ingested(progress.clone(), &last_records, wake_signal, FLUSH_TIMEOUT).await;
        }
    }

    /// The state of recording.
    pub fn state(&self) -> RecordingState {
        self.active.as_ref().map(|active| active.journals.stats().state).unwrap_or_default()
    }

    /// The calls since the start of the process, also those that are not recorded.
    pub fn call_totals(&self) -> CallTotals {
        self.counters.totals()
    }

    /// The state of recording, and its statistics since the start of the process.
    pub fn stats(&self) -> RecordingStats {
        let Some(ActiveRecording { journals, ingest_counters, .. }) = &self.active else {
            return RecordingStats::default();
        };
        RecordingStats {
            ingested: ingest_counters.calls(),
            ingest_failures: ingest_counters.failures(),
            ingest_lag_ms: ingest_counters.lag_ms(),
            ..journals.stats()
        }
    }

    /// Ingests the remaining records, at most for `limit`; the rest stays in the journal for the next start. Calls
    /// recorded later are lost.
    pub async fn close(&self, limit: Duration) {
        let Some(active) = &self.active else { return };
        active.wake_signal.close();
        active.tasks.close();
        if timeout(limit, active.tasks.wait()).await.is_err() {
            active.cancelled.cancel();
            active.tasks.wait().await;
            active.journals.mark_ends();
            let pending = self.state().pending;
            tracing::warn!(
                pending,
                "not all calls are in the database; the rest stays in the journal until the next start"
            );
        }
        active.journals.disk_budget.log_all_losses();
    }
}

#[cfg(test)]
impl Recorder {
    /// The progress of ingest.
    pub(crate) fn progress(&self) -> Option<watch::Receiver<Progress>> {
        Some(self.active.as_ref()?.progress.clone())
    }
}

impl ActiveRecording {
    fn start(config: RecorderConfig, journals: Arc<OwnJournals>) -> std::io::Result<Self> {
        let wake_signal = Arc::new(WakeSignal::default());
        let (tasks, cancelled) = (TaskTracker::new(), CancellationToken::new());
        let storage = Arc::clone(&config.storage);
        let ingest_counters = Arc::new(IngestCounters::new(Arc::clone(&config.clock)));
        let worker = IngestWorker::new(
            storage,
            Arc::clone(&journals),
            config.folder,
            Arc::clone(&wake_signal),
            Arc::clone(&ingest_counters),
        );
        let progress = worker.progress();
        ingest::spawn_thread(cancelled.clone().run_until_cancelled_owned(worker.run()), tasks.token())?;
        let retention = Retention { storage: config.storage, clock: config.clock, days: config.retention_days };
        tasks.spawn(cancelled.clone().run_until_cancelled_owned(retention.run(Arc::clone(&wake_signal))));
        let cancel_on_drop = cancelled.clone().drop_guard();
        Ok(Self { journals, ingest_counters, wake_signal, progress, tasks, cancelled, _cancel_on_drop: cancel_on_drop })
    }
}

/// Creates the journals of this process, and registers them in the database.
async fn open_journals(config: &RecorderConfig) -> Result<OwnJournals, RecorderOpenError> {
    let RecorderConfig { folder, journal_max_bytes, journal_number, threads, .. } = config;
    let journals = OwnJournals::create(folder, *journal_number, *threads, *journal_max_bytes)
        .map_err(|source| RecorderOpenError::Folder { folder: folder.clone(), source })?;
    if let Err(error) = config.storage.open_journals(&journals.ids()).await {
        journals.remove_folders();
        return Err(error.into());
    }
    Ok(journals)
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
        tokens_out = record.tokens.map(|tokens| tokens.out),
        tokens_saved = record.tokens.map(|tokens| tokens.saved),
        request_id = record.request_id,
        endpoint_key_id = record.origin.credential.endpoint_key().map(|id| id.0),
        user_id = record.origin.credential.user().map(|id| id.0),
        client_address = record.origin.client_address.map(tracing::field::display),
        "call"
    );
}
