//! Tools whose upstream speaks MCP (`response_type: mcp`): it gets the whole call and gives a whole result.

use serde_json::{Value, json};
use toolgate_testkit::{Answer, Upstream};

use super::setup::{Stage, failure, keys};

/// The type of a whole result.
pub(super) const RESULT: &str = "application/vnd.mcp.result+json";

/// A tool at an upstream that answers every call with this result.
async fn giving(result: Value) -> Stage {
    let stage = Stage::new(Upstream::answering(move |_| Answer::bytes(RESULT, result.to_string()))).await;
    stage.tool(json!({"http_method": "POST", "response_type": "mcp"})).await;
    stage
}

#[tokio::test]
async fn the_upstream_gets_the_whole_call() {
    let stage = Stage::new(Upstream::answering(|_| Answer::bytes(RESULT, r#"{"content":[]}"#))).await;
    let properties = json!({"id": {}, "q": {}, "n": {"default": 5}, "free": {}});
    stage
        .tool(json!({"endpoint_url": "/calls/{id}", "http_method": "POST", "response_type": "mcp",
            "input_schema": {"type": "object", "properties": properties},
            "parameter_mapping": {"q": {"location": "query"}},
            "auth_type": "bearer", "auth_credentials": {"token": "t"}}))
        .await;
    let arguments = json!({"id": "a/b", "q": "x y", "free": {"k": [1]}});
    let modern = stage.caller().modern_with(json!({"elicitation": {}, "sampling": {"tools": {}}}));
    modern.call("tool", arguments.clone()).await;
    let seen = stage.upstream.last();
    assert_eq!((seen.method.as_str(), seen.target.as_str()), ("POST", "/calls/a%2Fb?q=x%20y"));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert_eq!(seen.header("authorization"), Some("Bearer t"));
    let mut filled = arguments.clone();
    filled["n"] = 5.into();
    let capabilities = json!({"elicitation": {}, "sampling": {"tools": {}}});
    assert_eq!(seen.json(), json!({"arguments": filled, "clientCapabilities": capabilities}));
    // Callers of other generations declare nothing with a call.
    stage.caller().call("tool", arguments).await;
    assert_eq!(stage.upstream.last().json(), json!({"arguments": filled}));
}

#[tokio::test]
async fn a_whole_result_is_passed_through() {
    let content = json!([
        {"type": "text", "text": "one", "annotations": {"priority": 0.5}},
        {"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "test://r", "mimeType": "text/plain", "text": "r"}},
    ]);
    let result = json!({"content": content, "structuredContent": {"a": 1}, "isError": false,
        "_meta": {"example.com/x": 1}, "resultType": "complete"});
    let stage = giving(result).await;
    let modern = stage.caller().modern().call("tool", json!({})).await;
    assert_eq!(modern["content"], content);
    assert_eq!((&modern["structuredContent"], &modern["resultType"]), (&json!({"a": 1}), &json!("complete")));
    assert_eq!(modern["_meta"]["example.com/x"], 1, "{modern}");
    assert!(modern["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].is_string(), "{modern}");
    assert!(modern.get("isError").is_none(), "{modern}");
    let legacy = stage.caller().legacy("2025-11-25").await.call("tool", json!({})).await;
    assert_eq!(legacy, json!({"content": content, "structuredContent": {"a": 1}, "_meta": {"example.com/x": 1}}));
    assert_eq!(stage.caller().call("tool", json!({})).await, json!({"content": content}));
}

#[tokio::test]
async fn a_failure_that_the_upstream_reports_is_one() {
    let result = json!({"content": [{"type": "text", "text": "no such user"}], "isError": true});
    let stage = giving(result.clone()).await;
    assert_eq!(stage.caller().call("tool", json!({})).await, result, "its words are its own");
    for caller in [stage.caller().modern(), stage.caller().legacy("2025-11-25").await] {
        assert_eq!(caller.call("tool", json!({})).await["isError"], true);
    }
}

#[tokio::test]
async fn an_answer_of_another_type_is_text_like_any_other() {
    let body = r#"{"content":[],"isError":true}"#;
    let stage = Stage::new(Upstream::answering(move |request| match request.path() {
        "/json" => Answer::bytes("application/json", body),
        "/upper" => Answer::bytes("Application/VND.MCP.Result+JSON; charset=utf-8", r#"{"content":[]}"#),
        _ => Answer::bytes(RESULT, body),
    }))
    .await;
    stage.tool(json!({"name": "json", "endpoint_url": "/json", "http_method": "POST", "response_type": "mcp"})).await;
    stage.tool(json!({"name": "upper", "endpoint_url": "/upper", "http_method": "POST", "response_type": "mcp"})).await;
    // And a tool that did not ask for whole results gets none.
    stage.tool(json!({"name": "plain", "endpoint_url": "/result"})).await;
    let caller = stage.caller();
    assert_eq!(caller.text("json", json!({})).await, body);
    assert_eq!(caller.text("plain", json!({})).await, body);
    assert_eq!(caller.call("upper", json!({})).await, json!({"content": []}));
}

#[tokio::test]
async fn what_is_no_result_is_a_failure() {
    for (body, expected) in [
        ("[]", "is not a JSON object"),
        ("{\"content\":", "is not a JSON object"),
        ("{}", "has no content array"),
        (r#"{"content":"text"}"#, "has no content array"),
        (r#"{"resultType":"input_required"}"#, "asks for input, but has neither"),
    ] {
        let stage = Stage::new(Upstream::answering(move |_| Answer::bytes(RESULT, body))).await;
        stage.tool(json!({"http_method": "POST", "response_type": "mcp"})).await;
        let result = stage.caller().call("tool", json!({})).await;
        assert!(failure(&result).contains(expected), "{body}: {result}");
    }
    let stage = Stage::new(Upstream::answering(|_| Answer::bytes(RESULT, "{\"content\":[]}").with_status(502))).await;
    stage.tool(json!({"http_method": "POST", "response_type": "mcp"})).await;
    let result = stage.caller().call("tool", json!({})).await;
    assert!(failure(&result).starts_with("Upstream returned HTTP 502"), "{result}");
}

#[tokio::test]
async fn a_test_run_shows_the_request_that_such_an_upstream_gets() {
    let stage = giving(json!({"content": [{"type": "text", "text": "hi"}], "structuredContent": {}})).await;
    let id = stage
        .tool(json!({"name": "second", "http_method": "POST", "response_type": "mcp",
        "input_schema": {"type": "object", "properties": {"a": {}}}}))
        .await;
    let body = json!({"arguments": {"a": 1}, "debug": true});
    let result = stage.test_reply(id, body).await.expect(200).json();
    assert_eq!((&result["success"], &result["status_code"]), (&json!(true), &json!(200)), "{result}");
    assert_eq!(result["content"], json!([{"type": "text", "text": "hi"}]));
    let sent = stage.upstream.last().text();
    assert_eq!(sent, r#"{"arguments":{"a":1}}"#);
    assert_eq!(result["request"]["body"], sent, "{result}");
    assert_eq!(keys(&result)[..4], ["success", "status_code", "response_time_ms", "content"]);
}
