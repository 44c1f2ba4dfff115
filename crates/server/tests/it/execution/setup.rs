//! A running service with one MCP server and an upstream.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{McpClient, ServiceFixture, Upstream};

use crate::toolgate;

/// A service that logs the record of each call, one JSON object per line.
pub(super) fn recording_service() -> ServiceBuilder {
    toolgate().env("TOOLGATE_LOG", "toolgate::call=debug").env("TOOLGATE_LOG_FORMAT", "json")
}

/// A service with this upstream, and a server without a rate limit.
pub(super) async fn start(upstream: Upstream) -> ServiceFixture {
    ServiceFixture::start(toolgate(), upstream, json!({})).await
}

/// A schema whose arguments are all optional.
#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
pub(super) fn schema(properties: Value) -> Value {
    json!({"type": "object", "properties": properties})
}

/// Calls `tool` with arguments as raw JSON, for values that `serde_json` cannot represent.
pub(super) async fn call_with_raw_arguments(caller: &McpClient, arguments: &str) -> Value {
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"tool","arguments":{arguments}}}}}"#
    );
    let request = caller.raw_request(Method::POST).header("content-type", "application/json").body(message);
    request.send().await.expect(200).json()["result"].clone()
}

/// Asserts that a call failed with a message and advice.
#[track_caller]
pub(super) fn assert_failed(result: &Value) {
    message_and_advice(result);
}

/// The message of a call that failed. Panics if the call succeeded.
#[track_caller]
pub(super) fn failure_message(result: &Value) -> &str {
    message_and_advice(result).0
}

/// The message and the advice of a failed call of a bare caller, which gets nothing else. Panics if the call succeeded.
#[track_caller]
pub(super) fn message_and_advice(result: &Value) -> (&str, &str) {
    assert_eq!(result["isError"], true, "{result}");
    let text = |index: usize| {
        let block = &result["content"][index]["text"];
        block.as_str().filter(|text| !text.is_empty()).unwrap_or_else(|| panic!("block {index} is missing: {result}"))
    };
    let blocks = [text(0), text(1)].map(|text| json!({"type": "text", "text": text}));
    assert_eq!(*result, json!({"content": blocks, "isError": true}));
    (text(0), text(1))
}

/// The keys of an object, in order.
#[track_caller]
pub(super) fn keys(object: &Value) -> Vec<&str> {
    object
        .as_object()
        .unwrap_or_else(|| panic!("the value is not an object: {object}"))
        .keys()
        .map(String::as_str)
        .collect()
}
