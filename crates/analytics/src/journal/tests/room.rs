//! The room that journals may take together.

use std::time::{Duration, SystemTime};

use super::*;

#[test]
fn a_full_journal_drops_the_oldest_records_and_counts_them() {
    let bench = Bench::new();
    let journal = Journal::create(bench.path(), 1, 10_000).unwrap();
    append_all(&journal, &records(1000));
    let state = journal.state();
    assert!((5000..=10_000).contains(&state.journal_bytes), "{state:?}");
    assert_eq!(state.pending + state.lost, 1000, "{state:?}");

    let read = Read::live(&journal);
    assert_eq!((read.records.len() as u64, read.lost), (state.pending, state.lost));
    let kept = &Read::of(&records(1000)).records[usize::try_from(state.lost).unwrap()..];
    assert_eq!(read.records, kept, "the newest are kept, with their numbers");
}

#[test]
fn what_was_dropped_for_want_of_room_is_told_from_what_is_damaged() {
    let bench = Bench::new();
    let journal = Journal::create(bench.path(), 1, 10_000).unwrap();
    append_all(&journal, &records(1000));
    let kept = journal.segments().list();
    assert!(kept.iter().all(|segment| !journal.segments().has_dropped(segment.number)));
    assert!((1..kept[0].number).all(|file| journal.segments().has_dropped(file)));
}

#[test]
fn records_that_were_moved_before_they_were_dropped_are_not_lost() {
    let bench = Bench::new();
    let journal = Journal::create(bench.path(), 1, 10_000).unwrap();
    for record in records(1000) {
        journal.append(&record);
        journal.segments().advance(journal.last());
    }
    assert_eq!((journal.state().pending, journal.state().lost), (0, 0));
}

#[test]
fn journals_that_were_found_give_way_before_the_own_one() {
    let bench = Bench::new();
    let folder = bench.orphan(&records(50));
    let Loaded::Segments(closed, end, _) = load(&folder).unwrap() else { panic!("it has records") };
    let journal = Journal::create(bench.path(), 1, 10_000).unwrap();
    let found = Arc::new(Segments::new(JournalId("2".to_owned()), folder.clone(), closed, 20));
    journal.room().add(Arc::clone(&found), end, SystemTime::UNIX_EPOCH);
    assert_eq!((journal.state().pending, journal.state().lost), (30, 0));
    append_all(&journal, &records(80));
    let state = journal.state();
    assert_eq!((state.pending, state.lost), (80, 30), "50, of which 20 had been moved, are gone; 80 are here");
    assert!(matches!(load(&folder).unwrap(), Loaded::Empty));
    let batch = read(&folder, &Contents::of(&found, end), 20, None).unwrap().unwrap();
    assert_eq!((batch.calls().len(), batch.through, batch.lost), (0, 50, 30), "and the database hears of it");
}

#[test]
fn the_oldest_of_the_journals_that_were_found_gives_way_first() {
    let bench = Bench::new();
    let own = Journal::create(bench.path(), 1, 10_000).unwrap();
    let found = [(2, 30), (3, 10), (4, 20)].map(|(boot, hours)| {
        let journal = Journal::create(bench.path(), boot, PLENTY).unwrap();
        append_all(&journal, &records(20));
        let Loaded::Segments(closed, end, _) = load(journal.segments().folder()).unwrap() else {
            panic!("it has records")
        };
        let folder = journal.segments().folder().to_owned();
        let segments = Arc::new(Segments::new(journal.segments().id().clone(), folder, closed, 0));
        own.room().add(Arc::clone(&segments), end, SystemTime::UNIX_EPOCH + Duration::from_hours(hours));
        segments
    });
    let mut left = vec![];
    for record in records(120) {
        own.append(&record);
        left.push(found.each_ref().map(|segments| !segments.list().is_empty()));
    }
    left.dedup();
    assert_eq!(left, [[true, true, true], [true, false, true], [true, false, false], [false, false, false]]);
}
