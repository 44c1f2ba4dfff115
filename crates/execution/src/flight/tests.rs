//! Who leads, who waits, and what is left when nobody does.

use std::future::{pending, ready};
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;
use tokio::task::{JoinSet, yield_now};

use super::*;

fn key() -> Fingerprint {
    Fingerprint::of([&b"key"[..]])
}

fn cancelled() -> Failure {
    Failure::new(FailureReason::Cancelled, "gone")
}

#[test]
fn parts_do_not_run_together() {
    assert_ne!(Fingerprint::of([&b"ab"[..], b"c"]), Fingerprint::of([&b"a"[..], b"bc"]));
    assert_ne!(Fingerprint::of([&b"a"[..]]), Fingerprint::of([&b"a"[..], b""]));
}

#[tokio::test]
async fn equal_work_is_done_once_and_its_failure_shared() {
    let flights = Arc::new(Flights::<u8>::default());
    let (runs, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    let mut callers = JoinSet::new();
    for _ in 0..50 {
        let (flights, runs, gate) = (Arc::clone(&flights), Arc::clone(&runs), Arc::clone(&gate));
        callers.spawn(async move {
            let work = async {
                runs.fetch_add(1, Ordering::Relaxed);
                gate.notified().await;
                Err(Failure::new(FailureReason::Dns, "no such name"))
            };
            flights.join(key(), work).await
        });
    }
    yield_now().await;
    gate.notify_one();
    let outcomes = callers.join_all().await;
    assert!(outcomes.iter().all(|outcome| outcome.as_ref().unwrap_err().reason == FailureReason::Dns));
    assert_eq!(runs.load(Ordering::Relaxed), 1);
    assert!(flights.lock().is_empty());
    assert_eq!(flights.join(key(), ready(Ok(7))).await, Ok(7), "a failure that is past is not remembered");
}

#[tokio::test]
async fn five_hundred_leaders_that_go_away_do_not_fail_the_last_waiter() {
    let flights = Arc::new(Flights::<u8>::default());
    let mut leaders = Vec::new();
    let mut tasks = JoinSet::new();
    for _ in 0..500 {
        let flights = Arc::clone(&flights);
        leaders.push(tasks.spawn(async move { flights.join(key(), pending()).await }));
    }
    yield_now().await;
    let waiter = Arc::clone(&flights);
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
    assert!(flights.lock().is_empty());
}

#[tokio::test]
async fn a_leader_whose_client_left_fails_alone() {
    let flights = Flights::<u8>::default();
    let gate = Notify::new();
    let leader = flights.join(key(), async {
        gate.notified().await;
        Err(cancelled())
    });
    let waiter = flights.join(key(), async { Ok(1) });
    let opener = async { gate.notify_one() };
    let (left, stayed, ()) = tokio::join!(leader, waiter, opener);
    assert_eq!((left, stayed), (Err(cancelled()), Ok(1)));
    assert!(flights.lock().is_empty());
}

#[tokio::test]
async fn different_work_does_not_wait() {
    let flights = Flights::<u8>::default();
    let other = Fingerprint::of([&b"other"[..]]);
    tokio::select! {
        biased;
        _ = flights.join(key(), pending()) => panic!("this one never ends"),
        outcome = flights.join(other, ready(Ok(2))) => assert_eq!(outcome, Ok(2)),
    }
    assert!(flights.lock().is_empty(), "whoever goes away leaves nothing behind");
}
