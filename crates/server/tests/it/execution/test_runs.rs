//! `POST /tools/{id}/test`: test runs of a tool.

use serde_json::{Value, json};
use toolgate_testkit::{MockResponse, ResponseGate, Upstream, free_address};

use super::setup::{keys, message_and_advice, schema, start};

/// The fields of every test run.
const FIELDS: [&str; 4] = ["success", "status_code", "response_time_ms", "content"];
/// The additional fields of a failed test run.
const FAILURE_FIELDS: [&str; 4] = ["reason", "advice", "for_model", "for_owner"];

#[track_caller]
fn assert_success(result: &Value, status: u16, text: &str) {
    assert_eq!(keys(result), FIELDS, "{result}");
    assert_fields(result, true, status, text);
}

#[track_caller]
fn assert_failure(result: &Value, status: u16, text: &str) {
    assert_eq!(keys(result), [&FIELDS[..], &FAILURE_FIELDS].concat(), "{result}");
    assert_fields(result, false, status, text);
}

#[track_caller]
fn assert_fields(result: &Value, success: bool, status: u16, text: &str) {
    assert_eq!((&result["success"], &result["status_code"]), (&json!(success), &json!(status)), "{result}");
    assert!(result["response_time_ms"].is_u64(), "{result}");
    assert_eq!(result["content"], json!([{"type": "text", "text": text}]), "{result}");
}

#[tokio::test]
async fn a_successful_test_run_returns_exactly_four_fields() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::json(json!({"t": 21})).with_status(201))).await;
    let id = fixture.create_tool(json!({"endpoint_url": "/{city}", "input_schema": schema(json!({"city": {}}))})).await;
    assert_success(&fixture.test_result(id, json!({"city": "Oslo"})).await, 201, "{\"t\":21}");
    assert_eq!(fixture.upstream.last().target, "/Oslo");
    // A request without a body has no arguments.
    let bare = fixture.create_tool(json!({"name": "bare"})).await;
    let reply = fixture.api.post(&format!("/tools/{bare}/test")).send().await.expect(200);
    assert_success(&reply.json(), 201, "{\"t\":21}");
}

#[tokio::test]
async fn with_debug_the_request_and_the_raw_response_are_included() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::bytes("text/x", "raw").header("x-a", "1"))).await;
    let id = fixture
        .create_tool(json!({"endpoint_url": "/a?b=c", "http_method": "POST", "input_schema": schema(json!({"n": {}}))}))
        .await;
    let path = format!("/tools/{id}/test?debug=1");
    let reply = fixture.api.post(&path).json(json!({"arguments": {"n": 5}})).send().await.expect(200);
    let result = reply.json();
    assert_eq!(keys(&result), [&FIELDS[..], &["request", "raw"]].concat(), "{result}");
    let request = json!({"method": "POST", "url": fixture.upstream.url("/a?b=c"),
        "headers": {"content-type": "application/json"}, "body": "{\"n\":5}"});
    assert_eq!(result["request"], request);
    assert_eq!((&result["raw"]["status"], &result["raw"]["body"]), (&json!(200), &json!("raw")), "{result}");
    assert_eq!(result["raw"]["headers"]["x-a"], "1", "{result}");
    let without_debug = fixture.api.post(&format!("/tools/{id}/test?debug=0")).json(json!({})).send().await.expect(200);
    assert_eq!(keys(&without_debug.json()), FIELDS);
}

#[tokio::test]
async fn an_upstreams_error_is_shown_unchanged() {
    for (status, body) in [(400, "bad"), (404, "{\"error\":\"gone\"}"), (500, ""), (503, "later")] {
        let fixture = start(Upstream::with_handler(move |_| MockResponse::text(body).with_status(status))).await;
        let id = fixture.create_tool(json!({})).await;
        let result = fixture.test_result(id, json!({})).await;
        assert_failure(&result, status, body);
        let reason = if status < 500 { "upstream_4xx" } else { "upstream_5xx" };
        assert_eq!(result["reason"], reason, "{result}");
        assert!(result["advice"].as_str().is_some_and(|advice| advice.ends_with('.')), "{result}");
    }
    let long = "x".repeat(10_000);
    let fixture = start(Upstream::with_handler(|_| MockResponse::text("x".repeat(10_000)).with_status(500))).await;
    let id = fixture.create_tool(json!({})).await;
    assert_failure(&fixture.test_result(id, json!({})).await, 500, &long);
}

#[tokio::test]
async fn without_a_response_the_status_is_0() {
    let gate = ResponseGate::new();
    let held = gate.clone();
    let fixture = start(Upstream::with_handler(move |_| MockResponse::text("late").held_by(&held))).await;
    let slow = fixture.create_tool(json!({"timeout": 1})).await;
    let result = fixture.test_result(slow, json!({})).await;
    assert_failure(&result, 0, "Upstream request timed out after 1 s");
    assert_eq!(result["reason"], "timeout", "{result}");
    assert!(result["response_time_ms"].as_u64().unwrap() >= 1000, "{result}");
    let unused = free_address();
    let id = fixture.create_tool(json!({"name": "refused", "endpoint_url": format!("http://{unused}/")})).await;
    let result = fixture.test_result(id, json!({})).await;
    assert_failure(&result, 0, "The upstream refused the connection.");
    assert_eq!(result["reason"], "connection_refused", "{result}");
}

