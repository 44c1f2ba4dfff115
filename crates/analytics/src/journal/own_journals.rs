//! The journals of this process. Threads that record at the same time use different ones, so that they neither wait for
//! each other nor write to the same pages of memory.

use std::cell::Cell;
use std::io;
use std::path::Path;
use std::sync::{Arc, MutexGuard};

use toolgate_domain::call::CallRecord;
use toolgate_domain::sync::lock;
use toolgate_storage::JournalId;

use super::disk_budget::DiskBudget;
use super::frame::with_frame;
use super::segments::{ClosedSegments, SegmentList};
use super::writer::JournalWriter;
use super::{Journal, folder};
use crate::recording_state::RecordingStats;

/// Maximum number of journals. More threads share them, and rarely find all of them locked.
const JOURNALS_MAX: usize = 8;

thread_local! {
    /// Index of the journal to which this thread wrote its last record.
    static LAST_USED: Cell<usize> = const { Cell::new(0) };
}

/// The journals of this process, at least one.
#[derive(Debug)]
pub(crate) struct OwnJournals {
    /// The disk budget of these journals and the leftover ones.
    pub(crate) disk_budget: Arc<DiskBudget>,
    journals: Vec<Journal>,
}

impl OwnJournals {
    /// Creates a journal for each of `threads` threads, up to [`JOURNALS_MAX`], in the folder `journals`. They may use
    /// `max_bytes` together with the leftover journals there.
    pub(crate) fn create(journals: &Path, first_number: u64, threads: usize, max_bytes: u64) -> io::Result<Self> {
        let count = threads.clamp(1, JOURNALS_MAX);
        let disk_budget = DiskBudget::new(max_bytes, count);
        let mut created = Self { disk_budget, journals: Vec::with_capacity(count) };
        for offset in 0..count as u64 {
            let number = first_number.wrapping_add(offset);
            match Journal::create(journals, number, Arc::clone(&created.disk_budget)) {
                Ok(journal) => created.journals.push(journal),
                Err(error) => {
                    created.remove_folders();
                    return Err(error);
                }
            }
        }
        Ok(created)
    }

    /// Removes the folders of journals without records. If that fails, the next start removes them.
    pub(crate) fn remove_folders(&self) {
        for segments in self.segments() {
            let _ = folder::remove_folder(&segments.folder);
        }
    }

    /// The id of each journal.
    pub(crate) fn ids(&self) -> Vec<JournalId> {
        self.segments().map(|segments| segments.id.clone()).collect()
    }

    /// The closed segments of each journal.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &Arc<ClosedSegments>> {
        self.journals.iter().map(|journal| &journal.segments)
    }

    /// All segments of each journal, including the open one.
    pub(crate) fn segment_lists(&self) -> Vec<SegmentList> {
        self.journals.iter().map(Journal::segment_list).collect()
    }

    /// Writes a record. A record that cannot be written is lost and counted.
    pub(crate) fn append(&self, record: &CallRecord) {
        with_frame(record, |frame| {
            let (journal, writer) = self.lock_one();
            journal.append(writer, frame);
        });
    }

    /// Locks the journal that this thread used last, or another one if that is locked: two threads that write to the
    /// same journal separate when they meet.
    fn lock_one(&self) -> (&Journal, MutexGuard<'_, JournalWriter>) {
        let count = self.journals.len();
        let last_used = LAST_USED.get() % count;
        for offset in 0..count {
            let index = (last_used + offset) % count;
            if let Some(writer) = self.journals[index].try_lock() {
                LAST_USED.set(index);
                return (&self.journals[index], writer);
            }
        }
        (&self.journals[last_used], lock(&self.journals[last_used].writer))
    }

    /// Number of the last record of each journal.
    pub(crate) fn last_records(&self) -> Vec<u64> {
        self.journals.iter().map(Journal::last_record).collect()
    }

    /// Number of the last ingested record of each journal.
    pub(crate) fn ingested(&self) -> Vec<u64> {
        self.segments().map(|segments| segments.ingested()).collect()
    }

    /// Closes the journals if all records are ingested; records appended later are lost. Returns whether they are
    /// closed.
    pub(crate) fn close_if_ingested(&self) -> bool {
        let mut writers: Vec<_> = self.journals.iter().map(|journal| lock(&journal.writer)).collect();
        let ends = writers.iter().map(|writer| writer.next_record() - 1);
        let is_ingested = ends.eq(self.segments().map(|segments| segments.ingested()));
        if is_ingested {
            for writer in &mut writers {
                writer.close();
            }
        }
        is_ingested
    }

    /// Stores the ends of the journals whose last records could not be written.
    pub(crate) fn mark_ends(&self) {
        self.journals.iter().for_each(Journal::mark_end);
    }

    /// The state, and the losses since the start of the process. The recorder adds the statistics of ingest.
    pub(crate) fn stats(&self) -> RecordingStats {
        recording_stats(&self.journals, &self.disk_budget)
    }
}

