//! From a call record to its row in the database.

use std::thread;

use super::*;
use crate::event::ActivityEvent;
use toolgate_domain::call::{CapturedPayload, FailureReason};
use toolgate_domain::time::HOUR_MS;

#[tokio::test(flavor = "multi_thread")]
async fn recorded_calls_are_in_the_database_after_a_flush() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    let failed = CallRecord { failure: Some(FailureReason::Timeout), upstream_status: None, ..record(0) };
    recorder.record(&failed);
    flush_all(&recorder).await;
    assert_eq!((recorder.state().pending, recorder.state().lost), (0, 0));
    let page = fixture.storage.calls(&all_calls()).await.unwrap();
    assert_eq!(page.calls.into_iter().map(|call| call.record).collect::<Vec<_>>(), [failed]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flush_returns_immediately_when_nothing_is_pending() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    recorder.record(&record(0));
    flush_all(&recorder).await;
    timeout(Duration::ZERO, recorder.flush()).await.expect("the flush must not wait");
    timeout(Duration::ZERO, Recorder::disabled().flush())
        .await
        .expect("the flush of a disabled recorder must not wait");
}

#[tokio::test(flavor = "multi_thread")]
async fn records_are_ingested_without_a_flush() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    record_all(&recorder, &records(10));
    let mut progress = recorder.progress().unwrap();
    timeout(TEST_TIMEOUT, progress.wait_for(|progress| progress.ingested == [10])).await.unwrap().unwrap();
    assert_stored(&fixture.stored_request_ids().await, &records(10));
}

#[tokio::test(flavor = "multi_thread")]
async fn records_of_many_threads_are_all_ingested() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    let records = records(20_000);
    thread::scope(|scope| {
        for chunk in records.chunks(2500) {
            let recorder = &recorder;
            scope.spawn(move || record_all(recorder, chunk));
        }
    });
    recorder.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_record_is_lost_when_the_clock_jumps_back() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    let mut records = records(300);
    for (index, record) in records.iter_mut().enumerate() {
        let back_ms = i64::try_from(index % 7).unwrap() * HOUR_MS;
        record.at = Timestamp::from_millis(NOW.as_millis() - back_ms);
        recorder.record(record);
        if index % 100 == 99 {
            flush_all(&recorder).await;
        }
    }
    recorder.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_that_is_missing_in_the_database_is_registered_again() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    record_all(&recorder, &records(5));
    flush_all(&recorder).await;
    fixture.storage.close_journal(&JournalId("0000000000000001".to_owned())).await.unwrap();
    record_all(&recorder, &records(8)[5..]);
    let mut progress = recorder.progress().unwrap();
    timeout(TEST_TIMEOUT, progress.wait_for(|progress| progress.ingested == [8])).await.unwrap().unwrap();
    assert_stored(&fixture.stored_request_ids().await, &records(8));
    assert_eq!(recorder.state().lost, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn subscribers_receive_every_call() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    let mut events = recorder.subscribe();
    let captured = Some(CapturedPayload { arguments: "{}".to_owned(), response: "large".repeat(1000) });
    for captured in [None, captured] {
        recorder.record(&CallRecord { captured: captured.clone(), ..record(3) });
        let event = events.recv().await.unwrap();
        let ActivityEvent::Call { record: call, is_captured } = &*event else { panic!("{event:?}") };
        assert_eq!((call, *is_captured), (&record(3), captured.is_some()), "the event has no captured payload");
    }
}
