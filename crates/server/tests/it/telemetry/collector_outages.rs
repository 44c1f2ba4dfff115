//! A collector that is unreachable or hangs: data is dropped and counted, and calls are not affected.

use serde_json::json;
use tokio::time::{Duration, Instant, sleep};
use toolgate_testkit::{MockResponse, ResponseGate, ServiceFixture, Upstream};

use super::{item_count, start_with_tool, traced_service};

/// More than the queue of traces and the batch that is being sent.
const REQUESTS: usize = 3_000;
const COUNT_TIMEOUT: Duration = Duration::from_mins(1);

/// Waits until a counter of the service is above 0.
async fn wait_for_count(fixture: &ServiceFixture, signal: &str, outcome: &str) {
    let deadline = Instant::now() + COUNT_TIMEOUT;
    while item_count(&fixture.app, signal, outcome).await == 0 {
        assert!(Instant::now() < deadline, "no {signal} with the outcome {outcome}");
        // The service does not announce the change of a counter.
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn an_unreachable_collector_loses_traces_but_no_calls() {
    // Nothing listens on the port of an upstream that has ended.
    let address = Upstream::builder().start().url("");
    let builder = traced_service(&address).env("TOOLGATE_OTLP_LOGS", "on");
    let mut fixture = start_with_tool(builder, json!({})).await;
    for _ in 0..20 {
        assert_eq!(fixture.caller().text("tool", json!({})).await, "fine");
    }
    wait_for_count(&fixture, "traces", "failed").await;
    wait_for_count(&fixture, "logs", "failed").await;
    assert_eq!(item_count(&fixture.app, "traces", "exported").await, 0);
    let warnings = fixture.app.logs().matches("cannot export to the OpenTelemetry collector").count();
    assert_eq!(warnings, 2, "each signal warns once: {}", fixture.app.logs());
    assert!(fixture.app.terminate().success());
}

#[tokio::test]
async fn a_collector_that_hangs_fills_the_queue_and_delays_neither_calls_nor_the_shutdown() {
    let gate = ResponseGate::new();
    let collector = Upstream::with_handler(move |_| MockResponse::text("").held_by(&gate));
    let mut fixture = start_with_tool(traced_service(&collector.url("")), json!({})).await;
    let caller = fixture.caller();
    for _ in 0..REQUESTS {
        caller.result("ping", json!({})).await;
    }
    wait_for_count(&fixture, "traces", "dropped").await;
    assert_eq!(fixture.caller().text("tool", json!({})).await, "fine");
    let stopped = Instant::now();
    assert!(fixture.app.terminate().success());
    assert!(stopped.elapsed() < Duration::from_secs(20), "the shutdown waits for the collector");
}
