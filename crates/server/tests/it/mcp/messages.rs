//! Strict validation of messages: a message that two parsers read differently could bypass a check.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::mcp::{MODERN, NEWEST_LEGACY};
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, TestResponse, Upstream};

use super::management::{self, assert_refused, bare_client, uncalled_tool};

async fn start_server_with_tool() -> ServiceFixture {
    let fixture = management::start_server(json!({})).await;
    fixture.create("/tools", uncalled_tool("t")).await;
    fixture
}

async fn post(mcp: &McpClient, body: impl Into<String>) -> TestResponse {
    mcp.raw_request(Method::POST).header("content-type", "application/json").body(body.into()).send().await
}

fn nested_message(levels: usize) -> String {
    // The message and its params are two levels.
    let (open, close) = ("[".repeat(levels - 2), "]".repeat(levels - 2));
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{open}{close}}}}}"#)
}

#[tokio::test]
async fn invalid_json_is_a_parse_error() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture);
    for body in ["", " ", "{", "nonsense", "{} {}", r#"{"jsonrpc":"2.0",}"#, "{'a':1}", "\u{feff}{}", "NaN", "[1,"] {
        let reply = post(&mcp, body).await;
        assert_refused(&reply, 400, -32700);
        assert_eq!(reply.json()["id"], Value::Null, "{body}");
    }
    let not_utf8 =
        mcp.raw_request(Method::POST).header("content-type", "application/json").body(&b"{\"a\":\"\xff\"}"[..]);
    assert_refused(&not_utf8.send().await, 400, -32700);
}

#[tokio::test]
async fn a_modern_error_for_an_invalid_message_has_no_id() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture).header("mcp-protocol-version", MODERN);
    for (body, code) in [("{", -32700), ("{}", -32600)] {
        let reply = post(&mcp, body).await;
        assert_refused(&reply, 400, code);
        assert!(reply.json().get("id").is_none(), "{reply:?}");
    }
}

#[tokio::test]
async fn json_that_is_not_a_message_is_an_invalid_request() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture);
    for body in [
        "1",
        "null",
        "\"tools/list\"",
        "{}",
        r#"{"id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":null}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
    ] {
        assert_refused(&post(&mcp, body).await, 400, -32600);
    }
}

#[tokio::test]
async fn a_duplicate_key_is_refused_at_any_depth() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture);
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","name":"u"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":1,"\u0061":2}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"x":[{"a":1,"a":2}]}}}"#,
    ] {
        assert_refused(&post(&mcp, body).await, 400, -32600);
    }
}

#[tokio::test]
async fn a_protocol_key_in_another_case_is_refused() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture);
    for body in [
        r#"{"JsonRpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","ID":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"Method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","METHOD":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","param\u017f":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","Params":{"name":"t"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"Name":"t"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","nAme":"u"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","Arguments":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized","Id":1}"#,
    ] {
        assert_refused(&post(&mcp, body).await, 400, -32600);
    }
    // Unknown keys are ignored, and arguments may have any names.
    let free = r#"{"jsonrpc":"2.0","id":1,"method":"ping","Other":1,"params":{"Free":1,"arguments":{"a":1,"A":2}}}"#;
    post(&mcp, free).await.expect(200);
}

#[tokio::test]
async fn json_is_read_to_a_depth_of_64() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture);
    post(&mcp, nested_message(64)).await.expect(200);
    for levels in [65, 1000, 1_000_000] {
        assert_refused(&post(&mcp, nested_message(levels)).await, 400, -32700);
    }
    post(&mcp, nested_message(10)).await.expect(200);
}

#[tokio::test]
async fn a_message_has_at_most_150000_values() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture);
    let message = |zeros: usize| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":[0{}]}}}}"#, ",0".repeat(zeros - 1))
    };
    post(&mcp, message(149_000)).await.expect(200);
    assert_refused(&post(&mcp, message(150_000)).await, 400, -32700);
    // The limit also applies to a batch.
    assert_refused(&post(&mcp, format!("[0{}]", ",0".repeat(1_000_000))).await, 400, -32700);
}

