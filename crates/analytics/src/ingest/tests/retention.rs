//! Retention of call records.

use toolgate_domain::time::DAY_MS;

use super::*;
use crate::retention::Retention;

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_deleted_after_the_retention_period() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder(1).await;
    let mut records = records(60);
    for (days, record) in records.iter_mut().enumerate() {
        record.at = Timestamp::from_millis(NOW.as_millis() - i64::try_from(days).unwrap() * DAY_MS);
    }
    record_all(&recorder, &records);
    recorder.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records);

    let retention =
        Retention { storage: Arc::<dyn Storage>::clone(&fixture.storage), clock: Arc::new(FixedClock), days: 10 };
    retention.sweep().await.unwrap();
    assert_stored(&fixture.stored_request_ids().await, &records[..=10]);
}

#[tokio::test(flavor = "multi_thread")]
async fn old_calls_are_deleted_when_recording_starts() {
    let fixture = IngestFixture::new().await;
    let old = CallRecord { at: Timestamp::from_millis(NOW.as_millis() - 40 * DAY_MS), ..record(0) };
    let recorder = fixture.recorder(1).await;
    record_all(&recorder, &[old, record(1)]);
    recorder.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records(2));

    let storage = ObservedStorage::new(&fixture, BatchBehaviour::Stored);
    let _recorder = fixture.observed_recorder(2, &storage).await;
    storage.wait_for("all deleted").await;
    assert_stored(&fixture.stored_request_ids().await, &[record(1)]);
}
