//! Tokens for reading only.

use serde_json::{Value, json};
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, TestResponse, Upstream};

use super::signed_tokens::{client_with, start_server, token_for};

/// A server with tools of several methods and annotations.
async fn start_with_tools(settings: Value) -> ServiceFixture {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server(upstream, json!({"settings": settings})).await;
    for (name, method, annotations) in [
        ("get", "GET", Value::Null),
        ("post", "POST", Value::Null),
        ("query", "POST", json!({"readOnlyHint": true})),
        ("trigger", "GET", json!({"readOnlyHint": false})),
    ] {
        let fields = json!({"name": name, "endpoint_url": format!("/{name}"), "http_method": method,
            "annotations": annotations, "description": "For testing"});
        fixture.create_tool(fields).await;
    }
    fixture
}

fn client(fixture: &ServiceFixture, scopes: &str) -> McpClient {
    let mut token = token_for(&fixture.server);
    token.scopes = McpScopes::parse(scopes).unwrap();
    client_with(fixture, &token)
}

fn call(name: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": {}}})
}

#[track_caller]
fn assert_insufficient(fixture: &ServiceFixture, reply: &TestResponse) {
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (403, &json!(403)), "{reply:?}");
    let url = format!("{}/.well-known/oauth-protected-resource{}", fixture.app.origin(), fixture.endpoint_path());
    let challenge =
        format!(r#"Bearer realm="toolgate", error="insufficient_scope", scope="mcp:write", resource_metadata="{url}""#);
    assert_eq!(reply.header("www-authenticate"), Some(challenge.as_str()));
}

#[tokio::test]
async fn a_token_for_reading_calls_tools_that_only_read() {
    let fixture = start_with_tools(json!({})).await;
    let reader = client(&fixture, "mcp:read");
    for method in ["tools/list", "prompts/list", "resources/list", "ping"] {
        reader.send(method, json!({})).await.expect(200);
    }
    for (name, may_read) in [("get", true), ("query", true), ("post", false), ("trigger", false)] {
        for mcp in [reader.clone(), reader.clone().legacy("2025-11-25").await, reader.clone().modern()] {
            let before = fixture.upstream.request_count_for(&format!("/{name}"));
            let reply = mcp.send("tools/call", json!({"name": name, "arguments": {}})).await;
            let received = fixture.upstream.request_count_for(&format!("/{name}")) - before;
            if may_read {
                assert_eq!((reply.status, received), (200, 1), "{name}: {reply:?}");
            } else {
                assert_insufficient(&fixture, &reply);
                assert_eq!(received, 0, "{name}");
            }
        }
        let writer = client(&fixture, "mcp:write");
        writer.text(name, json!({})).await;
    }
    // The scope is checked before the arguments.
    let wrong_arguments = reader.send("tools/call", json!({"name": "post", "arguments": 7})).await;
    assert_insufficient(&fixture, &wrong_arguments);
}

#[tokio::test]
async fn a_batch_with_a_call_that_is_not_allowed_is_refused_as_a_whole() {
    let fixture = start_with_tools(json!({})).await;
    let reader = client(&fixture, "mcp:read");
    let reply = reader.post(json!([call("get"), call("post")])).send().await;
    assert_insufficient(&fixture, &reply);
    assert_eq!(fixture.upstream.request_count(), 0);
    let allowed = reader.post(json!([call("get"), call("query")])).send().await.expect(200);
    assert_eq!(allowed.json().as_array().unwrap().len(), 2);
    let writer = client(&fixture, "mcp:read mcp:write");
    writer.post(json!([call("get"), call("post")])).send().await.expect(200);
    assert_eq!(fixture.upstream.request_count(), 4);
}

#[tokio::test]
async fn a_call_through_the_search_tools_needs_the_scope_of_the_tool() {
    let fixture = start_with_tools(json!({"discovery": "search"})).await;
    let reader = client(&fixture, "mcp:read");
    let reply = reader.send("tools/call", json!({"name": "call_tool", "arguments": {"name": "post"}})).await;
    assert_insufficient(&fixture, &reply);
    let allowed =
        reader.send("tools/call", json!({"name": "call_tool", "arguments": {"name": "get"}})).await.expect(200);
    assert_eq!(fixture.upstream.request_count_for("/get"), 1, "{allowed:?}");
    assert_eq!(fixture.upstream.request_count_for("/post"), 0);
}

#[tokio::test]
async fn a_resource_needs_the_scope_of_its_request() {
    let fixture = start_with_tools(json!({})).await;
    let source = |name: &str| {
        json!({"uri": format!("tools:{name}"), "name": name, "data_source_type": "dynamic",
        "data_source_config": {"tool": name}})
    };
    for name in ["get", "post", "query", "trigger"] {
        fixture.create("/resources", source(name)).await;
    }
    for method in ["get", "put"] {
        let config = json!({"url": fixture.upstream.url("/fetched"), "method": method});
        let resource = json!({"uri": format!("fetched:{method}"), "name": method, "data_source_type": "url",
            "data_source_config": config});
        fixture.create("/resources", resource).await;
    }
    let (reader, writer) = (client(&fixture, "mcp:read"), client(&fixture, "mcp:read mcp:write"));
    for (uri, may_read) in [
        ("tools:get", true),
        ("tools:query", true),
        ("fetched:get", true),
        ("tools:post", false),
        ("tools:trigger", false),
        ("fetched:put", false),
    ] {
        let before = fixture.upstream.request_count();
        let reply = reader.send("resources/read", json!({"uri": uri})).await;
        if may_read {
            assert_eq!((reply.status, fixture.upstream.request_count() - before), (200, 1), "{uri}: {reply:?}");
        } else {
            assert_insufficient(&fixture, &reply);
            assert_eq!(fixture.upstream.request_count(), before, "{uri}");
            writer.result("resources/read", json!({"uri": uri})).await;
        }
    }
    reader.send("resources/read", json!({"uri": "tools:unknown"})).await.expect(200);
}

#[tokio::test]
async fn refusals_are_counted_by_reason() {
    let fixture = start_with_tools(json!({})).await;
    client(&fixture, "mcp:read").send("tools/call", json!({"name": "post"})).await.expect(403);
    let refusals = fixture.api.read("/analytics/refusals").await;
    assert!(refusals.to_string().contains("insufficient_scope"), "{refusals}");
}
