//! Reading a journal in batches of consecutive records.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, Hash};
use std::io;
use std::path::Path;

use toolgate_domain::call::CallRecord;
use toolgate_domain::ids::{ServerId, ToolId, UserId};

use super::Contents;
use super::entry;
use super::segment::{self, Frames, Opened, Segment};

/// Most records of a batch: sums are read and written once for each, so many calls share the cost of that.
const MAX_RECORDS: usize = 16_000;
/// A batch ends with the record that brings it to so many kinds, of which each has sums of its own.
const MAX_KINDS: usize = 4000;
/// A batch ends with the record that brings it to so many bytes.
const MAX_BYTES: usize = 4 << 20;

/// Some records of a journal.
#[derive(Debug)]
pub(crate) struct Batch {
    /// Number of the first of its calls.
    pub(crate) first: u64,
    payloads: Payloads,
    /// Number of the last record that is dealt with.
    pub(crate) through: u64,
    /// How many before `first` are gone, or cannot be read.
    pub(crate) lost: u64,
    /// Which files do not have what they should have.
    pub(crate) damage: Vec<Damage>,
    /// Where the next batch begins.
    pub(crate) cursor: Option<Cursor>,
}

/// A file that is gone, or not as it was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Damage {
    /// Its number.
    pub(crate) file: u64,
    /// How many records are lost by it.
    pub(crate) lost: u64,
}

/// Records as the journal has them: a tenth of what they are when they are unpacked.
#[derive(Debug, Default)]
struct Payloads {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
    /// Hashes of their kinds.
    kinds: HashSet<u64>,
}

impl Payloads {
    fn push(&mut self, payload: &[u8], kind: impl Hash) {
        self.bytes.extend_from_slice(payload);
        self.ends.push(self.bytes.len());
        self.kinds.insert(self.kinds.hasher().hash_one(kind));
    }

    fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn is_full(&self) -> bool {
        self.ends.len() >= MAX_RECORDS || self.kinds.len() >= MAX_KINDS || self.bytes.len() >= MAX_BYTES
    }

    fn get(&self, number: usize) -> Option<&[u8]> {
        let begin = number.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.bytes.get(begin..*self.ends.get(number)?)
    }
}

/// A place in a segment, so that the next batch need not look for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    file: u64,
    offset: u64,
    /// Number of the record that begins there.
    record: u64,
}

/// The records after number `moved`, as many as a batch holds; none if there are none. What is missing is given up.
pub(crate) fn read(
    folder: &Path,
    contents: &Contents,
    moved: u64,
    cursor: Option<Cursor>,
) -> io::Result<Option<Batch>> {
    let mut batch =
        Batch { first: moved + 1, payloads: Payloads::default(), through: moved, lost: 0, damage: Vec::new(), cursor };
    for segment in &contents.segments {
        if segment.end > batch.through + 1
            && !(batch.reach(segment.first) && batch.take(folder, segment)? && batch.finish(segment))
        {
            return Ok(Some(batch));
        }
    }
    batch.reach(contents.end);
    Ok((batch.through > moved).then_some(batch))
}

impl Batch {
    /// The records, unpacked one by one.
    pub(crate) fn calls(&self) -> impl ExactSizeIterator<Item = CallRecord> + Send {
        (0..self.payloads.ends.len()).map(|number| {
            self.payloads.get(number).and_then(entry::decode).unwrap_or_else(|| {
                // It was read once already, when it came into the batch.
                tracing::error!("a call in the journal cannot be read again; it counts as one that its client left");
                CallRecord::begun(UserId(0), ServerId(0), ToolId(0), String::new())
            })
        })
    }

    /// Gives up the records that are missing before this one. A batch has no gap in its midst, so that one that has
    /// records ends before a gap; says whether it goes on.
    fn reach(&mut self, number: u64) -> bool {
        let missing = number.saturating_sub(self.through + 1);
        let goes_on = missing == 0 || self.payloads.is_empty();
        if goes_on {
            self.give_up(missing);
        }
        goes_on
    }

    /// Gives up what a segment should have had, and has not; says whether the batch goes on.
    fn finish(&mut self, segment: &Segment) -> bool {
        let before = self.lost;
        let goes_on = self.reach(segment.end);
        if self.lost > before {
            self.damage.push(Damage { file: segment.number, lost: self.lost - before });
        }
        goes_on
    }

    fn give_up(&mut self, records: u64) {
        self.lost += records;
        self.through += records;
        if self.payloads.is_empty() {
            self.first = self.through + 1;
        }
    }

    /// Takes the records of a segment; says whether the batch goes on.
    fn take(&mut self, folder: &Path, segment: &Segment) -> io::Result<bool> {
        let Some((mut number, mut frames)) = self.open(folder, segment)? else { return Ok(true) };
        let mut goes_on = true;
        while goes_on && number < segment.end {
            let Some(payload) = frames.next()? else { break };
            goes_on = number <= self.through || self.push(payload);
            if number > self.through {
                return Ok(false);
            }
            number += 1;
            self.cursor = Some(Cursor { file: segment.number, offset: frames.offset(), record: number });
        }
        Ok(goes_on)
    }

    /// Takes one record, or gives it up if it cannot be understood, unless that would be a gap in the midst. Says
    /// whether the batch goes on.
    fn push(&mut self, payload: &[u8]) -> bool {
        let Some(kind) = entry::kind(payload) else { return self.reach(self.through + 2) };
        self.payloads.push(payload, kind);
        self.through += 1;
        !self.payloads.is_full()
    }

    /// The frames of a segment and the number of the first; none where the file is gone, or not what it was.
    fn open(&self, folder: &Path, segment: &Segment) -> io::Result<Option<(u64, Frames)>> {
        let opened = match segment::open(&segment.path(folder), segment.bytes) {
            // Dropped for want of room since we were told of it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let Opened::At(first, mut frames) = opened else { return Ok(None) };
        match self.cursor.filter(|cursor| cursor.file == segment.number && cursor.record <= self.through + 1) {
            Some(cursor) => {
                frames.skip_to(cursor.offset)?;
                Ok(Some((cursor.record, frames)))
            }
            None => Ok((first == segment.first).then_some((first, frames))),
        }
    }
}
