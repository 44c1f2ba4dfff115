//! Redis stops, restarts, and does not respond.

use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_testkit::{MockResponse, Redis, Upstream};

use super::{WAIT_TIMEOUT, flood, log_count, passed_count, start_nodes, start_nodes_with_timeout};
use crate::toolgate;

const UNAVAILABLE: &str = "Redis is unavailable";
const AVAILABLE_AGAIN: &str = "Redis is available again";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_each_node_admits_its_share_and_gets_no_second_share_after_the_restart_of_redis() {
    let Some((nodes, mut redis)) = start_nodes(Upstream::with_handler(|_| MockResponse::text("ok")), 40).await else {
        return;
    };
    nodes.create_tool(json!({})).await;
    redis.stop();
    let [first, second] = flood(&nodes, 20).await;
    assert_eq!((passed_count(&first), passed_count(&second)), (20, 20));
    for app in nodes.apps() {
        app.wait_for_log(UNAVAILABLE, WAIT_TIMEOUT);
    }
    redis.restart();
    for app in nodes.apps() {
        app.wait_for_log(AVAILABLE_AGAIN, WAIT_TIMEOUT);
    }
    let [first, second] = flood(&nodes, 5).await;
    assert_eq!(
        (passed_count(&first), passed_count(&second)),
        (0, 0),
        "no node gets a second share within the same minute"
    );
    for app in nodes.apps() {
        assert_eq!((log_count(app, UNAVAILABLE), log_count(app, AVAILABLE_AGAIN)), (1, 1), "{}", app.logs());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unresponsive_redis_delays_only_a_few_calls() {
    const CALLS: u32 = 60;
    const TIMEOUT: Duration = Duration::from_millis(500);
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let Some((nodes, redis)) = start_nodes_with_timeout(upstream, 1_000, TIMEOUT).await else { return };
    nodes.create_tool(json!({"cache_ttl": 300, "input_schema": {"type": "object", "properties": {"n": {}}}})).await;
    let caller = nodes.first.caller();
    caller.text("tool", json!({"n": 0})).await;
    redis.pause();
    let started = Instant::now();
    for n in 1..=CALLS {
        caller.text("tool", json!({"n": n})).await;
    }
    let elapsed = started.elapsed();
    redis.resume();
    // The node gives up the connection after a few timeouts, so that not every call waits for one.
    assert!(elapsed < CALLS / 2 * TIMEOUT, "{CALLS} calls took {elapsed:?}");
    assert_eq!(log_count(&nodes.first.app, UNAVAILABLE), 1, "{}", nodes.first.app.logs());
    nodes.first.app.wait_for_log(AVAILABLE_AGAIN, WAIT_TIMEOUT);
}

#[tokio::test]
async fn an_unreachable_redis_is_a_warning_at_startup() {
    let url = "redis://:hidden-password@127.0.0.1:1";
    let app = toolgate().env("TOOLGATE_REDIS_URL", url).start();
    app.wait_for_log("Redis cannot be reached", WAIT_TIMEOUT);
    let settings = app.client().get("/settings").send().await.expect(200);
    assert!(!app.logs().contains("hidden-password") && !settings.text().contains("hidden-password"));
}

#[tokio::test]
async fn a_node_connects_with_tls_and_logs_an_untrusted_certificate() {
    let Some(redis) = Redis::start_with_tls() else { return };
    let service = || toolgate().env("TOOLGATE_REDIS_URL", redis.url());
    let app = service().env("TOOLGATE_REDIS_CA_FILE", redis.ca_file().display().to_string()).start();
    app.wait_for_log("connected to Redis", WAIT_TIMEOUT);
    let app = service().start();
    app.wait_for_log("UnknownIssuer", WAIT_TIMEOUT);
}
