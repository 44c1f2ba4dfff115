//! The disk budget of journals.

use std::fs;
use std::time::{Duration, SystemTime};

use toolgate_domain::time::Timestamp;

use super::*;

#[test]
fn a_full_journal_drops_the_oldest_records_and_counts_them() {
    let fixture = JournalFixture::new();
    let journal = Journal::create(fixture.path(), 1, DiskBudget::new(SMALL_BUDGET, 1)).unwrap();
    append_all(&journal, &records(1000));
    let state = state(&journal);
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
    let journal = Journal::create(fixture.path(), 1, DiskBudget::new(SMALL_BUDGET, 1)).unwrap();
    append_all(&journal, &records(1000));
    let remaining = journal.segments.list();
    assert!(remaining.iter().all(|segment| !journal.segments.has_dropped(segment.number)));
    assert!((1..remaining[0].number).all(|file| journal.segments.has_dropped(file)));
}

#[test]
fn ingested_records_that_are_dropped_are_not_lost() {
    let fixture = JournalFixture::new();
    let journal = Journal::create(fixture.path(), 1, DiskBudget::new(SMALL_BUDGET, 1)).unwrap();
    for record in records(1000) {
        append(&journal, &record);
        journal.segments.advance(journal.last_record());
    }
    assert_eq!((state(&journal).pending, state(&journal).lost), (0, 0));
}

#[test]
fn journals_of_one_process_share_the_budget_and_drop_the_oldest_file_of_all() {
    let fixture = JournalFixture::new();
    let journals = OwnJournals::create(fixture.path(), 1, 3, SMALL_BUDGET).unwrap();
    for (number, record) in records(900).iter().enumerate() {
        // The third journal has records at the start only.
        journals.append_to(if number < 90 { number % 3 } else { number % 2 }, record);
        let state = journals.stats().state;
        assert!(state.journal_bytes <= SMALL_BUDGET, "{state:?}");
    }
    let state = journals.stats().state;
    assert!(state.journal_bytes > SMALL_BUDGET / 2, "{state:?}");
    assert_eq!(state.pending + state.lost, 900);
    let mut remaining = Vec::new();
    for (segments, list) in journals.segments().zip(journals.segment_lists()) {
        let content = JournalContent::from_segments(&segments.folder, &list);
        remaining.extend(content.records.into_iter().map(|(_, record)| record.request_id));
    }
    let newest: Vec<String> = records(900)[820..].iter().map(|record| record.request_id.clone()).collect();
    assert!(newest.iter().all(|id| remaining.contains(id)), "{remaining:?}");
    // The open file of the third journal stays.
    assert!(remaining.len() as u64 == state.pending && remaining.len() < 120, "{remaining:?}");
}

/// The end of a call, in hours since 1970.
fn hours(hours: i64) -> Timestamp {
    Timestamp::from_millis(hours * 3_600_000)
}

/// A leftover journal within this budget; its files were written at these times, in hours since 1970.
fn leftover(
    fixture: &JournalFixture,
    disk_budget: &DiskBudget,
    journal_number: u64,
    hours: &[u64],
) -> Arc<ClosedSegments> {
    let journal =
        Journal::create(fixture.path(), journal_number, DiskBudget::with_segment_max(1200, LARGE_BUDGET)).unwrap();
    let folder = journal.segments.folder.clone();
    while journal.segment_list().segments.len() < hours.len() {
        append(&journal, &record(0));
    }
    for (segment, hours) in journal.segment_list().segments.iter().zip(hours) {
        let file = fs::File::options().append(true).open(segment.path(&folder)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_hours(*hours)).unwrap();
    }
    let LoadedJournal::Readable(closed, end, _) = load(&folder).unwrap() else {
        panic!("the leftover journal has records")
    };
    let segments = Arc::new(ClosedSegments::new(journal.segments.id.clone(), folder, closed, 0));
    disk_budget.add_leftover(Arc::clone(&segments), end);
    segments
}

#[test]
fn leftover_journals_are_dropped_before_the_journal_of_the_process() {
    let fixture = JournalFixture::new();
    let journal = Journal::create(fixture.path(), 1, DiskBudget::new(SMALL_BUDGET, 1)).unwrap();
    let leftover = leftover(&fixture, &journal.disk_budget, 2, &[1, 2, 3, 4, 5]);
    leftover.advance(20);
    let RecordingState { pending, lost, .. } = state(&journal);
    assert_eq!((pending > 10, lost), (true, 0), "{pending}");
    let end = 20 + pending + 1;
    let mut count = 0;
    while leftover.list().len() > 1 {
        append(&journal, &record(0));
        count += 1;
    }
    let remaining = SegmentList::from_closed(&leftover, end).pending(20);
    let state = state(&journal);
    assert_eq!((state.pending, state.lost), (count + remaining, pending - remaining), "no other records are lost");
    while !leftover.list().is_empty() {
        append(&journal, &record(0));
    }
    assert!(matches!(load(&leftover.folder).unwrap(), LoadedJournal::Empty));
    let batch = read_batch(&leftover.folder, &SegmentList::from_closed(&leftover, end), 20, None);
    assert_eq!(
        (batch.calls().len(), batch.last + 1, batch.lost),
        (0, end, pending),
        "the loss is part of the next batch"
    );
}

#[test]
fn the_oldest_files_of_all_leftover_journals_are_dropped_first() {
    let fixture = JournalFixture::new();
    let own = Journal::create(fixture.path(), 1, DiskBudget::new(SMALL_BUDGET, 1)).unwrap();
    let leftovers = [(2, [30, 40]), (3, [10, 35]), (4, [20, 50])]
        .map(|(number, hours)| leftover(&fixture, &own.disk_budget, number, &hours));
    let mut remaining = vec![];
    for record in records(120) {
        append(&own, &record);
        remaining.push(leftovers.each_ref().map(|segments| segments.list().len()));
    }
    remaining.dedup();
    let expected = [[2, 2, 2], [2, 1, 2], [2, 1, 1], [1, 1, 1], [1, 0, 1], [0, 0, 1], [0, 0, 0]];
    assert!(remaining.iter().all(|files| expected.contains(files)), "{remaining:?}");
    assert_eq!((remaining.first(), remaining.last()), (expected.first(), expected.last()));
}

#[test]
fn the_file_that_was_written_longest_ago_is_dropped_first() {
    let fixture = JournalFixture::new();
    let journals = OwnJournals::create(fixture.path(), 1, 2, SMALL_BUDGET).unwrap();
    let append_at = |index, at| journals.append_to(index, &CallRecord { at: hours(at), ..record(0) });
    let own: Vec<_> = journals.segments().cloned().collect();
    // The file of the first journal is older, but is written for longer.
    append_at(0, 0);
    while own[0].list().is_empty() {
        append_at(0, 100);
    }
    while own[1].list().is_empty() {
        append_at(1, 20);
    }
    let leftover = leftover(&fixture, &journals.disk_budget, 9, &[50]);
    let first_files = [&own[1], &leftover, &own[0]];
    let mut dropped = vec![];
    while dropped.len() < first_files.len() {
        append_at(1, 200);
        let is_dropped = |index: &usize| !dropped.contains(index) && first_files[*index].has_dropped(1);
        let newly_dropped: Vec<usize> = (0..first_files.len()).filter(is_dropped).collect();
        dropped.extend(newly_dropped);
    }
    assert_eq!(dropped, [0, 1, 2]);
}
