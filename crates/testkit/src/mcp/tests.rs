//! The three kinds of caller, against an endpoint that repeats what it heard.

use serde_json::{Value, json};

use super::{MODERN, Mcp};
use crate::upstream::{Answer, Received, Upstream};

/// Answers `initialize` with a session, everything else with the message and the headers as the result.
fn endpoint() -> Upstream {
    Upstream::answering(|request| {
        if request.method != "POST" {
            return Answer::bytes("text/event-stream", "data: {\"method\":\"x\"}\n\n");
        }
        let message = request.json();
        match message["method"].as_str() {
            Some("initialize") => {
                answer(&message, json!({"protocolVersion": "2025-06-18"})).header("mcp-session-id", "s1")
            }
            Some("fails") => {
                let error = json!({"code": -32601, "message": "no"});
                Answer::json(json!({"jsonrpc": "2.0", "id": message["id"], "error": error})).with_status(404)
            }
            Some("streams") => {
                let last = json!({"jsonrpc": "2.0", "id": message["id"], "result": "late"});
                Answer::bytes("text/event-stream", format!("data: {{\"method\":\"early\"}}\n\ndata: {last}\n\n"))
            }
            _ if message.get("id").is_none() => Answer::status(202),
            _ => answer(&message, json!({"message": message, "headers": lower_case(request)})),
        }
    })
}

#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn answer(message: &Value, result: Value) -> Answer {
    Answer::json(json!({"jsonrpc": "2.0", "id": message["id"], "result": result}))
}

fn lower_case(request: &Received) -> Value {
    request.headers.iter().map(|(name, value)| (name.to_lowercase(), json!(value))).collect()
}

#[tokio::test]
async fn a_bare_caller_adds_nothing() {
    let upstream = endpoint();
    let heard = Mcp::at(&upstream.url("/mcp/a/b")).bearer("k").result("tools/list", json!({})).await;
    assert_eq!(heard["message"], json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}));
    assert_eq!(heard["headers"]["authorization"], "Bearer k");
    for absent in ["accept", "mcp-protocol-version", "mcp-session-id", "mcp-method"] {
        assert_eq!(heard["headers"][absent], Value::Null, "{absent}");
    }
}

#[tokio::test]
async fn a_legacy_caller_keeps_revision_and_session() {
    let upstream = endpoint();
    let mcp = Mcp::at(&upstream.url("/mcp/a/b")).legacy("2025-11-25").await;
    assert_eq!(mcp.session(), Some("s1"));
    assert_eq!(upstream.requests()[0].json()["params"]["protocolVersion"], "2025-11-25");
    assert_eq!(upstream.requests()[1].json()["method"], "notifications/initialized");
    let heard = mcp.result("ping", json!({})).await;
    assert_eq!(heard["headers"]["mcp-protocol-version"], "2025-06-18");
    assert_eq!(heard["headers"]["mcp-session-id"], "s1");
    assert_eq!(mcp.listen().await.next_json().await, json!({"method": "x"}));
    assert_eq!(upstream.last().header("mcp-session-id"), Some("s1"));
}

#[tokio::test]
async fn a_modern_caller_says_everything_each_time() {
    let upstream = endpoint();
    let mcp = Mcp::at(&upstream.url("/mcp/a/b")).modern_with(json!({"sampling": {}}));
    let heard = mcp.result("tools/call", json!({"name": "ü", "arguments": {}, "_meta": {"x": 1}})).await;
    let meta = &heard["message"]["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], MODERN);
    assert_eq!(
        (&meta["io.modelcontextprotocol/clientCapabilities"], &meta["x"]),
        (&json!({"sampling": {}}), &json!(1))
    );
    assert_eq!(heard["headers"]["mcp-protocol-version"], MODERN);
    assert_eq!(heard["headers"]["mcp-method"], "tools/call");
    assert_eq!(heard["headers"]["mcp-name"], "=?base64?w7w=?=");
    let heard = mcp.result("resources/read", json!({"uri": "docs://x"})).await;
    assert_eq!(heard["headers"]["mcp-name"], "docs://x");
}

#[tokio::test]
async fn results_and_errors_are_told_apart() {
    let upstream = endpoint();
    let mcp = Mcp::at(&upstream.url("/mcp/a/b")).modern();
    assert_eq!(mcp.result("streams", json!({})).await, "late");
    assert_eq!(mcp.open("streams", json!({})).await.next_json().await, json!({"method": "early"}));
    assert_eq!(mcp.error("fails", json!({})).await, (404, json!({"code": -32601, "message": "no"})));
}

#[tokio::test]
#[should_panic(expected = "the answer is missing: POST")]
async fn a_result_that_is_none_panics_with_the_exchange() {
    let upstream = endpoint();
    Mcp::at(&upstream.url("/mcp/a/b")).error("tools/list", json!({})).await;
}
