//! The disk space that the journal of this process and the leftover journals that it ingests may use together.

use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use toolgate_domain::sync::lock;
use toolgate_domain::time::Timestamp;

use super::loss_log::{LossLog, LossReport};
use super::segments::{ClosedSegments, SegmentList};

/// A limit on the size of the journal of this process and the leftover journals that it ingests. Journals of another
/// database do not count, because this process must not drop their records.
#[derive(Debug)]
pub(crate) struct DiskBudget {
    /// Maximum size of all journals together, in bytes.
    pub(crate) max_bytes: u64,
    /// Oldest first.
    leftovers: Mutex<Vec<TrackedJournal>>,
    losses: Mutex<LossLog>,
}

/// A leftover journal within the budget.
#[derive(Debug)]
struct TrackedJournal {
    segments: Arc<ClosedSegments>,
    /// Number of the record after its last one.
    end: u64,
    modified_at: SystemTime,
}

impl DiskBudget {
    pub(crate) fn new(max_bytes: u64) -> Self {
        Self { max_bytes, leftovers: Mutex::default(), losses: Mutex::default() }
    }

    /// Adds a leftover journal; `end` is the number of the record after its last one.
    pub(crate) fn add(&self, segments: Arc<ClosedSegments>, end: u64, modified_at: SystemTime) {
        let mut leftovers = lock(&self.leftovers);
        let index = leftovers.partition_point(|journal| journal.modified_at <= modified_at);
        leftovers.insert(index, TrackedJournal { segments, end, modified_at });
    }

    /// Removes a leftover journal whose files are deleted.
    pub(crate) fn remove(&self, removed: &Arc<ClosedSegments>) {
        lock(&self.leftovers).retain(|journal| !Arc::ptr_eq(&journal.segments, removed));
    }

    /// The segments of each leftover journal, the number of its last ingested record, and the modification time of its
    /// first segment.
    pub(super) fn leftover_lists(&self) -> Vec<(SegmentList, u64, Timestamp)> {
        let list = |journal: &TrackedJournal| {
            let list = SegmentList::from_closed(&journal.segments, journal.end);
            let modified_ms = journal.modified_at.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
            let modified_at = Timestamp::from_millis(i64::try_from(modified_ms).unwrap_or(i64::MAX));
            (list, journal.segments.ingested(), modified_at)
        };
        lock(&self.leftovers).iter().map(list).collect()
    }

    /// Removes the oldest files, leftover journals first, until `bytes` more fit into the budget. `own_segments` are
    /// those of the journal of this process, without its open segment.
    pub(super) fn reserve(&self, own_segments: &ClosedSegments, bytes: u64) {
        let leftovers = lock(&self.leftovers);
        let journals = || leftovers.iter().map(|journal| &*journal.segments).chain([own_segments]);
        while journals().map(ClosedSegments::bytes).sum::<u64>() + bytes > self.max_bytes {
            let Some(lost) = journals().find_map(ClosedSegments::drop_oldest) else { return };
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
