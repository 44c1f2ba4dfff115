//! How long single calls are kept.

use super::*;
use crate::retention::Retention;

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_forgotten_once_they_are_older_than_the_settings_say() {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let bench = Bench::new().await;
    let recorder = bench.recorder(1).await;
    let mut records = records(60);
    for (days, record) in records.iter_mut().enumerate() {
        record.at = Timestamp::from_millis(NOW.as_millis() - i64::try_from(days).unwrap() * DAY);
    }
    record_all(&recorder, &records);
    recorder.close(LONG).await;
    assert_same(&bench.calls().await, &records);

    let retention =
        Retention { storage: Arc::<dyn Storage>::clone(&bench.storage), clock: Arc::new(Stopped), days: 10 };
    retention.sweep().await.unwrap();
    assert_same(&bench.calls().await, &records[..=10]);
}

#[tokio::test(flavor = "multi_thread")]
async fn old_calls_are_looked_for_when_recording_begins() {
    let bench = Bench::new().await;
    let old = CallRecord { at: Timestamp::from_millis(NOW.as_millis() - 40 * 24 * 60 * 60 * 1000), ..record(0) };
    let recorder = bench.recorder(1).await;
    record_all(&recorder, &[old, record(1)]);
    recorder.close(LONG).await;
    assert_same(&bench.calls().await, &records(2));

    let watched = Watched::new(&bench, Next::Taken);
    let _recorder = bench.watched(2, &watched).await;
    watched.until("all forgotten").await;
    assert_same(&bench.calls().await, &[record(1)]);
}
