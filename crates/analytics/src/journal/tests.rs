//! The journal alone: what is written is read, whatever happened to the files meanwhile.

mod damage;
mod room;
mod writing;

use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::sample::{any_record, record, records};

/// Room that no test fills.
const PLENTY: u64 = 1 << 30;

/// Journals in a folder of their own.
struct Bench(TempDir);

/// What was read of a journal: records with their numbers, and how many were given up.
#[derive(Debug, Default, PartialEq)]
struct Read {
    records: Vec<(u64, CallRecord)>,
    lost: u64,
}

impl Bench {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// A journal with a file for about every ten records.
    fn journal(&self) -> Journal {
        Journal::create_with(self.path(), 1, PLENTY, 1200).unwrap()
    }

    /// The folder of a journal that holds these records, in one file, and whose process has ended.
    fn orphan(&self, records: &[CallRecord]) -> PathBuf {
        let journal = Journal::create(self.path(), 2, PLENTY).unwrap();
        append_all(&journal, records);
        journal.segments().folder().to_owned()
    }
}

fn append_all(journal: &Journal, records: &[CallRecord]) {
    for record in records {
        journal.append(record);
    }
}

impl Read {
    /// Reads all of a journal, batch by batch, as its mover does.
    fn all(folder: &Path, contents: &Contents) -> Self {
        let (mut all, mut moved, mut cursor) = (Self::default(), 0, None);
        while let Some(batch) = read(folder, contents, moved, cursor).unwrap() {
            assert!(batch.through > moved, "{batch:?}");
            assert_eq!(batch.first + batch.calls().len() as u64, batch.through + 1);
            all.lost += batch.lost;
            all.records.extend((batch.first..).zip(batch.calls()));
            (moved, cursor) = (batch.through, batch.cursor);
        }
        assert_eq!(moved + 1, contents.end());
        all
    }

    fn live(journal: &Journal) -> Self {
        Self::all(journal.segments().folder(), &journal.contents())
    }

    fn orphan(folder: &Path) -> Self {
        match load(folder).unwrap() {
            Loaded::Segments(segments, end, _) => Self::all(folder, &Contents::new(segments, end)),
            Loaded::Empty => Self::default(),
            Loaded::Newer => panic!("a newer version"),
        }
    }

    /// The records with numbers from 1.
    fn of(records: &[CallRecord]) -> Self {
        Self { records: (1..).zip(records.iter().cloned()).collect(), lost: 0 }
    }
}
