//! Recorded calls as log records.

use serde_json::{Map, Value, json};

use super::receiver::OtlpReceiver;
use super::{SAMPLED_CALLER, item_count, start_with_tool, traced_service};

/// The calls of an NDJSON export, oldest first, with the attributes of log records.
fn exported_calls(ndjson: &str) -> Vec<Value> {
    let call = |line: &str| {
        let mut call: Map<String, Value> = serde_json::from_str(line).unwrap();
        if let Some(Value::Object(caller)) = call.remove("caller") {
            call.extend(caller.into_iter().map(|(name, value)| (format!("caller.{name}"), value)));
        }
        call.retain(|name, value| name != "id" && !value.is_null());
        Value::Object(call)
    };
    let mut calls: Vec<Value> = ndjson.lines().map(call).collect();
    calls.reverse();
    calls
}

#[tokio::test]
async fn log_records_equal_the_call_log() {
    let Some(receiver) = OtlpReceiver::start() else { return };
    let mut fixture = start_with_tool(traced_service(&receiver.url()).env("TOOLGATE_OTLP_LOGS", "on"), json!({})).await;
    let strict = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    fixture.create_tool(json!({"name": "strict", "input_schema": strict})).await;
    let caller = fixture.caller().header("traceparent", SAMPLED_CALLER).header("x-mcp-client", "cursor");
    caller.text("tool", json!({})).await;
    caller.call("strict", json!({"n": "text-of-an-argument"})).await;
    caller.call("strict", json!({"n": 1})).await;
    let records = receiver.wait_for_logs(|records| records.len() == 3);
    let ndjson = fixture.api.get("/calls?format=ndjson").send().await.expect(200).text();
    let attributes: Vec<Value> = records.iter().map(|record| record["attributes"].clone()).collect();
    assert_eq!(attributes, exported_calls(&ndjson));
    assert_eq!(records[0]["event"], "toolgate.call");
    assert_eq!((&records[0]["severity"], &records[1]["severity"]), (&json!("INFO"), &json!("WARN")));
    assert!(records.iter().all(|record| record["trace_id"] == SAMPLED_CALLER.split('-').nth(1).unwrap()));
    assert!(!format!("{records:?}").contains("text-of-an-argument"));
    assert_eq!(item_count(&fixture.app, "logs", "exported").await, 3);
    assert!(fixture.app.terminate().success());
}

#[tokio::test]
async fn calls_are_exported_as_log_records_only_if_configured() {
    let Some(receiver) = OtlpReceiver::start() else { return };
    let mut fixture = start_with_tool(traced_service(&receiver.url()), json!({})).await;
    fixture.caller().text("tool", json!({})).await;
    assert!(fixture.app.terminate().success());
    assert!(receiver.messages().iter().all(|message| message["path"] == "/v1/traces"));
    assert!(!receiver.messages().is_empty(), "the shutdown exports the queued spans");
}
