//! Writing records, and reading them back.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::thread;

use proptest::collection::vec;
use proptest::prelude::*;
use toolgate_domain::ids::ToolId;

use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_records_are_read_as_they_were_written(records in vec(any_record(), 0..60), segment_max in 100..5000u64) {
        let fixture = JournalFixture::new();
        let journal = Journal::create_with(fixture.path(), 1, LARGE_BUDGET, segment_max).unwrap();
        append_all(&journal, &records);
        prop_assert_eq!(&ReadRecords::from_journal(&journal), &ReadRecords::expected(&records));
        let folder = journal.segments().folder().to_owned();
        drop(journal);
        prop_assert_eq!(&ReadRecords::from_folder(&folder), &ReadRecords::expected(&records));
    }
}

#[test]
fn a_batch_continues_where_the_last_one_ended_while_records_are_written() {
    let fixture = JournalFixture::new();
    let journal = fixture.journal();
    let records = records(100);
    let (mut ingested, mut cursor, mut calls) = (0, None, Vec::new());
    for chunk in records.chunks(7) {
        append_all(&journal, chunk);
        let batch = read(journal.segments().folder(), &journal.snapshot(), ingested, cursor).unwrap().unwrap();
        (ingested, cursor) = (batch.through, batch.cursor);
        calls.extend(batch.calls());
        journal.segments().advance(ingested);
    }
    assert_eq!(calls, records);
    assert_eq!(fs::read_dir(journal.segments().folder()).unwrap().count(), 2, "the lock and the current file stay");
}

#[test]
fn a_batch_has_at_most_sixteen_thousand_records() {
    let fixture = JournalFixture::new();
    let journal = Journal::create(fixture.path(), 1, LARGE_BUDGET).unwrap();
    append_all(&journal, &records(16_001));
    let batch = read(journal.segments().folder(), &journal.snapshot(), 0, None).unwrap().unwrap();
    assert_eq!((batch.first, batch.calls().len(), batch.through), (1, 16_000, 16_000));
}

#[test]
fn a_batch_has_at_most_four_thousand_rollup_keys() {
    let fixture = JournalFixture::new();
    let journal = Journal::create(fixture.path(), 1, LARGE_BUDGET).unwrap();
    let mut records = records(5000);
    for (tool, record) in (1..).zip(&mut records) {
        record.tool_id = ToolId(tool);
    }
    append_all(&journal, &records);
    let batch = read(journal.segments().folder(), &journal.snapshot(), 0, None).unwrap().unwrap();
    assert_eq!((batch.first, batch.calls().len(), batch.through), (1, 4000, 4000));
}

#[test]
fn records_of_many_threads_are_stored_exactly_once() {
    let fixture = JournalFixture::new();
    let journal = fixture.journal();
    let records = records(4000);
    thread::scope(|scope| {
        for chunk in records.chunks(500) {
            scope.spawn(|| append_all(&journal, chunk));
        }
    });
    let mut read = ReadRecords::from_journal(&journal).records;
    assert_eq!(read.last().map(|(number, _)| *number), Some(4000));
    read.sort_by_key(|(_, record)| record.at);
    assert!(read.into_iter().map(|(_, record)| record).eq(records));
}

#[test]
fn only_the_owner_can_access_folders_and_files() {
    let fixture = JournalFixture::new();
    let journal = Journal::create(&fixture.path().join("journals"), 0xabc, LARGE_BUDGET).unwrap();
    journal.append(&record(0));
    let mode =
        |path: &str| fs::metadata(fixture.path().join("journals").join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(""), 0o700);
    assert_eq!(mode("0000000000000abc"), 0o700);
    assert_eq!(mode("0000000000000abc/lock"), 0o600);
    assert_eq!(mode("0000000000000abc/00000001.calls"), 0o600);
}

#[test]
fn a_journal_is_left_over_once_its_process_has_ended() {
    let fixture = JournalFixture::new();
    let found = || find_leftover_journals(fixture.path(), |_| false).unwrap();
    let journal = fixture.journal();
    fs::create_dir(fixture.path().join("something else")).unwrap();
    assert!(found().is_empty(), "its process is alive");
    drop(journal);
    let first = found();
    assert_eq!(first.iter().map(|leftover_journal| &*leftover_journal.id.0).collect::<Vec<_>>(), ["0000000000000001"]);
    assert!(found().is_empty(), "it is already locked");
    drop(first);
    assert!(
        find_leftover_journals(fixture.path(), |name| name == "0000000000000001").unwrap().is_empty(),
        "it is known"
    );
}

#[test]
fn a_folder_that_is_removed_while_it_is_created_is_created_again() {
    for _ in 0..50 {
        let fixture = JournalFixture::new();
        let temporary = fixture.path().join(".0000000000000001");
        fs::create_dir(&temporary).unwrap();
        let lock = File::create(temporary.join("lock")).unwrap();
        lock.lock().unwrap();
        assert!(find_leftover_journals(fixture.path(), |_| false).unwrap().is_empty());
        assert!(temporary.exists(), "its process is alive");
        thread::scope(|scope| {
            let creating = scope.spawn(|| fixture.journal().append(&record(0)));
            thread::yield_now();
            remove(&temporary).unwrap();
            drop(lock);
            creating.join().unwrap();
        });
        assert_eq!(
            ReadRecords::from_folder(&fixture.path().join("0000000000000001")),
            ReadRecords::expected(&records(1))
        );
    }
}

