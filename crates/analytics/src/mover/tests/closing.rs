//! Stopping, with and without a database; and beginning where that is not possible.

use tokio::time::Instant;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn closing_moves_what_is_left_and_removes_the_journal() {
    let bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    record_all(&recorder, &records(20_000));
    assert_eq!(bench.folders(), ["0000000000000001"]);
    recorder.close(LONG).await;
    assert_same(&bench.calls().await, &records(20_000));
    assert_eq!(bench.folders(), [""; 0]);
    let position = bench.storage.journal_position(&JournalId("0000000000000001".to_owned())).await;
    assert_eq!(position.unwrap(), None, "the database has forgotten it too");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_database_records_wait_in_the_journal_for_the_next_start() {
    let mut bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    record_all(&recorder, &records(10));
    settle(&recorder).await;
    bench.storage.close().await;
    record_all(&recorder, &records(30)[10..]);
    let begun = Instant::now();
    timeout(LONG, recorder.settle()).await.expect("a report does not wait for long");
    assert!(begun.elapsed() >= Duration::from_millis(400), "but a little");
    assert_eq!((recorder.state().pending, recorder.state().lost), (20, 0));
    recorder.close(Duration::from_millis(300)).await;
    assert_eq!(bench.folders(), ["0000000000000001"]);
    drop(recorder);

    bench.reopen().await;
    let recorder = bench.recorder(2).await;
    settle(&recorder).await;
    assert_same(&bench.calls().await, &records(30));
    assert_eq!(bench.folders(), ["0000000000000002"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_full_journal_drops_is_counted_in_the_database() {
    let mut bench = Bench::new().await;
    let recorder = Recorder::open(bench.config(1, 20_000)).await.unwrap();
    bench.storage.close().await;
    record_all(&recorder, &records(1000));
    let state = recorder.state();
    assert!(state.lost > 100 && state.pending > 100 && state.journal_bytes <= 20_000, "{state:?}");
    assert_eq!(state.lost + state.pending, 1000);
    recorder.close(Duration::ZERO).await;
    drop(recorder);

    bench.reopen().await;
    let recorder = Recorder::open(bench.config(2, 20_000)).await.unwrap();
    settle(&recorder).await;
    let kept = &records(1000)[usize::try_from(state.lost).unwrap()..];
    assert_same(&bench.calls().await, kept);
    assert_eq!(bench.storage.lost_calls().await.unwrap(), state.lost);
    assert_eq!((recorder.state().lost, recorder.state().pending), (0, 0), "the database knows");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_could_not_be_written_is_counted_though_the_database_is_away_at_the_stop() {
    let mut bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    bench.storage.close().await;
    let (folder, away) = (bench.journals().join("0000000000000001"), bench.folder.path().join("away"));
    std::fs::rename(&folder, &away).unwrap();
    std::fs::write(&folder, "in the way").unwrap();
    record_all(&recorder, &records(5));
    assert_eq!((recorder.state().pending, recorder.state().lost), (0, 5));
    std::fs::remove_file(&folder).unwrap();
    std::fs::rename(&away, &folder).unwrap();
    recorder.close(Duration::ZERO).await;
    drop(recorder);

    bench.reopen().await;
    bench.recorder(2).await.close(LONG).await;
    assert_eq!(bench.storage.lost_calls().await.unwrap(), 5);
    assert_eq!(bench.folders(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_cannot_be_written_is_named() {
    let bench = Bench::new().await;
    std::fs::write(bench.journals(), "a file").unwrap();
    let refused = Recorder::open(bench.config(1, PLENTY)).await.unwrap_err();
    assert!(matches!(&refused, OpenError::Folder { folder, .. } if *folder == bench.journals()), "{refused:?}");
    assert!(refused.to_string().contains(&bench.journals().display().to_string()), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_refuses_leaves_no_folder_behind() {
    let bench = Bench::new().await;
    bench.storage.close().await;
    let refused = Recorder::open(bench.config(1, PLENTY)).await.unwrap_err();
    assert!(matches!(refused, OpenError::Storage(_)), "{refused:?}");
    assert!(!bench.journals().exists() || bench.folders().is_empty());
}
