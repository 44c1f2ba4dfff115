//! The journal of calls: what is written before an answer leaves, and read by whoever moves it into the database.
//!
//! A folder for each start of the service, named by a random number, with a `lock` that is held as long as the process
//! lives, and segments. Records are counted from 1, without gaps unless some were lost. What is written is in the
//! hands of the operating system, so a process that is killed loses nothing; nothing waits for the disk.

mod aside;
mod batch;
mod entry;
mod folder;
mod losses;
mod room;
mod segment;
mod segments;
#[cfg(test)]
mod tests;
mod writer;

use std::cell::Cell;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolgate_domain::call::CallRecord;
use toolgate_storage::JournalId;

pub(crate) use aside::set_aside;
pub(crate) use batch::{Batch, Cursor, read};
pub(crate) use folder::{Loaded, Orphan, load, orphans, remove, remove_segments};
pub(crate) use room::Room;
pub(crate) use segments::{Contents, Segments};

use crate::recorder::RecordingState;
use writer::Writer;

/// A segment has at most so many bytes,
const SEGMENT_MAX: u64 = 4 << 20;
/// and there is room for so many at least: what is dropped for want of room is a small part.
const SEGMENTS_MIN: u64 = 8;
/// A larger buffer is not kept for the next record.
const KEPT_BUFFER: usize = 64 << 10;

thread_local! {
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The journal of this start.
#[derive(Debug)]
pub(crate) struct Journal {
    segments: Arc<Segments>,
    room: Arc<Room>,
    writer: Mutex<Writer>,
}

impl Journal {
    /// Makes the journal's folder in the folder of journals, which may take `max` bytes.
    pub(crate) fn create(folder: &Path, boot: u64, max: u64) -> io::Result<Self> {
        Self::create_with(folder, boot, max, SEGMENT_MAX.min(max / SEGMENTS_MIN))
    }

    fn create_with(folder: &Path, boot: u64, max: u64, segment_max: u64) -> io::Result<Self> {
        let id = JournalId(folder::name(boot));
        let (folder, lock) = folder::create(folder, &id)?;
        Ok(Self {
            segments: Arc::new(Segments::new(id, folder, Vec::new(), 0)),
            room: Arc::new(Room::new(max)),
            writer: Mutex::new(Writer::new(segment_max, lock)),
        })
    }

    /// The closed segments.
    pub(crate) fn segments(&self) -> &Arc<Segments> {
        &self.segments
    }

    /// This journal and those that were found.
    pub(crate) fn room(&self) -> &Arc<Room> {
        &self.room
    }

    /// Writes a record. One that cannot be written is lost, and counted.
    pub(crate) fn append(&self, record: &CallRecord) {
        let mut buffer = BUFFER.try_with(Cell::take).unwrap_or_default();
        let end = entry::encode(record, &mut buffer, segment::FRAME_HEAD);
        let Some(frame) = end.and_then(|end| buffer.get_mut(..end)) else {
            self.writer().skip(&self.segments);
            return self.room.log_loss(1, "a record cannot be written down");
        };
        segment::seal_frame(frame);
        let written = self.writer().append(frame, &self.segments, &self.room);
        if let Err(error) = written {
            self.room.log_loss(1, &format!("cannot write to {}: {error}", self.segments.folder().display()));
        }
        if buffer.len() <= KEPT_BUFFER {
            let _ = BUFFER.try_with(|kept| kept.set(buffer));
        }
    }

    /// Number of the last record.
    pub(crate) fn last(&self) -> u64 {
        self.writer().next() - 1
    }

    /// What the journal holds now.
    pub(crate) fn contents(&self) -> Contents {
        let writer = self.writer();
        let mut segments = self.segments.list();
        segments.extend(writer.live());
        Contents::new(segments, writer.next())
    }

    /// Ends the journal if all of it is in the database: nothing can be written any more.
    pub(crate) fn seal(&self) -> bool {
        self.writer().seal(self.segments.moved())
    }

    /// Leaves word of records that could not be written at its end: whoever finds the journal sees no gap there.
    pub(crate) fn mark_end(&self) {
        let contents = self.contents();
        let seen = contents.segments.last().map_or(self.segments.moved() + 1, |segment| segment.end);
        if contents.end() > seen
            && let Err(error) = folder::mark_end(self.segments.folder(), contents.end())
        {
            tracing::warn!(%error, lost = contents.end() - seen, "the database will not hear of calls that are lost");
        }
    }

    /// How this journal and those that were found are doing.
    pub(crate) fn state(&self) -> RecordingState {
        let mut state = RecordingState::default();
        let own = (self.contents(), self.segments.moved());
        for (contents, moved) in self.room.contents().into_iter().chain([own]) {
            state.pending += contents.pending(moved);
            state.lost += contents.missing(moved);
            state.journal_bytes += contents.bytes();
        }
        state
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
