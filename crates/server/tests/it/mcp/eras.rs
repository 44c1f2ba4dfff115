//! Which rules hold for a request: plain JSON-RPC, a revision with a handshake, or the revision without one.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::mcp::{MODERN, NEWEST_LEGACY};
use toolgate_testkit::{Mcp, Reply};

use super::endpoint::Endpoint;
use super::owner::{self, assert_refused, bare, idle_tool};

const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", NEWEST_LEGACY];

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

async fn shop() -> Endpoint {
    let endpoint = owner::open(json!({})).await;
    endpoint.tool(idle_tool("t")).await;
    endpoint
}

fn initialize(revision: &str) -> Value {
    json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}})
}

/// What only the modern revision says.
fn is_modern(reply: &Reply) -> bool {
    reply.json()["result"]["resultType"] == "complete"
}

#[tokio::test]
async fn each_legacy_revision_is_agreed_to_and_any_other_becomes_the_newest_of_them() {
    let endpoint = shop().await;
    let mcp = bare(&endpoint);
    for revision in LEGACY {
        let result = mcp.result("initialize", initialize(revision)).await;
        assert_eq!(result["protocolVersion"], revision);
    }
    for other in [MODERN, "2099-01-01", "1.0", ""] {
        let result = mcp.result("initialize", initialize(other)).await;
        assert_eq!(result["protocolVersion"], NEWEST_LEGACY, "{other}");
    }
    let (status, error) = mcp.error("initialize", json!({"capabilities": {}})).await;
    assert_eq!((status, &error["code"]), (200, &json!(-32602)), "{error}");
}

#[tokio::test]
async fn a_handshake_tells_who_is_there_and_what_it_can_do() {
    let endpoint = owner::open(json!({"name": "My Shop", "settings": {"instructions": "Be kind."}})).await;
    let reply = bare(&endpoint).send("initialize", initialize("2025-06-18")).await.expect(200);
    assert!(reply.header("mcp-session-id").is_some_and(|id| !id.is_empty()));
    let result = &reply.json()["result"];
    let capabilities = json!({"tools": {"listChanged": true}, "prompts": {"listChanged": true},
        "resources": {"subscribe": true, "listChanged": true}, "completions": {}, "logging": {}});
    assert_eq!(result["capabilities"], capabilities);
    assert_eq!(result["serverInfo"]["title"], "My Shop");
    assert_eq!(result["instructions"], "Be kind.");
    assert!(result.get("resultType").is_none() && result.get("_meta").is_none(), "{result}");
}

#[tokio::test]
async fn the_header_the_meta_or_discovery_each_make_a_request_modern() {
    let endpoint = shop().await;
    let (mcp, modern) = (bare(&endpoint), bare(&endpoint).modern());
    assert!(is_modern(&modern.send("tools/list", json!({})).await));
    assert!(!is_modern(&mcp.send("tools/list", json!({})).await));
    // Each alone is enough to be held to the modern rules, and so to be told what is missing.
    let header = mcp.request("tools/list", json!({})).header("mcp-protocol-version", MODERN);
    assert_refused(&header.send().await, 400, -32602);
    let meta = json!({"_meta": {VERSION: MODERN}});
    assert_refused(&mcp.send("tools/list", meta).await, 400, -32602);
    assert_refused(&mcp.send("server/discover", json!({})).await, 400, -32602);
    // However its name is spelt.
    let escaped = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_m\u0065ta":{{"{VERSION}":"{MODERN}"}}}}}}"#
    );
    let request = mcp.plain(Method::POST).header("content-type", "application/json").body(escaped);
    assert_refused(&request.send().await, 400, -32602);
    // Meta about other things is not.
    let reply = mcp.send("tools/list", json!({"_meta": {"progressToken": 1}})).await.expect(200);
    assert!(!is_modern(&reply));
}

#[tokio::test]
async fn a_legacy_revision_in_the_header_is_answered_without_modern_members() {
    let endpoint = shop().await;
    let mcp = bare(&endpoint);
    for revision in LEGACY {
        let request = mcp.request("tools/list", json!({})).header("mcp-protocol-version", revision);
        let reply = request.send().await.expect(200);
        let result = &reply.json()["result"];
        assert_eq!(result.as_object().unwrap().keys().collect::<Vec<_>>(), ["tools"], "{revision}");
        assert_eq!(reply.header("mcp-session-id"), None);
    }
}

#[tokio::test]
async fn an_unknown_revision_in_the_header_is_refused() {
    let endpoint = shop().await;
    let mcp = bare(&endpoint);
    for bad in ["1999-01-01", "2025-11-26", "latest", "2026-7-28", ""] {
        let request = mcp.request("tools/list", json!({})).header("mcp-protocol-version", bad);
        assert_refused(&request.send().await, 400, -32600);
        // So is it for a session's stream and its end.
        for method in [Method::GET, Method::DELETE] {
            let request = mcp.plain(method).header("mcp-protocol-version", bad).header("accept", "text/event-stream");
            assert_refused(&request.send().await, 400, -32600);
        }
    }
}

#[tokio::test]
async fn an_unknown_method_is_404_for_modern_callers_only() {
    let endpoint = shop().await;
    let legacy = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    for (mcp, status) in [(bare(&endpoint), 200), (legacy, 200), (bare(&endpoint).modern(), 404)] {
        let (answered, error) = mcp.error("tools/unknown", json!({})).await;
        assert_eq!(answered, status);
        assert_eq!(error, json!({"code": -32601, "message": "Method not found: tools/unknown"}));
    }
}

#[tokio::test]
async fn what_a_revision_removed_is_unknown_in_it() {
    let endpoint = shop().await;
    let modern = bare(&endpoint).modern();
    let uri = json!({"uri": "docs://x"});
    for (method, params) in [
        ("initialize", initialize(MODERN)),
        ("ping", json!({})),
        ("logging/setLevel", json!({"level": "info"})),
        ("resources/subscribe", uri.clone()),
        ("resources/unsubscribe", uri),
    ] {
        let reply = modern.send(method, params).await;
        assert_refused(&reply, 404, -32601);
        assert_eq!(reply.header("mcp-session-id"), None, "{method}");
    }
    // What it added is unknown before it.
    let listen = json!({"notifications": {"toolsListChanged": true}});
    let legacy = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    for mcp in [legacy, bare(&endpoint)] {
        let (status, error) = mcp.error("subscriptions/listen", listen.clone()).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32601)));
    }
}

#[tokio::test]
async fn older_callers_may_ping() {
    let endpoint = shop().await;
    for mcp in [bare(&endpoint), bare(&endpoint).legacy("2025-03-26").await] {
        assert_eq!(mcp.result("ping", json!({})).await, json!({}));
    }
}

#[tokio::test]
async fn a_session_speaks_its_revision_unless_the_header_names_another() {
    let endpoint = shop().await;
    let mcp = bare(&endpoint).legacy("2025-06-18").await;
    let id = mcp.session().unwrap().to_owned();
    let batch = |mcp: Mcp| mcp.post(json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])).send();
    let without_header = bare(&endpoint).header("mcp-session-id", &id);
    assert_refused(&batch(without_header.clone()).await, 400, -32600);
    batch(without_header.header("mcp-protocol-version", "2025-03-26")).await.expect(200);
}
