//! Tools with `response_type: mcp`: the upstream receives the whole call and returns a complete MCP result.

use serde_json::{Value, json};
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::setup::{failure_message, keys, start};

/// The media type of an MCP result.
pub(super) const MCP_RESULT_TYPE: &str = "application/vnd.mcp.result+json";

/// A fixture whose tool always returns this result.
async fn fixture_returning(result: Value) -> ServiceFixture {
    let fixture =
        start(Upstream::with_handler(move |_| MockResponse::bytes(MCP_RESULT_TYPE, result.to_string()))).await;
    fixture.create_tool(json!({"http_method": "POST", "response_type": "mcp"})).await;
    fixture
}

#[tokio::test]
async fn the_upstream_receives_the_whole_call() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::bytes(MCP_RESULT_TYPE, r#"{"content":[]}"#))).await;
    let properties = json!({"id": {}, "q": {}, "n": {"default": 5}, "free": {}});
    fixture
        .create_tool(json!({"endpoint_url": "/calls/{id}", "http_method": "POST", "response_type": "mcp",
            "input_schema": {"type": "object", "properties": properties},
            "parameter_mapping": {"q": {"location": "query"}},
            "auth_type": "bearer", "auth_credentials": {"token": "t"}}))
        .await;
    let arguments = json!({"id": "a/b", "q": "x y", "free": {"k": [1]}});
    let modern = fixture.caller().modern_with_capabilities(json!({"elicitation": {}, "sampling": {"tools": {}}}));
    modern.call("tool", arguments.clone()).await;
    let received = fixture.upstream.last();
    assert_eq!((received.method.as_str(), received.target.as_str()), ("POST", "/calls/a%2Fb?q=x%20y"));
    assert_eq!(received.header("content-type"), Some("application/json"));
    assert_eq!(received.header("authorization"), Some("Bearer t"));
    let mut with_default = arguments.clone();
    with_default["n"] = 5.into();
    let capabilities = json!({"elicitation": {}, "sampling": {"tools": {}}});
    assert_eq!(received.json(), json!({"arguments": with_default, "clientCapabilities": capabilities}));
    // Callers of other revisions declare no capabilities with a call.
    fixture.caller().call("tool", arguments).await;
    assert_eq!(fixture.upstream.last().json(), json!({"arguments": with_default}));
}

#[tokio::test]
async fn a_complete_result_is_passed_through() {
    let content = json!([
        {"type": "text", "text": "one", "annotations": {"priority": 0.5}},
        {"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "test://r", "mimeType": "text/plain", "text": "r"}},
    ]);
    let result = json!({"content": content, "structuredContent": {"a": 1}, "isError": false,
        "_meta": {"example.com/x": 1}, "resultType": "complete"});
    let fixture = fixture_returning(result).await;
    let modern = fixture.caller().modern().call("tool", json!({})).await;
    assert_eq!(modern["content"], content);
    assert_eq!((&modern["structuredContent"], &modern["resultType"]), (&json!({"a": 1}), &json!("complete")));
    assert_eq!(modern["_meta"]["example.com/x"], 1, "{modern}");
    assert!(modern["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].is_string(), "{modern}");
    assert!(modern.get("isError").is_none(), "{modern}");
    let legacy = fixture.caller().legacy("2025-11-25").await.call("tool", json!({})).await;
    assert_eq!(legacy, json!({"content": content, "structuredContent": {"a": 1}, "_meta": {"example.com/x": 1}}));
    assert_eq!(fixture.caller().call("tool", json!({})).await, json!({"content": content}));
}

#[tokio::test]
async fn a_failure_that_the_upstream_reports_is_a_failure() {
    let result = json!({"content": [{"type": "text", "text": "no such user"}], "isError": true});
    let fixture = fixture_returning(result.clone()).await;
    assert_eq!(fixture.caller().call("tool", json!({})).await, result, "the text is unchanged");
    for caller in [fixture.caller().modern(), fixture.caller().legacy("2025-11-25").await] {
        assert_eq!(caller.call("tool", json!({})).await["isError"], true);
    }
}

#[tokio::test]
async fn a_response_of_another_type_is_plain_text() {
    let body = r#"{"content":[],"isError":true}"#;
    let fixture = start(Upstream::with_handler(move |request| match request.path() {
        "/json" => MockResponse::bytes("application/json", body),
        "/upper" => MockResponse::bytes("Application/VND.MCP.Result+JSON; charset=utf-8", r#"{"content":[]}"#),
        _ => MockResponse::bytes(MCP_RESULT_TYPE, body),
    }))
    .await;
    fixture
        .create_tool(json!({"name": "json", "endpoint_url": "/json", "http_method": "POST", "response_type": "mcp"}))
        .await;
    fixture
        .create_tool(json!({"name": "upper", "endpoint_url": "/upper", "http_method": "POST", "response_type": "mcp"}))
        .await;
    // A tool without `response_type: mcp` returns the body as text.
    fixture.create_tool(json!({"name": "plain", "endpoint_url": "/result"})).await;
    let caller = fixture.caller();
    assert_eq!(caller.text("json", json!({})).await, body);
    assert_eq!(caller.text("plain", json!({})).await, body);
    assert_eq!(caller.call("upper", json!({})).await, json!({"content": []}));
}

#[tokio::test]
async fn an_invalid_result_is_a_failure() {
    for (body, expected) in [
        ("[]", "is not a JSON object"),
        ("{\"content\":", "is not a JSON object"),
        ("{}", "has no content array"),
        (r#"{"content":"text"}"#, "has no content array"),
        (r#"{"resultType":"input_required"}"#, "requests input, but has neither"),
    ] {
        let fixture = start(Upstream::with_handler(move |_| MockResponse::bytes(MCP_RESULT_TYPE, body))).await;
        fixture.create_tool(json!({"http_method": "POST", "response_type": "mcp"})).await;
        let result = fixture.caller().call("tool", json!({})).await;
        assert!(failure_message(&result).contains(expected), "{body}: {result}");
    }
    let fixture =
        start(Upstream::with_handler(|_| MockResponse::bytes(MCP_RESULT_TYPE, "{\"content\":[]}").with_status(502)))
            .await;
    fixture.create_tool(json!({"http_method": "POST", "response_type": "mcp"})).await;
    let result = fixture.caller().call("tool", json!({})).await;
    assert!(failure_message(&result).starts_with("Upstream returned HTTP 502"), "{result}");
}

#[tokio::test]
async fn a_test_run_shows_the_request_of_a_tool_with_mcp_results() {
    let fixture =
        fixture_returning(json!({"content": [{"type": "text", "text": "hi"}], "structuredContent": {}})).await;
    let id = fixture
        .create_tool(json!({"name": "second", "http_method": "POST", "response_type": "mcp",
        "input_schema": {"type": "object", "properties": {"a": {}}}}))
        .await;
    let body = json!({"arguments": {"a": 1}, "debug": true});
    let result = fixture.test_reply(id, body).await.expect(200).json();
    assert_eq!((&result["success"], &result["status_code"]), (&json!(true), &json!(200)), "{result}");
    assert_eq!(result["content"], json!([{"type": "text", "text": "hi"}]));
    let sent = fixture.upstream.last().text();
    assert_eq!(sent, r#"{"arguments":{"a":1}}"#);
    assert_eq!(result["request"]["body"], sent, "{result}");
    assert_eq!(keys(&result)[..4], ["success", "status_code", "response_time_ms", "content"]);
}
