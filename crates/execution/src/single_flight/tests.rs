//! Leaders, waiters, and the removal of finished work.

use std::future::{pending, ready};
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;
use tokio::task::{JoinSet, yield_now};

use super::*;

fn key() -> Fingerprint {
    Fingerprint::from_parts([&b"key"[..]])
}

fn cancelled() -> Failure {
    Failure::new(FailureReason::Cancelled, "gone")
}

#[test]
fn different_lists_of_parts_have_different_fingerprints() {
    assert_ne!(Fingerprint::from_parts([&b"ab"[..], b"c"]), Fingerprint::from_parts([&b"a"[..], b"bc"]));
    assert_ne!(Fingerprint::from_parts([&b"a"[..]]), Fingerprint::from_parts([&b"a"[..], b""]));
}

#[tokio::test]
async fn equal_work_is_done_once_and_its_failure_shared() {
    let work_in_progress = Arc::new(SingleFlight::<u8>::default());
    let (runs, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    let mut callers = JoinSet::new();
    for _ in 0..50 {
        let (work_in_progress, runs, gate) = (Arc::clone(&work_in_progress), Arc::clone(&runs), Arc::clone(&gate));
        callers.spawn(async move {
            let work = async {
                runs.fetch_add(1, Ordering::Relaxed);
                gate.notified().await;
                Err(Failure::new(FailureReason::Dns, "no such name"))
            };
            work_in_progress.join(key(), work).await
        });
    }
    yield_now().await;
    gate.notify_one();
    let outcomes = callers.join_all().await;
    assert!(outcomes.iter().all(|outcome| outcome.as_ref().unwrap_err().reason == FailureReason::Dns));
    assert_eq!(runs.load(Ordering::Relaxed), 1);
    assert!(work_in_progress.lock().is_empty());
    assert_eq!(work_in_progress.join(key(), ready(Ok(7))).await, Ok(7), "a failure is not stored");
}

#[tokio::test]
async fn five_hundred_cancelled_leaders_do_not_fail_the_last_waiter() {
    let work_in_progress = Arc::new(SingleFlight::<u8>::default());
    let mut leaders = Vec::new();
    let mut tasks = JoinSet::new();
    for _ in 0..500 {
        let work_in_progress = Arc::clone(&work_in_progress);
        leaders.push(tasks.spawn(async move { work_in_progress.join(key(), pending()).await }));
    }
    yield_now().await;
    let waiter = Arc::clone(&work_in_progress);
    tasks.spawn(async move { waiter.join(key(), ready(Ok(9))).await });
    yield_now().await;
    for leader in leaders {
        leader.abort();
        yield_now().await;
    }
    let mut outcomes = Vec::new();
    while let Some(outcome) = tasks.join_next().await {
        outcomes.extend(outcome.ok());
    }
    assert_eq!(outcomes, [Ok(9)]);
    assert!(work_in_progress.lock().is_empty());
}

#[tokio::test]
async fn a_leader_whose_client_disconnected_fails_alone() {
    let work_in_progress = SingleFlight::<u8>::default();
    let gate = Notify::new();
    let leader = work_in_progress.join(key(), async {
        gate.notified().await;
        Err(cancelled())
    });
    let waiter = work_in_progress.join(key(), async { Ok(1) });
    let opener = async { gate.notify_one() };
    let (left, stayed, ()) = tokio::join!(leader, waiter, opener);
    assert_eq!((left, stayed), (Err(cancelled()), Ok(1)));
    assert!(work_in_progress.lock().is_empty());
}

#[tokio::test]
async fn different_work_does_not_wait() {
    let work_in_progress = SingleFlight::<u8>::default();
    let other = Fingerprint::from_parts([&b"other"[..]]);
    tokio::select! {
        biased;
        _ = work_in_progress.join(key(), pending()) => panic!("this one never ends"),
        outcome = work_in_progress.join(other, ready(Ok(2))) => assert_eq!(outcome, Ok(2)),
    }
    assert!(work_in_progress.lock().is_empty(), "a cancelled caller leaves no entry");
}
