//! Reads journals in batches. The records of several journals are read in the order of their times, so that the batches
//! of a transaction cover the same time and share its limits.

use std::path::Path;
use std::{io, slice};

use ahash::{HashSet, RandomState};
use toolgate_domain::time::Timestamp;

use super::batch::{JournalBatch, JournalCursor};
use super::entry;
use super::segment::{self, FrameReader, JournalSegment, OpenedSegment};
use super::segments::SegmentList;

/// Maximum number of records in a transaction. It is large because rollups are read and written once per transaction.
pub(crate) const RECORDS_MAX: usize = 32_000;
/// Number of rollup keys at which a transaction ends.
const ROLLUP_KEYS_MAX: usize = 4000;
/// Number of bytes at which a transaction ends.
const BYTES_MAX: usize = 4 << 20;

/// A journal and where to continue reading it.
#[derive(Clone, Copy)]
pub(crate) struct UnreadJournal<'j> {
    /// The folder of the journal.
    pub(crate) folder: &'j Path,
    /// Its segments.
    pub(crate) list: &'j SegmentList,
    /// Number of the last ingested record.
    pub(crate) ingested: u64,
    /// Where the previous batch ended.
    pub(crate) cursor: Option<JournalCursor>,
}

/// Reads a batch of each journal: together the oldest records of all journals, as many as fit into a transaction. A
/// journal whose records are all newer has an empty batch. Missing records are counted as lost. The batch of a journal
/// that cannot be read ends there, with the error.
pub(crate) fn read_batches<'j>(
    journals: impl Iterator<Item = UnreadJournal<'j>>,
    records_max: usize,
) -> Vec<(JournalBatch, Option<io::Error>)> {
    let mut size = TransactionSize::default();
    let mut readers: Vec<BatchReader<'_>> =
        journals.map(|journal| BatchReader::new(journal, size.hasher.clone())).collect();
    while !size.is_full(records_max) {
        let with_record = readers.iter_mut().filter_map(|reader| Some((reader.next?, reader)));
        let Some((record, reader)) = with_record.min_by_key(|(record, _)| record.at) else { break };
        size.add(&record);
        reader.take_next();
    }
    readers.into_iter().map(|reader| (reader.batch, reader.error)).collect()
}

/// The size of the batches of a transaction.
#[derive(Default)]
struct TransactionSize {
    records: usize,
    bytes: usize,
    /// Hashes of the rollup keys.
    rollup_keys: HashSet<u64>,
    hasher: RandomState,
}

impl TransactionSize {
    fn add(&mut self, record: &NextRecord) {
        self.records += 1;
        self.bytes += record.bytes;
        self.rollup_keys.insert(record.rollup_key);
    }

    fn is_full(&self, records_max: usize) -> bool {
        self.records >= records_max || self.bytes >= BYTES_MAX || self.rollup_keys.len() >= ROLLUP_KEYS_MAX
    }
}

/// Reads a batch of one journal, record by record.
struct BatchReader<'j> {
    folder: &'j Path,
    /// The segments that are not opened yet.
    segments: slice::Iter<'j, JournalSegment>,
    open_segment: Option<SegmentReader<'j>>,
    /// Number of the record after the last one of the journal.
    end: u64,
    hasher: RandomState,
    batch: JournalBatch,
    /// The record after those in the batch; `None` if there is none or it cannot be read, or a gap before it, which
    /// ends the batch.
    next: Option<NextRecord>,
    /// Why the next record cannot be read.
    error: Option<io::Error>,
}

struct SegmentReader<'j> {
    segment: &'j JournalSegment,
    frames: FrameReader,
    /// Number of the next record.
    record: u64,
}

/// A record that is read, but not part of a batch yet.
#[derive(Clone, Copy)]
struct NextRecord {
    at: Timestamp,
    /// Hash of its rollup key.
    rollup_key: u64,
    /// Size of its payload.
    bytes: usize,
}

