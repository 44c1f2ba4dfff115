//! The endpoint for the simplest clients: plain JSON-RPC, no handshake, no `Accept`, and responses with exactly the
//! documented members.

use http::Method;
use serde_json::json;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, TestResponse, Upstream};

use super::management;

/// Posts a raw body with its content type and no other header.
async fn post(fixture: &ServiceFixture, body: &'static str) -> TestResponse {
    let request = McpClient::new(fixture.url()).raw_request(Method::POST).header("content-type", "application/json");
    request.body(body).send().await.expect(200)
}

#[tokio::test]
async fn tools_list_has_the_documented_members_and_no_others() {
    let fixture = management::start_server(json!({})).await;
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    let detailed = json!({"name": "get_weather", "description": "Weather of a city",
        "endpoint_url": "https://api.example.com/w", "input_schema": schema,
        "output_schema": {"type": "object"}, "annotations": {"readOnlyHint": true}, "cache_ttl": 300});
    fixture.create("/tools", detailed).await;
    fixture.create("/tools", json!({"name": "say_hello", "endpoint_url": "https://api.example.com/h"})).await;
    let reply = post(&fixture, r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#).await;
    assert_eq!(
        reply.text(),
        concat!(
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":["#,
            r#"{"name":"get_weather","description":"Weather of a city","inputSchema":"#,
            r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}},"#,
            r#"{"name":"say_hello","description":"","inputSchema":{"type":"object","properties":{},"required":[]}}"#,
            r#"]}}"#
        )
    );
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("mcp-session-id"), None);
}

#[tokio::test]
async fn a_server_without_tools_lists_none() {
    let fixture = management::start_server(json!({})).await;
    let reply = post(&fixture, r#"{"jsonrpc":"2.0","id":"x","method":"tools/list"}"#).await;
    assert_eq!(reply.text(), r#"{"jsonrpc":"2.0","id":"x","result":{"tools":[]}}"#);
}

#[tokio::test]
async fn a_call_returns_the_upstream_body_as_text() {
    let upstream = Upstream::with_handler(|_| MockResponse::bytes("application/json", r#"{"temp": 21.50}"#));
    let fixture = management::start_server(json!({})).await;
    fixture.create("/tools", management::tool(&upstream, "get_weather")).await;
    let call = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_weather","arguments":{}}}"#;
    let reply = post(&fixture, call).await;
    assert_eq!(
        reply.text(),
        r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"{\"temp\": 21.50}"}]}}"#
    );
    let without_arguments = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_weather"}}"#;
    assert_eq!(post(&fixture, without_arguments).await.text(), reply.text());
}

#[tokio::test]
async fn a_failed_call_has_a_message_and_advice() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("no such city").with_status(404));
    let fixture = management::start_server(json!({})).await;
    fixture.create("/tools", management::tool(&upstream, "get_weather")).await;
    let call = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_weather","arguments":{}}}"#;
    let text = "Upstream returned HTTP 404 Not Found: no such city";
    let advice = "Nothing was found. Check the arguments.";
    let content = [text, advice].map(|text| json!({"type": "text", "text": text}));
    let result = json!({"content": content, "isError": true});
    assert_eq!(post(&fixture, call).await.json(), json!({"jsonrpc": "2.0", "id": 7, "result": result}));
}

#[tokio::test]
async fn arguments_are_sent_by_the_mapping_with_the_tools_credential() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = management::start_server(json!({})).await;
    let text = json!({"type": "string"});
    let schema = json!({"type": "object", "properties": {"id": text, "q": text, "note": text, "tag": text}});
    let mapping = json!({"id": {"location": "path"}, "q": {"location": "query"}, "note": {"location": "body"},
        "tag": {"location": "headers", "name": "X-Tag"}});
    fixture
        .create(
            "/tools",
            json!({"name": "add_note", "endpoint_url": upstream.url("/items/{id}/notes?v=2"), "http_method": "POST",
            "input_schema": schema, "parameter_mapping": mapping, "auth_type": "bearer",
            "auth_credentials": {"token": "s3cret"}}),
        )
        .await;
    let arguments = json!({"id": "a/b", "q": "x y", "note": "n", "tag": "t"});
    let mcp = management::bare_client(&fixture).bearer("a-key-of-the-client");
    assert_eq!(mcp.text("add_note", arguments).await, "ok");
    let received = upstream.last();
    assert_eq!((received.method.as_str(), received.path()), ("POST", "/items/a%2Fb/notes"));
    assert_eq!(received.query_pairs(), [("v".into(), "2".into()), ("q".into(), "x y".into())]);
    assert_eq!(received.json(), json!({"note": "n"}));
    assert_eq!(received.header("x-tag"), Some("t"));
    assert_eq!(received.header("authorization"), Some("Bearer s3cret"));
}

#[tokio::test]
async fn invalid_arguments_are_named_and_never_sent() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = management::start_server(json!({})).await;
    let schema = json!({"type": "object", "required": ["city"],
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "maximum": 7}}});
    let mut fields = management::tool(&upstream, "get_weather");
    fields["input_schema"] = schema;
    fixture.create("/tools", fields).await;
    let mcp = management::bare_client(&fixture);
    for (arguments, field) in [
        (json!({}), "city"),
        (json!({"city": 5}), "city"),
        (json!({"city": "Oslo", "days": 8}), "days"),
        (json!({"city": "Oslo", "days": "2"}), "days"),
    ] {
        let result = mcp.call("get_weather", arguments.clone()).await;
        assert_eq!(result["isError"], true, "{arguments}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(field), "{arguments}: {text}");
    }
    assert_eq!(upstream.request_count(), 0);
}
