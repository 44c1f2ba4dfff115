//! PostgreSQL is stopped or stops responding: the API returns errors quickly, tool calls continue, and the service
//! recovers together with the database.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use toolgate_testkit::postgres::PostgresOptions;
use toolgate_testkit::{Client, Postgres, TestResponse};

use super::proxy::Proxy;
use crate::recording::{start_service, start_slow_callers};
use crate::toolgate;

/// The longest time until the API reports that the database is unavailable.
const ERROR_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest time until the API works again after the database is back.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(20);
const CALLERS: usize = 4;
/// More requests than the pool has connections.
const CONCURRENT_REQUESTS: usize = 40;

/// Sends reads and writes concurrently; returns each response and its duration.
async fn concurrent_requests(api: &Client) -> Vec<(TestResponse, Duration)> {
    let requests = (0..CONCURRENT_REQUESTS).map(async |number| {
        let started = Instant::now();
        let reply = match number % 3 {
            0 => api.get("/servers").send().await,
            1 => api.post("/servers").json(json!({"name": format!("S{number}")})).send().await,
            _ => api.get("/analytics/overview").send().await,
        };
        (reply, started.elapsed())
    });
    join_all(requests).await
}

async fn assert_fails_fast(api: &Client) {
    for (reply, took) in concurrent_requests(api).await {
        let reply = reply.expect(503);
        assert_eq!(reply.json()["code"], "rest_unavailable");
        assert!(reply.header("retry-after").is_some_and(|wait| wait.parse::<u32>().is_ok()), "{reply:?}");
        assert!(took < ERROR_TIMEOUT, "a response took {took:?}");
    }
}

/// Returns the time until the API worked again.
async fn assert_recovers(api: &Client) -> Duration {
    let started = Instant::now();
    while api.get("/servers").send().await.status != 200 {
        assert!(started.elapsed() < RECOVERY_TIMEOUT, "the API has not recovered after {:?}", started.elapsed());
    }
    let took = started.elapsed();
    for (reply, _) in concurrent_requests(api).await {
        assert!(matches!(reply.status, 200 | 201), "{reply:?}");
    }
    took
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_database_fails_the_api_quickly_and_fails_no_call() {
    let Some(mut cluster) = Postgres::private_cluster(PostgresOptions::default()) else { return };
    let database = cluster.fresh_database();
    let fixture = start_service(toolgate().postgres(database.url())).await;
    let (api, pid) = (fixture.app.client(), fixture.app.pid());
    let callers = start_slow_callers(&fixture, CALLERS);
    callers.wait_for(50).await;
    for is_killed in [false, true] {
        if is_killed {
            cluster.kill();
        } else {
            cluster.stop();
        }
        assert_fails_fast(&api).await;
        assert_fails_fast(&api).await;
        callers.wait_for(callers.succeeded() + 50).await;
        cluster.start();
        eprintln!("recovered after {:?}", assert_recovers(&api).await);
    }
    let (_, succeeded) = callers.stop().await;
    let count = succeeded.len() as u64;
    assert_eq!(fixture.app.wait_for_call_count(count).await, count);
    assert_eq!(fixture.app.pid(), pid);
}

/// Sends requests until one reports that the database is unavailable; returns how long that one took. After enough
/// successful requests of all tasks, the proxy stops forwarding to the database.
async fn request_until_unavailable(api: &Client, successes: &AtomicUsize, proxy: &Proxy) -> Duration {
    loop {
        let started = Instant::now();
        let reply = api.get("/servers").send().await;
        if reply.status == 503 {
            return started.elapsed();
        }
        reply.expect(200);
        if successes.fetch_add(1, Ordering::SeqCst) == 4 * CONCURRENT_REQUESTS {
            proxy.hold();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unresponsive_database_fails_the_api_quickly_and_fails_no_call() {
    let Some(database) = Postgres::fresh_database() else { return };
    let proxy = Proxy::start(database.url()).await;
    let fixture = start_service(toolgate().postgres(&proxy.url())).await;
    let api = fixture.app.client();
    let callers = start_slow_callers(&fixture, CALLERS);
    callers.wait_for(50).await;
    for _ in 0..2 {
        // All connections are in use when the database stops responding.
        let successes = AtomicUsize::new(0);
        let requests = (0..CONCURRENT_REQUESTS).map(|_| request_until_unavailable(&api, &successes, &proxy));
        let slowest = join_all(requests).await.into_iter().max().unwrap();
        assert!(slowest < ERROR_TIMEOUT, "a request in progress failed only after {slowest:?}");
        assert_fails_fast(&api).await;
        callers.wait_for(callers.succeeded() + 50).await;
        proxy.resume();
        eprintln!("recovered after {:?}", assert_recovers(&api).await);
    }
    let (_, succeeded) = callers.stop().await;
    let count = succeeded.len() as u64;
    assert_eq!(fixture.app.wait_for_call_count(count).await, count);
}
