//! The call journal: the record of a call is written to it before the response is sent; ingest moves the records into
//! the database.
//!
//! Every start of the service creates a few journals, so that threads which record at the same time use different
//! files. A journal is a folder, named by a random number, with segment files and a `lock` that is held for the
//! lifetime of the process. Records are numbered from 1, without gaps unless some are lost. A write is complete when
//! the operating system has the data, so that a killed process loses nothing; there is no fsync.

mod batch;
mod batch_reader;
mod disk_budget;
mod entry;
mod folder;
mod frame;
mod loss_log;
mod own_journals;
mod quarantine;
mod segment;
mod segments;
#[cfg(test)]
mod tests;
mod writer;

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use toolgate_domain::sync::lock;
use toolgate_storage::JournalId;

pub(crate) use batch::{JournalBatch, JournalCursor};
pub(crate) use batch_reader::{RECORDS_MAX, UnreadJournal, read_batches};
pub(crate) use disk_budget::DiskBudget;
pub(crate) use folder::{
    FoundJournals, LeftoverJournal, LoadedJournal, find_leftover_journals, load, remove_folder, remove_segments,
};
pub(crate) use own_journals::OwnJournals;
pub(crate) use quarantine::quarantine_files;
pub(crate) use segments::{ClosedSegments, SegmentList};

use frame::Frame;
use writer::JournalWriter;

/// A journal of this process. The alignment keeps what two threads write out of one cache line, and out of the pair of
/// lines that processors fetch together.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Journal {
    /// The closed segments.
    pub(crate) segments: Arc<ClosedSegments>,
    disk_budget: Arc<DiskBudget>,
    writer: Mutex<JournalWriter>,
}

impl Journal {
    /// Creates a journal in the folder `journals`.
    pub(crate) fn create(journals: &Path, journal_number: u64, disk_budget: Arc<DiskBudget>) -> io::Result<Self> {
        let id = JournalId(folder::name(journal_number));
        let (folder, lock) = folder::create(journals, &id)?;
        let segments = Arc::new(ClosedSegments::new(id, folder, Vec::new(), 0));
        disk_budget.add_own(Arc::clone(&segments));
        Ok(Self { segments, disk_budget, writer: Mutex::new(JournalWriter::new(lock)) })
    }

    /// Locks the writer, unless another thread has locked it.
    fn try_lock(&self) -> Option<MutexGuard<'_, JournalWriter>> {
        match self.writer.try_lock() {
            Ok(writer) => Some(writer),
            Err(TryLockError::Poisoned(writer)) => Some(writer.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Writes the frame of a record; `None` if the record cannot be encoded. A record that is not written is lost and
    /// counted.
    fn append(&self, mut writer: MutexGuard<'_, JournalWriter>, frame: Option<Frame<'_>>) {
        let Some(frame) = frame else {
            writer.skip_record(&self.segments);
            drop(writer);
            return self.disk_budget.log_loss(1, "a record cannot be encoded");
        };
        if writer.next_record() == self.segments.ingested() + 1 {
            self.segments.set_pending_since(frame.at);
        }
        let result = writer.append(frame, &self.segments, &self.disk_budget);
        drop(writer);
        if let Err(error) = result {
            self.disk_budget.log_loss(1, &format!("cannot write to {}: {error}", self.segments.folder.display()));
        }
    }

    /// Number of the last record.
    pub(crate) fn last_record(&self) -> u64 {
        lock(&self.writer).next_record() - 1
    }

    /// All segments, including the open one.
    pub(crate) fn segment_list(&self) -> SegmentList {
        let writer = lock(&self.writer);
        let mut segments = self.segments.list();
        segments.extend(writer.open_segment());
        SegmentList { segments, end: writer.next_record() }
    }

    /// Stores the end of the journal if its last records could not be written: no later record reveals that gap.
    pub(crate) fn mark_end(&self) {
        let list = self.segment_list();
        let readable_end = list.segments.last().map_or(self.segments.ingested() + 1, |segment| segment.end);
        if list.end > readable_end
            && let Err(error) = folder::mark_end(&self.segments.folder, list.end)
        {
            tracing::warn!(%error, lost = list.end - readable_end, "lost calls will not be counted in the database");
        }
    }
}
