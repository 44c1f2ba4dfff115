//! Redis stops, restarts, and does not respond.

use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_testkit::{MockResponse, RunningService, Upstream};

use super::{ClusterNodes, WAIT_TIMEOUT, log_count, passed_count};

const UNAVAILABLE: &str = "Redis is unavailable";
const AVAILABLE_AGAIN: &str = "Redis is available again";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_each_node_admits_its_share_and_gets_no_second_one_after_the_restart() {
    let Some(mut nodes) = ClusterNodes::start(Upstream::with_handler(|_| MockResponse::text("ok")), 40).await else {
        return;
    };
    nodes.create_tool("tool", json!({})).await;
    nodes.redis.stop();
    let [first, second] = nodes.flood(20).await;
    assert_eq!((passed_count(&first), passed_count(&second)), (20, 20));
    for app in &nodes.apps {
        app.wait_for_log(UNAVAILABLE, WAIT_TIMEOUT);
    }
    nodes.redis.restart();
    for app in &nodes.apps {
        app.wait_for_log(AVAILABLE_AGAIN, WAIT_TIMEOUT);
    }
    let [first, second] = nodes.flood(5).await;
    assert_eq!(
        (passed_count(&first), passed_count(&second)),
        (0, 0),
        "no node gets a second share within the same minute"
    );
    for app in &nodes.apps {
        assert_eq!((log_count(app, UNAVAILABLE), log_count(app, AVAILABLE_AGAIN)), (1, 1), "{}", app.logs());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unresponsive_redis_delays_only_a_few_calls() {
    const CALLS: u32 = 60;
    const TIMEOUT: Duration = Duration::from_millis(500);
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let Some(nodes) = ClusterNodes::start_with_redis_timeout(upstream, 1_000, TIMEOUT).await else { return };
    nodes
        .create_tool("tool", json!({"cache_ttl": 300, "input_schema": {"type": "object", "properties": {"n": {}}}}))
        .await;
    let caller = nodes.caller(0);
    caller.text("tool", json!({"n": 0})).await;
    nodes.redis.pause();
    let started = Instant::now();
    for n in 1..=CALLS {
        caller.text("tool", json!({"n": n})).await;
    }
    let elapsed = started.elapsed();
    nodes.redis.resume();
    // There are three timeouts in total, not one for each call.
    assert!(elapsed < CALLS / 2 * TIMEOUT, "{CALLS} calls took {elapsed:?}");
    assert_eq!(log_count(&nodes.apps[0], UNAVAILABLE), 1, "{}", nodes.apps[0].logs());
    nodes.apps[0].wait_for_log(AVAILABLE_AGAIN, WAIT_TIMEOUT);
}

#[tokio::test]
async fn an_unreachable_redis_is_a_warning_at_startup() {
    let url = "redis://:hidden-password@127.0.0.1:1";
    let app = RunningService::builder(env!("CARGO_BIN_EXE_toolgate")).env("TOOLGATE_REDIS_URL", url).start();
    app.wait_for_log("Redis cannot be reached", WAIT_TIMEOUT);
    let settings = app.client().get("/settings").send().await.expect(200);
    assert!(!app.logs().contains("hidden-password") && !settings.text().contains("hidden-password"));
}
