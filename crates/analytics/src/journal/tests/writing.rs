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
        let disk_budget = DiskBudget::with_segment_max(segment_max, LARGE_BUDGET);
        let journal = Journal::create(fixture.path(), 1, disk_budget).unwrap();
        append_all(&journal, &records);
        prop_assert_eq!(&JournalContent::from_journal(&journal), &JournalContent::expected(&records));
        let folder = journal.segments.folder.clone();
        drop(journal);
        prop_assert_eq!(&JournalContent::from_folder(&folder), &JournalContent::expected(&records));
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
        let batch = read_batch(&journal.segments.folder, &journal.segment_list(), ingested, cursor);
        (ingested, cursor) = (batch.last, batch.cursor);
        calls.extend(batch.calls());
        journal.segments.advance(ingested);
    }
    assert_eq!(calls, records);
    assert_eq!(fs::read_dir(&journal.segments.folder).unwrap().count(), 2, "the lock and the open file stay");
}

#[test]
fn a_batch_has_at_most_32_thousand_records() {
    let fixture = JournalFixture::new();
    let journal = Journal::create(fixture.path(), 1, DiskBudget::new(LARGE_BUDGET, 1)).unwrap();
    append_all(&journal, &records(32_001));
    let batch = read_batch(&journal.segments.folder, &journal.segment_list(), 0, None);
    assert_eq!((batch.first, batch.calls().len(), batch.last), (1, 32_000, 32_000));
}

#[test]
fn a_batch_has_at_most_four_thousand_rollup_keys() {
    let fixture = JournalFixture::new();
    let journal = Journal::create(fixture.path(), 1, DiskBudget::new(LARGE_BUDGET, 1)).unwrap();
    let mut records = records(5000);
    for (tool, record) in (1..).zip(&mut records) {
        record.tool_id = ToolId(tool);
    }
    append_all(&journal, &records);
    let batch = read_batch(&journal.segments.folder, &journal.segment_list(), 0, None);
    assert_eq!((batch.first, batch.calls().len(), batch.last), (1, 4000, 4000));
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
    let mut read = JournalContent::from_journal(&journal).records;
    assert_eq!(read.last().map(|(number, _)| *number), Some(4000));
    read.sort_by_key(|(_, record)| record.at);
    assert!(read.into_iter().map(|(_, record)| record).eq(records));
}

#[test]
fn only_the_owner_can_access_folders_and_files() {
    let fixture = JournalFixture::new();
    let journal = Journal::create(&fixture.path().join("journals"), 0xabc, DiskBudget::new(LARGE_BUDGET, 1)).unwrap();
    append(&journal, &record(0));
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
    let leftovers = || find_leftover_journals(fixture.path(), |_| false).unwrap().leftovers;
    let journal = fixture.journal();
    fs::create_dir(fixture.path().join("something else")).unwrap();
    assert!(leftovers().is_empty(), "the process of the journal is alive");
    drop(journal);
    let first = leftovers();
    assert_eq!(first.iter().map(|journal| &*journal.id.0).collect::<Vec<_>>(), ["0000000000000001"]);
    assert!(leftovers().is_empty(), "the first result still holds the lock");
    drop(first);
    assert!(
        find_leftover_journals(fixture.path(), |name| name == "0000000000000001").unwrap().leftovers.is_empty(),
        "a journal that the caller knows is left out"
    );
}

#[test]
fn a_journal_whose_lock_cannot_be_opened_is_inaccessible() {
    let fixture = JournalFixture::new();
    let folder = fixture.path().join("00000000000000aa");
    fs::create_dir_all(folder.join("lock")).unwrap();
    let found = find_leftover_journals(fixture.path(), |_| false).unwrap();
    assert!(found.leftovers.is_empty());
    assert_eq!(found.inaccessible.iter().map(|(name, _)| &**name).collect::<Vec<_>>(), ["00000000000000aa"]);
    fs::remove_dir(folder.join("lock")).unwrap();
    let found = find_leftover_journals(fixture.path(), |_| false).unwrap();
    assert_eq!((found.leftovers.len(), found.inaccessible.len()), (1, 0));
}

#[test]
fn a_folder_that_is_removed_while_it_is_created_is_created_again() {
    for _ in 0..50 {
        let fixture = JournalFixture::new();
        let temporary = fixture.path().join(".0000000000000001");
        fs::create_dir(&temporary).unwrap();
        let lock = File::create(temporary.join("lock")).unwrap();
        lock.lock().unwrap();
        assert!(find_leftover_journals(fixture.path(), |_| false).unwrap().leftovers.is_empty());
        assert!(temporary.exists(), "the process of the journal is alive");
        thread::scope(|scope| {
            let creator = scope.spawn(|| append(&fixture.journal(), &record(0)));
            thread::yield_now();
            remove_folder(&temporary).unwrap();
            drop(lock);
            creator.join().unwrap();
        });
        assert_eq!(
            JournalContent::from_folder(&fixture.path().join("0000000000000001")),
            JournalContent::expected(&records(1))
        );
    }
}

