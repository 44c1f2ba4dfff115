//! The disk budget of journals.

use std::time::{Duration, SystemTime};

use super::*;

#[test]
fn a_full_journal_drops_the_oldest_records_and_counts_them() {
    let fixture = JournalFixture::new();
    let journal = Journal::create(fixture.path(), 1, SMALL_BUDGET).unwrap();
    append_all(&journal, &records(1000));
    let state = journal.state();
    assert!((SMALL_BUDGET / 2..=SMALL_BUDGET).contains(&state.journal_bytes), "{state:?}");
    assert_eq!(state.pending + state.lost, 1000, "{state:?}");

    let read = JournalContent::from_journal(&journal);
    assert_eq!((read.records.len() as u64, read.lost), (state.pending, state.lost));
    let newest = &JournalContent::expected(&records(1000)).records[usize::try_from(state.lost).unwrap()..];
    assert_eq!(read.records, newest, "the newest records stay, with their numbers");
}

#[test]
fn only_the_files_that_were_removed_count_as_dropped() {
    let fixture = JournalFixture::new();
    let journal = Journal::create(fixture.path(), 1, SMALL_BUDGET).unwrap();
    append_all(&journal, &records(1000));
    let remaining = journal.segments.list();
    assert!(remaining.iter().all(|segment| !journal.segments.has_dropped(segment.number)));
    assert!((1..remaining[0].number).all(|file| journal.segments.has_dropped(file)));
}

#[test]
fn ingested_records_that_are_dropped_are_not_lost() {
    let fixture = JournalFixture::new();
    let journal = Journal::create(fixture.path(), 1, SMALL_BUDGET).unwrap();
    for record in records(1000) {
        journal.append(&record);
        journal.segments.advance(journal.last_record());
    }
    assert_eq!((journal.state().pending, journal.state().lost), (0, 0));
}

#[test]
fn leftover_journals_are_dropped_before_the_journal_of_the_process() {
    let fixture = JournalFixture::new();
    let folder = fixture.leftover_journal(&records(50));
    let LoadedJournal::Readable(closed, end, _) = load(&folder).unwrap() else {
        panic!("the leftover journal has records")
    };
    let journal = Journal::create(fixture.path(), 1, SMALL_BUDGET).unwrap();
    let leftover = Arc::new(ClosedSegments::new(JournalId("2".to_owned()), folder.clone(), closed, 20));
    journal.disk_budget.add(Arc::clone(&leftover), end, SystemTime::UNIX_EPOCH);
    assert_eq!((journal.state().pending, journal.state().lost), (30, 0));
    append_all(&journal, &records(80));
    let state = journal.state();
    assert_eq!((state.pending, state.lost), (80, 30), "50 are dropped, of which 20 were ingested; 80 are pending");
    assert!(matches!(load(&folder).unwrap(), LoadedJournal::Empty));
    let batch = read_batch(&folder, &SegmentList::from_closed(&leftover, end), 20, None, RECORDS_MAX).unwrap().unwrap();
    assert_eq!((batch.calls().len(), batch.last, batch.lost), (0, 50, 30), "the loss is part of the next batch");
}

#[test]
fn the_oldest_leftover_journal_is_dropped_first() {
    let fixture = JournalFixture::new();
    let own = Journal::create(fixture.path(), 1, SMALL_BUDGET).unwrap();
    let leftovers = [(2, 30), (3, 10), (4, 20)].map(|(journal_number, hours)| {
        let journal = Journal::create(fixture.path(), journal_number, LARGE_BUDGET).unwrap();
        append_all(&journal, &records(20));
        let LoadedJournal::Readable(closed, end, _) = load(&journal.segments.folder).unwrap() else {
            panic!("the leftover journal has records")
        };
        let folder = journal.segments.folder.clone();
        let segments = Arc::new(ClosedSegments::new(journal.segments.id.clone(), folder, closed, 0));
        own.disk_budget.add(Arc::clone(&segments), end, SystemTime::UNIX_EPOCH + Duration::from_hours(hours));
        segments
    });
    let mut remaining = vec![];
    for record in records(120) {
        own.append(&record);
        remaining.push(leftovers.each_ref().map(|segments| !segments.list().is_empty()));
    }
    remaining.dedup();
    assert_eq!(remaining, [[true, true, true], [true, false, true], [true, false, false], [false, false, false]]);
}