#[test]
fn a_failing_disk_loses_only_what_is_recorded_until_it_recovers() {
    let fixture = JournalFixture::new();
    let journal = fixture.journal();
    let (folder, away) = (journal.segments().folder().to_owned(), fixture.path().join("away"));
    let records = records(60);
    append_all(&journal, &records[..20]);
    fs::rename(&folder, &away).unwrap();
    fs::write(&folder, "in the way").unwrap();
    append_all(&journal, &records[20..40]);
    let lost = journal.state().lost;
    assert!((1..20).contains(&lost), "{lost} lost: the open file had space left, but no new one could be created");
    fs::remove_file(&folder).unwrap();
    fs::rename(&away, &folder).unwrap();
    append_all(&journal, &records[40..]);

    let read = ReadRecords::from_journal(&journal);
    let mut expected = ReadRecords::expected(&records);
    expected.lost = lost;
    expected.records.retain(|(number, _)| *number <= 40 - lost || *number > 40);
    assert_eq!(read, expected);
}

#[test]
fn a_missing_folder_is_created_again_and_locked() {
    let fixture = JournalFixture::new();
    let journal = Journal::create_with(&fixture.path().join("journals"), 1, LARGE_BUDGET, 1200).unwrap();
    append_all(&journal, &records(20));
    fs::remove_dir_all(fixture.path().join("journals")).unwrap();
    append_all(&journal, &records(60)[20..]);
    let read = ReadRecords::from_journal(&journal);
    assert!((20..30).contains(&read.lost), "earlier records, and those in the current file: {}", read.lost);
    assert_eq!(read.records.len() as u64 + read.lost, 60);
    assert!(
        find_leftover_journals(&fixture.path().join("journals"), |_| false).unwrap().is_empty(),
        "its process is alive"
    );
}

#[test]
fn records_that_could_not_be_written_at_the_end_of_a_journal_are_counted_as_lost() {
    for modified_at in [0, 3] {
        let fixture = JournalFixture::new();
        let journal = fixture.journal();
        append_all(&journal, &records(modified_at));
        journal.mark_end();
        let folder = journal.segments().folder().to_owned();
        assert!(!folder.join(format!("{}.end", modified_at + 1)).exists(), "nothing is lost yet");
        (0..5).for_each(|_| journal.writer().skip(journal.segments()));
        journal.mark_end();
        drop(journal);
        assert_eq!(
            ReadRecords::from_folder(&folder),
            ReadRecords { lost: 5, ..ReadRecords::expected(&records(modified_at)) }
        );
        remove_segments(&folder).unwrap();
        assert!(matches!(load(&folder).unwrap(), LoadedJournal::Empty));
    }
}

#[test]
fn a_record_that_cannot_be_encoded_is_counted() {
    let fixture = JournalFixture::new();
    let journal = fixture.journal();
    journal.append(&record(0));
    journal.writer().skip(journal.segments());
    assert_eq!((journal.state().pending, journal.state().lost), (1, 1));
    journal.append(&record(2));
    assert_eq!(
        ReadRecords::from_journal(&journal),
        ReadRecords { records: vec![(1, record(0)), (3, record(2))], lost: 1 }
    );
}

/// Set in the child process with a limited file size.
const LIMITED: &str = "TOOLGATE_TEST_FILES_ARE_LIMITED";

#[test]
fn a_partial_write_is_truncated_and_repeated() {
    if std::env::var_os(LIMITED).is_none() {
        let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" --exact \"$1\"";
        let test = "journal::tests::writing::a_partial_write_is_truncated_and_repeated";
        let program = std::env::current_exe().unwrap();
        let output = Command::new("sh").args(["-c", script]).arg(program).arg(test).env(LIMITED, "1").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "the test must have run");
        return;
    }
    let fixture = JournalFixture::new();
    let journal = Journal::create(fixture.path(), 1, LARGE_BUDGET).unwrap();
    let records = records(500);
    append_all(&journal, &records);
    let snapshot = journal.snapshot();
    assert!(snapshot.segments.len() > 2, "the records do not fit into one file of 4 or 8 KiB");
    for segment in &snapshot.segments {
        let length = fs::metadata(segment.path(journal.segments().folder())).unwrap().len();
        assert_eq!(length, segment.bytes, "no partial record is left");
    }
    assert_eq!(ReadRecords::from_journal(&journal), ReadRecords::expected(&records));
}

#[test]
fn a_journal_is_sealed_only_when_all_of_it_is_ingested() {
    let fixture = JournalFixture::new();
    let journal = fixture.journal();
    journal.append(&record(0));
    assert!(!journal.seal());
    journal.append(&record(1));
    journal.segments().advance(2);
    assert!(journal.seal());
    journal.append(&record(2));
    assert_eq!((journal.state().pending, journal.state().lost), (0, 1), "too late");
}
