//! The end of a journal, where records are written. A number belongs to each record; one that could not be written
//! takes its number with it, so that the gap tells of it, to whoever reads the journal whenever.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::folder;
use super::segment::{self, HEADER, Segment};
use super::{Room, Segments};

/// Where the next record goes.
#[derive(Debug)]
pub(super) struct Writer {
    /// None before the first record, and after a fault.
    live: Option<Live>,
    /// Number of the next record.
    next: u64,
    /// Number of the next file. It rises with each attempt to make one, so it is a large one.
    file: u64,
    /// A new file once one has so many bytes.
    segment_max: u64,
    is_sealed: bool,
    /// Tells others that this process lives.
    lock: File,
}

/// The file that is being written.
#[derive(Debug)]
struct Live {
    file: File,
    segment: Segment,
}

impl Writer {
    pub(super) fn new(segment_max: u64, lock: File) -> Self {
        Self { live: None, next: 1, file: 1, segment_max, is_sealed: false, lock }
    }

    /// Writes a frame: one write, into the file at hand or a new one.
    pub(super) fn append(&mut self, frame: &[u8], segments: &Segments, room: &Room) -> io::Result<()> {
        let number = self.next;
        self.next += 1;
        if self.is_sealed {
            return Err(io::Error::other("the journal is closed"));
        }
        if let Some(live) = &mut self.live
            && !segments.is_damaged(live.segment.number)
            && live.segment.bytes + frame.len() as u64 <= self.segment_max
            && live.write(frame).is_ok()
        {
            return Ok(());
        }
        self.end_file(segments);
        room.make(segments, self.segment_max);
        let begun = Segment { number: self.file, first: number, end: number, bytes: 0 };
        self.file += 1;
        self.live = Some(self.begin(begun, frame, segments)?);
        Ok(())
    }

    /// Begins a file; where the folder is gone, it is made again.
    fn begin(&mut self, begun: Segment, frame: &[u8], segments: &Segments) -> io::Result<Live> {
        let path = begun.path(segments.folder());
        match Live::begin(&path, begun, frame) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.lock = folder::restore(segments.folder(), segments.id())?;
                Live::begin(&path, begun, frame)
            }
            live => live,
        }
    }

    /// Gives up a record of which there is nothing to write. Within a file records have no gap, so a new one follows.
    pub(super) fn skip(&mut self, segments: &Segments) {
        self.next += 1;
        self.end_file(segments);
    }

    fn end_file(&mut self, segments: &Segments) {
        if let Some(live) = self.live.take() {
            segments.push(live.segment);
        }
    }

    /// Number of the next record.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// What is written of the file at hand.
    pub(super) fn live(&self) -> Option<Segment> {
        self.live.as_ref().map(|live| live.segment)
    }

    /// Ends the journal, if all of its records have been moved.
    pub(super) fn seal(&mut self, moved: u64) -> bool {
        self.is_sealed |= self.next == moved + 1;
        self.is_sealed
    }
}

impl Live {
    /// Begins a file with its first frame.
    fn begin(path: &Path, mut segment: Segment, frame: &[u8]) -> io::Result<Self> {
        let mut file = OpenOptions::new().append(true).create_new(true).mode(0o600).open(path)?;
        let mut bytes = Vec::with_capacity(HEADER + frame.len());
        bytes.extend_from_slice(&segment::header(segment.first));
        bytes.extend_from_slice(frame);
        if let Err(error) = file.write_all(&bytes) {
            // Nobody knows of this file yet; where even this fails, it is a torn one for its next reader.
            let _ = fs::remove_file(path);
            return Err(error);
        }
        segment.bytes = bytes.len() as u64;
        segment.end += 1;
        Ok(Self { file, segment })
    }

    fn write(&mut self, frame: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(frame) {
            // Nothing follows in this file, so that half a frame that stays does no harm.
            let _ = self.file.set_len(self.segment.bytes);
            return Err(error);
        }
        self.segment.bytes += frame.len() as u64;
        self.segment.end += 1;
        Ok(())
    }
}