#[tokio::test]
async fn a_test_run_shows_the_advice_of_a_call() {
    let upstream = Upstream::with_handler(|request| match request.path() {
        "/key" => MockResponse::status(401),
        "/mcp" => MockResponse::bytes("application/vnd.mcp.result+json", r#"{"content":[],"isError":true}"#),
        _ => MockResponse::status(429).header("retry-after", "9"),
    });
    let fixture = start(upstream).await;
    for (name, reason) in [("key", "upstream_4xx"), ("busy", "rate_limited_upstream")] {
        let id = fixture.create_tool(json!({"name": name, "endpoint_url": format!("/{name}")})).await;
        let result = fixture.caller().call(name, json!({})).await;
        let tested = fixture.test_result(id, json!({})).await;
        assert_eq!(tested["for_model"]["advice"], message_and_advice(&result).1, "{tested}");
        assert_eq!(tested["for_owner"]["advice"], tested["advice"], "{tested}");
        assert_eq!(tested["reason"], reason, "{tested}");
    }
    let id = fixture.create_tool(json!({"name": "mcp", "endpoint_url": "/mcp", "response_type": "mcp"})).await;
    let tested = fixture.test_result(id, json!({})).await;
    assert_eq!((&tested["success"], &tested["reason"]), (&json!(false), &json!("upstream_error")), "{tested}");
}

#[tokio::test]
async fn each_invalid_argument_is_named() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::text("ok"))).await;
    let properties = json!({"city": {"type": "string"}, "days": {"type": "integer"}, "a[b]": {"type": "null"}});
    let input_schema = json!({"type": "object", "properties": properties, "required": ["city"]});
    let id = fixture.create_tool(json!({"endpoint_url": "/{city}", "input_schema": input_schema})).await;
    let invalid_params = async |arguments: Value| {
        let reply = fixture.test_reply(id, json!({"arguments": arguments})).await.expect(400);
        let body = reply.json();
        assert_eq!(body["code"], "rest_invalid_param", "{body}");
        let mut names: Vec<String> = keys(&body["data"]["params"]).into_iter().map(str::to_owned).collect();
        for name in &names {
            assert!(body["data"]["params"][name].as_str().is_some_and(|text| text.contains(name)), "{body}");
            assert_eq!(body["data"]["details"][name]["data"]["param"], name.as_str(), "{body}");
            assert_eq!(body["data"]["details"][name]["code"], "rest_invalid_param", "{body}");
        }
        assert_eq!(body["message"], format!("Invalid parameter(s): {}", names.join(", ")), "{body}");
        names.sort();
        names
    };
    assert_eq!(invalid_params(json!({})).await, ["arguments[city]"]);
    assert_eq!(invalid_params(json!({"days": "x"})).await, ["arguments[city]", "arguments[days]"]);
    assert_eq!(invalid_params(json!({"city": "x", "a[b]": 1})).await, ["arguments[a[b]]"]);
    // A value that matches the schema but cannot be sent is invalid too.
    assert_eq!(invalid_params(json!({"city": ".."})).await, ["arguments[city]"]);
    let not_an_object = fixture.test_reply(id, json!({"arguments": [1]})).await.expect(400).json();
    assert_eq!(keys(&not_an_object["data"]["params"]), ["arguments"], "{not_an_object}");
    assert_eq!(fixture.upstream.request_count(), 0);
}

#[tokio::test]
async fn paused_tools_and_drafts_can_be_tested() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::text("ok"))).await;
    let id = fixture.create_tool(json!({"status": "paused"})).await;
    for status in ["active", "draft", "paused"] {
        fixture.api.patch(&fixture.path("")).json(json!({"status": status})).send().await.expect(200);
        assert_success(&fixture.test_result(id, json!({})).await, 200, "ok");
    }
    assert_eq!(fixture.upstream.request_count(), 3);
}

#[tokio::test]
async fn tools_of_other_users_cannot_be_tested() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::text("ok"))).await;
    let id = fixture.create_tool(json!({})).await;
    let user = fixture.api.create("/users", json!({"name": "other", "role": "owner"})).await;
    let key = fixture.api.create("/api-keys", json!({"name": "k", "user_id": user["id"]})).await;
    let path = format!("/tools/{id}/test");
    fixture.app.client_with_key(key["key"].as_str()).post(&path).send().await.expect(404);
    fixture.app.client_with_key(None).post(&path).send().await.expect(401);
    assert_eq!(fixture.upstream.request_count(), 0);
}
