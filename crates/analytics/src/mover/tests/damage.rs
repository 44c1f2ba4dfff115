//! Files that are not what they were: the own one while it is written, and those that are found.

use std::fs::{self, File};

use super::*;

/// Ways to harm the file that is being written.
const HARMS: [fn(&Path); 4] = [
    |file| fs::remove_file(file).unwrap(),
    |file| File::options().write(true).open(file).unwrap().set_len(0).unwrap(),
    |file| fs::write(file, "not what it was").unwrap(),
    |file| {
        fs::remove_file(file).unwrap();
        fs::create_dir(file).unwrap();
    },
];

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_harmed_while_it_is_written_loses_no_more_than_what_was_written_before_that_was_seen() {
    for harm in HARMS {
        let bench = Bench::new().await;
        let recorder = bench.recorder(1).await;
        record_all(&recorder, &records(5));
        settle(&recorder).await;
        harm(&bench.journals().join("0000000000000001/00000001.calls"));
        recorder.record(&record(5));
        settle(&recorder).await;
        record_all(&recorder, &records(50)[6..]);
        settle(&recorder).await;
        assert_same(&bench.calls().await, &[&records(5)[..], &records(50)[6..]].concat());
        assert_eq!((recorder.state().pending, bench.storage.lost_calls().await.unwrap()), (0, 1));
        recorder.close(LONG).await;
        assert_eq!(bench.folders(), [""; 0]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn harm_is_seen_though_the_database_is_away() {
    let mut bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    record_all(&recorder, &records(5));
    settle(&recorder).await;
    bench.storage.close().await;
    fs::remove_file(bench.journals().join("0000000000000001/00000001.calls")).unwrap();
    recorder.record(&record(5));
    // Long enough for the mover to try.
    recorder.settle().await;
    record_all(&recorder, &records(50)[6..]);
    recorder.close(Duration::ZERO).await;
    drop(recorder);

    bench.reopen().await;
    bench.recorder(2).await.close(LONG).await;
    assert_same(&bench.calls().await, &[&records(5)[..], &records(50)[6..]].concat());
    assert_eq!(bench.storage.lost_calls().await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_journals_may_be_removed_while_records_are_written() {
    let bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    record_all(&recorder, &records(5));
    settle(&recorder).await;
    fs::remove_dir_all(bench.journals()).unwrap();
    recorder.record(&record(5));
    settle(&recorder).await;
    record_all(&recorder, &records(50)[6..]);
    assert_eq!(bench.folders(), ["0000000000000001"]);
    recorder.close(LONG).await;
    assert_same(&bench.calls().await, &[&records(5)[..], &records(50)[6..]].concat());
    assert_eq!(bench.storage.lost_calls().await.unwrap(), 1);
    assert_eq!(bench.folders(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn journals_that_are_removed_and_not_needed_any_more_hold_up_no_stop() {
    let bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    record_all(&recorder, &records(5));
    settle(&recorder).await;
    fs::remove_dir_all(bench.journals()).unwrap();
    recorder.close(LONG).await;
    let position = bench.storage.journal_position(&JournalId("0000000000000001".to_owned())).await;
    assert_eq!(position.unwrap(), None, "the database has forgotten it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_found_file_that_cannot_be_read_to_its_end_is_kept_beside_the_journals() {
    // In the midst, and at the beginning.
    for readable in [4, 0] {
        let bench = Bench::new().await;
        let id = bench.orphan(1, &records(10)).await;
        let file = bench.journals().join(&id.0).join("00000001.calls");
        let mut bytes = fs::read(&file).unwrap();
        // Records are of one size, after a head of 24 bytes.
        let record = (bytes.len() - 24) / 10;
        bytes[if readable == 0 { 3 } else { 24 + readable * record }] ^= 1;
        fs::remove_file(&file).unwrap();
        fs::write(&file, &bytes).unwrap();
        bench.recorder(2).await.close(LONG).await;
        assert_same(&bench.calls().await, &records(readable));
        let kept = "0000000000000001-00000001.calls.damaged";
        assert_eq!(bench.folders(), [kept]);
        assert_eq!(fs::read(bench.journals().join(kept)).unwrap(), bytes);
    }
}