/// Sums over the journals of this process and the leftover ones.
pub(super) fn recording_stats(own: &[Journal], disk_budget: &DiskBudget) -> RecordingStats {
    let mut stats = RecordingStats {
        journal_max_bytes: disk_budget.max_bytes,
        lost: disk_budget.lost(),
        ..RecordingStats::default()
    };
    let own = own.iter().map(|journal| (Arc::clone(&journal.segments), journal.segment_list()));
    for (segments, list) in disk_budget.leftover_lists().into_iter().chain(own) {
        let (ingested, since) = (segments.ingested(), segments.pending_since());
        let pending = list.pending(ingested);
        stats.state.pending += pending;
        stats.state.lost += list.missing(ingested);
        stats.state.journal_bytes += list.bytes();
        if pending > 0 {
            stats.pending_since = Some(stats.pending_since.map_or(since, |earlier| earlier.min(since)));
        }
    }
    stats
}

#[cfg(test)]
impl OwnJournals {
    /// Writes a record to the journal with this index.
    pub(crate) fn append_to(&self, index: usize, record: &CallRecord) {
        let journal = &self.journals[index];
        with_frame(record, |frame| journal.append(lock(&journal.writer), frame));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::Ordering::SeqCst;

    use super::*;
    use crate::sample::{record, records};

    /// A disk budget that no test exhausts, in bytes.
    const LARGE_BUDGET: u64 = 1 << 30;

    #[test]
    fn a_thread_that_finds_its_journal_locked_writes_to_another_one_from_then_on() {
        let folder = tempfile::tempdir().unwrap();
        let journals = OwnJournals::create(folder.path(), 1, 3, LARGE_BUDGET).unwrap();
        journals.append(&record(1));
        assert_eq!(journals.last_records(), [1, 0, 0]);
        let locked = lock(&journals.journals[0].writer);
        journals.append(&record(2));
        drop(locked);
        journals.append(&record(3));
        assert_eq!(journals.last_records(), [1, 2, 0]);
    }

    #[test]
    fn a_thread_waits_if_all_journals_are_locked() {
        let folder = tempfile::tempdir().unwrap();
        let journals = OwnJournals::create(folder.path(), 1, 2, LARGE_BUDGET).unwrap();
        let locked: Vec<_> = journals.journals.iter().map(|journal| lock(&journal.writer)).collect();
        let is_unlocked = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                journals.append(&record(1));
                assert!(is_unlocked.load(SeqCst));
            });
            std::thread::yield_now();
            is_unlocked.store(true, SeqCst);
            drop(locked);
        });
        assert_eq!(journals.last_records().iter().sum::<u64>(), 1);
    }

    #[test]
    fn no_journal_is_closed_while_one_has_records_to_ingest() {
        let folder = tempfile::tempdir().unwrap();
        let journals = OwnJournals::create(folder.path(), 1, 2, LARGE_BUDGET).unwrap();
        journals.append_to(1, &record(1));
        assert!(!journals.close_if_ingested());
        journals.append_to(0, &record(2));
        assert_eq!((journals.stats().state.pending, journals.stats().lost), (2, 0));
        for segments in journals.segments() {
            segments.advance(1);
        }
        assert!(journals.close_if_ingested());
        journals.append_to(0, &record(3));
        assert_eq!((journals.stats().state.pending, journals.stats().lost), (0, 1));
    }

    #[test]
    fn the_number_of_journals_is_limited() {
        let folder = tempfile::tempdir().unwrap();
        for (threads, count) in [(0, 1), (1, 1), (8, 8), (64, 8)] {
            let folder = folder.path().join(threads.to_string());
            let journals = OwnJournals::create(&folder, u64::MAX, threads, LARGE_BUDGET).unwrap();
            assert_eq!(journals.segments().count(), count);
            for record in records(20) {
                journals.append(&record);
            }
            assert_eq!(journals.stats().state.pending, 20);
        }
    }
}
