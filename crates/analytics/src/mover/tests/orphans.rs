//! Journals of processes that were killed.

use std::fs;
use std::process::Command;
use std::time::SystemTime;

use toolgate_domain::call::Captured;
use toolgate_storage::CallBatch;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_process_recorded_is_moved_by_the_next() {
    let bench = Bench::new().await;
    let id = bench.orphan(1, &records(20_000)).await;
    let recorder = bench.recorder(2).await;
    recorder.close(LONG).await;
    assert_same(&bench.calls().await, &records(20_000));
    assert_eq!(bench.folders(), [""; 0]);
    assert_eq!(bench.storage.journal_position(&id).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_killed_between_the_commit_and_the_removal_of_files_counts_nothing_twice() {
    for committed in [0, 1, 2, 5] {
        let bench = Bench::new().await;
        let id = bench.orphan(1, &records(5)).await;
        let calls = Box::new(records(committed).into_iter());
        let batch = CallBatch { journal: &id, first: 1, calls, through: committed as u64, lost: 0 };
        bench.storage.move_calls(batch).await.unwrap();
        let recorder = bench.recorder(2).await;
        recorder.close(LONG).await;
        assert_same(&bench.calls().await, &records(5));
        assert_eq!(bench.folders(), [""; 0]);
        assert_eq!(bench.storage.lost_calls().await.unwrap(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_that_comes_back_after_it_was_removed_counts_nothing_twice() {
    let bench = Bench::new().await;
    let id = bench.orphan(1, &records(5)).await;
    let (folder, copy) = (bench.journals().join(&id.0), bench.folder.path().join("copy"));
    fs::create_dir(&copy).unwrap();
    let files = ["lock", "00000001.calls"];
    for file in files {
        fs::copy(folder.join(file), copy.join(file)).unwrap();
    }
    bench.recorder(2).await.close(LONG).await;
    fs::rename(copy, folder).unwrap();
    bench.recorder(3).await.close(LONG).await;
    assert_same(&bench.calls().await, &records(5));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_journals_are_known_before_one_is_moved_and_the_oldest_is_moved_first() {
    let bench = Bench::new().await;
    // The names of journals are random.
    for (boot, hour) in [(1, 2), (2, 4), (3, 1), (4, 3)] {
        let id = bench.orphan(boot, &records(5)).await;
        let file = fs::File::options().append(true).open(bench.journals().join(&id.0).join("00000001.calls")).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_hours(hour)).unwrap();
    }
    let watched = Watched::new(&bench, Next::Silence);
    let recorder = bench.watched(5, &watched).await;
    watched.until("move 0000000000000003").await;
    let state = recorder.state();
    assert_eq!(state.pending, 20, "none is moved yet: {state:?}");
    recorder.close(Duration::ZERO).await;
    drop(recorder);

    let watched = Watched::new(&bench, Next::Taken);
    bench.watched(6, &watched).await.close(LONG).await;
    let moves = [3, 1, 4, 2].map(|boot| format!("move {boot:016}"));
    assert_eq!(watched.moves(), moves);
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_share_a_folder_leave_each_other_alone() {
    let bench = Bench::new().await;
    let (one, two) = (bench.recorder(1).await, bench.recorder(2).await);
    record_all(&one, &records(100)[..50]);
    record_all(&two, &records(100)[50..]);
    one.close(LONG).await;
    assert_eq!(bench.folders(), ["0000000000000002"]);
    two.close(LONG).await;
    assert_same(&bench.calls().await, &records(100));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_of_another_database_is_left_alone() {
    let (bench, other) = (Bench::new().await, Bench::new().await);
    let id = other.orphan(1, &records(5)).await;
    fs::create_dir(bench.journals()).unwrap();
    fs::rename(other.journals().join(&id.0), bench.journals().join(&id.0)).unwrap();
    let before = fs::read(bench.journals().join(&id.0).join("00000001.calls")).unwrap();

    let recorder = bench.recorder(2).await;
    record_all(&recorder, &records(7)[5..]);
    settle(&recorder).await;
    assert_eq!((recorder.state().pending, recorder.state().lost), (0, 0), "it is none of our affair");
    recorder.close(LONG).await;
    assert_same(&bench.calls().await, &records(7)[5..]);
    assert_eq!(bench.folders(), ["0000000000000001"]);
    assert_eq!(fs::read(bench.journals().join(&id.0).join("00000001.calls")).unwrap(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_file_is_no_segment_and_holds_up_nobody() {
    let bench = Bench::new().await;
    let strange = bench.orphan(1, &records(10)[..3]).await;
    let within = |name: &str| bench.journals().join(&strange.0).join(name);
    fs::create_dir(within("00000002.calls")).unwrap();
    fs::write(within("00000002.calls").join("file"), "x").unwrap();
    // Whoever opens it waits for a writer.
    assert!(Command::new("mkfifo").arg(within("00000003.calls")).status().unwrap().success());
    std::os::unix::fs::symlink("00000001.calls", within("00000004.calls")).unwrap();
    bench.orphan(2, &records(10)[3..5]).await;
    let recorder = bench.recorder(3).await;
    record_all(&recorder, &records(10)[5..]);
    recorder.close(LONG).await;
    assert_same(&bench.calls().await, &records(10));
    assert_eq!(bench.folders(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_folder_of_a_process_that_was_killed_at_its_start_is_removed() {
    let bench = Bench::new().await;
    bench.orphan(1, &[]).await;
    drop(Journal::create(&bench.journals(), 2, PLENTY).unwrap());
    for unnamed in [".0000000000000003", ".0000000000000004"] {
        fs::create_dir(bench.journals().join(unnamed)).unwrap();
    }
    fs::write(bench.journals().join(".0000000000000004/lock"), "").unwrap();
    bench.recorder(5).await.close(LONG).await;
    assert_eq!(bench.folders(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_whose_lock_is_gone_is_moved_and_removed() {
    let bench = Bench::new().await;
    for (boot, records) in [(1, records(5)), (2, Vec::new())] {
        let id = bench.orphan(boot, &records).await;
        fs::remove_file(bench.journals().join(&id.0).join("lock")).unwrap();
    }
    bench.recorder(3).await.close(LONG).await;
    assert_same(&bench.calls().await, &records(5));
    assert_eq!(bench.folders(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_of_a_journal_is_counted_and_the_rest_is_moved() {
    let bench = Bench::new().await;
    let captured = Some(Captured { arguments: "a".repeat(10_000), response: String::new() });
    let large: Vec<CallRecord> =
        records(500).into_iter().map(|record| CallRecord { captured: captured.clone(), ..record }).collect();
    let id = bench.orphan(1, &large).await;
    let folder = bench.journals().join(&id.0);
    let first = folder.join("00000001.calls");
    let bytes = fs::read(&first).unwrap();
    assert!(folder.join("00000002.calls").exists(), "a file is damaged that has a successor");
    fs::write(&first, &bytes[..bytes.len() - 1]).unwrap();
    let recorder = bench.recorder(2).await;
    recorder.close(LONG).await;
    assert_eq!(bench.calls().await.len(), 499);
    assert_eq!(bench.storage.lost_calls().await.unwrap(), 1);
    assert_eq!(recorder.state().lost, 0, "the database knows");
}
