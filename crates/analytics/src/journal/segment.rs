//! Segments: the files of a journal. A header with the number of the first record precedes the frames, one per record.
//!
//! Header: magic (8 bytes), version (4), number of the first record (8), CRC-32 of these (4). Frame: length of the
//! payload (4), CRC-32 of the payload (4), payload. Numbers are little-endian. Readers stop at the first frame that is
//! incomplete or has a wrong checksum.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use toolgate_domain::time::Timestamp;

/// Size of the header, in bytes.
pub(super) const HEADER_LEN: usize = 24;
/// Size of the frame header, in bytes.
pub(super) const FRAME_HEADER_LEN: usize = 8;

const MAGIC: [u8; 8] = *b"tg-calls";
const VERSION: u32 = 1;

/// A file of a journal, with the records `first..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JournalSegment {
    /// Number of the file in the journal.
    pub(super) number: u64,
    /// Number of its first record.
    pub(super) first: u64,
    /// Number of the record after its last one.
    pub(super) end: u64,
    /// Size of the file.
    pub(super) bytes: u64,
    /// When its last record was written: the end of the call, or the modification time of a leftover file.
    pub(super) written_at: Timestamp,
}

impl JournalSegment {
    /// Path of the file.
    pub(super) fn path(&self, folder: &Path) -> PathBuf {
        path(folder, self.number)
    }

    /// How many of its records follow record `number`.
    pub(super) fn records_after(&self, number: u64) -> u64 {
        self.end.saturating_sub(self.first.max(number + 1))
    }
}

/// Path of a segment's file.
pub(super) fn path(folder: &Path, number: u64) -> PathBuf {
    folder.join(file_name(number))
}

fn file_name(number: u64) -> String {
    format!("{number:08}.calls")
}

/// The segment number of a file name; `None` for other files.
pub(super) fn number_of(name: &str) -> Option<u64> {
    let number = name.strip_suffix(".calls")?.parse().ok()?;
    (name == file_name(number)).then_some(number)
}

/// The header of a segment.
pub(super) fn header(first: u64) -> [u8; HEADER_LEN] {
    let mut header = [0; HEADER_LEN];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..20].copy_from_slice(&first.to_le_bytes());
    let checksum = crc32fast::hash(&header[..20]);
    header[20..].copy_from_slice(&checksum.to_le_bytes());
    header
}

/// Writes length and checksum of the payload into the first bytes of `frame`, which are reserved for them.
pub(super) fn write_frame_header(frame: &mut [u8]) {
    let Some((header, payload)) = frame.split_at_mut_checked(FRAME_HEADER_LEN) else { return };
    // Records are far smaller than 4 GiB. A larger one would get the length 0, which readers reject.
    let length = u32::try_from(payload.len()).unwrap_or(0);
    header[..4].copy_from_slice(&length.to_le_bytes());
    header[4..].copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
}

/// The result of opening a segment.
pub(super) enum OpenedSegment {
    /// The number of its first record, and its frames.
    Readable(u64, FrameReader),
    /// The header is incomplete or invalid, or it is not a regular file.
    Corrupt,
    /// It was written by a newer version of Toolgate.
    NewerVersion,
}

/// Opens the first `bytes` of a segment. Errors contain its path.
pub(super) fn open(path: &Path, bytes: u64) -> io::Result<OpenedSegment> {
    try_open(path, bytes).map_err(|error| with_path(path, &error))
}

/// Adds the path of a file to an error.
pub(super) fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn try_open(path: &Path, bytes: u64) -> io::Result<OpenedSegment> {
    // Opening a named pipe would block until it has a writer.
    if !fs::symlink_metadata(path)?.is_file() {
        return Ok(OpenedSegment::Corrupt);
    }
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut header = [0; HEADER_LEN];
    let is_complete = bytes >= HEADER_LEN as u64 && read_full(&mut file, &mut header)?;
    let (content, checksum) = header.split_at(HEADER_LEN - 4);
    if !is_complete || !content.starts_with(&MAGIC) || checksum != crc32fast::hash(content).to_le_bytes() {
        return Ok(OpenedSegment::Corrupt);
    }
    if read_number(&header, 8, 4) != u64::from(VERSION) {
        return Ok(OpenedSegment::NewerVersion);
    }
    let frames = FrameReader { file, offset: HEADER_LEN as u64, bytes, payload: Vec::new() };
    Ok(OpenedSegment::Readable(read_number(&header, 12, 8), frames))
}

/// The frames of a segment, one by one.
pub(super) struct FrameReader {
    file: BufReader<File>,
    offset: u64,
    /// Size of the part of the file that is read.
    bytes: u64,
    payload: Vec<u8>,
}

impl FrameReader {
    /// Offset of the next frame, which is the end of the last valid one.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Continues at an offset that an earlier reader returned.
    pub(super) fn skip_to(&mut self, offset: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(offset))?;
        self.offset = offset;
        Ok(())
    }

    /// The payload that was read last.
    pub(super) fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// The next payload; `None` at the end or before the first invalid frame.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        let mut header = [0; FRAME_HEADER_LEN];
        if self.remaining_bytes() < FRAME_HEADER_LEN as u64 || !read_full(&mut self.file, &mut header)? {
            return Ok(None);
        }
        let (length, checksum) = (read_number(&header, 0, 4), read_number(&header, 4, 4));
        // A power loss may leave zeros, and the CRC-32 of nothing is zero too: an empty frame is invalid.
        if length == 0 || length > self.remaining_bytes() - FRAME_HEADER_LEN as u64 {
            return Ok(None);
        }
        self.payload.resize(usize::try_from(length).unwrap_or(usize::MAX), 0);
        if !read_full(&mut self.file, &mut self.payload)? || u64::from(crc32fast::hash(&self.payload)) != checksum {
            return Ok(None);
        }
        self.offset += FRAME_HEADER_LEN as u64 + length;
        Ok(Some(&self.payload))
    }

    fn remaining_bytes(&self) -> u64 {
        self.bytes.saturating_sub(self.offset)
    }
}

/// Fills the buffer; returns false if the file ends first.
fn read_full(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The little-endian number of `length` bytes at `offset`.
fn read_number(bytes: &[u8], offset: usize, length: usize) -> u64 {
    bytes.iter().skip(offset).take(length).rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_and_numbers_convert_both_ways() {
        for number in [1, 99_999_999, 100_000_000, u64::from(u32::MAX) + 1, u64::MAX] {
            assert_eq!(number_of(&file_name(number)), Some(number));
        }
        for other in ["lock", "1.calls", "+0000001.calls", "000000001.calls", "00000001.call"] {
            assert_eq!(number_of(other), None, "{other}");
        }
    }
}
