//! Reads a journal in batches of consecutive records.

use std::hash::Hash;
use std::io;
use std::path::Path;

use ahash::HashSet;
use toolgate_domain::call::CallRecord;
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::Timestamp;

use super::entry;
use super::segment::{self, FrameReader, JournalSegment, OpenedSegment};
use super::segments::SegmentList;

/// Maximum number of records in a batch. It is large because rollups are read and written once per batch.
pub(crate) const RECORDS_MAX: usize = 32_000;
/// Number of rollup keys at which a batch ends.
const ROLLUP_KEYS_MAX: usize = 4000;
/// Number of bytes at which a batch ends.
const BYTES_MAX: usize = 4 << 20;

/// The sizes at which a batch ends. Journals that are ingested in one transaction share them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchLimits {
    records: usize,
    rollup_keys: usize,
    bytes: usize,
}

impl BatchLimits {
    /// The limits of a transaction with at most `records` records.
    pub(crate) fn of_records(records: usize) -> Self {
        Self { records, rollup_keys: ROLLUP_KEYS_MAX, bytes: BYTES_MAX }
    }

    /// The part of each of `journals` journals.
    pub(crate) fn share(self, journals: usize) -> Self {
        let [records, rollup_keys, bytes] =
            [self.records, self.rollup_keys, self.bytes].map(|limit| limit.div_ceil(journals));
        Self { records, rollup_keys, bytes }
    }

    /// What is left after `batch`.
    pub(crate) fn after(self, batch: &JournalBatch) -> Self {
        let Payloads { bytes, ends, rollup_keys, .. } = &batch.payloads;
        Self {
            records: self.records.saturating_sub(ends.len()),
            rollup_keys: self.rollup_keys.saturating_sub(rollup_keys.len()),
            bytes: self.bytes.saturating_sub(bytes.len()),
        }
    }
}

/// Consecutive records of a journal.
#[derive(Debug)]
pub(crate) struct JournalBatch {
    /// Number of the first record.
    pub(crate) first: u64,
    payloads: Payloads,
    /// Number of the last record that the batch covers, read or lost.
    pub(crate) last: u64,
    /// Number of lost records before `first`.
    pub(crate) lost: u64,
    /// Files with missing records.
    pub(crate) damage: Vec<SegmentDamage>,
    /// Where the next batch starts.
    pub(crate) cursor: Option<JournalCursor>,
}

/// A file that is missing or damaged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentDamage {
    /// Number of the file.
    pub(crate) file: u64,
    /// Number of lost records.
    pub(crate) lost: u64,
}

/// Encoded records; they use a tenth of the memory of decoded ones.
#[derive(Debug)]
struct Payloads {
    bytes: Vec<u8>,
    /// End offset of each record.
    ends: Vec<usize>,
    /// Hashes of the rollup keys of the records.
    rollup_keys: HashSet<u64>,
    limits: BatchLimits,
}

impl Payloads {
    fn new(limits: BatchLimits) -> Self {
        Self { bytes: Vec::new(), ends: Vec::new(), rollup_keys: HashSet::default(), limits }
    }

    fn push(&mut self, payload: &[u8], rollup_key: impl Hash) {
        self.bytes.extend_from_slice(payload);
        self.ends.push(self.bytes.len());
        self.rollup_keys.insert(self.rollup_keys.hasher().hash_one(rollup_key));
    }

    fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn is_full(&self) -> bool {
        self.ends.len() >= self.limits.records
            || self.rollup_keys.len() >= self.limits.rollup_keys
            || self.bytes.len() >= self.limits.bytes
    }

    fn get(&self, index: usize) -> Option<&[u8]> {
        let start = index.checked_sub(1).map_or(Some(0), |previous| self.ends.get(previous).copied())?;
        self.bytes.get(start..*self.ends.get(index)?)
    }
}

/// The position in a segment at which the next batch starts reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JournalCursor {
    file: u64,
    offset: u64,
    /// Number of the record at the offset.
    record: u64,
}

