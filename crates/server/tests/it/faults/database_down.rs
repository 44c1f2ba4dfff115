//! PostgreSQL is stopped, or falls silent: the API says so soon, calls go on, and the service comes back with it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use toolgate_testkit::postgres::PostgresOptions;
use toolgate_testkit::{Client, Postgres, RunningService, TestResponse};

use super::proxy::Proxy;
use crate::recording::RecordingFixture;

/// How soon the API says that the database is gone,
const ERROR_TIMEOUT: Duration = Duration::from_secs(5);
/// and how soon it serves again once it is back.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(10);
const CALLERS: usize = 4;
/// More at once than there are connections.
const CONCURRENT_REQUESTS: usize = 40;

/// Reads and writes, all at once.
async fn concurrent_requests(api: &Client) -> Vec<(TestResponse, Duration)> {
    let asking = (0..CONCURRENT_REQUESTS).map(async |number| {
        let began = Instant::now();
        let reply = match number % 3 {
            0 => api.get("/servers").send().await,
            1 => api.post("/servers").json(json!({"name": format!("S{number}")})).send().await,
            _ => api.get("/analytics/overview").send().await,
        };
        (reply, began.elapsed())
    });
    join_all(asking).await
}

async fn assert_fails_fast(api: &Client) {
    for (reply, took) in concurrent_requests(api).await {
        let reply = reply.expect(503);
        assert_eq!(reply.json()["code"], "rest_unavailable");
        assert!(reply.header("retry-after").is_some_and(|wait| wait.parse::<u32>().is_ok()), "{reply:?}");
        assert!(took < ERROR_TIMEOUT, "an answer took {took:?}");
    }
}

async fn assert_recovers(api: &Client) -> Duration {
    let began = Instant::now();
    while api.get("/servers").send().await.status != 200 {
        assert!(began.elapsed() < RECOVERY_TIMEOUT, "it is not back after {:?}", began.elapsed());
    }
    let took = began.elapsed();
    for (reply, _) in concurrent_requests(api).await {
        assert!(matches!(reply.status, 200 | 201), "{reply:?}");
    }
    took
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_stopped_is_told_of_soon_and_missed_by_no_call() {
    let Some(mut cluster) = Postgres::private_cluster(PostgresOptions::default()) else { return };
    let database = cluster.fresh_database();
    let stage =
        RecordingFixture::start(RunningService::builder(env!("CARGO_BIN_EXE_toolgate")).postgres(database.url())).await;
    let (api, pid) = (stage.app.client(), stage.app.pid());
    let callers = stage.callers(CALLERS);
    callers.wait_for(50).await;
    for kills in [false, true] {
        if kills {
            cluster.kill();
        } else {
            cluster.stop();
        }
        assert_fails_fast(&api).await;
        assert_fails_fast(&api).await;
        callers.wait_for(callers.answered() + 50).await;
        cluster.start();
        eprintln!("back after {:?}", assert_recovers(&api).await);
    }
    let (_, answered) = callers.stop().await;
    let count = answered.len() as u64;
    assert_eq!(stage.counted_at_least(count).await, count);
    assert_eq!(stage.app.pid(), pid);
}

/// Asks until the answer is that the database is gone, and sees to it that it is; how long the last answer took.
async fn request_until_unavailable(api: &Client, answers: &AtomicUsize, proxy: &Proxy) -> Duration {
    loop {
        let began = Instant::now();
        let reply = api.get("/servers").send().await;
        if reply.status == 503 {
            return began.elapsed();
        }
        reply.expect(200);
        if answers.fetch_add(1, Ordering::SeqCst) == 4 * CONCURRENT_REQUESTS {
            proxy.hold();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_falls_silent_is_told_of_soon_and_missed_by_no_call() {
    let Some(database) = Postgres::fresh_database() else { return };
    let proxy = Proxy::start(database.url()).await;
    let stage =
        RecordingFixture::start(RunningService::builder(env!("CARGO_BIN_EXE_toolgate")).postgres(&proxy.url())).await;
    let api = stage.app.client();
    let callers = stage.callers(CALLERS);
    callers.wait_for(50).await;
    for _ in 0..2 {
        // All connections are in use when silence falls.
        let answers = AtomicUsize::new(0);
        let asking = (0..CONCURRENT_REQUESTS).map(|_| request_until_unavailable(&api, &answers, &proxy));
        let slowest = join_all(asking).await.into_iter().max().unwrap();
        assert!(slowest < ERROR_TIMEOUT, "who asked when it fell silent was told after {slowest:?}");
        assert_fails_fast(&api).await;
        callers.wait_for(callers.answered() + 50).await;
        proxy.resume();
        eprintln!("back after {:?}", assert_recovers(&api).await);
    }
    let (_, answered) = callers.stop().await;
    let count = answered.len() as u64;
    assert_eq!(stage.counted_at_least(count).await, count);
}
