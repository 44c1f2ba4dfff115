//! Notifications during a call: progress on request, log messages if a log level is set; and the effect of a
//! disconnect on the call.

use serde_json::{Value, json};
use toolgate_testkit::http::EventStream;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{McpClient, MockResponse, ResponseGate, ServiceFixture, Upstream};

use super::management::{self, bare_client};

const STAGES: [&str; 4] =
    ["Checking the arguments", "Calling the upstream", "The upstream has responded", "The result is ready"];

async fn start_server_with_tool(upstream: &Upstream) -> ServiceFixture {
    let fixture = management::start_server(json!({})).await;
    fixture.create("/tools", management::tool(upstream, "t")).await;
    fixture
}

#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn call_params(token: Value) -> Value {
    json!({"name": "t", "arguments": {}, "_meta": {"progressToken": token}})
}

fn progress(token: &Value, stage: usize) -> Value {
    let params = json!({"progressToken": token, "progress": stage, "total": 3, "message": STAGES[stage]});
    json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
}

async fn remaining_messages(mut events: EventStream) -> Vec<Value> {
    let mut messages = Vec::new();
    while let Some(event) = events.next().await {
        assert_eq!(event.kind, "message");
        messages.push(event.json());
    }
    messages
}

#[tokio::test]
async fn a_call_whose_result_is_cached_reports_the_same_stages() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("done"));
    let fixture = management::start_server(json!({})).await;
    let mut tool = management::tool(&upstream, "t");
    tool["cache_ttl"] = 300.into();
    fixture.create("/tools", tool).await;
    for mcp in [bare_client(&fixture).legacy(NEWEST_LEGACY).await, bare_client(&fixture).modern()] {
        for _ in 0..3 {
            let token = json!(7);
            let messages = remaining_messages(mcp.open("tools/call", call_params(token.clone())).await).await;
            let expected: Vec<Value> = (0..STAGES.len()).map(|stage| progress(&token, stage)).collect();
            let (last, stages) = messages.split_last().unwrap();
            assert_eq!(stages, expected);
            assert_eq!(last["result"]["content"][0]["text"], "done");
        }
    }
    assert_eq!(upstream.request_count(), 1);
}

#[tokio::test]
async fn progress_is_sent_while_the_call_runs_and_the_result_comes_last() {
    let gate = ResponseGate::new();
    let held = gate.clone();
    let upstream = Upstream::with_handler(move |_| MockResponse::text("done").held_by(&held));
    let fixture = start_server_with_tool(&upstream).await;
    for mcp in [bare_client(&fixture).legacy(NEWEST_LEGACY).await, bare_client(&fixture).modern()] {
        gate.shut();
        let token = json!("a token");
        let mut events = mcp.open("tools/call", call_params(token.clone())).await;
        assert_eq!(events.head().header("x-accel-buffering"), Some("no"));
        assert_eq!(events.next_json().await, progress(&token, 0));
        assert_eq!(events.next_json().await, progress(&token, 1));
        gate.open();
        assert_eq!(events.next_json().await, progress(&token, 2));
        assert_eq!(events.next_json().await, progress(&token, 3));
        let last = events.next_json().await;
        assert_eq!((&last["id"], &last["result"]["content"][0]["text"]), (&json!(mcp.last_id()), &json!("done")));
        assert_eq!(events.next().await, None);
    }
}

#[tokio::test]
async fn only_a_client_that_accepts_streams_gets_one() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("done"));
    let fixture = start_server_with_tool(&upstream).await;
    let legacy = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let content_type = |mcp: &McpClient, accept: &str, params: Value| {
        let request = mcp.request("tools/call", params).header("accept", accept);
        async { request.send().await.expect(200).header("content-type").unwrap().to_owned() }
    };
    for mcp in [&bare_client(&fixture), &legacy, &bare_client(&fixture).modern()] {
        for accept in ["application/json", "*/*", ""] {
            assert_eq!(content_type(mcp, accept, call_params(json!(1))).await, "application/json", "{accept}");
        }
        assert_eq!(
            content_type(mcp, "application/json, text/event-stream", call_params(json!(1))).await,
            "text/event-stream"
        );
        // Without a valid progress token nothing precedes the result, so there is no stream.
        for token in [json!(null), json!(1.5), json!({}), json!([])] {
            assert_eq!(content_type(mcp, "text/event-stream", call_params(token)).await, "application/json");
        }
        assert_eq!(content_type(mcp, "text/event-stream", json!({"name": "t"})).await, "application/json");
    }
}

