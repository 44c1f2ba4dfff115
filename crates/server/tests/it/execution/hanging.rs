//! Upstreams that never answer are their callers' problem, and nobody else's.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;
use toolgate_testkit::{Answer, Gate, Upstream};

use super::setup::Stage;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_hanging_calls_do_not_delay_healthy_ones() {
    let gate = Gate::new();
    let upstream = Upstream::builder()
        .route("/hangs", Answer::text("at last").held_by(&gate))
        .route("/healthy", Answer::text("at once"))
        .start();
    let stage = Stage::new(upstream).await;
    stage.tool(json!({"name": "hangs", "endpoint_url": "/hangs", "timeout": 60})).await;
    stage.tool(json!({"name": "healthy", "endpoint_url": "/healthy"})).await;
    let mut hanging = JoinSet::new();
    for number in 0..50 {
        let caller = stage.caller();
        hanging.spawn(async move {
            let caller = if number % 2 == 0 { caller.modern() } else { caller.legacy("2025-11-25").await };
            caller.text("hangs", json!({})).await
        });
    }
    stage.upstream.wait_for_requests(50).await;
    let caller = stage.caller();
    for _ in 0..50 {
        let began = Instant::now();
        assert_eq!(caller.text("healthy", json!({})).await, "at once");
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    }
    // The management API does not wait for them either.
    stage.api.get(&stage.path("/tools")).send().await.expect(200);
    assert_eq!(stage.upstream.hits_of("/hangs"), 50);
    gate.open();
    assert_eq!(hanging.join_all().await, vec!["at last"; 50]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_one_tool_no_more_than_256_calls_are_under_way_and_the_rest_have_their_turn() {
    let gate = Gate::new();
    let held = gate.clone();
    let upstream = Upstream::answering(move |request| match request.path() {
        "/hangs" => Answer::text("at last").held_by(&held),
        _ => Answer::text("at once"),
    });
    let stage = Stage::new(upstream).await;
    stage.tool(json!({"name": "hangs", "endpoint_url": "/hangs", "timeout": 60})).await;
    stage.tool(json!({"name": "healthy", "endpoint_url": "/healthy"})).await;
    let mut hanging = JoinSet::new();
    let caller = stage.caller();
    for _ in 0..300 {
        let caller = stage.caller();
        hanging.spawn(async move { caller.text("hangs", json!({})).await });
    }
    stage.upstream.wait_for_requests(256).await;
    // What the others would have done by now.
    for _ in 0..50 {
        assert_eq!(caller.text("healthy", json!({})).await, "at once");
    }
    assert_eq!(stage.upstream.hits_of("/hangs"), 256);
    gate.open();
    assert_eq!(hanging.join_all().await, vec!["at last"; 300]);
    assert_eq!(stage.upstream.hits_of("/hangs"), 300);
}