/// Reads a batch of the records after number `ingested`, at least one record; `None` if there are none. Missing
/// records are counted as lost.
pub(crate) fn read_batch(
    folder: &Path,
    list: &SegmentList,
    ingested: u64,
    cursor: Option<JournalCursor>,
    limits: BatchLimits,
) -> io::Result<Option<JournalBatch>> {
    let mut batch = JournalBatch {
        first: ingested + 1,
        payloads: Payloads::new(limits),
        last: ingested,
        lost: 0,
        damage: Vec::new(),
        cursor,
    };
    for segment in &list.segments {
        if segment.end > batch.last + 1
            && !(batch.advance_to(segment.first)
                && batch.read_segment(folder, segment)?
                && batch.finish_segment(segment))
        {
            return Ok(Some(batch));
        }
    }
    batch.advance_to(list.end);
    Ok((batch.last > ingested).then_some(batch))
}

impl JournalBatch {
    /// The records, decoded one by one.
    pub(crate) fn calls(&self) -> impl ExactSizeIterator<Item = CallRecord> + Send {
        (0..self.payloads.ends.len()).map(|index| {
            self.payloads.get(index).and_then(entry::decode).unwrap_or_else(|| {
                // Unexpected: the record was decodable when it was added to the batch.
                tracing::error!("a record in the call journal cannot be decoded; it counts as a cancelled call");
                CallRecord::new(UserId(0), ServerId(0), ToolId(0), String::new())
            })
        })
    }

    /// When the first and the last call ended; `None` if there are none.
    pub(crate) fn time_span(&self) -> Option<(Timestamp, Timestamp)> {
        let end_of = |index| self.payloads.get(index).and_then(entry::decode).map(|record| record.at);
        Some((end_of(0)?, end_of(self.payloads.ends.len().checked_sub(1)?)?))
    }

    /// Counts the records that are missing before `number` as lost. A batch has no gaps, so one that already has
    /// records ends before a gap. Returns whether the batch continues.
    fn advance_to(&mut self, number: u64) -> bool {
        let missing = number.saturating_sub(self.last + 1);
        let continues = missing == 0 || self.payloads.is_empty();
        if continues {
            self.mark_lost(missing);
        }
        continues
    }

    /// Counts the missing records of a segment as lost; returns whether the batch continues.
    fn finish_segment(&mut self, segment: &JournalSegment) -> bool {
        let lost_before = self.lost;
        let continues = self.advance_to(segment.end);
        if self.lost > lost_before {
            self.damage.push(SegmentDamage { file: segment.number, lost: self.lost - lost_before });
        }
        continues
    }

    fn mark_lost(&mut self, records: u64) {
        self.lost += records;
        self.last += records;
        if self.payloads.is_empty() {
            self.first = self.last + 1;
        }
    }

    /// Reads the records of a segment; returns whether the batch continues.
    fn read_segment(&mut self, folder: &Path, segment: &JournalSegment) -> io::Result<bool> {
        let Some((mut number, mut frames)) = self.open(folder, segment)? else { return Ok(true) };
        let mut continues = true;
        while continues && number < segment.end {
            let Some(payload) = frames.next()? else { break };
            continues = number <= self.last || self.push(payload);
            if number > self.last {
                return Ok(false);
            }
            number += 1;
            self.cursor = Some(JournalCursor { file: segment.number, offset: frames.offset(), record: number });
        }
        Ok(continues)
    }

    /// Adds a record. A record that cannot be decoded is counted as lost in a batch without records, and ends any other
    /// batch. Returns whether the batch continues.
    fn push(&mut self, payload: &[u8]) -> bool {
        // This record has the number `last + 1`: advancing to the number after it counts it as lost.
        let Some(rollup_key) = entry::rollup_key(payload) else { return self.advance_to(self.last + 2) };
        self.payloads.push(payload, rollup_key);
        self.last += 1;
        !self.payloads.is_full()
    }

    /// The frames of a segment from the cursor on, and the record number of the first one; `None` if the file is
    /// missing or corrupt.
    fn open(&self, folder: &Path, segment: &JournalSegment) -> io::Result<Option<(u64, FrameReader)>> {
        let opened = match segment::open(&segment.path(folder), segment.bytes) {
            // The file was dropped to free space after `list` was created.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let OpenedSegment::Readable(first, mut frames) = opened else { return Ok(None) };
        match self.cursor.filter(|cursor| cursor.file == segment.number && cursor.record <= self.last + 1) {
            Some(cursor) => {
                frames.skip_to(cursor.offset)?;
                Ok(Some((cursor.record, frames)))
            }
            None => Ok((first == segment.first).then_some((first, frames))),
        }
    }
}