#[tokio::test]
async fn protocol_errors_are_not_streamed() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("done"));
    let fixture = start_server_with_tool(&upstream).await;
    for mcp in [bare_client(&fixture).legacy(NEWEST_LEGACY).await, bare_client(&fixture).modern()] {
        let unknown = json!({"name": "unknown", "_meta": {"progressToken": 1}});
        let reply = mcp.send("tools/call", unknown).await;
        assert_eq!(reply.header("content-type"), Some("application/json"));
        assert_eq!(reply.json()["error"]["code"], -32602);
    }
}

#[tokio::test]
async fn a_failed_call_reports_progress_before_its_result() {
    let upstream = Upstream::with_handler(|_| MockResponse::status(500));
    let fixture = start_server_with_tool(&upstream).await;
    let mcp = bare_client(&fixture).modern();
    let messages = remaining_messages(mcp.open("tools/call", call_params(json!(7))).await).await;
    let steps: Vec<i64> = messages.iter().filter_map(|message| message["params"]["progress"].as_i64()).collect();
    assert!(steps.is_sorted_by(|a, b| a < b) && steps.first() == Some(&0), "{steps:?}");
    assert_eq!(messages.last().unwrap()["result"]["isError"], true);
}

#[tokio::test]
async fn a_session_with_a_log_level_gets_log_messages_of_its_calls() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("done"));
    let fixture = start_server_with_tool(&upstream).await;
    let mcp = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let other = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    for (level, is_sent) in [("info", true), ("warning", false), ("debug", true), ("emergency", false)] {
        assert_eq!(mcp.result("logging/setLevel", json!({"level": level})).await, json!({}));
        let reply = mcp.send("tools/call", json!({"name": "t"})).await.expect(200);
        if !is_sent {
            assert_eq!(reply.header("content-type"), Some("application/json"), "{level}");
            continue;
        }
        let messages: Vec<Value> = reply.events().iter().map(toolgate_testkit::http::SseEvent::json).collect();
        let (result, messages) = messages.split_last().unwrap();
        let expected: Vec<Value> = STAGES
            .map(|stage| {
                let params = json!({"level": "info", "logger": "toolgate", "data": stage});
                json!({"jsonrpc": "2.0", "method": "notifications/message", "params": params})
            })
            .to_vec();
        assert_eq!(messages, expected);
        assert_eq!(result["result"]["content"][0]["text"], "done");
        // The level applies only to the session that set it.
        let reply = other.send("tools/call", json!({"name": "t"})).await;
        assert_eq!(reply.header("content-type"), Some("application/json"));
    }
    // Without a session the level cannot be stored, but the request is accepted.
    assert_eq!(bare_client(&fixture).result("logging/setLevel", json!({"level": "info"})).await, json!({}));
}

#[tokio::test]
async fn a_modern_call_gets_log_messages_by_the_level_in_its_metadata() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("done"));
    let fixture = start_server_with_tool(&upstream).await;
    let mcp = bare_client(&fixture).modern();
    for (level, count) in [("info", 4), ("error", 0), ("nonsense", 0)] {
        let meta = json!({"io.modelcontextprotocol/logLevel": level});
        let reply = mcp.send("tools/call", json!({"name": "t", "_meta": meta})).await.expect(200);
        let messages = reply.events().iter().filter(|event| event.data.contains("notifications/message")).count();
        assert_eq!(messages, count, "{level}");
    }
}

#[tokio::test]
async fn disconnecting_cancels_the_call_of_a_modern_or_bare_client_but_not_of_a_legacy_one() {
    let gate = ResponseGate::new();
    let held = gate.clone();
    let upstream = Upstream::with_handler(move |_| MockResponse::text("done").held_by(&held));
    let fixture = start_server_with_tool(&upstream).await;
    let legacy = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let modern = bare_client(&fixture).modern();
    let disconnect = async |mcp: &McpClient, params: Value, earlier_requests: usize| {
        let events = mcp.request("tools/call", params).header("accept", "text/event-stream").open();
        let (events, _) = tokio::join!(events, upstream.wait_for_requests(earlier_requests + 1));
        drop(events);
    };
    disconnect(&legacy, call_params(json!(1)), 0).await;
    disconnect(&modern, call_params(json!(2)), 1).await;
    upstream.wait_for_abandoned(1).await;
    disconnect(&bare_client(&fixture), call_params(json!(3)), 2).await;
    upstream.wait_for_abandoned(2).await;
    // The legacy client disconnected first; its call is still running.
    assert_eq!(upstream.abandoned(), 2);
    gate.open();
    assert_eq!(legacy.text("t", json!({})).await, "done");
    assert_eq!(upstream.abandoned(), 2);
}
