//! Structured results: tools with an `output_schema`.

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::setup::{assert_failed, keys, start};

/// A tool with this output schema, whose upstream responds with this text.
async fn fixture(output_schema: Value, response: &'static str) -> ServiceFixture {
    let fixture = start(Upstream::with_handler(move |_| MockResponse::bytes("application/json", response))).await;
    fixture.create_tool(json!({"output_schema": output_schema})).await;
    fixture
}

/// A bare caller, a caller of the newest revision without structured content, one of the newest legacy revision, and a
/// modern one.
async fn callers(fixture: &ServiceFixture) -> [McpClient; 4] {
    let caller = fixture.caller();
    [
        caller.clone(),
        caller.clone().legacy("2025-03-26").await,
        caller.clone().legacy("2025-11-25").await,
        caller.modern(),
    ]
}

#[tokio::test]
async fn a_matching_object_is_returned_as_text_and_as_structured_content() {
    let schema = json!({"type": "object", "properties": {"t": {"type": "number"}}, "required": ["t"]});
    let body = "{ \"t\": 21.50, \"id\": 9007199254740993 }";
    let fixture = fixture(schema, body).await;
    let [bare, older, legacy, modern] = callers(&fixture).await;
    for caller in [&legacy, &modern] {
        let reply = caller.send("tools/call", json!({"name": "tool"})).await.expect(200);
        let result = &reply.json()["result"];
        assert_eq!(result["content"], json!([{"type": "text", "text": body}]));
        assert_eq!(result["structuredContent"], json!({"t": 21.5, "id": 9_007_199_254_740_993_u64}));
        // The structured content is the unchanged body, because the digits of a number may matter.
        assert!(reply.text().contains(&format!("\"structuredContent\":{body}")), "{reply:?}");
    }
    for caller in [&bare, &older] {
        let result = caller.call("tool", json!({})).await;
        assert_eq!(result, json!({"content": [{"type": "text", "text": body}]}));
    }
}

#[tokio::test]
async fn values_other_than_objects_are_structured_content_for_modern_callers_only() {
    let fixture = fixture(json!({"type": "array", "items": {"type": "integer"}}), "[1,2]").await;
    let [bare, older, legacy, modern] = callers(&fixture).await;
    let result = modern.call("tool", json!({})).await;
    assert_eq!(result["structuredContent"], json!([1, 2]), "{result}");
    for caller in [&bare, &older, &legacy] {
        assert_eq!(keys(&caller.call("tool", json!({})).await), ["content"]);
    }
}

#[tokio::test]
async fn a_response_that_does_not_match_is_a_failure_for_all_callers() {
    let schema = json!({"type": "object", "properties": {"t": {"type": "number"}}, "required": ["t"]});
    for (response, expected) in [
        ("{\"t\":\"warm\"}", "does not match the tool's output_schema: \"t\" must be a number, is \"warm\""),
        ("{}", "does not match the tool's output_schema: \"t\" is missing"),
        ("plain", "is not valid JSON, but the tool declares an output_schema"),
        ("", "is not valid JSON, but the tool declares an output_schema"),
        ("{\"t\":1,\"t\":2}", "is not valid JSON, but the tool declares an output_schema"),
    ] {
        let fixture = fixture(schema.clone(), response).await;
        for (index, caller) in callers(&fixture).await.iter().enumerate() {
            let result = caller.call("tool", json!({})).await;
            assert_eq!(result["isError"], true, "{response}: {result}");
            assert!(result.get("structuredContent").is_none(), "{response}: {result}");
            let text = result["content"][0]["text"].as_str().unwrap();
            assert!(text.contains(expected), "{response}: {text}");
            // A bare caller gets nothing but the message and the advice.
            if index == 0 {
                assert_failed(&result);
            }
        }
    }
}

#[tokio::test]
async fn an_upstreams_error_is_not_checked_against_the_schema() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::status(404).body("gone"))).await;
    fixture.create_tool(json!({"output_schema": {"type": "object"}})).await;
    let result = fixture.caller().modern().call("tool", json!({})).await;
    assert_eq!(result["content"][0]["text"], "Upstream returned HTTP 404 Not Found: gone");
    assert_eq!(result["isError"], true);
}
