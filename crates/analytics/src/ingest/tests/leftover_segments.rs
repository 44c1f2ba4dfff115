//! Leftover journals of processes that were killed.

use std::fs;
use std::process::Command;
use std::time::SystemTime;

use toolgate_domain::call::CapturedPayload;
use toolgate_storage::{CallBatch, CallStore};

use super::super::leftover_segments::LeftoverSegments;
use super::*;
use crate::ingest_counters::IngestCounters;

#[tokio::test(flavor = "multi_thread")]
async fn records_of_a_killed_process_are_ingested_by_the_next_one() {
    let fixture = IngestFixture::new().await;
    let id = fixture.leftover_journal(1, &records(20_000)).await;
    let recorder = fixture.recorder(2).await;
    recorder.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records(20_000));
    assert_eq!(fixture.journal_entries(), [""; 0]);
    assert_eq!(fixture.storage.journal_position(&id).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_killed_between_the_commit_and_the_removal_of_files_counts_nothing_twice() {
    for committed in [0, 1, 2, 5] {
        let fixture = IngestFixture::new().await;
        let id = fixture.leftover_journal(1, &records(5)).await;
        let calls = Box::new(records(committed).into_iter());
        let batch = CallBatch { journal: &id, first: 1, calls, through: committed as u64, lost: 0 };
        fixture.storage.ingest_calls(vec![batch]).await.unwrap();
        let recorder = fixture.recorder(2).await;
        recorder.close(TEST_TIMEOUT).await;
        assert_stored(&fixture.stored_request_ids().await, &records(5));
        assert_eq!(fixture.journal_entries(), [""; 0]);
        assert_eq!(fixture.storage.lost_calls().await.unwrap(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_a_removed_journal_that_reappears_are_not_counted_twice() {
    let fixture = IngestFixture::new().await;
    let id = fixture.leftover_journal(1, &records(5)).await;
    let (folder, copy) = (fixture.journals().join(&id.0), fixture.folder.path().join("copy"));
    fs::create_dir(&copy).unwrap();
    let files = ["lock", "00000001.calls"];
    for file in files {
        fs::copy(folder.join(file), copy.join(file)).unwrap();
    }
    fixture.recorder(2).await.close(TEST_TIMEOUT).await;
    fs::rename(copy, folder).unwrap();
    fixture.recorder(3).await.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records(5));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_journals_are_loaded_before_ingest_and_the_oldest_is_ingested_first() {
    let fixture = IngestFixture::new().await;
    // Journal names are random, so the order must not depend on them.
    for (journal_number, hour) in [(1, 2), (2, 4), (3, 1), (4, 3)] {
        let id = fixture.leftover_journal(journal_number, &records(5)).await;
        let file =
            fs::File::options().append(true).open(fixture.journals().join(&id.0).join("00000001.calls")).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_hours(hour)).unwrap();
    }
    let storage = ObservedStorage::new(&fixture, BatchBehaviour::NeverReturns);
    let recorder = fixture.observed_recorder(5, &storage).await;
    storage.wait_for("ingest 0000000000000003").await;
    let state = recorder.state();
    assert_eq!(state.pending, 20, "all records are still pending: {state:?}");
    recorder.close(Duration::ZERO).await;
    drop(recorder);

    let storage = ObservedStorage::new(&fixture, BatchBehaviour::Stored);
    fixture.observed_recorder(6, &storage).await.close(TEST_TIMEOUT).await;
    let expected = [3, 1, 4, 2].map(|journal_number| format!("ingest {journal_number:016}"));
    assert_eq!(storage.ingest_operations(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_share_a_folder_do_not_interfere() {
    let fixture = IngestFixture::new().await;
    let (one, two) = (fixture.recorder(1).await, fixture.recorder(2).await);
    record_all(&one, &records(100)[..50]);
    record_all(&two, &records(100)[50..]);
    one.close(TEST_TIMEOUT).await;
    assert_eq!(fixture.journal_entries(), ["0000000000000002"]);
    two.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records(100));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_of_another_database_is_not_changed() {
    let (fixture, other) = (IngestFixture::new().await, IngestFixture::new().await);
    let id = other.leftover_journal(1, &records(5)).await;
    fs::create_dir(fixture.journals()).unwrap();
    fs::rename(other.journals().join(&id.0), fixture.journals().join(&id.0)).unwrap();
    let original = fs::read(fixture.journals().join(&id.0).join("00000001.calls")).unwrap();

    let recorder = fixture.recorder(2).await;
    record_all(&recorder, &records(7)[5..]);
    flush_all(&recorder).await;
    assert_eq!(
        (recorder.state().pending, recorder.state().lost),
        (0, 0),
        "the journal of another database does not count"
    );
    recorder.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records(7)[5..]);
    assert_eq!(fixture.journal_entries(), ["0000000000000001"]);
    assert_eq!(fs::read(fixture.journals().join(&id.0).join("00000001.calls")).unwrap(), original);
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_that_are_not_regular_files_are_ignored() {
    let fixture = IngestFixture::new().await;
    let id = fixture.leftover_journal(1, &records(10)[..3]).await;
    let path_of = |name: &str| fixture.journals().join(&id.0).join(name);
    fs::create_dir(path_of("00000002.calls")).unwrap();
    fs::write(path_of("00000002.calls").join("file"), "x").unwrap();
    // Opening a named pipe blocks until it has a writer.
    assert!(Command::new("mkfifo").arg(path_of("00000003.calls")).status().unwrap().success());
    std::os::unix::fs::symlink("00000001.calls", path_of("00000004.calls")).unwrap();
    fixture.leftover_journal(2, &records(10)[3..5]).await;
    let recorder = fixture.recorder(3).await;
    record_all(&recorder, &records(10)[5..]);
    recorder.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records(10));
    assert_eq!(fixture.journal_entries(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_folder_of_a_process_that_was_killed_at_its_start_is_removed() {
    let fixture = IngestFixture::new().await;
    fixture.leftover_journal(1, &[]).await;
    drop(OwnJournals::create(&fixture.journals(), 2, 1, LARGE_BUDGET).unwrap());
    for temporary in [".0000000000000003", ".0000000000000004"] {
        fs::create_dir(fixture.journals().join(temporary)).unwrap();
    }
    fs::write(fixture.journals().join(".0000000000000004/lock"), "").unwrap();
    fixture.recorder(5).await.close(TEST_TIMEOUT).await;
    assert_eq!(fixture.journal_entries(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_without_a_lock_file_is_ingested_and_removed() {
    let fixture = IngestFixture::new().await;
    for (journal_number, records) in [(1, records(5)), (2, Vec::new())] {
        let id = fixture.leftover_journal(journal_number, &records).await;
        fs::remove_file(fixture.journals().join(&id.0).join("lock")).unwrap();
    }
    fixture.recorder(3).await.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records(5));
    assert_eq!(fixture.journal_entries(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_that_cannot_be_accessed_is_a_failure_and_is_ingested_later() {
    let fixture = IngestFixture::new().await;
    let id = fixture.leftover_journal(1, &records(5)).await;
    let lock = fixture.journals().join(&id.0).join("lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    let recorder = fixture.recorder(2).await;
    flush_all(&recorder).await;
    assert_eq!(recorder.stats().ingest_failures, 1);
    recorder.close(TEST_TIMEOUT).await;
    assert_eq!(fixture.stored_request_ids().await.len(), 0);
    fs::remove_dir(&lock).unwrap();
    fixture.recorder(3).await.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records(5));
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_records_are_counted_as_lost_and_the_rest_is_ingested() {
    let fixture = IngestFixture::new().await;
    let captured = Some(CapturedPayload { arguments: "a".repeat(10_000), response: String::new() });
    let large: Vec<CallRecord> =
        records(500).into_iter().map(|record| CallRecord { captured: captured.clone(), ..record }).collect();
    let id = fixture.leftover_journal(1, &large).await;
    let folder = fixture.journals().join(&id.0);
    let first = folder.join("00000001.calls");
    let bytes = fs::read(&first).unwrap();
    assert!(folder.join("00000002.calls").exists(), "the damaged file has a successor");
    fs::write(&first, &bytes[..bytes.len() - 1]).unwrap();
    let recorder = fixture.recorder(2).await;
    recorder.close(TEST_TIMEOUT).await;
    assert_eq!(fixture.stored_request_ids().await.len(), 499);
    assert_eq!(fixture.storage.lost_calls().await.unwrap(), 1);
    assert_eq!(recorder.state().lost, 0, "the loss is counted in the database");
}

#[tokio::test]
async fn the_records_of_a_dropped_file_are_counted_once() {
    let fixture = IngestFixture::new().await;
    let id = fixture.leftover_journal(1, &records(50)).await;
    let file = fs::File::options().append(true).open(fixture.journals().join(&id.0).join("00000001.calls")).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let journals = fixture.registered_journal(2, SMALL_BUDGET).await;
    let storage: Arc<dyn CallStore> = Arc::<dyn Storage>::clone(&fixture.storage);
    let counters = Arc::new(IngestCounters::new(Arc::new(FixedClock)));
    let mut leftovers = LeftoverSegments::new(fixture.journals(), journals.ids(), counters);
    assert!(leftovers.step(&storage, &journals.disk_budget).await, "the journal is loaded");
    while journals.stats().lost == 0 {
        journals.append(&record(50));
    }
    while leftovers.step(&storage, &journals.disk_budget).await {}
    assert_eq!((journals.stats().lost, fixture.storage.lost_calls().await.unwrap()), (50, 50));
}
