//! Tests of many servers, many threads, and the sweep of idle windows.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::*;

const SERVER: LimitScope = server(7);
const OTHER_SERVER: LimitScope = server(8);
const KEY: LimitScope = LimitScope::Key(EndpointKeyId(7));

const fn server(id: i64) -> LimitScope {
    LimitScope::Server(ServerId(id))
}

fn count_admitted(limiter: &LocalRateLimiter, scope: LimitScope, kind: RequestKind, limit: u32, times: u32) -> u32 {
    (0..times).map(|_| u32::from(limiter.admit(scope, kind, limit).is_ok())).sum()
}

fn window_count(limiter: &LocalRateLimiter) -> usize {
    limiter.shards.iter().map(|shard| lock(shard).windows.len()).sum()
}

#[test]
fn the_requests_of_sixty_threads_are_admitted_up_to_the_limit() {
    let (limiter, total) = (LocalRateLimiter::default(), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..60 {
            scope.spawn(|| {
                total.fetch_add(count_admitted(&limiter, SERVER, RequestKind::Call, 500, 50), Ordering::Relaxed)
            });
        }
    });
    assert_eq!(total.into_inner(), 500);
}

#[tokio::test(start_paused = true)]
async fn servers_keys_and_kinds_are_counted_separately() {
    let limiter = LocalRateLimiter::default();
    assert_eq!(count_admitted(&limiter, SERVER, RequestKind::Call, 3, 9), 3);
    assert_eq!(count_admitted(&limiter, SERVER, RequestKind::Other, 3, 9), 3);
    assert_eq!(count_admitted(&limiter, OTHER_SERVER, RequestKind::Call, 3, 9), 3);
    assert_eq!(count_admitted(&limiter, KEY, RequestKind::Call, 3, 9), 3, "a key with the id of a server");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_waits_for_the_returned_time_is_admitted() {
    let limiter = LocalRateLimiter::default();
    assert_eq!(count_admitted(&limiter, SERVER, RequestKind::Call, 2, 2), 2);
    let RateLimited(wait) = limiter.admit(SERVER, RequestKind::Call, 2).unwrap_err();
    tokio::time::advance(wait).await;
    assert_eq!(count_admitted(&limiter, SERVER, RequestKind::Call, 2, 9), 2);
}

#[tokio::test(start_paused = true)]
async fn windows_of_idle_servers_are_dropped_and_those_of_active_ones_are_not() {
    let limiter = LocalRateLimiter::default();
    for id in 0..10_000 {
        limiter.admit(server(id), RequestKind::Call, 1).unwrap();
    }
    tokio::time::advance(Duration::from_secs(30)).await;
    limiter.admit(server(-1), RequestKind::Call, 1).unwrap();
    tokio::time::advance(Duration::from_secs(31)).await;
    // One request per shard starts its sweep.
    for id in 0..i64::from(SHARDS) {
        limiter.admit(server(id), RequestKind::Call, 1).unwrap();
    }
    assert_eq!(window_count(&limiter), 17);
    assert!(limiter.admit(server(-1), RequestKind::Call, 1).is_err());
    assert!(limiter.shards.iter().all(|shard| lock(shard).windows.capacity() < 100));
}

#[tokio::test(start_paused = true)]
async fn a_window_in_use_is_not_dropped() {
    let limiter = LocalRateLimiter::default();
    let in_use = limiter.window((SERVER, RequestKind::Call));
    tokio::time::advance(Duration::from_mins(10)).await;
    limiter.admit(server(SERVER.id() + i64::from(SHARDS)), RequestKind::Call, 1).unwrap();
    assert!(Arc::ptr_eq(&in_use, &limiter.window((SERVER, RequestKind::Call))));
}

#[tokio::test(start_paused = true)]
async fn a_server_without_a_limit_has_no_window() {
    let limiter = LocalRateLimiter::default();
    assert_eq!(count_admitted(&limiter, SERVER, RequestKind::Call, 0, 1_000), 1_000);
    assert_eq!(window_count(&limiter), 0);
}
