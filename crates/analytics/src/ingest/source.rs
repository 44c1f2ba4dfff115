//! Ingests a group of journals: tracks the position of each in the database, and the offset at which reading stopped.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::error::Elapsed;
use tokio::time::timeout;
use toolgate_domain::time::Timestamp;
use toolgate_storage::{CallBatch, CallStore, StorageError};

use crate::journal::{self, ClosedSegments, JournalBatch, JournalCursor, SegmentList, UnreadJournal};

/// Timeout of a database operation.
const STORAGE_TIMEOUT: Duration = Duration::from_secs(30);

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum IngestError {
    /// A journal is not registered in the database.
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
    /// Whether the journals that can be read contain more records.
    pub(super) has_more: bool,
    /// The calls that were ingested, if there were any.
    pub(super) ingested: Option<IngestedCalls>,
    /// Number of lost records.
    pub(super) lost: u64,
    /// The part of `lost` in files that are missing or damaged although they were not dropped to free space.
    pub(super) lost_by_damage: u64,
    /// Why a journal could not be read further. The records of the other journals are ingested.
    pub(super) read_error: Option<io::Error>,
}

/// The calls of a transaction that is committed.
#[derive(Clone, Copy, Debug)]
pub(super) struct IngestedCalls {
    pub(super) count: u64,
    /// When the first of them ended.
    pub(super) oldest: Timestamp,
    /// When the last of them ended.
    newest: Timestamp,
}

impl IngestedCalls {
    fn joined(self, other: Self) -> Self {
        let (oldest, newest) = (self.oldest.min(other.oldest), self.newest.max(other.newest));
        Self { count: self.count + other.count, oldest, newest }
    }
}

impl StepOutcome {
    /// Adds the records of one journal.
    fn add(&mut self, batch: &JournalBatch) {
        self.lost += batch.lost;
        if let Some((oldest, newest)) = batch.time_span() {
            let added = IngestedCalls { count: batch.calls().len() as u64, oldest, newest };
            self.ingested = Some(self.ingested.map_or(added, |calls| calls.joined(added)));
        }
    }
}

/// Journals that are ingested together: a transaction has the oldest records of all of them.
pub(super) struct JournalGroup {
    journals: Vec<JournalSource>,
    /// Maximum number of records in the next transaction: smaller after a timeout, so that a slow database makes
    /// progress.
    records_max: usize,
}

/// A journal that is being ingested.
struct JournalSource {
    segments: Arc<ClosedSegments>,
    cursor: Option<JournalCursor>,
    /// Whether `segments.ingested()` equals the position stored in the database. After a failure the stored position is
    /// unknown, because the batch may have been committed.
    is_position_known: bool,
    /// Whether the last step could read it.
    is_readable: bool,
}

impl JournalGroup {
    /// Journals whose positions in the database are known.
    pub(super) fn new(journals: impl Iterator<Item = Arc<ClosedSegments>>) -> Self {
        let source = |segments| JournalSource { segments, cursor: None, is_position_known: true, is_readable: true };
        Self { journals: journals.map(source).collect(), records_max: journal::RECORDS_MAX }
    }

    /// Must be called after the journals are registered in the database again.
    pub(super) fn mark_positions_known(&mut self) {
        for source in &mut self.journals {
            source.is_position_known = true;
        }
    }

    /// Ingests at most one batch of each journal, in one transaction. `lists` returns their segments; it is called
    /// after the positions are known.
    pub(super) async fn step(
        &mut self,
        storage: &dyn CallStore,
        lists: impl FnOnce() -> Vec<SegmentList>,
    ) -> Result<StepOutcome, IngestError> {
        for source in &mut self.journals {
            source.find_position(storage).await?;
        }
        let lists = lists();
        let unread = self.journals.iter().zip(&lists).map(|(source, list)| source.unread(list));
        let read = journal::read_batches(unread, self.records_max);
        let (mut outcome, mut batches) = (StepOutcome::default(), Vec::new());
        for ((source, list), (batch, error)) in self.journals.iter_mut().zip(lists).zip(read) {
            source.is_readable = error.is_none();
            outcome.read_error = outcome.read_error.or(error);
            outcome.has_more |= source.is_readable && batch.last + 1 < list.end;
            if batch.last > source.segments.ingested() {
                outcome.lost_by_damage += source.begin(&batch);
                outcome.add(&batch);
                batches.push(SourceBatch { source, batch });
            }
        }
        if batches.is_empty() {
            return Ok(outcome);
        }
        let call_batches = batches.iter().map(SourceBatch::calls).collect();
        let written = with_timeout(storage.ingest_calls(call_batches)).await;
        if written.is_ok() {
            batches.into_iter().for_each(SourceBatch::commit);
            if let Some(calls) = outcome.ingested {
                self.note_ingested_until(calls.newest);
            }
        }
        self.records_max = match &written {
            Ok(()) => journal::RECORDS_MAX.min(2 * self.records_max),
            Err(IngestError::Timeout(_)) => self.records_max.div_ceil(2),
            Err(_) => self.records_max,
        };
        written.map(|()| outcome)
    }

    /// Notes that all records up to this time are ingested: the journals are read in the order of their times.
    fn note_ingested_until(&self, newest: Timestamp) {
        for source in self.journals.iter().filter(|source| source.is_readable) {
            source.segments.set_pending_since(newest);
        }
    }
}

impl JournalSource {
    async fn find_position(&mut self, storage: &dyn CallStore) -> Result<(), IngestError> {
        if !self.is_position_known {
            let position = with_timeout(storage.journal_position(&self.segments.id)).await?;
            self.segments.advance(position.ok_or(IngestError::UnknownJournal)?);
            self.is_position_known = true;
        }
        Ok(())
    }

    fn unread<'j>(&'j self, list: &'j SegmentList) -> UnreadJournal<'j> {
        UnreadJournal { folder: &self.segments.folder, list, ingested: self.segments.ingested(), cursor: self.cursor }
    }

    /// Must be called before the batch is written. Returns how many records were lost in files that are missing or
    /// damaged although they were not dropped to free space.
    fn begin(&mut self, batch: &JournalBatch) -> u64 {
        // Cleared before the write and set after it: an error or a cancellation leaves the position unknown.
        self.is_position_known = false;
        for damage in &batch.damage {
            self.segments.mark_damaged(damage.file);
        }
        let unexpected_damage = batch.damage.iter().filter(|damage| !self.segments.has_dropped(damage.file));
        unexpected_damage.map(|damage| damage.lost).sum()
    }
}

/// A batch that was read from a journal.
struct SourceBatch<'s> {
    source: &'s mut JournalSource,
    batch: JournalBatch,
}

impl SourceBatch<'_> {
    fn calls(&self) -> CallBatch<'_> {
        let JournalBatch { first, last, lost, .. } = self.batch;
        let calls = Box::new(self.batch.calls());
        CallBatch { journal: &self.source.segments.id, first, calls, through: last, lost }
    }

    /// Must be called when the batch is in the database.
    fn commit(self) {
        let Self { source, batch } = self;
        source.is_position_known = true;
        source.cursor = batch.cursor;
        source.segments.advance(batch.last);
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