#[test]
fn only_records_appended_during_a_disk_failure_are_lost() {
    let fixture = JournalFixture::new();
    let journal = fixture.journal();
    let (folder, away) = (journal.segments.folder.clone(), fixture.path().join("away"));
    let records = records(60);
    append_all(&journal, &records[..20]);
    fs::rename(&folder, &away).unwrap();
    fs::write(&folder, "in the way").unwrap();
    append_all(&journal, &records[20..40]);
    let lost = state(&journal).lost;
    assert!((1..20).contains(&lost), "{lost} lost: the open file had space left, but no new one could be created");
    fs::remove_file(&folder).unwrap();
    fs::rename(&away, &folder).unwrap();
    append_all(&journal, &records[40..]);

    let read = JournalContent::from_journal(&journal);
    let mut expected = JournalContent::expected(&records);
    expected.lost = lost;
    expected.records.retain(|(number, _)| *number <= 40 - lost || *number > 40);
    assert_eq!(read, expected);
}

#[test]
fn a_missing_folder_is_created_again_and_locked() {
    let fixture = JournalFixture::new();
    let journal =
        Journal::create(&fixture.path().join("journals"), 1, DiskBudget::with_segment_max(1200, LARGE_BUDGET)).unwrap();
    append_all(&journal, &records(20));
    fs::remove_dir_all(fixture.path().join("journals")).unwrap();
    append_all(&journal, &records(60)[20..]);
    let read = JournalContent::from_journal(&journal);
    assert!(
        (20..30).contains(&read.lost),
        "{} lost; expected the 20 records of the removed files and those written to the removed open file",
        read.lost
    );
    assert_eq!(read.records.len() as u64 + read.lost, 60);
    assert!(
        find_leftover_journals(&fixture.path().join("journals"), |_| false).unwrap().leftovers.is_empty(),
        "the process of the journal is alive"
    );
}

#[test]
fn records_that_could_not_be_written_at_the_end_of_a_journal_are_counted_as_lost() {
    for written in [0, 3] {
        let fixture = JournalFixture::new();
        let journal = fixture.journal();
        append_all(&journal, &records(written));
        journal.mark_end();
        let folder = journal.segments.folder.clone();
        assert!(!folder.join(format!("{}.end", written + 1)).exists(), "nothing is lost yet");
        (0..5).for_each(|_| lock(&journal.writer).skip_record(&journal.segments));
        journal.mark_end();
        drop(journal);
        assert_eq!(
            JournalContent::from_folder(&folder),
            JournalContent { lost: 5, ..JournalContent::expected(&records(written)) }
        );
        remove_segments(&folder).unwrap();
        assert!(matches!(load(&folder).unwrap(), LoadedJournal::Empty));
    }
}

#[test]
fn a_record_that_cannot_be_encoded_is_counted_as_lost() {
    let fixture = JournalFixture::new();
    let journal = fixture.journal();
    append(&journal, &record(0));
    lock(&journal.writer).skip_record(&journal.segments);
    assert_eq!((state(&journal).pending, state(&journal).lost), (1, 1));
    append(&journal, &record(2));
    assert_eq!(
        JournalContent::from_journal(&journal),
        JournalContent { records: vec![(1, record(0)), (3, record(2))], lost: 1 }
    );
}

/// Environment variable of the child process whose file size is limited.
const LIMITED_ENV: &str = "TOOLGATE_TEST_FILES_ARE_LIMITED";

#[test]
fn a_partial_write_is_truncated_and_repeated() {
    if std::env::var_os(LIMITED_ENV).is_none() {
        let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" --exact \"$1\"";
        let test = "journal::tests::writing::a_partial_write_is_truncated_and_repeated";
        let program = std::env::current_exe().unwrap();
        let output =
            Command::new("sh").args(["-c", script]).arg(program).arg(test).env(LIMITED_ENV, "1").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "the test must have run");
        return;
    }
    let fixture = JournalFixture::new();
    let journal = Journal::create(fixture.path(), 1, DiskBudget::new(LARGE_BUDGET, 1)).unwrap();
    let records = records(500);
    append_all(&journal, &records);
    let list = journal.segment_list();
    // `ulimit -f 8` means 4 or 8 KiB, depending on the block size of the shell.
    assert!(list.segments.len() > 2, "the records do not fit into one file");
    for segment in &list.segments {
        let length = fs::metadata(segment.path(&journal.segments.folder)).unwrap().len();
        assert_eq!(length, segment.bytes, "no partial record is left");
    }
    assert_eq!(JournalContent::from_journal(&journal), JournalContent::expected(&records));
}
