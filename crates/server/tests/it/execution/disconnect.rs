//! Callers that disconnect while their call is running.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::{McpClient, MockResponse, ResponseGate, ServiceFixture, Upstream};

use super::records::{fixture, records, wait_for_records};
use super::setup::recording_service;

const WAIT_TIMEOUT: Duration = Duration::from_secs(20);

/// A fixture whose tool `held` waits for the gate.
async fn holding_fixture(gate: &ResponseGate) -> ServiceFixture {
    let upstream = Upstream::builder()
        .route("/held", MockResponse::text("late").held_by(gate))
        .fallback(|_| MockResponse::text("ok"))
        .start();
    let fixture = fixture(upstream, json!({})).await;
    fixture.create_tool(json!({"name": "held", "endpoint_url": "/held"})).await;
    fixture
}

fn plain_call() -> Value {
    json!({"name": "held"})
}

/// A call with progress notifications, whose response is a stream.
fn call_with_progress() -> Value {
    json!({"name": "held", "_meta": {"progressToken": "p"}})
}

/// Makes a call and disconnects when the upstream has received it.
async fn call_and_disconnect(fixture: &ServiceFixture, caller: McpClient, params: Value) {
    let mut calls = JoinSet::new();
    let hits_before = fixture.upstream.request_count_for("/held");
    calls.spawn(async move { caller.send("tools/call", params).await });
    while fixture.upstream.request_count_for("/held") == hits_before {
        fixture.upstream.wait_for_requests(fixture.upstream.request_count() + 1).await;
    }
    calls.shutdown().await;
}

#[tokio::test]
async fn a_disconnect_cancels_the_call_of_a_bare_or_modern_caller() {
    let gate = ResponseGate::new();
    let fixture = holding_fixture(&gate).await;
    let bare = fixture.caller();
    let cases =
        [(bare.clone(), plain_call()), (bare.clone().modern(), plain_call()), (bare.modern(), call_with_progress())];
    for (number, (caller, params)) in cases.into_iter().enumerate() {
        call_and_disconnect(&fixture, caller, params).await;
        fixture.upstream.wait_for_abandoned(number + 1).await;
        wait_for_records(&fixture, number + 1).await;
    }
    let recorded = records(&fixture).await;
    let reasons: Vec<&str> = recorded.iter().filter_map(|record| record["failure"].as_str()).collect();
    assert_eq!(reasons, ["cancelled"; 3], "{recorded:#?}");
    assert_eq!(recorded.len(), 3);
}

#[tokio::test]
async fn only_the_arguments_of_a_cancelled_call_are_captured() {
    let gate = ResponseGate::new();
    let fixture = holding_fixture(&gate).await;
    let settings = json!({"settings": {"capture": "failures"}});
    fixture.api.patch(&fixture.path("")).json(settings).send().await.expect(200);
    call_and_disconnect(&fixture, fixture.caller(), json!({"name": "held", "arguments": {"a": 1}})).await;
    fixture.upstream.wait_for_abandoned(1).await;
    wait_for_records(&fixture, 1).await;
    let calls = fixture.api.get("/calls?status=failed").send().await.expect(200).json();
    let call = fixture.api.get(&format!("/calls/{}", calls[0]["id"])).send().await.expect(200).json();
    assert_eq!((&call["reason"], &call["arguments"]), (&json!("cancelled"), &json!(r#"{"a":1}"#)), "{call}");
    assert_eq!(call["response"], "", "{call}");
}

#[tokio::test]
async fn the_call_of_a_disconnected_legacy_caller_completes() {
    let gate = ResponseGate::new();
    let fixture = holding_fixture(&gate).await;
    let legacy = fixture.caller().legacy("2025-11-25").await;
    call_and_disconnect(&fixture, legacy.clone(), plain_call()).await;
    call_and_disconnect(&fixture, legacy, call_with_progress()).await;
    // A cancellation would take effect while these pings are answered.
    for _ in 0..20 {
        fixture.caller().result("ping", json!({})).await;
    }
    assert_eq!(fixture.upstream.abandoned(), 0);
    gate.open();
    let recorded = wait_for_records(&fixture, 2).await;
    assert!(recorded.iter().all(|record| record.get("failure").is_none_or(Value::is_null)), "{recorded:#?}");
    assert!(recorded.iter().all(|record| record["upstream_status"] == 200), "{recorded:#?}");
    assert_eq!((recorded.len(), fixture.upstream.abandoned()), (2, 0));
}

#[tokio::test]
async fn a_detached_call_is_logged_with_its_request_id() {
    let gate = ResponseGate::new();
    let upstream = Upstream::with_handler({
        let gate = gate.clone();
        move |_| MockResponse::text("late").held_by(&gate)
    });
    let service = recording_service().env("TOOLGATE_LOG", "toolgate=info,toolgate::call=debug");
    let fixture = ServiceFixture::start(service, upstream, json!({})).await;
    fixture.create_tool(json!({"name": "held", "endpoint_url": "/held"})).await;
    let legacy = fixture.caller().legacy("2025-11-25").await;
    call_and_disconnect(&fixture, legacy.header("x-request-id", "left-behind"), plain_call()).await;
    gate.open();
    fixture.app.wait_for_log("toolgate::call", WAIT_TIMEOUT);
    let log = fixture.app.logs();
    let record = log.lines().find(|line| line.contains("toolgate::call")).unwrap();
    let record: Value = serde_json::from_str(record).unwrap();
    assert_eq!(record["span"], json!({"id": "left-behind", "name": "request"}), "{record:#}");
}

#[tokio::test]
async fn the_batch_of_a_disconnected_legacy_caller_completes() {
    let gate = ResponseGate::new();
    let fixture = holding_fixture(&gate).await;
    let legacy = fixture.caller().legacy("2025-03-26").await;
    let message = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": plain_call()});
    let batch = json!([message(1), message(2)]);
    let mut calls = JoinSet::new();
    calls.spawn(async move { legacy.post(batch).send().await });
    fixture.upstream.wait_for_requests(2).await;
    calls.shutdown().await;
    for _ in 0..20 {
        fixture.caller().result("ping", json!({})).await;
    }
    assert_eq!(fixture.upstream.abandoned(), 0);
    gate.open();
    let recorded = wait_for_records(&fixture, 2).await;
    assert!(recorded.iter().all(|record| record["upstream_status"] == 200), "{recorded:#?}");
}

#[tokio::test]
async fn callers_that_stay_connected_get_their_results() {
    let gate = ResponseGate::new();
    let fixture = holding_fixture(&gate).await;
    let mut staying = JoinSet::new();
    for caller in [fixture.caller(), fixture.caller().modern(), fixture.caller().legacy("2025-11-25").await] {
        staying.spawn(async move { caller.text("held", json!({})).await });
    }
    fixture.upstream.wait_for_requests(3).await;
    for number in 0..5 {
        call_and_disconnect(&fixture, fixture.caller(), plain_call()).await;
        fixture.upstream.wait_for_abandoned(number + 1).await;
    }
    gate.open();
    assert_eq!(staying.join_all().await, ["late"; 3]);
    let recorded = wait_for_records(&fixture, 8).await;
    let cancelled = recorded.iter().filter(|record| record["failure"] == "cancelled").count();
    assert_eq!((recorded.len(), cancelled), (8, 5), "{recorded:#?}");
}
