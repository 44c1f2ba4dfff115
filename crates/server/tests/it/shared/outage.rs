//! Redis goes away, comes back, and does not answer.

use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_testkit::{Answer, App, Upstream};

use super::{Nodes, PATIENCE, logged, passed};

const AWAY: &str = "Redis is away";
const BACK: &str = "Redis is back";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_calls_go_on_within_each_nodes_share_and_its_return_gives_no_second_one() {
    let Some(mut nodes) = Nodes::start(Upstream::answering(|_| Answer::text("ok")), 40).await else { return };
    nodes.tool("tool", json!({})).await;
    nodes.redis.stop();
    let [first, second] = nodes.flood(20).await;
    assert_eq!((passed(&first), passed(&second)), (20, 20));
    for app in &nodes.apps {
        app.wait_for_log(AWAY, PATIENCE);
    }
    nodes.redis.start_again();
    for app in &nodes.apps {
        app.wait_for_log(BACK, PATIENCE);
    }
    let [first, second] = nodes.flood(5).await;
    assert_eq!((passed(&first), passed(&second)), (0, 0), "the minute is not over");
    for app in &nodes.apps {
        assert_eq!((logged(app, AWAY), logged(app, BACK)), (1, 1), "{}", app.logs());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_does_not_answer_delays_a_few_calls_a_little_and_the_others_not_at_all() {
    let Some(nodes) = Nodes::start(Upstream::answering(|_| Answer::text("ok")), 1_000).await else { return };
    nodes.tool("tool", json!({"cache_ttl": 300, "input_schema": {"type": "object", "properties": {"n": {}}}})).await;
    let caller = nodes.caller(0);
    caller.text("tool", json!({"n": 0})).await;
    nodes.redis.pause();
    let begun = Instant::now();
    for n in 1..=60 {
        caller.text("tool", json!({"n": n})).await;
    }
    let took = begun.elapsed();
    nodes.redis.resume();
    // Three budgets of 50 ms, not three for each call.
    assert!(took < Duration::from_secs(3), "60 calls took {took:?}");
    assert_eq!(logged(&nodes.apps[0], AWAY), 1, "{}", nodes.apps[0].logs());
    nodes.apps[0].wait_for_log(BACK, PATIENCE);
}

#[tokio::test]
async fn a_redis_that_cannot_be_reached_is_a_warning_at_the_start() {
    let url = "redis://:hidden-password@127.0.0.1:1";
    let app = App::builder(env!("CARGO_BIN_EXE_toolgate")).env("TOOLGATE_REDIS_URL", url).start();
    app.wait_for_log("Redis cannot be reached", PATIENCE);
    let settings = app.client().get("/settings").send().await.expect(200);
    assert!(!app.logs().contains("hidden-password") && !settings.text().contains("hidden-password"));
}
