//! All journals that this process keeps, its own and those that it found, and the room they may take together.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use super::Segments;
use super::losses::{Line, Losses};
use super::segments::Contents;

/// Journals, oldest first; the own one is the last. One that belongs to another database is not here: its records are
/// not ours to drop, and so it does not take of our room either.
#[derive(Debug)]
pub(crate) struct Room {
    max: u64,
    found: Mutex<Vec<Found>>,
    losses: Mutex<Losses>,
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

impl Room {
    pub(crate) fn new(max: u64) -> Self {
        Self { max, found: Mutex::default(), losses: Mutex::default() }
    }

    /// Bytes that the journals may take together.
    pub(crate) fn max(&self) -> u64 {
        self.max
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

    /// Tells the log that records are lost, now or within moments.
    pub(crate) fn log_loss(&self, records: u64, cause: &str) {
        let line = self.losses().note(records, cause, Instant::now());
        line.iter().for_each(Line::log);
    }

    /// When [`Self::log_due_losses`] is to be called.
    pub(crate) fn next_line(&self) -> Option<Instant> {
        self.losses().next_line()
    }

    /// Tells the log of losses of which it was not told yet, if it is time.
    pub(crate) fn log_due_losses(&self) {
        let line = self.losses().due(Instant::now());
        line.iter().for_each(Line::log);
    }

    /// Tells the log of all losses of which it was not told yet.
    pub(crate) fn log_all_losses(&self) {
        let line = self.losses().rest();
        line.iter().for_each(Line::log);
    }

    fn losses(&self) -> MutexGuard<'_, Losses> {
        self.losses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn found(&self) -> MutexGuard<'_, Vec<Found>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
