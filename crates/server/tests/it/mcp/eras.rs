//! The protocol era of a request: plain JSON-RPC, a revision with a handshake, or the revision without one.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::mcp::{MODERN, NEWEST_LEGACY};
use toolgate_testkit::{McpClient, ServiceFixture, TestResponse};

use super::management::{self, assert_refused, bare_client, uncalled_tool};

const LEGACY_REVISIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", NEWEST_LEGACY];

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

async fn start_server_with_tool() -> ServiceFixture {
    let fixture = management::start_server(json!({})).await;
    fixture.create("/tools", uncalled_tool("t")).await;
    fixture
}

fn initialize_params(revision: &str) -> Value {
    json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}})
}

/// Whether the reply has members of the modern revision.
fn is_modern(reply: &TestResponse) -> bool {
    reply.json()["result"]["resultType"] == "complete"
}

#[tokio::test]
async fn each_legacy_revision_is_accepted_and_any_other_falls_back_to_the_newest() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture);
    for revision in LEGACY_REVISIONS {
        let result = mcp.result("initialize", initialize_params(revision)).await;
        assert_eq!(result["protocolVersion"], revision);
    }
    for other in [MODERN, "2099-01-01", "1.0", ""] {
        let result = mcp.result("initialize", initialize_params(other)).await;
        assert_eq!(result["protocolVersion"], NEWEST_LEGACY, "{other}");
    }
    let (status, error) = mcp.error("initialize", json!({"capabilities": {}})).await;
    assert_eq!((status, &error["code"]), (200, &json!(-32602)), "{error}");
}

#[tokio::test]
async fn a_handshake_returns_the_server_info_and_capabilities() {
    let fixture = management::start_server(json!({"name": "My Shop", "settings": {"instructions": "Be kind."}})).await;
    let reply = bare_client(&fixture).send("initialize", initialize_params("2025-06-18")).await.expect(200);
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
async fn the_header_the_metadata_and_discovery_each_make_a_request_modern() {
    let fixture = start_server_with_tool().await;
    let (mcp, modern) = (bare_client(&fixture), bare_client(&fixture).modern());
    assert!(is_modern(&modern.send("tools/list", json!({})).await));
    assert!(!is_modern(&mcp.send("tools/list", json!({})).await));
    // Each of the three alone selects the modern rules, by which the request is then incomplete.
    let header = mcp.request("tools/list", json!({})).header("mcp-protocol-version", MODERN);
    assert_refused(&header.send().await, 400, -32602);
    let meta = json!({"_meta": {VERSION_KEY: MODERN}});
    assert_refused(&mcp.send("tools/list", meta).await, 400, -32602);
    assert_refused(&mcp.send("server/discover", json!({})).await, 400, -32602);
    // The key is also recognised if it is escaped.
    let escaped = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_m\u0065ta":{{"{VERSION_KEY}":"{MODERN}"}}}}}}"#
    );
    let request = mcp.raw_request(Method::POST).header("content-type", "application/json").body(escaped);
    assert_refused(&request.send().await, 400, -32602);
    // Other metadata does not make a request modern.
    let reply = mcp.send("tools/list", json!({"_meta": {"progressToken": 1}})).await.expect(200);
    assert!(!is_modern(&reply));
}

#[tokio::test]
async fn a_legacy_revision_in_the_header_gets_no_modern_members() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture);
    for revision in LEGACY_REVISIONS {
        let request = mcp.request("tools/list", json!({})).header("mcp-protocol-version", revision);
        let reply = request.send().await.expect(200);
        let result = &reply.json()["result"];
        assert_eq!(result.as_object().unwrap().keys().collect::<Vec<_>>(), ["tools"], "{revision}");
        assert_eq!(reply.header("mcp-session-id"), None);
    }
}

#[tokio::test]
async fn an_unknown_revision_in_the_header_is_refused() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture);
    for bad in ["1999-01-01", "2025-11-26", "latest", "2026-7-28", ""] {
        let request = mcp.request("tools/list", json!({})).header("mcp-protocol-version", bad);
        assert_refused(&request.send().await, 400, -32600);
        // The same applies to opening the stream of a session and ending it.
        for method in [Method::GET, Method::DELETE] {
            let request =
                mcp.raw_request(method).header("mcp-protocol-version", bad).header("accept", "text/event-stream");
            assert_refused(&request.send().await, 400, -32600);
        }
    }
}

#[tokio::test]
async fn an_unknown_method_is_404_for_modern_clients_only() {
    let fixture = start_server_with_tool().await;
    let legacy = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    for (mcp, status) in [(bare_client(&fixture), 200), (legacy, 200), (bare_client(&fixture).modern(), 404)] {
        let (actual, error) = mcp.error("tools/unknown", json!({})).await;
        assert_eq!(actual, status);
        assert_eq!(error, json!({"code": -32601, "message": "Method not found: tools/unknown"}));
    }
}

#[tokio::test]
async fn methods_removed_in_a_revision_are_unknown_in_it() {
    let fixture = start_server_with_tool().await;
    let modern = bare_client(&fixture).modern();
    let uri = json!({"uri": "docs://x"});
    for (method, params) in [
        ("initialize", initialize_params(MODERN)),
        ("ping", json!({})),
        ("logging/setLevel", json!({"level": "info"})),
        ("resources/subscribe", uri.clone()),
        ("resources/unsubscribe", uri),
    ] {
        let reply = modern.send(method, params).await;
        assert_refused(&reply, 404, -32601);
        assert_eq!(reply.header("mcp-session-id"), None, "{method}");
    }
    // Methods that a revision adds are unknown in older ones.
    let listen = json!({"notifications": {"toolsListChanged": true}});
    let legacy = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    for mcp in [legacy, bare_client(&fixture)] {
        let (status, error) = mcp.error("subscriptions/listen", listen.clone()).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32601)));
    }
}

#[tokio::test]
async fn older_clients_may_ping() {
    let fixture = start_server_with_tool().await;
    for mcp in [bare_client(&fixture), bare_client(&fixture).legacy("2025-03-26").await] {
        assert_eq!(mcp.result("ping", json!({})).await, json!({}));
    }
}

#[tokio::test]
async fn a_session_uses_its_revision_unless_the_header_names_another() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture).legacy("2025-06-18").await;
    let id = mcp.session().unwrap().to_owned();
    let batch = |mcp: McpClient| mcp.post(json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])).send();
    let without_header = bare_client(&fixture).header("mcp-session-id", &id);
    assert_refused(&batch(without_header.clone()).await, 400, -32600);
    batch(without_header.header("mcp-protocol-version", "2025-03-26")).await.expect(200);
}
