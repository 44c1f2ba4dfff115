//! Tokens for reading only.

use serde_json::{Value, json};
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, TestResponse, Upstream};

use super::signed_tokens::{client_with, start_server, token_for};

/// A server with tools of several methods and annotations.
async fn start_with_tools(settings: Value) -> ServiceFixture {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let endpoint = start_server(upstream, json!({"settings": settings})).await;
    for (name, method, annotations) in [
        ("get", "GET", Value::Null),
        ("post", "POST", Value::Null),
        ("query", "POST", json!({"readOnlyHint": true})),
        ("trigger", "GET", json!({"readOnlyHint": false})),
    ] {
        let fields = json!({"name": name, "endpoint_url": format!("/{name}"), "http_method": method,
            "annotations": annotations, "description": "For testing"});
        endpoint.create_tool(fields).await;
    }
    endpoint
}

fn client(endpoint: &ServiceFixture, scopes: &str) -> McpClient {
    let mut token = token_for(&endpoint.server);
    token.scopes = McpScopes::parse(scopes).unwrap();
    client_with(endpoint, &token)
}

fn call(name: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": {}}})
}

#[track_caller]
fn assert_insufficient(endpoint: &ServiceFixture, reply: &TestResponse) {
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (403, &json!(403)), "{reply:?}");
    let url = format!("{}/.well-known/oauth-protected-resource{}", endpoint.app.origin(), endpoint.endpoint_path());
    let challenge =
        format!(r#"Bearer realm="toolgate", error="insufficient_scope", scope="mcp:write", resource_metadata="{url}""#);
    assert_eq!(reply.header("www-authenticate"), Some(challenge.as_str()));
}

#[tokio::test]
async fn a_token_for_reading_calls_tools_that_only_read() {
    let endpoint = start_with_tools(json!({})).await;
    let reader = client(&endpoint, "mcp:read");
    for method in ["tools/list", "prompts/list", "resources/list", "ping"] {
        reader.send(method, json!({})).await.expect(200);
    }
    for (name, may_read) in [("get", true), ("query", true), ("post", false), ("trigger", false)] {
        for mcp in [reader.clone(), reader.clone().legacy("2025-11-25").await, reader.clone().modern()] {
            // Arguments that are wrong are not looked at.
            let before = endpoint.upstream.request_count_for(&format!("/{name}"));
            let reply = mcp.send("tools/call", json!({"name": name, "arguments": {}})).await;
            let received = endpoint.upstream.request_count_for(&format!("/{name}")) - before;
            if may_read {
                assert_eq!((reply.status, received), (200, 1), "{name}: {reply:?}");
            } else {
                assert_insufficient(&endpoint, &reply);
                assert_eq!(received, 0, "{name}");
            }
        }
        let writer = client(&endpoint, "mcp:write");
        writer.text(name, json!({})).await;
    }
    let wrong_arguments = reader.send("tools/call", json!({"name": "post", "arguments": 7})).await;
    assert_insufficient(&endpoint, &wrong_arguments);
}

#[tokio::test]
async fn a_batch_with_a_call_that_is_not_allowed_is_refused_as_a_whole() {
    let endpoint = start_with_tools(json!({})).await;
    let reader = client(&endpoint, "mcp:read");
    let reply = reader.post(json!([call("get"), call("post")])).send().await;
    assert_insufficient(&endpoint, &reply);
    assert_eq!(endpoint.upstream.request_count(), 0);
    let allowed = reader.post(json!([call("get"), call("query")])).send().await.expect(200);
    assert_eq!(allowed.json().as_array().unwrap().len(), 2);
    let writer = client(&endpoint, "mcp:read mcp:write");
    writer.post(json!([call("get"), call("post")])).send().await.expect(200);
    assert_eq!(endpoint.upstream.request_count(), 4);
}

#[tokio::test]
async fn a_call_through_the_search_tools_needs_the_scope_of_the_tool() {
    let endpoint = start_with_tools(json!({"discovery": "search"})).await;
    let reader = client(&endpoint, "mcp:read");
    let reply = reader.send("tools/call", json!({"name": "call_tool", "arguments": {"name": "post"}})).await;
    assert_insufficient(&endpoint, &reply);
    let allowed =
        reader.send("tools/call", json!({"name": "call_tool", "arguments": {"name": "get"}})).await.expect(200);
    assert_eq!(endpoint.upstream.request_count_for("/get"), 1, "{allowed:?}");
    assert_eq!(endpoint.upstream.request_count_for("/post"), 0);
}

#[tokio::test]
async fn refusals_are_counted_by_reason() {
    let endpoint = start_with_tools(json!({})).await;
    client(&endpoint, "mcp:read").send("tools/call", json!({"name": "post"})).await.expect(403);
    let refusals = endpoint.api.read("/analytics/refusals").await;
    assert!(refusals.to_string().contains("insufficient_scope"), "{refusals}");
}
