//! Structured results: tools that declare the shape of what they give back.

use serde_json::{Value, json};
use toolgate_testkit::{Answer, Mcp, Upstream};

use super::setup::{Stage, failure, keys};

/// A tool whose answer is declared, at an upstream that answers with this text.
async fn stage(output_schema: Value, answer: &'static str) -> Stage {
    let stage = Stage::new(Upstream::answering(move |_| Answer::bytes("application/json", answer))).await;
    stage.tool(json!({"output_schema": output_schema})).await;
    stage
}

/// A caller of each generation: bare, the last without structured content, the newest legacy, modern.
async fn callers(stage: &Stage) -> [Mcp; 4] {
    let caller = stage.caller();
    [
        caller.clone(),
        caller.clone().legacy("2025-03-26").await,
        caller.clone().legacy("2025-11-25").await,
        caller.modern(),
    ]
}

#[tokio::test]
async fn an_object_that_fits_comes_as_structured_content_too() {
    let schema = json!({"type": "object", "properties": {"t": {"type": "number"}}, "required": ["t"]});
    let body = "{ \"t\": 21.50, \"id\": 9007199254740993 }";
    let stage = stage(schema, body).await;
    let [bare, older, legacy, modern] = callers(&stage).await;
    for caller in [&legacy, &modern] {
        let reply = caller.send("tools/call", json!({"name": "tool"})).await.expect(200);
        let result = &reply.json()["result"];
        assert_eq!(result["content"], json!([{"type": "text", "text": body}]));
        assert_eq!(result["structuredContent"], json!({"t": 21.5, "id": 9_007_199_254_740_993_u64}));
        // As it was written, for a number's digits may matter.
        assert!(reply.text().contains(&format!("\"structuredContent\":{body}")), "{reply:?}");
    }
    for caller in [&bare, &older] {
        let result = caller.call("tool", json!({})).await;
        assert_eq!(result, json!({"content": [{"type": "text", "text": body}]}));
    }
}

#[tokio::test]
async fn what_is_no_object_is_structured_content_for_modern_callers_only() {
    let stage = stage(json!({"type": "array", "items": {"type": "integer"}}), "[1,2]").await;
    let [bare, older, legacy, modern] = callers(&stage).await;
    let result = modern.call("tool", json!({})).await;
    assert_eq!(result["structuredContent"], json!([1, 2]), "{result}");
    for caller in [&bare, &older, &legacy] {
        assert_eq!(keys(&caller.call("tool", json!({})).await), ["content"]);
    }
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_a_failure_for_everyone() {
    let schema = json!({"type": "object", "properties": {"t": {"type": "number"}}, "required": ["t"]});
    for (answer, expected) in [
        ("{\"t\":\"warm\"}", "does not fit the tool's output_schema: 't': must be a number"),
        ("{}", "does not fit the tool's output_schema: 't' is required"),
        ("plain", "cannot be read as JSON, but the tool declares an output_schema"),
        ("", "cannot be read as JSON, but the tool declares an output_schema"),
        ("{\"t\":1,\"t\":2}", "cannot be read as JSON, but the tool declares an output_schema"),
    ] {
        let stage = stage(schema.clone(), answer).await;
        for (index, caller) in callers(&stage).await.iter().enumerate() {
            let result = caller.call("tool", json!({})).await;
            assert_eq!(result["isError"], true, "{answer}: {result}");
            assert!(result.get("structuredContent").is_none(), "{answer}: {result}");
            let text = result["content"][0]["text"].as_str().unwrap();
            assert!(text.contains(expected), "{answer}: {text}");
            if index == 0 {
                failure(&result);
            }
        }
    }
}

#[tokio::test]
async fn an_upstreams_error_needs_no_shape() {
    let stage = Stage::new(Upstream::answering(|_| Answer::status(404).body("gone"))).await;
    stage.tool(json!({"output_schema": {"type": "object"}})).await;
    let result = stage.caller().modern().call("tool", json!({})).await;
    assert_eq!(result["content"][0]["text"], "Upstream returned HTTP 404 Not Found: gone");
    assert_eq!(result["isError"], true);
}
