//! Ingests one journal: tracks its position in the database, and the offset at which reading stopped.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::error::Elapsed;
use tokio::time::timeout;
use toolgate_domain::time::Timestamp;
use toolgate_storage::{CallBatch, CallStore, JournalId, StorageError};

use crate::journal::{self, ClosedSegments, JournalBatch, JournalCursor, SegmentList};

/// Timeout of a database operation.
const STORAGE_TIMEOUT: Duration = Duration::from_secs(30);

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum IngestError {
    /// The journal is not registered in the database.
    #[error("the journal is not registered in the database")]
    UnknownJournal,
    /// The database failed or is unreachable.
    #[error(transparent)]
    Storage(StorageError),
    /// The database did not respond: its connection may be dead.
    #[error("the database did not respond in time")]
    Timeout(#[from] Elapsed),
    /// The journal cannot be read.
    #[error("the journal cannot be read: {0}")]
    Read(#[from] io::Error),
}

impl From<StorageError> for IngestError {
    fn from(error: StorageError) -> Self {
        if matches!(error, StorageError::NotFound(_)) { Self::UnknownJournal } else { Self::Storage(error) }
    }
}

/// The outcome of a successful step.
#[derive(Default)]
pub(super) struct StepOutcome {
    /// Whether the segments contain more records.
    pub(super) has_more: bool,
    /// The calls that were ingested, if there were any.
    pub(super) ingested: Option<IngestedBatch>,
    /// Number of lost records.
    pub(super) lost: u64,
    /// The part of `lost` in files that are missing or damaged although they were not dropped to free space.
    pub(super) lost_by_damage: u64,
}

/// The calls of a batch that is committed.
#[derive(Clone, Copy, Debug)]
pub(super) struct IngestedBatch {
    pub(super) calls: u64,
    /// When its first call ended.
    pub(super) oldest: Timestamp,
    /// When its last call ended.
    pub(super) newest: Timestamp,
}

/// A journal that is being ingested.
pub(super) struct JournalSource {
    segments: Arc<ClosedSegments>,
    cursor: Option<JournalCursor>,
    /// Whether `segments.ingested()` equals the position stored in the database. After a failure the stored position is
    /// unknown, because the batch may have been committed.
    is_position_known: bool,
    /// Maximum number of records in the next batch: smaller after a timeout, so that a slow database makes progress.
    records_max: usize,
}

impl JournalSource {
    /// A journal whose position in the database is known.
    pub(super) fn new(segments: Arc<ClosedSegments>) -> Self {
        Self { segments, cursor: None, is_position_known: true, records_max: journal::RECORDS_MAX }
    }

    pub(super) fn id(&self) -> &JournalId {
        &self.segments.id
    }

    /// Must be called after the journal is registered in the database again.
    pub(super) fn mark_position_known(&mut self) {
        self.is_position_known = true;
    }

    /// Ingests one batch of the segments that `list` returns. `list` is called after the position is known.
    pub(super) async fn step(
        &mut self,
        storage: &dyn CallStore,
        list: impl FnOnce() -> SegmentList,
    ) -> Result<StepOutcome, IngestError> {
        if !self.is_position_known {
            let position =
                with_timeout(storage.journal_position(self.id())).await?.ok_or(IngestError::UnknownJournal)?;
            self.segments.advance(position);
            self.is_position_known = true;
        }
        let list = list();
        let end = list.end;
        let Some(batch) = self.read(&list)? else { return Ok(StepOutcome::default()) };
        for damage in &batch.damage {
            self.segments.mark_damaged(damage.file);
        }
        // Cleared before the write and set after it: an error or a cancellation leaves the position unknown.
        self.is_position_known = false;
        let JournalBatch { first, last, lost, cursor, .. } = batch;
        let unexpected_damage = batch.damage.iter().filter(|damage| !self.segments.has_dropped(damage.file));
        let lost_by_damage = unexpected_damage.map(|damage| damage.lost).sum();
        let ingested = batch.time_span().map(|(oldest, newest)| IngestedBatch {
            calls: batch.calls().len() as u64,
            oldest,
            newest,
        });
        let calls = Box::new(batch.calls());
        let call_batch = CallBatch { journal: self.id(), first, calls, through: last, lost };
        let written = with_timeout(storage.ingest_calls(call_batch)).await;
        self.records_max = match &written {
            Ok(()) => journal::RECORDS_MAX.min(2 * self.records_max),
            Err(IngestError::Timeout(_)) => self.records_max.div_ceil(2),
            Err(_) => self.records_max,
        };
        written?;
        self.is_position_known = true;
        self.cursor = cursor;
        self.segments.advance(last);
        Ok(StepOutcome { has_more: last + 1 < end, ingested, lost, lost_by_damage })
    }

    fn read(&self, list: &SegmentList) -> io::Result<Option<JournalBatch>> {
        let ingested = self.segments.ingested();
        if list.end <= ingested + 1 {
            return Ok(None);
        }
        journal::read_batch(&self.segments.folder, list, ingested, self.cursor, self.records_max)
    }
}

/// Runs a database operation with a timeout.
pub(super) async fn with_timeout<T>(
    operation: impl Future<Output = toolgate_storage::Result<T>>,
) -> Result<T, IngestError> {
    Ok(timeout(STORAGE_TIMEOUT, operation).await??)
}

/// Removes a journal that is completely ingested. The segments are removed before the row in the database, because a
/// later scan skips segments of an unregistered journal. The folder is removed last; if that fails, a later scan
/// removes the empty folder.
pub(super) async fn remove_journal(storage: &dyn CallStore, segments: &ClosedSegments) -> Result<(), IngestError> {
    journal::remove_segments(&segments.folder)?;
    with_timeout(storage.close_journal(&segments.id)).await?;
    Ok(journal::remove_folder(&segments.folder)?)
}
