//! The disk space that the journals of this process and the leftover journals that it ingests may use together.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use toolgate_domain::sync::lock;
use toolgate_domain::time::Timestamp;

use super::loss_log::{LossLog, LossReport};
use super::segments::{ClosedSegments, SegmentList};

/// Maximum size of a segment, in bytes.
const SEGMENT_MAX: u64 = 4 << 20;
/// The disk budget holds at least this many segments of each journal, so that dropping one loses a small part of the
/// records.
const SEGMENTS_MIN: u64 = 8;

/// A limit on the size of the journals of this process and the leftover journals that it ingests. Journals of another
/// database do not count, because this process must not drop their records.
#[derive(Debug)]
pub(crate) struct DiskBudget {
    /// Maximum size of all journals together, in bytes.
    pub(crate) max_bytes: u64,
    /// Maximum size of a segment, in bytes.
    pub(super) segment_max: u64,
    journals: Mutex<TrackedJournals>,
    /// Number of the last file that was created in a journal of this process.
    last_file: AtomicU64,
    losses: Mutex<LossLog>,
}

/// The journals within the budget.
#[derive(Debug, Default)]
struct TrackedJournals {
    /// Oldest first.
    leftovers: Vec<LeftoverEntry>,
    /// The journals of this process.
    own: Vec<Arc<ClosedSegments>>,
}

/// A leftover journal within the budget.
#[derive(Debug)]
struct LeftoverEntry {
    segments: Arc<ClosedSegments>,
    /// Number of the record after its last one.
    end: u64,
    modified_at: SystemTime,
}

impl DiskBudget {
    /// A budget for `own_count` journals of this process.
    pub(crate) fn new(max_bytes: u64, own_count: usize) -> Arc<Self> {
        let segments_min = SEGMENTS_MIN.saturating_mul(own_count as u64);
        Self::with_segments_of(SEGMENT_MAX.min(max_bytes / segments_min), max_bytes)
    }

    pub(super) fn with_segments_of(segment_max: u64, max_bytes: u64) -> Arc<Self> {
        let (journals, losses) = (Mutex::default(), Mutex::default());
        Arc::new(Self { max_bytes, segment_max, journals, last_file: AtomicU64::new(0), losses })
    }

    /// Adds a journal of this process.
    pub(super) fn add_own(&self, segments: Arc<ClosedSegments>) {
        lock(&self.journals).own.push(segments);
    }

    /// Adds a leftover journal; `end` is the number of the record after its last one.
    pub(crate) fn add(&self, segments: Arc<ClosedSegments>, end: u64, modified_at: SystemTime) {
        let modified_ms = modified_at.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        segments.set_pending_since(Timestamp::from_millis(i64::try_from(modified_ms).unwrap_or(i64::MAX)));
        let leftovers = &mut lock(&self.journals).leftovers;
        let index = leftovers.partition_point(|journal| journal.modified_at <= modified_at);
        leftovers.insert(index, LeftoverEntry { segments, end, modified_at });
    }

    /// Removes a leftover journal whose files are deleted.
    pub(crate) fn remove(&self, removed: &Arc<ClosedSegments>) {
        lock(&self.journals).leftovers.retain(|journal| !Arc::ptr_eq(&journal.segments, removed));
    }

    /// The leftover journals with the lists of their segments.
    pub(super) fn leftover_lists(&self) -> Vec<(Arc<ClosedSegments>, SegmentList)> {
        let list = |journal: &LeftoverEntry| {
            (Arc::clone(&journal.segments), SegmentList::from_closed(&journal.segments, journal.end))
        };
        lock(&self.journals).leftovers.iter().map(list).collect()
    }

    /// The number of the next file of a journal of this process. Journals share the numbers, so that a lower number
    /// means an older file.
    pub(super) fn next_file(&self) -> u64 {
        self.last_file.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Removes the oldest files, leftover journals first, until an open segment of each journal of this process fits
    /// into the budget.
    pub(super) fn reserve_open_segments(&self) {
        let journals = lock(&self.journals);
        let open_max = self.segment_max.saturating_mul(journals.own.len() as u64);
        while journals.closed_bytes() + open_max > self.max_bytes {
            let Some(lost) = journals.drop_oldest() else { return };
            if lost > 0 {
                self.log_loss(lost, "the journal is full; check that the database is reachable");
            }
        }
    }

    /// Logs that records are lost, now or with the next report.
    pub(crate) fn log_loss(&self, records: u64, cause: &str) {
        let report = lock(&self.losses).add(records, cause, Instant::now());
        report.iter().for_each(LossReport::log);
    }

    /// Records that were lost since the start of the process.
    pub(super) fn lost(&self) -> u64 {
        lock(&self.losses).total()
    }

    /// When [`Self::log_due_losses`] must be called.
    pub(crate) fn next_report_at(&self) -> Option<Instant> {
        lock(&self.losses).next_report_at()
    }

    /// Logs losses that are not logged yet, if a report is due.
    pub(crate) fn log_due_losses(&self) {
        let report = lock(&self.losses).take_due(Instant::now());
        report.iter().for_each(LossReport::log);
    }

    /// Logs all losses that are not logged yet.
    pub(crate) fn log_all_losses(&self) {
        let report = lock(&self.losses).take_all();
        report.iter().for_each(LossReport::log);
    }
}

impl TrackedJournals {
    fn closed_bytes(&self) -> u64 {
        let leftovers = self.leftovers.iter().map(|journal| &journal.segments);
        leftovers.chain(&self.own).map(|segments| segments.bytes()).sum()
    }

    /// Removes the oldest file, and returns how many of its records were not ingested; `None` if there is no file.
    fn drop_oldest(&self) -> Option<u64> {
        let oldest_own = || {
            let with_file = self.own.iter().filter_map(|segments| Some((segments.oldest_file()?, segments)));
            with_file.min_by_key(|(file, _)| *file)?.1.drop_oldest()
        };
        self.leftovers.iter().find_map(|journal| journal.segments.drop_oldest()).or_else(oldest_own)
    }
}
