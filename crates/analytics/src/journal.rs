//! The call journal: the record of a call is written to it before the response is sent; ingest moves the records into
//! the database.
//!
//! Every start of the service creates a folder, named by a random number, with segment files and a `lock` that is held
//! for the lifetime of the process. Records are numbered from 1, without gaps unless some are lost. A write is complete
//! when the operating system has the data, so that a killed process loses nothing; there is no fsync.

mod batch;
mod disk_budget;
mod entry;
mod folder;
mod loss_log;
mod quarantine;
mod segment;
mod segments;
#[cfg(test)]
mod tests;
mod writer;

use std::cell::Cell;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use toolgate_domain::call::CallRecord;
use toolgate_domain::sync::lock;
use toolgate_domain::time::Timestamp;
use toolgate_storage::JournalId;

pub(crate) use batch::{JournalBatch, JournalCursor, RECORDS_MAX, read_batch};
pub(crate) use disk_budget::DiskBudget;
pub(crate) use folder::{LeftoverJournal, LoadedJournal, find_leftover_journals, load, remove_folder, remove_segments};
pub(crate) use quarantine::quarantine_files;
pub(crate) use segments::{ClosedSegments, SegmentList};

use crate::recording_state::{RecordingState, RecordingStats};
use writer::JournalWriter;

/// Maximum size of a segment, in bytes.
const SEGMENT_MAX: u64 = 4 << 20;
/// The disk budget holds at least this many segments, so that dropping one loses a small part of the records.
const SEGMENTS_MIN: u64 = 8;
/// Maximum size of a buffer that is reused for the next record, in bytes.
const REUSED_BUFFER_MAX: usize = 64 << 10;

thread_local! {
    /// Encoding buffer, reused to avoid an allocation per record.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The journal of this process.
#[derive(Debug)]
pub(crate) struct Journal {
    /// The closed segments.
    pub(crate) segments: Arc<ClosedSegments>,
    /// The disk budget of this journal and the leftover ones.
    pub(crate) disk_budget: Arc<DiskBudget>,
    writer: Mutex<JournalWriter>,
    /// End of the oldest call that is not ingested yet, in milliseconds since 1970. Meaningless if all are ingested.
    pending_since_ms: AtomicI64,
}

impl Journal {
    /// Creates a journal in the folder `journals`. It may use `max_bytes` together with the leftover journals there.
    pub(crate) fn create(journals: &Path, journal_number: u64, max_bytes: u64) -> io::Result<Self> {
        Self::create_with(journals, journal_number, max_bytes, SEGMENT_MAX.min(max_bytes / SEGMENTS_MIN))
    }

    fn create_with(journals: &Path, journal_number: u64, max_bytes: u64, segment_max: u64) -> io::Result<Self> {
        let id = JournalId(folder::name(journal_number));
        let (folder, lock) = folder::create(journals, &id)?;
        Ok(Self {
            segments: Arc::new(ClosedSegments::new(id, folder, Vec::new(), 0)),
            disk_budget: Arc::new(DiskBudget::new(max_bytes)),
            writer: Mutex::new(JournalWriter::new(segment_max, lock)),
            pending_since_ms: AtomicI64::new(0),
        })
    }

    /// Writes a record. A record that cannot be written is lost and counted.
    pub(crate) fn append(&self, record: &CallRecord) {
        let mut buffer = BUFFER.try_with(Cell::take).unwrap_or_default();
        let end = entry::encode(record, &mut buffer, segment::FRAME_HEADER_LEN);
        let Some(frame) = end.and_then(|end| buffer.get_mut(..end)) else {
            lock(&self.writer).skip_record(&self.segments);
            return self.disk_budget.log_loss(1, "a record cannot be encoded");
        };
        segment::write_frame_header(frame);
        let mut writer = lock(&self.writer);
        if writer.next_record() == self.segments.ingested() + 1 {
            self.set_pending_since(record.at);
        }
        let result = writer.append(frame, &self.segments, &self.disk_budget);
        drop(writer);
        if let Err(error) = result {
            self.disk_budget.log_loss(1, &format!("cannot write to {}: {error}", self.segments.folder.display()));
        }
        if buffer.len() <= REUSED_BUFFER_MAX {
            let _ = BUFFER.try_with(|reused| reused.set(buffer));
        }
    }

    /// Notes the end of the oldest call that is not ingested yet. After a batch, the end of the last ingested call is
    /// used: the next call ended at about the same time.
    pub(crate) fn set_pending_since(&self, at: Timestamp) {
        // Batches and new records race, and the later time is the right one.
        self.pending_since_ms.fetch_max(at.as_millis(), Ordering::Relaxed);
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

    /// Closes the journal if all records are ingested; records appended later are lost. Returns whether it is closed.
    pub(crate) fn close_if_ingested(&self) -> bool {
        lock(&self.writer).close_if_ingested(self.segments.ingested())
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

    /// The state of recording: sums over this journal and the leftover ones.
    pub(crate) fn state(&self) -> RecordingState {
        self.stats().state
    }

    /// The state, and the losses since the start of the process. The recorder adds the statistics of ingest.
    pub(crate) fn stats(&self) -> RecordingStats {
        let mut stats = RecordingStats {
            journal_max_bytes: self.disk_budget.max_bytes,
            lost: self.disk_budget.lost(),
            ..RecordingStats::default()
        };
        let own_since = Timestamp::from_millis(self.pending_since_ms.load(Ordering::Relaxed));
        let own_list = (self.segment_list(), self.segments.ingested(), own_since);
        for (list, ingested, since) in self.disk_budget.leftover_lists().into_iter().chain([own_list]) {
            let pending = list.pending(ingested);
            stats.state.pending += pending;
            stats.state.lost += list.missing(ingested);
            stats.state.journal_bytes += list.bytes();
            if pending > 0 {
                stats.pending_since = Some(stats.pending_since.map_or(since, |earlier| earlier.min(since)));
            }
        }
        stats
    }
}
