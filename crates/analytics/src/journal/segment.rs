//! A segment: one file of a journal. A header says the number of its first record; then frames follow, a record each.
//!
//! Header: magic, version, number of the first record, CRC-32 of these. Frame: length of the payload, its CRC-32, the
//! payload. Numbers are little-endian. What is not whole, or not as it was written, ends a segment for its reader.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes of a header.
pub(super) const HEADER: usize = 24;
/// Bytes before a frame's payload.
pub(super) const FRAME_HEAD: usize = 8;

const MAGIC: [u8; 8] = *b"tg-calls";
const VERSION: u32 = 1;

/// A file of a journal: the records from `first` up to, but not including, `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Its place among the files of the journal.
    pub(super) number: u64,
    pub(super) first: u64,
    pub(super) end: u64,
    pub(super) bytes: u64,
}

impl Segment {
    /// Its file.
    pub(super) fn path(&self, folder: &Path) -> PathBuf {
        path(folder, self.number)
    }

    /// How many of its records come after this one.
    pub(super) fn records_after(&self, number: u64) -> u64 {
        self.end.saturating_sub(self.first.max(number + 1))
    }
}

/// The file of a segment.
pub(super) fn path(folder: &Path, number: u64) -> PathBuf {
    folder.join(name(number))
}

fn name(number: u64) -> String {
    format!("{number:08}.calls")
}

/// Which segment a file is, if it is one.
pub(super) fn number_of(file_name: &str) -> Option<u64> {
    let number = file_name.strip_suffix(".calls")?.parse().ok()?;
    (file_name == name(number)).then_some(number)
}

/// What begins a segment.
pub(super) fn header(first: u64) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..20].copy_from_slice(&first.to_le_bytes());
    let sum = crc32fast::hash(&header[..20]);
    header[20..].copy_from_slice(&sum.to_le_bytes());
    header
}

/// Fills in the head of a frame, for which the buffer has room before the payload.
pub(super) fn seal_frame(frame: &mut [u8]) {
    let Some((head, payload)) = frame.split_at_mut_checked(FRAME_HEAD) else { return };
    // Nothing that is recorded comes near 4 GiB; if it did, its sum would not fit, and it would not be read.
    let length = u32::try_from(payload.len()).unwrap_or(0);
    head[..4].copy_from_slice(&length.to_le_bytes());
    head[4..].copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
}

/// How a segment begins.
pub(super) enum Opened {
    /// With the number of its first record; frames follow.
    At(u64, Frames),
    /// It was not written to its end, or not by us, or is no file.
    Torn,
    /// A newer version wrote it, and may read it once it is back.
    Newer,
}

/// Opens the first `bytes` of a segment. Errors name it.
pub(super) fn open(path: &Path, bytes: u64) -> io::Result<Opened> {
    try_open(path, bytes).map_err(|error| named(path, &error))
}

/// An error with the file that it is about.
pub(super) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn try_open(path: &Path, bytes: u64) -> io::Result<Opened> {
    // Whoever opens a pipe waits for its writer.
    if !fs::symlink_metadata(path)?.is_file() {
        return Ok(Opened::Torn);
    }
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut head = [0; HEADER];
    let whole = bytes >= HEADER as u64 && read_whole(&mut file, &mut head)?;
    let (named, sum) = head.split_at(HEADER - 4);
    if !whole || !named.starts_with(&MAGIC) || sum != crc32fast::hash(named).to_le_bytes() {
        return Ok(Opened::Torn);
    }
    if number(&head, 8, 4) != u64::from(VERSION) {
        return Ok(Opened::Newer);
    }
    let frames = Frames { file, offset: HEADER as u64, bytes, payload: Vec::new() };
    Ok(Opened::At(number(&head, 12, 8), frames))
}

/// The frames of a segment, one by one.
pub(super) struct Frames {
    file: BufReader<File>,
    offset: u64,
    bytes: u64,
    payload: Vec<u8>,
}

impl Frames {
    /// Where the next frame begins; the end of the last whole one.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Goes on where an earlier reader stopped.
    pub(super) fn skip_to(&mut self, offset: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(offset))?;
        self.offset = offset;
        Ok(())
    }

    /// The next payload; `None` at the end, which is before the first frame that is not whole.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        let mut head = [0; FRAME_HEAD];
        if self.left() < FRAME_HEAD as u64 || !read_whole(&mut self.file, &mut head)? {
            return Ok(None);
        }
        let (length, sum) = (number(&head, 0, 4), number(&head, 4, 4));
        // A disk that lost power may leave zeros, and the sum of nothing is zero too: no frame is empty.
        if length == 0 || length > self.left() - FRAME_HEAD as u64 {
            return Ok(None);
        }
        self.payload.resize(usize::try_from(length).unwrap_or(usize::MAX), 0);
        if !read_whole(&mut self.file, &mut self.payload)? || u64::from(crc32fast::hash(&self.payload)) != sum {
            return Ok(None);
        }
        self.offset += FRAME_HEAD as u64 + length;
        Ok(Some(&self.payload))
    }

    fn left(&self) -> u64 {
        self.bytes.saturating_sub(self.offset)
    }
}

/// Whether there was enough to fill the buffer.
fn read_whole(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The little-endian number of `length` bytes at a place.
fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    bytes.iter().skip(at).take(length).rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_numbers_however_many_there_were() {
        for number in [1, 99_999_999, 100_000_000, u64::from(u32::MAX) + 1, u64::MAX] {
            assert_eq!(number_of(&name(number)), Some(number));
        }
        for other in ["lock", "1.calls", "+0000001.calls", "000000001.calls", "00000001.call"] {
            assert_eq!(number_of(other), None, "{other}");
        }
    }
}
