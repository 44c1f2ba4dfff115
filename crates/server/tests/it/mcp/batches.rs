//! Batches: accepted from bare clients and in revision 2025-03-26, the only one with batches.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::mcp::{MODERN, NEWEST_LEGACY};
use toolgate_testkit::{MockResponse, TestResponse, Upstream};

use super::management::{self, assert_refused, bare_client};

fn ping(id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "ping"})
}

fn pong(id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "result": {}})
}

/// The codes of the errors in a batch's reply, `None` for a result.
fn error_codes(reply: &TestResponse) -> Vec<Option<i64>> {
    reply.json().as_array().unwrap().iter().map(|response| response["error"]["code"].as_i64()).collect()
}

#[tokio::test]
async fn bare_clients_and_2025_03_26_may_send_batches() {
    let fixture = management::start_server(json!({})).await;
    let legacy = bare_client(&fixture).legacy("2025-03-26").await;
    for mcp in [bare_client(&fixture), legacy, bare_client(&fixture).header("mcp-session-id", "unknown")] {
        let reply = mcp.post(json!([ping(1), ping("b"), ping(0)])).send().await.expect(200);
        assert_eq!(reply.json(), json!([pong(1), pong("b"), pong(0)]));
        assert_eq!(reply.header("content-type"), Some("application/json"));
        let single = mcp.post(json!([ping(1)])).send().await.expect(200);
        assert_eq!(single.json(), json!([pong(1)]));
    }
}

#[tokio::test]
async fn other_revisions_refuse_batches_completely() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = management::start_server(json!({})).await;
    fixture.create("/tools", management::tool(&upstream, "t")).await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t"}});
    for revision in ["2024-11-05", "2025-06-18", NEWEST_LEGACY] {
        let legacy = bare_client(&fixture).legacy(revision).await;
        assert_refused(&legacy.post(json!([call])).send().await, 400, -32600);
    }
    for revision in [MODERN, "2099-01-01", "1999-01-01", "unknown"] {
        let client = bare_client(&fixture).header("mcp-protocol-version", revision);
        assert_refused(&client.post(json!([call])).send().await, 400, -32600);
    }
    // One modern message makes the whole batch modern.
    let meta = json!({"io.modelcontextprotocol/protocolVersion": MODERN});
    let with_meta = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": meta}});
    assert_refused(&bare_client(&fixture).post(json!([call, with_meta])).send().await, 400, -32600);
    assert_eq!(upstream.request_count(), 0);
}

#[tokio::test]
async fn a_batch_has_one_to_fifty_messages_or_is_refused_completely() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = management::start_server(json!({})).await;
    fixture.create("/tools", management::tool(&upstream, "t")).await;
    let mcp = bare_client(&fixture);
    assert_refused(&mcp.post(json!([])).send().await, 400, -32600);
    let call = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "t"}});
    let send_batch = |count: i64| mcp.post((0..count).map(call).collect()).send();
    assert_refused(&send_batch(51).await, 400, -32600);
    // A batch with a duplicate key is refused as a whole, too.
    let duplicate_key = format!(r#"[{},{{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}}]"#, call(1));
    let request = mcp.raw_request(Method::POST).header("content-type", "application/json").body(duplicate_key);
    assert_refused(&request.send().await, 400, -32600);
    assert_eq!(upstream.request_count(), 0);
    assert_eq!(send_batch(50).await.expect(200).json().as_array().unwrap().len(), 50);
    assert_eq!(upstream.request_count(), 50);
}

#[tokio::test]
async fn only_requests_of_a_batch_get_responses() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture);
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let response = json!({"jsonrpc": "2.0", "id": 9, "result": {}});
    let mixed = json!([notification, ping(1), response, ping(2), notification]);
    assert_eq!(mcp.post(mixed).send().await.expect(200).json(), json!([pong(1), pong(2)]));
    let reply = mcp.post(json!([notification, response])).send().await.expect(202);
    assert!(reply.body.is_empty());
}

#[tokio::test]
async fn each_message_of_a_batch_fails_independently() {
    let fixture = management::start_server(json!({})).await;
    let unknown = json!({"jsonrpc": "2.0", "id": 2, "method": "no/such"});
    let initialize = json!({"jsonrpc": "2.0", "id": 3, "method": "initialize",
        "params": {"protocolVersion": "2025-03-26", "capabilities": {}}});
    let bad_tool = json!({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "no"}});
    let no_id = json!({"jsonrpc": "2.0", "id": null, "method": "ping"});
    let batch = json!([1, unknown, initialize, bad_tool, no_id, [], ping(5)]);
    let reply = bare_client(&fixture).post(batch).send().await.expect(200);
    let expected = [Some(-32600), Some(-32601), Some(-32600), Some(-32602), Some(-32600), Some(-32600), None];
    assert_eq!(error_codes(&reply), expected, "{reply:?}");
    let ids: Vec<Value> = reply.json().as_array().unwrap().iter().map(|response| response["id"].clone()).collect();
    assert_eq!(Value::from(ids), json!([null, 2, 3, 4, null, null, 5]));
    assert_eq!(reply.header("mcp-session-id"), None, "a batch does not start a session");
}

#[tokio::test]
async fn calls_of_a_batch_run_concurrently_and_reply_in_order() {
    // The upstream holds both responses until both requests have arrived, so sequential calls would deadlock.
    let gate = toolgate_testkit::ResponseGate::new();
    let held = gate.clone();
    let upstream = Upstream::with_handler(move |request| MockResponse::text(request.target.clone()).held_by(&held));
    let fixture = management::start_server(json!({})).await;
    for name in ["a", "b"] {
        fixture.create("/tools", management::tool(&upstream, name)).await;
    }
    let call = |id: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": id}});
    let mcp = bare_client(&fixture);
    let opening = async {
        upstream.wait_for_requests(2).await;
        gate.open();
    };
    let (reply, ()) = tokio::join!(mcp.post(json!([call("a"), call("b")])).send(), opening);
    let texts: Vec<Value> = reply
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|response| response["result"]["content"][0]["text"].clone())
        .collect();
    assert_eq!(texts, ["/a", "/b"]);
}