#[tokio::test]
async fn ids_are_returned_as_sent() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture);
    // The limit counts bytes of the decoded text, not of its JSON form.
    let longest = ["x".repeat(256), "é".repeat(128), r"\u0078".repeat(256), r"\u00e9".repeat(128)];
    let longest = longest.map(|text| format!("\"{text}\""));
    let ids = ["0", "-1", "18446744073709551615", "-9223372036854775808", "\"\"", "\"0\"", r#""é\u00e9\n""#];
    for id in ids.into_iter().chain(longest.iter().map(String::as_str)) {
        let reply = post(&mcp, format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)).await.expect(200);
        assert_eq!(reply.text(), format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
        let reply = post(&mcp, format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"no"}}"#)).await.expect(200);
        assert!(reply.text().starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"error":"#)), "{reply:?}");
    }
    let too_long = ["x".repeat(257), "é".repeat(129), r"\u00e9".repeat(129)].map(|text| format!("\"{text}\""));
    let others = ["null", "1.5", "1.0", "1e3", "18446744073709551616", "-9223372036854775809", "true", "[]", "{}"];
    for id in others.into_iter().chain(too_long.iter().map(String::as_str)) {
        let reply = post(&mcp, format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)).await;
        assert_refused(&reply, 400, -32600);
        assert_eq!(reply.json()["id"], Value::Null, "{id}");
    }
}

#[tokio::test]
async fn notifications_and_responses_are_only_acknowledged() {
    let fixture = start_server_with_tool().await;
    let legacy = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    for mcp in [bare_client(&fixture), legacy, bare_client(&fixture).modern()] {
        for message in [
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
            json!({"jsonrpc": "2.0", "method": "notifications/custom", "params": {"a": 1}}),
            json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
            json!({"jsonrpc": "2.0", "id": "a", "error": {"code": -1, "message": "no"}}),
        ] {
            let reply = mcp.post(message).send().await.expect(202);
            assert!(reply.body.is_empty(), "{reply:?}");
        }
    }
}

#[tokio::test]
async fn a_call_without_an_id_is_not_made() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = management::start_server(json!({})).await;
    fixture.create("/tools", management::tool(&upstream, "t")).await;
    let legacy = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let call = json!({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "t"}});
    for mcp in [bare_client(&fixture), legacy, bare_client(&fixture).modern()] {
        mcp.post(call.clone()).send().await.expect(202);
    }
    bare_client(&fixture).post(json!([call, call])).send().await.expect(202);
    assert_eq!(upstream.request_count(), 0);
    bare_client(&fixture).text("t", json!({})).await;
    assert_eq!(upstream.request_count(), 1);
}

#[tokio::test]
async fn params_are_an_object_or_absent() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture);
    for params in ["{}", "null", r#"{"unknown":1}"#] {
        post(&mcp, format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{params}}}"#)).await.expect(200);
    }
    post(&mcp, r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await.expect(200);
    for params in ["[]", "[1]", "1", "\"x\"", "true"] {
        let reply = post(&mcp, format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{params}}}"#)).await;
        assert_refused(&reply, 400, -32600);
    }
}

#[tokio::test]
async fn params_of_the_wrong_type_are_invalid_params() {
    let fixture = start_server_with_tool().await;
    let mcp = bare_client(&fixture);
    for (method, params) in [
        ("tools/call", json!({})),
        ("tools/call", json!({"name": 1})),
        ("tools/call", json!({"name": "unknown"})),
        ("tools/call", json!({"name": "T"})),
        ("tools/call", json!({"name": "t", "arguments": []})),
        ("tools/call", json!({"name": "t", "arguments": "x"})),
        ("prompts/get", json!({})),
        ("prompts/get", json!({"name": "unknown"})),
        ("resources/read", json!({"url": "x"})),
        ("completion/complete", json!({"ref": {"type": "ref/prompt", "name": "unknown"}})),
        ("logging/setLevel", json!({"level": "loud"})),
    ] {
        let (status, error) = mcp.error(method, params.clone()).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32602)), "{method} {params}: {error}");
    }
}

#[tokio::test]
async fn lists_have_one_page_and_every_cursor_is_invalid() {
    let fixture = start_server_with_tool().await;
    for mcp in
        [bare_client(&fixture), bare_client(&fixture).legacy(NEWEST_LEGACY).await, bare_client(&fixture).modern()]
    {
        for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
            assert!(mcp.result(method, json!({})).await.get("nextCursor").is_none());
            mcp.result(method, json!({"cursor": null})).await;
            // An empty text is a cursor, too, and none was issued.
            for cursor in [json!("abc"), json!(""), json!(1)] {
                let (status, error) = mcp.error(method, json!({"cursor": cursor})).await;
                assert_eq!((status, &error["code"]), (200, &json!(-32602)), "{method} {cursor}: {error}");
            }
        }
    }
}
