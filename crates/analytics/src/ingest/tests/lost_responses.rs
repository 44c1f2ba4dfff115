//! Responses of the database that are lost.

use super::super::source::{IngestError, JournalSource};
use super::*;

/// A registered journal of a thousand records, some of which were dropped to stay within the disk budget.
async fn full_journal(fixture: &IngestFixture) -> Journal {
    let journal = Journal::create(&fixture.journals(), 1, SMALL_BUDGET).unwrap();
    fixture.storage.open_journal(&journal.segments.id).await.unwrap();
    for record in records(1000) {
        journal.append(&record);
    }
    journal
}

#[tokio::test]
async fn a_loss_is_counted_once_although_the_response_of_the_database_was_lost() {
    let fixture = IngestFixture::new().await;
    let journal = full_journal(&fixture).await;
    let storage = ObservedStorage::new(&fixture, BatchBehaviour::StoredButFails);
    let mut source = JournalSource::new(Arc::clone(&journal.segments));
    let lost = journal.state().lost;
    assert!(lost > 100, "only {lost} records are lost");
    assert!(source.step(&*storage, || journal.segment_list()).await.is_err());
    assert_eq!(
        fixture.storage.lost_calls().await.unwrap(),
        lost,
        "the loss is committed, but the journal has no confirmation"
    );
    source.step(&*storage, || journal.segment_list()).await.unwrap();
    assert_eq!((journal.state().lost, journal.state().pending), (0, 0));
    assert_eq!(fixture.storage.lost_calls().await.unwrap(), lost);
    assert_eq!(fixture.stored_request_ids().await.len() as u64 + lost, 1000);
}

#[tokio::test]
async fn a_database_that_does_not_respond_is_retried() {
    let fixture = IngestFixture::new().await;
    let journal = full_journal(&fixture).await;
    let pending = journal.state().pending;
    let storage = ObservedStorage::new(&fixture, BatchBehaviour::NeverReturns);
    let mut source = JournalSource::new(Arc::clone(&journal.segments));
    // This step does not reach the real database, so the clock may be paused.
    tokio::time::pause();
    let start = tokio::time::Instant::now();
    let result = timeout(Duration::from_hours(1), source.step(&*storage, || journal.segment_list())).await;
    assert!(matches!(result, Ok(Err(IngestError::Timeout(_)))), "the step times out");
    assert!(
        start.elapsed() >= Duration::from_secs(30),
        "the timeout is long enough for a slow database: {:?}",
        start.elapsed()
    );
    tokio::time::resume();
    assert_eq!(journal.state().pending, pending);
    source.step(&*storage, || journal.segment_list()).await.unwrap();
    assert_eq!(fixture.stored_request_ids().await.len() as u64, pending);
}

#[tokio::test]
async fn a_batch_that_was_too_large_for_a_slow_database_is_retried_in_parts() {
    let fixture = IngestFixture::new().await;
    let journal = Journal::create(&fixture.journals(), 1, LARGE_BUDGET).unwrap();
    fixture.storage.open_journal(&journal.segments.id).await.unwrap();
    let written = records(20_000);
    for record in &written {
        journal.append(record);
    }
    let storage = ObservedStorage::new(&fixture, BatchBehaviour::NeverReturns);
    let mut source = JournalSource::new(Arc::clone(&journal.segments));
    tokio::time::pause();
    assert!(matches!(source.step(&*storage, || journal.segment_list()).await, Err(IngestError::Timeout(_))));
    tokio::time::resume();
    assert!(source.step(&*storage, || journal.segment_list()).await.unwrap().has_more);
    assert_eq!(journal.state().pending, 4_000);
    source.step(&*storage, || journal.segment_list()).await.unwrap();
    assert_stored(&fixture.stored_request_ids().await, &written);
}
