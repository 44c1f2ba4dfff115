//! Consecutive records of a journal, encoded as they are in its files.

use toolgate_domain::call::CallRecord;
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::Timestamp;

use super::entry;
use super::segment::JournalSegment;

/// Consecutive records of a journal. Encoded records use a tenth of the memory of decoded ones.
#[derive(Debug)]
pub(crate) struct JournalBatch {
    /// Number of the first record.
    pub(crate) first: u64,
    /// The encoded records.
    bytes: Vec<u8>,
    /// End offset of each record in `bytes`.
    ends: Vec<usize>,
    /// Number of the last record that the batch covers, read or lost.
    pub(crate) last: u64,
    /// Number of lost records before `first`.
    pub(crate) lost: u64,
    /// Files with missing records.
    pub(crate) damage: Vec<SegmentDamage>,
    /// Where the next batch starts.
    pub(crate) cursor: Option<JournalCursor>,
}

/// The position in a segment at which the next batch starts reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JournalCursor {
    pub(super) file: u64,
    pub(super) offset: u64,
    /// Number of the record at the offset.
    pub(super) record: u64,
}

/// A file that is missing or damaged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentDamage {
    /// Number of the file.
    pub(crate) file: u64,
    /// Number of lost records.
    pub(crate) lost: u64,
}

impl JournalBatch {
    /// A batch without records that starts after record `ingested`.
    pub(super) fn starting_after(ingested: u64, cursor: Option<JournalCursor>) -> Self {
        let (bytes, ends, damage) = (Vec::new(), Vec::new(), Vec::new());
        Self { first: ingested + 1, bytes, ends, last: ingested, lost: 0, damage, cursor }
    }

    /// The records, decoded one by one.
    pub(crate) fn calls(&self) -> impl ExactSizeIterator<Item = CallRecord> + Send {
        (0..self.ends.len()).map(|index| {
            self.get(index).and_then(entry::decode).unwrap_or_else(|| {
                // Unexpected: the record was decodable when it was added to the batch.
                tracing::error!("a record in the call journal cannot be decoded; it counts as a cancelled call");
                CallRecord::new(UserId(0), ServerId(0), ToolId(0), String::new())
            })
        })
    }

    /// When the first and the last call ended; `None` if there are none.
    pub(crate) fn time_span(&self) -> Option<(Timestamp, Timestamp)> {
        let end_of = |index| self.get(index).and_then(entry::decode).map(|record| record.at);
        Some((end_of(0)?, end_of(self.ends.len().checked_sub(1)?)?))
    }

    /// Adds record `last + 1`.
    pub(super) fn push(&mut self, payload: &[u8], cursor: JournalCursor) {
        self.bytes.extend_from_slice(payload);
        self.ends.push(self.bytes.len());
        self.last += 1;
        self.cursor = Some(cursor);
    }

    /// Counts the records that are missing before `number` as lost. A batch has no gaps, so one that already has
    /// records ends before a gap. Returns whether the batch continues.
    pub(super) fn advance_to(&mut self, number: u64) -> bool {
        let missing = number.saturating_sub(self.last + 1);
        if missing == 0 {
            return true;
        }
        if self.ends.is_empty() {
            self.lost += missing;
            self.last += missing;
            self.first = self.last + 1;
        }
        self.ends.is_empty()
    }

    /// The same for the records that are missing at the end of a segment.
    pub(super) fn advance_to_end(&mut self, segment: &JournalSegment) -> bool {
        let lost_before = self.lost;
        let continues = self.advance_to(segment.end);
        if self.lost > lost_before {
            self.damage.push(SegmentDamage { file: segment.number, lost: self.lost - lost_before });
        }
        continues
    }

    fn get(&self, index: usize) -> Option<&[u8]> {
        let start = index.checked_sub(1).map_or(Some(0), |previous| self.ends.get(previous).copied())?;
        self.bytes.get(start..*self.ends.get(index)?)
    }
}