impl<'j> BatchReader<'j> {
    fn new(journal: UnreadJournal<'j>, hasher: RandomState) -> Self {
        let UnreadJournal { folder, list, ingested, cursor } = journal;
        let batch = JournalBatch::starting_after(ingested, cursor);
        let (segments, end) = (list.segments.iter(), list.end);
        let mut reader = Self { folder, segments, open_segment: None, end, hasher, batch, next: None, error: None };
        reader.advance();
        reader
    }

    /// Moves the next record into the batch.
    fn take_next(&mut self) {
        if let Some(SegmentReader { segment, frames, record }) = &self.open_segment {
            let cursor = JournalCursor { file: segment.number, offset: frames.offset(), record: *record };
            self.batch.push(frames.payload(), cursor);
        }
        self.advance();
    }

    fn advance(&mut self) {
        (self.next, self.error) = match self.read_next() {
            Ok(next) => (next, None),
            Err(error) => (None, Some(error)),
        };
    }

    fn read_next(&mut self) -> io::Result<Option<NextRecord>> {
        loop {
            let continues = match &mut self.open_segment {
                None => self.open_next_segment()?,
                Some(reader) => match reader.next(&self.hasher)? {
                    Some((number, _)) if number <= self.batch.last => true,
                    Some((_, Some(record))) => return Ok(Some(record)),
                    // A record that cannot be decoded is lost.
                    Some((number, None)) => self.batch.advance_to(number + 1),
                    None => {
                        let segment = reader.segment;
                        self.open_segment = None;
                        self.batch.advance_to_end(segment)
                    }
                },
            };
            if !continues {
                return Ok(None);
            }
        }
    }

    /// Opens the next segment with new records, or counts a segment that cannot be read as lost. Returns whether the
    /// batch continues.
    fn open_next_segment(&mut self) -> io::Result<bool> {
        let first_new = self.batch.last + 1;
        let Some(segment) = self.segments.find(|segment| segment.end > first_new) else {
            self.batch.advance_to(self.end);
            return Ok(false);
        };
        if !self.batch.advance_to(segment.first) {
            return Ok(false);
        }
        self.open_segment = SegmentReader::open(self.folder, segment, self.batch.cursor, self.batch.last)?;
        Ok(self.open_segment.is_some() || self.batch.advance_to_end(segment))
    }
}

impl<'j> SegmentReader<'j> {
    /// Opens a segment at the cursor, or at its start; `None` if the file is missing or corrupt.
    fn open(
        folder: &Path,
        segment: &'j JournalSegment,
        cursor: Option<JournalCursor>,
        last: u64,
    ) -> io::Result<Option<Self>> {
        let opened = match segment::open(&segment.path(folder), segment.bytes) {
            // The file was dropped to free space after the list of segments was created.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let OpenedSegment::Readable(first, mut frames) = opened else { return Ok(None) };
        match cursor.filter(|cursor| cursor.file == segment.number && cursor.record <= last + 1) {
            Some(cursor) => {
                frames.skip_to(cursor.offset)?;
                Ok(Some(Self { segment, frames, record: cursor.record }))
            }
            None => Ok((first == segment.first).then_some(Self { segment, frames, record: first })),
        }
    }

    /// The number of the next record, and the record unless it cannot be decoded; `None` at the end or before the first
    /// invalid frame.
    fn next(&mut self, hasher: &RandomState) -> io::Result<Option<(u64, Option<NextRecord>)>> {
        if self.record >= self.segment.end {
            return Ok(None);
        }
        let Some(payload) = self.frames.next()? else { return Ok(None) };
        let number = self.record;
        self.record += 1;
        let record = entry::time_and_rollup_key(payload).map(|(at, rollup_key)| NextRecord {
            at,
            rollup_key: hasher.hash_one(rollup_key),
            bytes: payload.len(),
        });
        Ok(Some((number, record)))
    }
}
