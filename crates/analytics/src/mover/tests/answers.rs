//! Answers of the database that do not come.

use super::super::source::{MoveError, Source};
use super::*;

/// A journal that the database knows, in which there was room for some of a thousand records only.
async fn full_journal(bench: &Bench) -> Journal {
    let journal = Journal::create(&bench.journals(), 1, 20_000).unwrap();
    bench.storage.open_journal(journal.segments().id()).await.unwrap();
    for record in records(1000) {
        journal.append(&record);
    }
    journal
}

#[tokio::test]
async fn a_loss_counts_once_although_the_answer_was_lost() {
    let bench = Bench::new().await;
    let journal = full_journal(&bench).await;
    let watched = Watched::new(&bench, Next::TakenUnheard);
    let mut source = Source::new(Arc::clone(journal.segments()));
    let lost = journal.state().lost;
    assert!(lost > 100, "{lost}");
    assert!(source.step(&*watched, || journal.contents()).await.is_err());
    assert_eq!(bench.storage.lost_calls().await.unwrap(), lost, "the database knows, but the journal cannot know that");
    source.step(&*watched, || journal.contents()).await.unwrap();
    assert_eq!((journal.state().lost, journal.state().pending), (0, 0));
    assert_eq!(bench.storage.lost_calls().await.unwrap(), lost);
    assert_eq!(bench.calls().await.len() as u64 + lost, 1000);
}

#[tokio::test]
async fn a_database_that_falls_silent_is_asked_again_after_a_while() {
    let bench = Bench::new().await;
    let journal = full_journal(&bench).await;
    let pending = journal.state().pending;
    let watched = Watched::new(&bench, Next::Silence);
    let mut source = Source::new(Arc::clone(journal.segments()));
    // The real database has no part in this step, so that time may pass as fast as it can.
    tokio::time::pause();
    let begun = tokio::time::Instant::now();
    let moved = timeout(Duration::from_hours(1), source.step(&*watched, || journal.contents())).await;
    assert!(matches!(moved, Ok(Err(MoveError::Silent(_)))), "it must not wait for ever");
    assert!(begun.elapsed() >= Duration::from_secs(30), "but for a slow one: {:?}", begun.elapsed());
    tokio::time::resume();
    assert_eq!(journal.state().pending, pending);
    source.step(&*watched, || journal.contents()).await.unwrap();
    assert_eq!(bench.calls().await.len() as u64, pending);
}
