//! The upstream of the suite's tools and resources: texts, images, failures and complete MCP results.

use serde_json::{Value, json};
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{MockResponse, Upstream};

use super::input_required::InputRequiredCall;

/// A PNG image of one transparent pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\
    \0\0\0\nIDATx\x9cc\0\x01\0\0\x05\0\x01\r\n-\xb4\0\0\0\0IEND\xaeB`\x82";
/// [`PNG`] in base64.
pub(super) const PNG_BASE64: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAACklEQVR4nGMAAQAABQABDQottAAAAABJRU5ErkJggg==";
/// A WAV header without samples.
const WAV: &[u8] = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0";

pub(super) fn start() -> Upstream {
    Upstream::builder()
        .route("/text", MockResponse::text("This is a simple text response for testing."))
        .route("/png", MockResponse::bytes("image/png", PNG))
        .route("/wav", MockResponse::bytes("audio/wav", WAV))
        .route("/fail", MockResponse::text("This tool intentionally returns an error for testing").with_status(500))
        .fallback(template_or_mcp_result)
        .start()
}

fn template_or_mcp_result(request: &ReceivedRequest) -> MockResponse {
    if let Some(id) = request.path().strip_prefix("/template/") {
        return MockResponse::json(json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")}));
    }
    match request.path().strip_prefix("/mcp/") {
        Some(name) => mcp_result(name, &request.json()).map_or(MockResponse::status(404), |result| {
            MockResponse::bytes("application/vnd.mcp.result+json", result.to_string())
        }),
        None => MockResponse::status(404),
    }
}

/// The complete MCP result of a tool.
fn mcp_result(name: &str, message: &Value) -> Option<Value> {
    let call = InputRequiredCall::new(message);
    Some(match name {
        "embedded_resource" => json!({"content": [embedded_resource("test://embedded-resource", "text/plain",
            "This is an embedded resource content.")]}),
        "mixed_content" => json!({"content": [
            {"type": "text", "text": "Multiple content types test:"},
            {"type": "image", "data": PNG_BASE64, "mimeType": "image/png"},
            embedded_resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ]}),
        "elicitation" => call.ask_name(),
        "sampling" => call.ask_capital(),
        "list_roots" => call.ask_roots(),
        "request_state" => call.ask_confirmation(),
        "multiple_inputs" => call.ask_everything(),
        "multi_round" => call.ask_in_two_steps(),
        "capabilities" => call.ask_supported_inputs(),
        _ => return None,
    })
}

fn embedded_resource(uri: &str, mime_type: &str, text: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": text}})
}
