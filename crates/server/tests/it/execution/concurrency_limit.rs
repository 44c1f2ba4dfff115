//! Upstreams that do not respond affect only the calls of their own tools. At most 256 calls of one tool run
//! concurrently.

use serde_json::json;
use tokio::task::JoinSet;
use toolgate_testkit::{MockResponse, ResponseGate, Upstream};

use super::setup::start;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_hanging_calls_do_not_delay_healthy_ones() {
    let gate = ResponseGate::new();
    let upstream = Upstream::builder()
        .route("/hangs", MockResponse::text("at last").held_by(&gate))
        .route("/healthy", MockResponse::text("immediately"))
        .start();
    let fixture = start(upstream).await;
    fixture.create_tool(json!({"name": "hangs", "endpoint_url": "/hangs", "timeout": 60})).await;
    fixture.create_tool(json!({"name": "healthy", "endpoint_url": "/healthy"})).await;
    let mut hanging = JoinSet::new();
    for number in 0..50 {
        let caller = fixture.caller();
        hanging.spawn(async move {
            let caller = if number % 2 == 0 { caller.modern() } else { caller.legacy("2025-11-25").await };
            caller.text("hangs", json!({})).await
        });
    }
    fixture.upstream.wait_for_requests(50).await;
    let caller = fixture.caller();
    for _ in 0..50 {
        assert_eq!(caller.text("healthy", json!({})).await, "immediately");
    }
    // The management API does not wait for the hanging calls either.
    fixture.api.get(&fixture.path("/tools")).send().await.expect(200);
    assert_eq!(fixture.upstream.request_count_for("/hangs"), 50);
    gate.open();
    assert_eq!(hanging.join_all().await, vec!["at last"; 50]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_most_256_calls_of_one_tool_run_concurrently_and_the_others_wait() {
    let gate = ResponseGate::new();
    let held = gate.clone();
    let upstream = Upstream::with_handler(move |request| match request.path() {
        "/hangs" => MockResponse::text("at last").held_by(&held),
        _ => MockResponse::text("immediately"),
    });
    let fixture = start(upstream).await;
    fixture.create_tool(json!({"name": "hangs", "endpoint_url": "/hangs", "timeout": 60})).await;
    fixture.create_tool(json!({"name": "healthy", "endpoint_url": "/healthy"})).await;
    let mut hanging = JoinSet::new();
    let caller = fixture.caller();
    for _ in 0..300 {
        let caller = fixture.caller();
        hanging.spawn(async move { caller.text("hangs", json!({})).await });
    }
    fixture.upstream.wait_for_requests(256).await;
    // During these calls, the other 44 would reach the upstream if they were not limited.
    for _ in 0..50 {
        assert_eq!(caller.text("healthy", json!({})).await, "immediately");
    }
    assert_eq!(fixture.upstream.request_count_for("/hangs"), 256);
    gate.open();
    assert_eq!(hanging.join_all().await, vec!["at last"; 300]);
    assert_eq!(fixture.upstream.request_count_for("/hangs"), 300);
}
