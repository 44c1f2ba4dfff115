//! Callers that go away while their call is under way.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::{Answer, Gate, Mcp, Upstream};

use super::records::{records, so_many_records, stage};
use super::setup::{Stage, recording_service};

const LONG: Duration = Duration::from_secs(20);

/// A stage whose tool `held` waits for the gate.
async fn holding(gate: &Gate) -> Stage {
    let upstream = Upstream::builder()
        .route("/held", Answer::text("late").held_by(gate))
        .otherwise(|_| Answer::text("ok"))
        .start();
    let stage = stage(upstream, json!({})).await;
    stage.tool(json!({"name": "held", "endpoint_url": "/held"})).await;
    stage
}

fn plain() -> Value {
    json!({"name": "held"})
}

/// A call whose stages are followed, and which is answered by a stream for that.
fn followed() -> Value {
    json!({"name": "held", "_meta": {"progressToken": "p"}})
}

/// Makes a call and goes away once the upstream has it.
async fn call_and_leave(stage: &Stage, caller: Mcp, params: Value) {
    let mut calls = JoinSet::new();
    let before = stage.upstream.hits_of("/held");
    calls.spawn(async move { caller.send("tools/call", params).await });
    while stage.upstream.hits_of("/held") == before {
        stage.upstream.wait_for_requests(stage.upstream.hits() + 1).await;
    }
    calls.shutdown().await;
}

#[tokio::test]
async fn a_bare_or_modern_caller_that_leaves_cancels_its_call() {
    let gate = Gate::new();
    let stage = holding(&gate).await;
    let bare = stage.caller();
    let cases = [(bare.clone(), plain()), (bare.clone().modern(), plain()), (bare.modern(), followed())];
    for (number, (caller, params)) in cases.into_iter().enumerate() {
        call_and_leave(&stage, caller, params).await;
        stage.upstream.wait_for_abandoned(number + 1).await;
        so_many_records(&stage, number + 1).await;
    }
    let seen = records(&stage).await;
    let reasons: Vec<&str> = seen.iter().filter_map(|record| record["failure"].as_str()).collect();
    assert_eq!(reasons, ["cancelled"; 3], "{seen:#?}");
    assert_eq!(seen.len(), 3);
}

#[tokio::test]
async fn of_a_cancelled_call_only_the_question_is_kept() {
    let gate = Gate::new();
    let stage = holding(&gate).await;
    let settings = json!({"settings": {"capture": "failures"}});
    stage.api.patch(&stage.path("")).json(settings).send().await.expect(200);
    call_and_leave(&stage, stage.caller(), json!({"name": "held", "arguments": {"a": 1}})).await;
    stage.upstream.wait_for_abandoned(1).await;
    so_many_records(&stage, 1).await;
    let calls = stage.api.get("/calls?status=failed").send().await.expect(200).json();
    let call = stage.api.get(&format!("/calls/{}", calls[0]["id"])).send().await.expect(200).json();
    assert_eq!((&call["reason"], &call["arguments"]), (&json!("cancelled"), &json!(r#"{"a":1}"#)), "{call}");
    assert_eq!(call["response"], "", "{call}");
}

#[tokio::test]
async fn a_legacy_callers_call_runs_to_its_end_without_it() {
    let gate = Gate::new();
    let stage = holding(&gate).await;
    let legacy = stage.caller().legacy("2025-11-25").await;
    call_and_leave(&stage, legacy.clone(), plain()).await;
    call_and_leave(&stage, legacy, followed()).await;
    // What a caller that leaves would have caused by now.
    for _ in 0..20 {
        stage.caller().result("ping", json!({})).await;
    }
    assert_eq!(stage.upstream.abandoned(), 0);
    gate.open();
    let seen = so_many_records(&stage, 2).await;
    assert!(seen.iter().all(|record| record.get("failure").is_none_or(Value::is_null)), "{seen:#?}");
    assert!(seen.iter().all(|record| record["upstream_status"] == 200), "{seen:#?}");
    assert_eq!((seen.len(), stage.upstream.abandoned()), (2, 0));
}

#[tokio::test]
async fn what_runs_to_its_end_is_logged_with_the_request_it_came_with() {
    let gate = Gate::new();
    let upstream = Upstream::answering({
        let gate = gate.clone();
        move |_| Answer::text("late").held_by(&gate)
    });
    let service = recording_service().env("TOOLGATE_LOG", "toolgate=info,toolgate::call=debug");
    let stage = Stage::of(service, upstream, json!({})).await;
    stage.tool(json!({"name": "held", "endpoint_url": "/held"})).await;
    let legacy = stage.caller().legacy("2025-11-25").await;
    call_and_leave(&stage, legacy.header("x-request-id", "left-behind"), plain()).await;
    gate.open();
    stage.app.wait_for_log("toolgate::call", LONG);
    let log = stage.app.logs();
    let record = log.lines().find(|line| line.contains("toolgate::call")).unwrap();
    let record: Value = serde_json::from_str(record).unwrap();
    assert_eq!(record["span"], json!({"id": "left-behind", "name": "request"}), "{record:#}");
}

#[tokio::test]
async fn a_legacy_batch_runs_to_its_end_too() {
    let gate = Gate::new();
    let stage = holding(&gate).await;
    let legacy = stage.caller().legacy("2025-03-26").await;
    let message = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": plain()});
    let batch = json!([message(1), message(2)]);
    let mut calls = JoinSet::new();
    calls.spawn(async move { legacy.post(batch).send().await });
    stage.upstream.wait_for_requests(2).await;
    calls.shutdown().await;
    for _ in 0..20 {
        stage.caller().result("ping", json!({})).await;
    }
    assert_eq!(stage.upstream.abandoned(), 0);
    gate.open();
    let seen = so_many_records(&stage, 2).await;
    assert!(seen.iter().all(|record| record["upstream_status"] == 200), "{seen:#?}");
}

#[tokio::test]
async fn those_who_stay_are_answered() {
    let gate = Gate::new();
    let stage = holding(&gate).await;
    let mut staying = JoinSet::new();
    for caller in [stage.caller(), stage.caller().modern(), stage.caller().legacy("2025-11-25").await] {
        staying.spawn(async move { caller.text("held", json!({})).await });
    }
    stage.upstream.wait_for_requests(3).await;
    for number in 0..5 {
        call_and_leave(&stage, stage.caller(), plain()).await;
        stage.upstream.wait_for_abandoned(number + 1).await;
    }
    gate.open();
    assert_eq!(staying.join_all().await, ["late"; 3]);
    let seen = so_many_records(&stage, 8).await;
    let cancelled = seen.iter().filter(|record| record["failure"] == "cancelled").count();
    assert_eq!((seen.len(), cancelled), (8, 5), "{seen:#?}");
}
