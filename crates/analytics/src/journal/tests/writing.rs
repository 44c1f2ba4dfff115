//! Writing, and reading what was written.

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
        let bench = Bench::new();
        let journal = Journal::create_with(bench.path(), 1, PLENTY, segment_max).unwrap();
        append_all(&journal, &records);
        prop_assert_eq!(&Read::live(&journal), &Read::of(&records));
        let folder = journal.segments().folder().to_owned();
        drop(journal);
        prop_assert_eq!(&Read::orphan(&folder), &Read::of(&records));
    }
}

#[test]
fn a_batch_goes_on_where_the_last_one_ended_while_records_are_written() {
    let bench = Bench::new();
    let journal = bench.journal();
    let records = records(100);
    let (mut moved, mut cursor, mut calls) = (0, None, Vec::new());
    for chunk in records.chunks(7) {
        append_all(&journal, chunk);
        let batch = read(journal.segments().folder(), &journal.contents(), moved, cursor).unwrap().unwrap();
        (moved, cursor) = (batch.through, batch.cursor);
        calls.extend(batch.calls());
        journal.segments().advance(moved);
    }
    assert_eq!(calls, records);
    assert_eq!(fs::read_dir(journal.segments().folder()).unwrap().count(), 2, "the lock and the file at hand are left");
}

#[test]
fn a_batch_has_at_most_sixteen_thousand_records() {
    let bench = Bench::new();
    let journal = Journal::create(bench.path(), 1, PLENTY).unwrap();
    append_all(&journal, &records(16_001));
    let batch = read(journal.segments().folder(), &journal.contents(), 0, None).unwrap().unwrap();
    assert_eq!((batch.first, batch.calls().len(), batch.through), (1, 16_000, 16_000));
}

#[test]
fn a_batch_has_at_most_four_thousand_kinds_of_records() {
    let bench = Bench::new();
    let journal = Journal::create(bench.path(), 1, PLENTY).unwrap();
    let mut records = records(5000);
    for (tool, record) in (1..).zip(&mut records) {
        record.tool_id = ToolId(tool);
    }
    append_all(&journal, &records);
    let batch = read(journal.segments().folder(), &journal.contents(), 0, None).unwrap().unwrap();
    assert_eq!((batch.first, batch.calls().len(), batch.through), (1, 4000, 4000));
}

#[test]
fn records_of_many_threads_are_all_there_and_none_is_there_twice() {
    let bench = Bench::new();
    let journal = bench.journal();
    let records = records(4000);
    thread::scope(|scope| {
        for chunk in records.chunks(500) {
            scope.spawn(|| append_all(&journal, chunk));
        }
    });
    let mut read = Read::live(&journal).records;
    assert_eq!(read.last().map(|(number, _)| *number), Some(4000));
    read.sort_by_key(|(_, record)| record.at);
    assert!(read.into_iter().map(|(_, record)| record).eq(records));
}

#[test]
fn folders_and_files_are_for_their_owner_only() {
    let bench = Bench::new();
    let journal = Journal::create(&bench.path().join("journals"), 0xabc, PLENTY).unwrap();
    journal.append(&record(0));
    let mode =
        |path: &str| fs::metadata(bench.path().join("journals").join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(""), 0o700);
    assert_eq!(mode("0000000000000abc"), 0o700);
    assert_eq!(mode("0000000000000abc/lock"), 0o600);
    assert_eq!(mode("0000000000000abc/00000001.calls"), 0o600);
}

#[test]
fn a_journal_is_an_orphan_once_its_process_has_ended() {
    let bench = Bench::new();
    let found = || orphans(bench.path(), |_| false).unwrap();
    let journal = bench.journal();
    fs::create_dir(bench.path().join("something else")).unwrap();
    assert!(found().is_empty(), "its process lives");
    drop(journal);
    let first = found();
    assert_eq!(first.iter().map(|orphan| &*orphan.id.0).collect::<Vec<_>>(), ["0000000000000001"]);
    assert!(found().is_empty(), "somebody has it");
    drop(first);
    assert!(orphans(bench.path(), |name| name == "0000000000000001").unwrap().is_empty(), "it is known");
}

#[test]
fn a_folder_that_is_taken_for_an_orphan_while_it_is_made_is_made_again() {
    for _ in 0..50 {
        let bench = Bench::new();
        let unnamed = bench.path().join(".0000000000000001");
        fs::create_dir(&unnamed).unwrap();
        let lock = File::create(unnamed.join("lock")).unwrap();
        lock.lock().unwrap();
        assert!(orphans(bench.path(), |_| false).unwrap().is_empty());
        assert!(unnamed.exists(), "its process lives");
        thread::scope(|scope| {
            let made = scope.spawn(|| bench.journal().append(&record(0)));
            thread::yield_now();
            remove(&unnamed).unwrap();
            drop(lock);
            made.join().unwrap();
        });
        assert_eq!(Read::orphan(&bench.path().join("0000000000000001")), Read::of(&records(1)));
    }
}

