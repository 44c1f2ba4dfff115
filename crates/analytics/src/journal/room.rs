//! All journals that this process keeps, its own and those that it found, and the room they may take together.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::Segments;
use super::segments::Contents;

/// Losses come in crowds; a line in so much time tells of them.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Journals, oldest first; the own one is the last. One that belongs to another database is not here: its records are
/// not ours to drop, and so it does not take of our room either.
#[derive(Debug)]
pub(crate) struct Room {
    max: u64,
    found: Mutex<Vec<Found>>,
    unsaid: Mutex<Unsaid>,
}

/// A journal that was found.
#[derive(Debug)]
struct Found {
    segments: Arc<Segments>,
    /// Number after its last record.
    end: u64,
    /// When it was written.
    written: SystemTime,
}

/// Losses that no line in the log tells of yet.
#[derive(Debug, Default)]
struct Unsaid {
    records: u64,
    last_line: Option<Instant>,
}

impl Room {
    pub(crate) fn new(max: u64) -> Self {
        Self { max, found: Mutex::default(), unsaid: Mutex::default() }
    }

    /// Takes in a journal that was found, written about then; `end` is the number after its last record.
    pub(crate) fn add(&self, segments: Arc<Segments>, end: u64, written: SystemTime) {
        let mut found = self.found();
        let place = found.partition_point(|found| found.written <= written);
        found.insert(place, Found { segments, end, written });
    }

    /// Forgets a journal that is gone.
    pub(crate) fn remove(&self, gone: &Arc<Segments>) {
        self.found().retain(|found| !Arc::ptr_eq(&found.segments, gone));
    }

    /// What the journals hold that were found, each with its position.
    pub(super) fn contents(&self) -> Vec<(Contents, u64)> {
        let contents = |found: &Found| (Contents::of(&found.segments, found.end), found.segments.moved());
        self.found().iter().map(contents).collect()
    }

    /// Removes the oldest files until there is room for so many bytes more. The file that is being written does not
    /// count among those of `own`.
    pub(super) fn make(&self, own: &Segments, bytes: u64) {
        let found = self.found();
        let journals = || found.iter().map(|found| &*found.segments).chain([own]);
        while journals().map(Segments::bytes).sum::<u64>() + bytes > self.max {
            let Some(lost) = journals().find_map(Segments::drop_oldest) else { return };
            if lost > 0 {
                self.log_loss(lost, "the journal is full; is the database away?");
            }
        }
    }

    /// Tells the log that records are lost.
    pub(crate) fn log_loss(&self, records: u64, cause: &str) {
        let mut unsaid = self.unsaid.lock().unwrap_or_else(PoisonError::into_inner);
        unsaid.records += records;
        if unsaid.last_line.is_none_or(|last| last.elapsed() >= LINE_EVERY) {
            unsaid.last_line = Some(Instant::now());
            let lost = std::mem::take(&mut unsaid.records);
            tracing::error!(lost, cause, "calls are lost for analytics");
        }
    }

    fn found(&self) -> MutexGuard<'_, Vec<Found>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
