//! From the record of a call to its row.

use std::thread;

use super::*;
use crate::event::Event;
use toolgate_domain::call::{Captured, FailureReason};

#[tokio::test(flavor = "multi_thread")]
async fn what_was_recorded_is_in_the_database_once_it_is_settled() {
    let bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    let failed = CallRecord { failure: Some(FailureReason::Timeout), upstream_status: None, ..record(0) };
    recorder.record(&failed);
    settle(&recorder).await;
    assert_eq!((recorder.state().pending, recorder.state().lost), (0, 0));
    let page = bench.storage.calls(&all_calls()).await.unwrap();
    assert_eq!(page.calls.into_iter().map(|call| call.record).collect::<Vec<_>>(), [failed]);
}

#[tokio::test(flavor = "multi_thread")]
async fn settling_is_done_at_once_when_there_is_nothing_to_wait_for() {
    let bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    recorder.record(&record(0));
    settle(&recorder).await;
    timeout(Duration::ZERO, recorder.settle()).await.expect("it must not wait even once");
    timeout(Duration::ZERO, Recorder::off().settle()).await.expect("nor where nothing is kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn records_arrive_without_anybody_waiting_for_them() {
    let bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    record_all(&recorder, &records(10));
    let mut progress = recorder.progress().unwrap();
    timeout(LONG, progress.wait_for(|progress| progress.moved == 10)).await.unwrap().unwrap();
    assert_same(&bench.calls().await, &records(10));
}

#[tokio::test(flavor = "multi_thread")]
async fn records_of_many_threads_all_arrive() {
    let bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    let records = records(20_000);
    thread::scope(|scope| {
        for chunk in records.chunks(2500) {
            let recorder = &recorder;
            scope.spawn(move || record_all(recorder, chunk));
        }
    });
    recorder.close(LONG).await;
    assert_same(&bench.calls().await, &records);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_jumps_back_loses_nothing() {
    let bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    let mut records = records(300);
    for (index, record) in records.iter_mut().enumerate() {
        let back = i64::try_from(index % 7).unwrap() * 3_600_000;
        record.at = Timestamp::from_millis(NOW.as_millis() - back);
        recorder.record(record);
        if index % 100 == 99 {
            settle(&recorder).await;
        }
    }
    recorder.close(LONG).await;
    assert_same(&bench.calls().await, &records);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_forgot_the_journal_gets_to_know_it_again() {
    let bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    record_all(&recorder, &records(5));
    settle(&recorder).await;
    bench.storage.close_journal(&JournalId("0000000000000001".to_owned())).await.unwrap();
    record_all(&recorder, &records(8)[5..]);
    let mut progress = recorder.progress().unwrap();
    timeout(LONG, progress.wait_for(|progress| progress.moved == 8)).await.unwrap().unwrap();
    assert_same(&bench.calls().await, &records(8));
    assert_eq!(recorder.state().lost, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_watches_hears_of_each_call() {
    let bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    let mut watching = recorder.watch();
    let captured = Some(Captured { arguments: "{}".to_owned(), response: "large".repeat(1000) });
    for captured in [None, captured] {
        recorder.record(&CallRecord { captured: captured.clone(), ..record(3) });
        let event = watching.recv().await.unwrap();
        let Event::Call { record: call, is_captured } = &*event else { panic!("{event:?}") };
        assert_eq!((call, *is_captured), (&record(3), captured.is_some()), "never what was captured itself");
    }
}