#[test]
fn a_disk_that_fails_loses_what_is_recorded_meanwhile_and_no_more() {
    let bench = Bench::new();
    let journal = bench.journal();
    let (folder, away) = (journal.segments().folder().to_owned(), bench.path().join("away"));
    let records = records(60);
    append_all(&journal, &records[..20]);
    fs::rename(&folder, &away).unwrap();
    fs::write(&folder, "in the way").unwrap();
    append_all(&journal, &records[20..40]);
    let lost = journal.state().lost;
    assert!((1..20).contains(&lost), "{lost} lost: there was room left in the open file, but no new one could be made");
    fs::remove_file(&folder).unwrap();
    fs::rename(&away, &folder).unwrap();
    append_all(&journal, &records[40..]);

    let read = Read::live(&journal);
    let mut expected = Read::of(&records);
    expected.lost = lost;
    expected.records.retain(|(number, _)| *number <= 40 - lost || *number > 40);
    assert_eq!(read, expected);
}

#[test]
fn a_folder_that_is_gone_is_made_again_and_locked() {
    let bench = Bench::new();
    let journal = Journal::create_with(&bench.path().join("journals"), 1, PLENTY, 1200).unwrap();
    append_all(&journal, &records(20));
    fs::remove_dir_all(bench.path().join("journals")).unwrap();
    append_all(&journal, &records(60)[20..]);
    let read = Read::live(&journal);
    assert!((20..30).contains(&read.lost), "what was written before, and to the file at hand: {}", read.lost);
    assert_eq!(read.records.len() as u64 + read.lost, 60);
    assert!(orphans(&bench.path().join("journals"), |_| false).unwrap().is_empty(), "its process lives");
}

#[test]
fn whoever_finds_a_journal_hears_of_records_that_could_not_be_written_at_its_end() {
    for written in [0, 3] {
        let bench = Bench::new();
        let journal = bench.journal();
        append_all(&journal, &records(written));
        journal.mark_end();
        let folder = journal.segments().folder().to_owned();
        assert!(!folder.join(format!("{}.end", written + 1)).exists(), "there is nothing to tell");
        (0..5).for_each(|_| journal.writer().skip(journal.segments()));
        journal.mark_end();
        drop(journal);
        assert_eq!(Read::orphan(&folder), Read { lost: 5, ..Read::of(&records(written)) });
        remove_segments(&folder).unwrap();
        assert!(matches!(load(&folder).unwrap(), Loaded::Empty));
    }
}

#[test]
fn a_record_of_which_nothing_can_be_written_is_counted() {
    let bench = Bench::new();
    let journal = bench.journal();
    journal.append(&record(0));
    journal.writer().skip(journal.segments());
    assert_eq!((journal.state().pending, journal.state().lost), (1, 1));
    journal.append(&record(2));
    assert_eq!(Read::live(&journal), Read { records: vec![(1, record(0)), (3, record(2))], lost: 1 });
}

/// Set in the process that may write small files only.
const LIMITED: &str = "TOOLGATE_TEST_FILES_ARE_LIMITED";

#[test]
fn a_write_that_breaks_off_half_way_is_cut_back_and_made_up_for() {
    if std::env::var_os(LIMITED).is_none() {
        let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" --exact \"$1\"";
        let test = "journal::tests::writing::a_write_that_breaks_off_half_way_is_cut_back_and_made_up_for";
        let program = std::env::current_exe().unwrap();
        let output = Command::new("sh").args(["-c", script]).arg(program).arg(test).env(LIMITED, "1").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "the test must have run");
        return;
    }
    let bench = Bench::new();
    let journal = Journal::create(bench.path(), 1, PLENTY).unwrap();
    let records = records(500);
    append_all(&journal, &records);
    let contents = journal.contents();
    assert!(contents.segments.len() > 2, "files of 4 or 8 KiB cannot hold all");
    for segment in &contents.segments {
        let length = fs::metadata(segment.path(journal.segments().folder())).unwrap().len();
        assert_eq!(length, segment.bytes, "no half record is left");
    }
    assert_eq!(Read::live(&journal), Read::of(&records));
}

#[test]
fn a_journal_is_sealed_only_when_all_of_it_has_been_moved() {
    let bench = Bench::new();
    let journal = bench.journal();
    journal.append(&record(0));
    assert!(!journal.seal());
    journal.append(&record(1));
    journal.segments().advance(2);
    assert!(journal.seal());
    journal.append(&record(2));
    assert_eq!((journal.state().pending, journal.state().lost), (0, 1), "too late");
}
