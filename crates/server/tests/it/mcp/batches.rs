//! Several messages in one array: for plain callers and for the one revision that has them.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::mcp::{MODERN, NEWEST_LEGACY};
use toolgate_testkit::{Answer, Reply, Upstream};

use super::owner::{self, assert_refused, bare};

fn ping(id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "ping"})
}

fn pong(id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "result": {}})
}

/// The codes of the errors in a batch's reply, `None` for a result.
fn codes(reply: &Reply) -> Vec<Option<i64>> {
    reply.json().as_array().unwrap().iter().map(|answer| answer["error"]["code"].as_i64()).collect()
}

#[tokio::test]
async fn plain_callers_and_2025_03_26_may_send_several_messages_at_once() {
    let endpoint = owner::open(json!({})).await;
    let legacy = bare(&endpoint).legacy("2025-03-26").await;
    for mcp in [bare(&endpoint), legacy, bare(&endpoint).header("mcp-session-id", "unknown")] {
        let reply = mcp.post(json!([ping(1), ping("b"), ping(0)])).send().await.expect(200);
        assert_eq!(reply.json(), json!([pong(1), pong("b"), pong(0)]));
        assert_eq!(reply.header("content-type"), Some("application/json"));
        let single = mcp.post(json!([ping(1)])).send().await.expect(200);
        assert_eq!(single.json(), json!([pong(1)]));
    }
}

#[tokio::test]
async fn other_revisions_have_no_batches_and_nothing_of_one_is_done() {
    let upstream = Upstream::answering(|_| Answer::text("ok"));
    let endpoint = owner::open(json!({})).await;
    endpoint.tool(owner::tool(&upstream, "t")).await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t"}});
    for revision in ["2024-11-05", "2025-06-18", NEWEST_LEGACY] {
        let legacy = bare(&endpoint).legacy(revision).await;
        assert_refused(&legacy.post(json!([call])).send().await, 400, -32600);
    }
    for revision in [MODERN, "2099-01-01", "1999-01-01", "unknown"] {
        let named = bare(&endpoint).header("mcp-protocol-version", revision);
        assert_refused(&named.post(json!([call])).send().await, 400, -32600);
    }
    // One modern message makes the whole a modern one.
    let meta = json!({"io.modelcontextprotocol/protocolVersion": MODERN});
    let with_meta = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": meta}});
    assert_refused(&bare(&endpoint).post(json!([call, with_meta])).send().await, 400, -32600);
    assert_eq!(upstream.hits(), 0);
}

#[tokio::test]
async fn a_batch_holds_between_one_and_fifty_messages_or_nothing_of_it_is_done() {
    let upstream = Upstream::answering(|_| Answer::text("ok"));
    let endpoint = owner::open(json!({})).await;
    endpoint.tool(owner::tool(&upstream, "t")).await;
    let mcp = bare(&endpoint);
    assert_refused(&mcp.post(json!([])).send().await, 400, -32600);
    let call = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "t"}});
    let many = |count: i64| mcp.post((0..count).map(call).collect()).send();
    assert_refused(&many(51).await, 400, -32600);
    // Nor is there a part of one that parsers read differently.
    let doubled = format!(r#"[{},{{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}}]"#, call(1));
    let doubled = mcp.plain(Method::POST).header("content-type", "application/json").body(doubled);
    assert_refused(&doubled.send().await, 400, -32600);
    assert_eq!(upstream.hits(), 0);
    assert_eq!(many(50).await.expect(200).json().as_array().unwrap().len(), 50);
    assert_eq!(upstream.hits(), 50);
}

#[tokio::test]
async fn only_what_wants_an_answer_gets_one() {
    let endpoint = owner::open(json!({})).await;
    let mcp = bare(&endpoint);
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = json!({"jsonrpc": "2.0", "id": 9, "result": {}});
    let mixed = json!([notification, ping(1), answer, ping(2), notification]);
    assert_eq!(mcp.post(mixed).send().await.expect(200).json(), json!([pong(1), pong(2)]));
    let quiet = mcp.post(json!([notification, answer])).send().await.expect(202);
    assert!(quiet.body.is_empty());
}

#[tokio::test]
async fn each_message_fails_for_itself() {
    let endpoint = owner::open(json!({})).await;
    let unknown = json!({"jsonrpc": "2.0", "id": 2, "method": "no/such"});
    let initialize = json!({"jsonrpc": "2.0", "id": 3, "method": "initialize",
        "params": {"protocolVersion": "2025-03-26", "capabilities": {}}});
    let bad_tool = json!({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "no"}});
    let no_id = json!({"jsonrpc": "2.0", "id": null, "method": "ping"});
    let batch = json!([1, unknown, initialize, bad_tool, no_id, [], ping(5)]);
    let reply = bare(&endpoint).post(batch).send().await.expect(200);
    let expected = [Some(-32600), Some(-32601), Some(-32600), Some(-32602), Some(-32600), Some(-32600), None];
    assert_eq!(codes(&reply), expected, "{reply:?}");
    let ids: Vec<Value> = reply.json().as_array().unwrap().iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(Value::from(ids), json!([null, 2, 3, 4, null, null, 5]));
    assert_eq!(reply.header("mcp-session-id"), None, "no session begins in a batch");
}

#[tokio::test]
async fn calls_of_a_batch_run_side_by_side_and_are_answered_in_order() {
    // Each is held back until both have come: one after the other, none would ever be answered.
    let gate = toolgate_testkit::Gate::new();
    let held = gate.clone();
    let upstream = Upstream::answering(move |request| Answer::text(request.target.clone()).held_by(&held));
    let endpoint = owner::open(json!({})).await;
    for name in ["a", "b"] {
        endpoint.tool(owner::tool(&upstream, name)).await;
    }
    let call = |id: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": id}});
    let mcp = bare(&endpoint);
    let opening = async {
        upstream.wait_for_requests(2).await;
        gate.open();
    };
    let (reply, ()) = tokio::join!(mcp.post(json!([call("a"), call("b")])).send(), opening);
    let texts: Vec<Value> =
        reply.json().as_array().unwrap().iter().map(|one| one["result"]["content"][0]["text"].clone()).collect();
    assert_eq!(texts, ["/a", "/b"]);
}
