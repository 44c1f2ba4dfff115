//! The disk space that the journals of this process and the leftover journals that it ingests may use together.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use toolgate_domain::sync::lock;

use super::loss_log::{LossLog, LossReport};
use super::segment::JournalSegment;
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
    losses: Mutex<LossLog>,
}

/// The journals within the budget.
#[derive(Debug, Default)]
struct TrackedJournals {
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
}

impl DiskBudget {
    /// A budget for `own_count` journals of this process.
    pub(crate) fn new(max_bytes: u64, own_count: usize) -> Arc<Self> {
        let segments_min = SEGMENTS_MIN.saturating_mul(own_count as u64);
        Self::with_segment_max(SEGMENT_MAX.min(max_bytes / segments_min), max_bytes)
    }

    pub(super) fn with_segment_max(segment_max: u64, max_bytes: u64) -> Arc<Self> {
        let (journals, losses) = (Mutex::default(), Mutex::default());
        Arc::new(Self { max_bytes, segment_max, journals, losses })
    }

    /// Adds a journal of this process.
    pub(super) fn add_own(&self, segments: Arc<ClosedSegments>) {
        lock(&self.journals).own.push(segments);
    }

    /// Adds a leftover journal; `end` is the number of the record after its last one.
    pub(crate) fn add_leftover(&self, segments: Arc<ClosedSegments>, end: u64) {
        if let Some(oldest) = segments.oldest() {
            segments.set_pending_since(oldest.written_at);
        }
        lock(&self.journals).leftovers.push(LeftoverEntry { segments, end });
    }

    /// Removes a leftover journal whose files are deleted.
    pub(crate) fn remove_leftover(&self, removed: &Arc<ClosedSegments>) {
        lock(&self.journals).leftovers.retain(|journal| !Arc::ptr_eq(&journal.segments, removed));
    }

    /// The leftover journals with the lists of their segments.
    pub(super) fn leftover_lists(&self) -> Vec<(Arc<ClosedSegments>, SegmentList)> {
        let list = |journal: &LeftoverEntry| {
            (Arc::clone(&journal.segments), SegmentList::from_closed(&journal.segments, journal.end))
        };
        lock(&self.journals).leftovers.iter().map(list).collect()
    }

    /// Removes the oldest files of all journals, until an open segment of each journal of this process fits into the
    /// budget.
    pub(super) fn reserve_open_segments(&self) {
        let lost = lock(&self.journals).drop_oldest_until(self.max_bytes, self.segment_max);
        if lost > 0 {
            self.log_loss(lost, "the journal is full; check that the database is reachable");
        }
    }

    /// Logs that records are lost, now or with the next reports.
    pub(crate) fn log_loss(&self, records: u64, cause: &str) {
        let reports = lock(&self.losses).add(records, cause, Instant::now());
        reports.iter().for_each(LossReport::log);
    }

    /// Records that were lost since the start of the process.
    pub(super) fn lost(&self) -> u64 {
        lock(&self.losses).total()
    }

    /// When [`Self::log_due_losses`] must be called.
    pub(crate) fn next_report_at(&self) -> Option<Instant> {
        lock(&self.losses).next_report_at()
    }

    /// Logs losses that are not logged yet, if reports are due.
    pub(crate) fn log_due_losses(&self) {
        let reports = lock(&self.losses).take_due(Instant::now());
        reports.iter().for_each(LossReport::log);
    }

    /// Logs all losses that are not logged yet.
    pub(crate) fn log_all_losses(&self) {
        let reports = lock(&self.losses).take_all();
        reports.iter().for_each(LossReport::log);
    }
}

impl TrackedJournals {
    fn all(&self) -> impl Iterator<Item = &Arc<ClosedSegments>> {
        self.leftovers.iter().map(|journal| &journal.segments).chain(&self.own)
    }

    fn closed_bytes(&self) -> u64 {
        self.all().map(|segments| segments.bytes()).sum()
    }

    /// Removes the oldest files until an open segment of each journal of this process fits. Returns how many of their
    /// records were not ingested.
    fn drop_oldest_until(&self, max_bytes: u64, segment_max: u64) -> u64 {
        let open_max = segment_max.saturating_mul(self.own.len() as u64);
        let mut lost = 0;
        while self.closed_bytes() + open_max > max_bytes
            && let Some((segments, oldest)) = self.oldest()
        {
            lost += segments.drop_oldest(oldest.number);
        }
        lost
    }

    /// The oldest file, and its journal.
    fn oldest(&self) -> Option<(&ClosedSegments, JournalSegment)> {
        let with_file = self.all().filter_map(|segments| Some((&**segments, segments.oldest()?)));
        with_file.min_by_key(|(_, segment)| segment.written_at)
    }
}
