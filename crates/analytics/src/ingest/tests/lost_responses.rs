//! Responses of the database that are lost.

use super::super::source::{IngestError, JournalGroup};
use super::*;

/// A registered journal of a thousand records, some of which were dropped to stay within the disk budget.
async fn full_journal(fixture: &IngestFixture) -> OwnJournals {
    let journal = fixture.registered_journal(1, SMALL_BUDGET).await;
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
    let mut group = JournalGroup::new(journal.segments().cloned());
    let lost = journal.stats().state.lost;
    assert!(lost > 100, "only {lost} records are lost");
    assert!(group.step(&*storage, || journal.segment_lists()).await.is_err());
    assert_eq!(
        fixture.storage.lost_calls().await.unwrap(),
        lost,
        "the loss is committed, but the journal has no confirmation"
    );
    group.step(&*storage, || journal.segment_lists()).await.unwrap();
    assert_eq!((journal.stats().state.lost, journal.stats().state.pending), (0, 0));
    assert_eq!(fixture.storage.lost_calls().await.unwrap(), lost);
    assert_eq!(fixture.stored_request_ids().await.len() as u64 + lost, 1000);
}

#[tokio::test]
async fn a_database_that_does_not_respond_is_retried() {
    let fixture = IngestFixture::new().await;
    let journal = full_journal(&fixture).await;
    let pending = journal.stats().state.pending;
    let storage = ObservedStorage::new(&fixture, BatchBehaviour::NeverReturns);
    let mut group = JournalGroup::new(journal.segments().cloned());
    // This step does not reach the real database, so the clock may be paused.
    tokio::time::pause();
    let start = tokio::time::Instant::now();
    let result = timeout(Duration::from_hours(1), group.step(&*storage, || journal.segment_lists())).await;
    assert!(matches!(result, Ok(Err(IngestError::Timeout(_)))), "the step times out");
    assert!(
        start.elapsed() >= Duration::from_secs(30),
        "the timeout is long enough for a slow database: {:?}",
        start.elapsed()
    );
    tokio::time::resume();
    assert_eq!(journal.stats().state.pending, pending);
    group.step(&*storage, || journal.segment_lists()).await.unwrap();
    assert_eq!(fixture.stored_request_ids().await.len() as u64, pending);
}

#[tokio::test]
async fn a_batch_that_was_too_large_for_a_slow_database_is_retried_in_parts() {
    let fixture = IngestFixture::new().await;
    let journal = fixture.registered_journal(1, LARGE_BUDGET).await;
    let written = records(20_000);
    for record in &written {
        journal.append(record);
    }
    let storage = ObservedStorage::new(&fixture, BatchBehaviour::NeverReturns);
    let mut group = JournalGroup::new(journal.segments().cloned());
    tokio::time::pause();
    assert!(matches!(group.step(&*storage, || journal.segment_lists()).await, Err(IngestError::Timeout(_))));
    tokio::time::resume();
    assert!(group.step(&*storage, || journal.segment_lists()).await.unwrap().has_more);
    assert_eq!(journal.stats().state.pending, 4_000);
    group.step(&*storage, || journal.segment_lists()).await.unwrap();
    assert_stored(&fixture.stored_request_ids().await, &written);
}
