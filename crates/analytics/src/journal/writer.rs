//! Appends records to a journal. Records are numbered; a record that cannot be written uses up its number, so that
//! readers detect the loss as a gap.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::disk_budget::DiskBudget;
use super::folder;
use super::frame::Frame;
use super::segment::{self, HEADER_LEN, JournalSegment};
use super::segments::ClosedSegments;

/// The writing end of a journal.
#[derive(Debug)]
pub(super) struct JournalWriter {
    /// `None` before the first record, and after a write error.
    open_segment: Option<OpenSegment>,
    /// Number of the next record.
    next_record: u64,
    /// Number of the next file. Every attempt to create one uses up a number.
    next_file: u64,
    /// Whether the journal accepts no more records.
    is_closed: bool,
    /// Held for the lifetime of the process, to show other processes that it is alive.
    lock: File,
}

/// The segment to which records are appended.
#[derive(Debug)]
struct OpenSegment {
    file: File,
    segment: JournalSegment,
}

impl JournalWriter {
    pub(super) fn new(lock: File) -> Self {
        Self { open_segment: None, next_record: 1, next_file: 1, is_closed: false, lock }
    }

    /// Appends a frame with a single write, to the open segment or a new one.
    pub(super) fn append(
        &mut self,
        frame: Frame<'_>,
        segments: &ClosedSegments,
        disk_budget: &DiskBudget,
    ) -> io::Result<()> {
        let number = self.next_record;
        self.next_record += 1;
        if self.is_closed {
            return Err(io::Error::other("the journal is closed"));
        }
        if let Some(open) = &mut self.open_segment
            && !segments.is_damaged(open.segment.number)
            && open.segment.bytes + frame.bytes.len() as u64 <= disk_budget.segment_max
            && open.write(frame).is_ok()
        {
            return Ok(());
        }
        self.close_segment(segments);
        disk_budget.reserve_open_segments();
        let segment =
            JournalSegment { number: self.next_file, first: number, end: number, bytes: 0, written_at: frame.at };
        self.next_file += 1;
        self.open_segment = Some(self.create_segment(segment, frame, segments)?);
        Ok(())
    }

    /// Creates a file with its first frame; recreates the folder if it is missing.
    fn create_segment(
        &mut self,
        segment: JournalSegment,
        frame: Frame<'_>,
        segments: &ClosedSegments,
    ) -> io::Result<OpenSegment> {
        let path = segment.path(&segments.folder);
        match OpenSegment::create(&path, segment, frame) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.lock = folder::restore(&segments.folder, &segments.id)?;
                OpenSegment::create(&path, segment, frame)
            }
            created => created,
        }
    }

    /// Uses up the number of a record that cannot be encoded and is lost. Record numbers within a file have no gaps, so
    /// the next record starts a new file.
    pub(super) fn skip_record(&mut self, segments: &ClosedSegments) {
        self.next_record += 1;
        self.close_segment(segments);
    }

    fn close_segment(&mut self, segments: &ClosedSegments) {
        if let Some(open) = self.open_segment.take() {
            segments.push(open.segment);
        }
    }

    /// Number of the next record.
    pub(super) fn next_record(&self) -> u64 {
        self.next_record
    }

    /// The open segment.
    pub(super) fn open_segment(&self) -> Option<JournalSegment> {
        self.open_segment.as_ref().map(|open| open.segment)
    }

    /// Accepts no more records.
    pub(super) fn close(&mut self) {
        self.is_closed = true;
    }
}

impl OpenSegment {
    /// Creates a file with its first frame.
    fn create(path: &Path, mut segment: JournalSegment, frame: Frame<'_>) -> io::Result<Self> {
        let mut file = OpenOptions::new().append(true).create_new(true).mode(0o600).open(path)?;
        let mut bytes = Vec::with_capacity(HEADER_LEN + frame.bytes.len());
        bytes.extend_from_slice(&segment::header(segment.first));
        bytes.extend_from_slice(frame.bytes);
        if let Err(error) = file.write_all(&bytes) {
            // The file is not registered yet. If it cannot be removed either, readers find a corrupt segment.
            let _ = fs::remove_file(path);
            return Err(error);
        }
        segment.bytes = bytes.len() as u64;
        segment.end += 1;
        Ok(Self { file, segment })
    }

    fn write(&mut self, frame: Frame<'_>) -> io::Result<()> {
        if let Err(error) = self.file.write_all(frame.bytes) {
            // Removes a partial frame. A failure does no harm: readers stop at the partial frame, and the caller writes
            // the next frame to a new file.
            let _ = self.file.set_len(self.segment.bytes);
            return Err(error);
        }
        self.segment.bytes += frame.bytes.len() as u64;
        self.segment.end += 1;
        self.segment.written_at = frame.at;
        Ok(())
    }
}
