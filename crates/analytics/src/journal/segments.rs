//! The closed segments of one journal, oldest first, and how far its records are in the database.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use toolgate_storage::JournalId;

use super::segment::Segment;

/// The closed segments of one journal. The one that is being written joins them when it is closed.
#[derive(Debug)]
pub(crate) struct Segments {
    id: JournalId,
    folder: PathBuf,
    closed: Mutex<VecDeque<Segment>>,
    /// Number of the last record that is in the database.
    moved: AtomicU64,
    /// Number of the last file that was dropped for want of room; they go in order.
    dropped: AtomicU64,
    /// Number of the last file that was found damaged.
    damaged: AtomicU64,
}

impl Segments {
    pub(crate) fn new(id: JournalId, folder: PathBuf, closed: Vec<Segment>, moved: u64) -> Self {
        let [moved_so_far, dropped, damaged] = [0; 3].map(AtomicU64::new);
        let segments = Self { id, folder, closed: Mutex::new(closed.into()), moved: moved_so_far, dropped, damaged };
        segments.advance(moved);
        segments
    }

    pub(crate) fn id(&self) -> &JournalId {
        &self.id
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn moved(&self) -> u64 {
        self.moved.load(Ordering::Acquire)
    }

    /// The records up to here are in the database; files that hold no others are removed.
    pub(crate) fn advance(&self, moved: u64) {
        let moved = self.moved.fetch_max(moved, Ordering::AcqRel).max(moved);
        let mut closed = self.closed();
        while let Some(segment) = closed.pop_front_if(|segment| segment.end <= moved + 1) {
            self.remove(segment);
        }
    }

    pub(super) fn push(&self, segment: Segment) {
        self.closed().push_back(segment);
    }

    /// Removes the oldest file, whatever is in it. Says how many records are lost by that.
    pub(super) fn drop_oldest(&self) -> Option<u64> {
        let segment = self.closed().pop_front()?;
        self.dropped.fetch_max(segment.number, Ordering::AcqRel);
        self.remove(segment);
        Some(segment.records_after(self.moved()))
    }

    /// Whether a file was dropped for want of room.
    pub(crate) fn has_dropped(&self, file: u64) -> bool {
        file <= self.dropped.load(Ordering::Acquire)
    }

    /// A file was found damaged: nothing more is to be written to it.
    pub(crate) fn mark_damaged(&self, file: u64) {
        self.damaged.fetch_max(file, Ordering::AcqRel);
    }

    pub(super) fn is_damaged(&self, file: u64) -> bool {
        file <= self.damaged.load(Ordering::Acquire)
    }

    pub(super) fn list(&self) -> Vec<Segment> {
        self.closed().iter().copied().collect()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.closed().iter().map(|segment| segment.bytes).sum()
    }

    fn remove(&self, segment: Segment) {
        let path = segment.path(&self.folder);
        if let Err(error) = fs::remove_file(&path)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(path = %path.display(), %error, "cannot remove a file of the journal of calls");
        }
    }

    fn closed(&self) -> MutexGuard<'_, VecDeque<Segment>> {
        self.closed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a journal holds at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    /// Oldest first. Between them records may be missing.
    pub(super) segments: Vec<Segment>,
    /// Number of the record after the last.
    pub(super) end: u64,
}

impl Contents {
    pub(super) fn new(segments: Vec<Segment>, end: u64) -> Self {
        Self { segments, end }
    }

    /// What is in closed segments, the last of which ends before record `end`.
    pub(crate) fn of(segments: &Segments, end: u64) -> Self {
        Self::new(segments.list(), end)
    }

    /// Number of the record after the last.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// How many records can be moved yet.
    pub(super) fn pending(&self, moved: u64) -> u64 {
        self.segments.iter().map(|segment| segment.records_after(moved)).sum()
    }

    /// How many records are neither in the database nor here.
    pub(super) fn missing(&self, moved: u64) -> u64 {
        self.end.saturating_sub(moved + 1).saturating_sub(self.pending(moved))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.segments.iter().map(|segment| segment.bytes).sum()
    }
}
