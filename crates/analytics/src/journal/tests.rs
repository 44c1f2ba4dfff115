//! Tests of the journal without a database: records are read as written, also from damaged files.

mod damage;
mod disk_budget;
mod writing;

use std::path::PathBuf;
use std::{iter, slice};

use tempfile::TempDir;
use toolgate_domain::call::CallRecord;

use super::frame::with_frame;
use super::*;
use crate::recording_state::RecordingState;
use crate::sample::{any_record, record, records};

/// A disk budget that no test exhausts, in bytes.
const LARGE_BUDGET: u64 = 1 << 30;
/// A disk budget that a thousand records exceed, in bytes.
const SMALL_BUDGET: u64 = 10_000;

/// Journals in a temporary folder.
struct JournalFixture(TempDir);

/// The records that were read from a journal, with their numbers, and the number of lost records.
#[derive(Debug, Default, PartialEq)]
struct JournalContent {
    records: Vec<(u64, CallRecord)>,
    lost: u64,
}

impl JournalFixture {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// A journal with about ten records per file.
    fn journal(&self) -> Journal {
        Journal::create(self.path(), 1, DiskBudget::with_segment_max(1200, LARGE_BUDGET)).unwrap()
    }

    /// The folder of a leftover journal with these records, in one file.
    fn leftover_journal(&self, records: &[CallRecord]) -> PathBuf {
        let journal = Journal::create(self.path(), 2, DiskBudget::new(LARGE_BUDGET, 1)).unwrap();
        append_all(&journal, records);
        journal.segments.folder.clone()
    }
}

/// Reads the next batch of a journal.
fn read_batch(folder: &Path, list: &SegmentList, ingested: u64, cursor: Option<JournalCursor>) -> JournalBatch {
    let unread = UnreadJournal { folder, list, ingested, cursor };
    read_batches(iter::once(unread), RECORDS_MAX).remove(0).0
}

fn append(journal: &Journal, record: &CallRecord) {
    with_frame(record, |frame| journal.append(lock(&journal.writer), frame));
}

/// The state of recording with this journal and the leftover ones within its budget.
fn state(journal: &Journal) -> RecordingState {
    own_journals::recording_stats(slice::from_ref(journal), &journal.disk_budget).state
}

fn append_all(journal: &Journal, records: &[CallRecord]) {
    for record in records {
        append(journal, record);
    }
}

impl JournalContent {
    /// Reads a whole journal in batches, as ingest does.
    fn from_segments(folder: &Path, list: &SegmentList) -> Self {
        let (mut all, mut ingested, mut cursor) = (Self::default(), 0, None);
        while ingested + 1 < list.end {
            let batch = read_batch(folder, list, ingested, cursor);
            assert!(batch.last > ingested, "{batch:?}");
            assert_eq!(batch.first + batch.calls().len() as u64, batch.last + 1);
            all.lost += batch.lost;
            all.records.extend((batch.first..).zip(batch.calls()));
            (ingested, cursor) = (batch.last, batch.cursor);
        }
        assert_eq!(ingested + 1, list.end);
        all
    }

    fn from_journal(journal: &Journal) -> Self {
        Self::from_segments(&journal.segments.folder, &journal.segment_list())
    }

    fn from_folder(folder: &Path) -> Self {
        match load(folder).unwrap() {
            LoadedJournal::Readable(segments, end, _) => Self::from_segments(folder, &SegmentList { segments, end }),
            LoadedJournal::Empty => Self::default(),
            LoadedJournal::NewerVersion => panic!("the journal has a newer version"),
        }
    }

    /// These records, numbered from 1, and no losses.
    fn expected(records: &[CallRecord]) -> Self {
        Self { records: (1..).zip(records.iter().cloned()).collect(), lost: 0 }
    }
}
