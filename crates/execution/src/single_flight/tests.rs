//! Tests of leaders, waiters, and the removal of finished work.

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
    let single_flight = Arc::new(SingleFlight::<u8>::default());
    let (runs, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    let mut callers = JoinSet::new();
    for _ in 0..50 {
        let (single_flight, runs, gate) = (Arc::clone(&single_flight), Arc::clone(&runs), Arc::clone(&gate));
        callers.spawn(async move {
            let work = async {
                runs.fetch_add(1, Ordering::Relaxed);
                gate.notified().await;
                Err(Failure::new(FailureReason::Dns, "no such name"))
            };
            single_flight.join(key(), work).await
        });
    }
    yield_now().await;
    gate.notify_one();
    let outcomes = callers.join_all().await;
    assert!(outcomes.iter().all(|outcome| outcome.as_ref().unwrap_err().reason == FailureReason::Dns));
    assert_eq!(runs.load(Ordering::Relaxed), 1);
    assert!(lock(&single_flight.in_progress).is_empty());
    assert_eq!(single_flight.join(key(), ready(Ok(7))).await, Ok(7), "a failure is not stored");
}

#[tokio::test]
async fn five_hundred_cancelled_leaders_do_not_fail_the_last_waiter() {
    let single_flight = Arc::new(SingleFlight::<u8>::default());
    let mut leaders = Vec::new();
    let mut tasks = JoinSet::new();
    for _ in 0..500 {
        let single_flight = Arc::clone(&single_flight);
        leaders.push(tasks.spawn(async move { single_flight.join(key(), pending()).await }));
    }
    yield_now().await;
    let waiter = Arc::clone(&single_flight);
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
    assert!(lock(&single_flight.in_progress).is_empty());
}

#[tokio::test]
async fn a_leader_whose_client_disconnected_fails_alone() {
    let single_flight = SingleFlight::<u8>::default();
    let gate = Notify::new();
    let leader = single_flight.join(key(), async {
        gate.notified().await;
        Err(cancelled())
    });
    let waiter = single_flight.join(key(), async { Ok(1) });
    let opener = async { gate.notify_one() };
    let (leader_outcome, waiter_outcome, ()) = tokio::join!(leader, waiter, opener);
    assert_eq!((leader_outcome, waiter_outcome), (Err(cancelled()), Ok(1)));
    assert!(lock(&single_flight.in_progress).is_empty());
}

#[tokio::test]
async fn different_work_does_not_wait() {
    let single_flight = SingleFlight::<u8>::default();
    let other = Fingerprint::from_parts([&b"other"[..]]);
    tokio::select! {
        biased;
        _ = single_flight.join(key(), pending()) => panic!("work that never ends has ended"),
        outcome = single_flight.join(other, ready(Ok(2))) => assert_eq!(outcome, Ok(2)),
    }
    assert!(lock(&single_flight.in_progress).is_empty(), "a cancelled caller leaves no entry");
}
