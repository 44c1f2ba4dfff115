//! Stopping with and without a database, and starts that fail.

use tokio::time::Instant;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn closing_ingests_the_rest_and_removes_the_journal() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    record_all(&recorder, &records(20_000));
    assert_eq!(fixture.journal_entries(), ["0000000000000001"]);
    recorder.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records(20_000));
    assert_eq!(fixture.journal_entries(), [""; 0]);
    let position = fixture.storage.journal_position(&JournalId("0000000000000001".to_owned())).await;
    assert_eq!(position.unwrap(), None, "the journal is no longer registered");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_database_records_stay_in_the_journal_for_the_next_start() {
    let mut fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    record_all(&recorder, &records(10));
    flush_all(&recorder).await;
    fixture.storage.close().await;
    record_all(&recorder, &records(30)[10..]);
    let start = Instant::now();
    timeout(TEST_TIMEOUT, recorder.flush()).await.expect("a flush has a timeout");
    assert!(start.elapsed() >= Duration::from_millis(400), "the flush waits for the database");
    assert_eq!((recorder.state().pending, recorder.state().lost), (20, 0));
    recorder.close(Duration::from_millis(300)).await;
    assert_eq!(fixture.journal_entries(), ["0000000000000001"]);
    drop(recorder);

    fixture.reopen().await;
    let recorder = fixture.recorder(2).await;
    flush_all(&recorder).await;
    assert_stored(&fixture.stored_request_ids().await, &records(30));
    assert_eq!(fixture.journal_entries(), ["0000000000000002"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn records_dropped_by_a_full_journal_are_counted_as_lost_in_the_database() {
    let mut fixture = IngestFixture::new().await;
    let recorder = Recorder::open(fixture.config(1, SMALL_BUDGET)).await.unwrap();
    fixture.storage.close().await;
    record_all(&recorder, &records(1000));
    let state = recorder.state();
    assert!(state.lost > 100 && state.pending > 100 && state.journal_bytes <= SMALL_BUDGET, "{state:?}");
    assert_eq!(state.lost + state.pending, 1000);
    recorder.close(Duration::ZERO).await;
    drop(recorder);

    fixture.reopen().await;
    let recorder = Recorder::open(fixture.config(2, SMALL_BUDGET)).await.unwrap();
    flush_all(&recorder).await;
    let expected = &records(1000)[usize::try_from(state.lost).unwrap()..];
    assert_stored(&fixture.stored_request_ids().await, expected);
    assert_eq!(fixture.storage.lost_calls().await.unwrap(), state.lost);
    assert_eq!((recorder.state().lost, recorder.state().pending), (0, 0), "the losses are counted in the database");
}

#[tokio::test(flavor = "multi_thread")]
async fn unwritten_records_are_counted_as_lost_although_the_database_is_unreachable_at_the_stop() {
    let mut fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    fixture.storage.close().await;
    let (folder, away) = (fixture.journals().join("0000000000000001"), fixture.folder.path().join("away"));
    std::fs::rename(&folder, &away).unwrap();
    std::fs::write(&folder, "in the way").unwrap();
    record_all(&recorder, &records(5));
    assert_eq!((recorder.state().pending, recorder.state().lost), (0, 5));
    std::fs::remove_file(&folder).unwrap();
    std::fs::rename(&away, &folder).unwrap();
    recorder.close(Duration::ZERO).await;
    drop(recorder);

    fixture.reopen().await;
    fixture.recorder(2).await.close(TEST_TIMEOUT).await;
    assert_eq!(fixture.storage.lost_calls().await.unwrap(), 5);
    assert_eq!(fixture.journal_entries(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_error_for_an_unwritable_folder_names_it() {
    let fixture = IngestFixture::new().await;
    std::fs::write(fixture.journals(), "a file").unwrap();
    let error = Recorder::open(fixture.config(1, LARGE_BUDGET)).await.unwrap_err();
    assert!(matches!(&error, RecorderOpenError::Folder { folder, .. } if *folder == fixture.journals()), "{error:?}");
    assert!(error.to_string().contains(&fixture.journals().display().to_string()), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_with_a_failing_database_leaves_no_folder_behind() {
    let fixture = IngestFixture::new().await;
    fixture.storage.close().await;
    let error = Recorder::open(fixture.config(1, LARGE_BUDGET)).await.unwrap_err();
    assert!(matches!(error, RecorderOpenError::Storage(_)), "{error:?}");
    assert!(!fixture.journals().exists() || fixture.journal_entries().is_empty());
}
