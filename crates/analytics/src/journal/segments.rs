//! The closed segments of one journal, oldest first, and its position in the database.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use toolgate_domain::sync::lock;
use toolgate_domain::time::Timestamp;
use toolgate_storage::JournalId;

use super::segment::JournalSegment;

/// The closed segments of one journal. The open segment is added when it is closed.
#[derive(Debug)]
pub(crate) struct ClosedSegments {
    pub(crate) id: JournalId,
    pub(crate) folder: PathBuf,
    closed: Mutex<VecDeque<JournalSegment>>,
    /// Number of the last ingested record.
    ingested: AtomicU64,
    /// Number of the last file that was dropped to free space; files are dropped in order.
    last_dropped_file: AtomicU64,
    /// Records that were dropped before they were ingested, as far as ingest has not found them missing yet.
    dropped_records: AtomicU64,
    /// Number of the last damaged file.
    last_damaged_file: AtomicU64,
    /// End of the oldest call that is not ingested yet, in milliseconds since 1970. Meaningless if all are ingested.
    pending_since_ms: AtomicI64,
}

impl ClosedSegments {
    pub(crate) fn new(id: JournalId, folder: PathBuf, closed: Vec<JournalSegment>, ingested: u64) -> Self {
        let closed = Mutex::new(closed.into());
        let segments = Self {
            id,
            folder,
            closed,
            ingested: AtomicU64::default(),
            last_dropped_file: AtomicU64::default(),
            dropped_records: AtomicU64::default(),
            last_damaged_file: AtomicU64::default(),
            pending_since_ms: AtomicI64::default(),
        };
        segments.advance(ingested);
        segments
    }

    pub(crate) fn ingested(&self) -> u64 {
        self.ingested.load(Ordering::Acquire)
    }

    /// Records the position that the database has committed, and removes files whose records are all ingested.
    pub(crate) fn advance(&self, ingested: u64) {
        // `fetch_max`, because the position never moves back.
        let ingested = self.ingested.fetch_max(ingested, Ordering::AcqRel).max(ingested);
        let mut closed = lock(&self.closed);
        while let Some(segment) = closed.pop_front_if(|segment| segment.end <= ingested + 1) {
            self.remove(segment);
        }
    }

    /// Notes the end of the oldest call that is not ingested yet. After a transaction, the end of its last call is
    /// used: the next call ended at about the same time.
    pub(crate) fn set_pending_since(&self, at: Timestamp) {
        // Batches and new records race, and the later time is the right one.
        self.pending_since_ms.fetch_max(at.as_millis(), Ordering::Relaxed);
    }

    /// When the oldest call that is not ingested yet ended, as far as known.
    pub(super) fn pending_since(&self) -> Timestamp {
        Timestamp::from_millis(self.pending_since_ms.load(Ordering::Relaxed))
    }

    pub(super) fn push(&self, segment: JournalSegment) {
        lock(&self.closed).push_back(segment);
    }

    /// Removes the oldest file if it is `file`, and returns how many of its records were not ingested.
    pub(super) fn drop_oldest(&self, file: u64) -> u64 {
        let Some(segment) = lock(&self.closed).pop_front_if(|segment| segment.number == file) else { return 0 };
        self.last_dropped_file.fetch_max(file, Ordering::AcqRel);
        self.remove(segment);
        let records = segment.records_after(self.ingested());
        self.dropped_records.fetch_add(records, Ordering::AcqRel);
        records
    }

    /// How many of `missing` records were dropped to free space. Each dropped record is returned once.
    pub(crate) fn take_dropped_records(&self, missing: u64) -> u64 {
        let take = |dropped: u64| Some(dropped.saturating_sub(missing));
        let dropped = self.dropped_records.fetch_update(Ordering::AcqRel, Ordering::Acquire, take).unwrap_or_default();
        dropped.min(missing)
    }

    /// Whether a file was dropped to free space.
    pub(crate) fn has_dropped(&self, file: u64) -> bool {
        file <= self.last_dropped_file.load(Ordering::Acquire)
    }

    /// Marks a file and all earlier ones as damaged. If the open segment is among them, the writer continues in a new
    /// file.
    pub(crate) fn mark_damaged(&self, file: u64) {
        self.last_damaged_file.fetch_max(file, Ordering::AcqRel);
    }

    pub(super) fn is_damaged(&self, file: u64) -> bool {
        file <= self.last_damaged_file.load(Ordering::Acquire)
    }

    pub(super) fn list(&self) -> Vec<JournalSegment> {
        lock(&self.closed).iter().copied().collect()
    }

    /// The oldest file.
    pub(super) fn oldest(&self) -> Option<JournalSegment> {
        lock(&self.closed).front().copied()
    }

    pub(super) fn bytes(&self) -> u64 {
        lock(&self.closed).iter().map(|segment| segment.bytes).sum()
    }

    fn remove(&self, segment: JournalSegment) {
        let path = segment.path(&self.folder);
        if let Err(error) = fs::remove_file(&path)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(path = %path.display(), %error, "cannot remove a file of the call journal");
        }
    }
}

/// The segments of a journal at one point in time.
#[derive(Clone, Debug)]
pub(crate) struct SegmentList {
    /// Oldest first. Records between two segments may be missing.
    pub(super) segments: Vec<JournalSegment>,
    /// Number of the record after the last one.
    pub(crate) end: u64,
}

impl SegmentList {
    /// The closed segments of a journal that has no open one; `end` is the number of the record after the last one.
    pub(crate) fn from_closed(segments: &ClosedSegments, end: u64) -> Self {
        Self { segments: segments.list(), end }
    }

    /// Number of records that can still be ingested.
    pub(super) fn pending(&self, ingested: u64) -> u64 {
        self.segments.iter().map(|segment| segment.records_after(ingested)).sum()
    }

    /// Number of records that are neither in the database nor in the journal.
    pub(super) fn missing(&self, ingested: u64) -> u64 {
        self.end.saturating_sub(ingested + 1).saturating_sub(self.pending(ingested))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.segments.iter().map(|segment| segment.bytes).sum()
    }
}
