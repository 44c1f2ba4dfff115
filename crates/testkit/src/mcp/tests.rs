//! Tests of the three kinds of client with an endpoint that echoes the request.

use serde_json::{Value, json};

use super::{MODERN, McpClient};
use crate::upstream::{MockResponse, ReceivedRequest, Upstream};

/// Responds to `initialize` with a session, to everything else with the message and the headers as the result.
fn endpoint() -> Upstream {
    Upstream::with_handler(|request| {
        if request.method != "POST" {
            return MockResponse::bytes("text/event-stream", "data: {\"method\":\"x\"}\n\n");
        }
        let message = request.json();
        match message["method"].as_str() {
            Some("initialize") => {
                result_response(&message, json!({"protocolVersion": "2025-06-18"})).header("mcp-session-id", "s1")
            }
            Some("fails") => {
                let error = json!({"code": -32601, "message": "no"});
                MockResponse::json(json!({"jsonrpc": "2.0", "id": message["id"], "error": error})).with_status(404)
            }
            Some("streams") => {
                let last = json!({"jsonrpc": "2.0", "id": message["id"], "result": "late"});
                MockResponse::bytes("text/event-stream", format!("data: {{\"method\":\"early\"}}\n\ndata: {last}\n\n"))
            }
            _ if message.get("id").is_none() => MockResponse::status(202),
            _ => result_response(&message, json!({"message": message, "headers": headers_in_lower_case(request)})),
        }
    })
}

#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn result_response(message: &Value, result: Value) -> MockResponse {
    MockResponse::json(json!({"jsonrpc": "2.0", "id": message["id"], "result": result}))
}

fn headers_in_lower_case(request: &ReceivedRequest) -> Value {
    request.headers.iter().map(|(name, value)| (name.to_lowercase(), json!(value))).collect()
}

#[tokio::test]
async fn a_bare_client_adds_no_headers_or_parameters() {
    let upstream = endpoint();
    let echo = McpClient::new(&upstream.url("/mcp/a/b")).bearer("k").result("tools/list", json!({})).await;
    assert_eq!(echo["message"], json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}));
    assert_eq!(echo["headers"]["authorization"], "Bearer k");
    for absent in ["accept", "mcp-protocol-version", "mcp-session-id", "mcp-method"] {
        assert_eq!(echo["headers"][absent], Value::Null, "{absent}");
    }
}

#[tokio::test]
async fn a_legacy_client_sends_revision_and_session() {
    let upstream = endpoint();
    let mcp = McpClient::new(&upstream.url("/mcp/a/b")).legacy("2025-11-25").await;
    assert_eq!(mcp.session(), Some("s1"));
    assert_eq!(upstream.requests()[0].json()["params"]["protocolVersion"], "2025-11-25");
    assert_eq!(upstream.requests()[1].json()["method"], "notifications/initialized");
    let echo = mcp.result("ping", json!({})).await;
    assert_eq!(echo["headers"]["mcp-protocol-version"], "2025-06-18");
    assert_eq!(echo["headers"]["mcp-session-id"], "s1");
    assert_eq!(mcp.listen().await.next_json().await, json!({"method": "x"}));
    assert_eq!(upstream.last().header("mcp-session-id"), Some("s1"));
}

#[tokio::test]
async fn a_modern_client_sends_revision_and_capabilities_each_time() {
    let upstream = endpoint();
    let mcp = McpClient::new(&upstream.url("/mcp/a/b")).modern_with_capabilities(json!({"sampling": {}}));
    let echo = mcp.result("tools/call", json!({"name": "ü", "arguments": {}, "_meta": {"x": 1}})).await;
    let meta = &echo["message"]["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], MODERN);
    assert_eq!(
        (&meta["io.modelcontextprotocol/clientCapabilities"], &meta["x"]),
        (&json!({"sampling": {}}), &json!(1))
    );
    assert_eq!(echo["headers"]["mcp-protocol-version"], MODERN);
    assert_eq!(echo["headers"]["mcp-method"], "tools/call");
    assert_eq!(echo["headers"]["mcp-name"], "=?base64?w7w=?=");
    let echo = mcp.result("resources/read", json!({"uri": "docs://x"})).await;
    assert_eq!(echo["headers"]["mcp-name"], "docs://x");
}

#[tokio::test]
async fn results_and_errors_are_read_from_json_and_from_streams() {
    let upstream = endpoint();
    let mcp = McpClient::new(&upstream.url("/mcp/a/b")).modern();
    assert_eq!(mcp.result("streams", json!({})).await, "late");
    assert_eq!(mcp.open("streams", json!({})).await.next_json().await, json!({"method": "early"}));
    assert_eq!(mcp.error("fails", json!({})).await, (404, json!({"code": -32601, "message": "no"})));
}

#[tokio::test]
#[should_panic(expected = "the response has no matching message: POST")]
async fn a_missing_error_panics_with_the_response() {
    let upstream = endpoint();
    McpClient::new(&upstream.url("/mcp/a/b")).error("tools/list", json!({})).await;
}
