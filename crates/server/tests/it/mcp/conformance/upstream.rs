//! The upstream behind the suite's tools and resources: texts, pictures, failures and whole MCP results.

use serde_json::{Value, json};
use toolgate_testkit::upstream::Received;
use toolgate_testkit::{Answer, Upstream};

use super::asking::Asked;

/// One transparent pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\
    \0\0\0\nIDATx\x9cc\0\x01\0\0\x05\0\x01\r\n-\xb4\0\0\0\0IEND\xaeB`\x82";
/// The same in base64.
pub(super) const PNG_BASE64: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAACklEQVR4nGMAAQAABQABDQottAAAAABJRU5ErkJggg==";
/// No sound at all: a header, and no samples.
const WAV: &[u8] = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0";

pub(super) fn start() -> Upstream {
    Upstream::builder()
        .route("/text", Answer::text("This is a simple text response for testing."))
        .route("/png", Answer::bytes("image/png", PNG))
        .route("/wav", Answer::bytes("audio/wav", WAV))
        .route("/fail", Answer::text("This tool intentionally returns an error for testing").with_status(500))
        .otherwise(other)
        .start()
}

fn other(request: &Received) -> Answer {
    if let Some(id) = request.path().strip_prefix("/template/") {
        return Answer::json(json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")}));
    }
    match request.path().strip_prefix("/mcp/") {
        Some(name) => result(name, &request.json())
            .map_or(Answer::status(404), |result| Answer::bytes("application/vnd.mcp.result+json", result.to_string())),
        None => Answer::status(404),
    }
}

/// The whole MCP result of a tool.
fn result(name: &str, message: &Value) -> Option<Value> {
    let asked = Asked::read(message);
    Some(match name {
        "embedded_resource" => json!({"content": [embedded("test://embedded-resource", "text/plain",
            "This is an embedded resource content.")]}),
        "mixed_content" => json!({"content": [
            {"type": "text", "text": "Multiple content types test:"},
            {"type": "image", "data": PNG_BASE64, "mimeType": "image/png"},
            embedded("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ]}),
        "elicitation" => asked.name(),
        "sampling" => asked.capital(),
        "list_roots" => asked.roots(),
        "request_state" => asked.confirmation(),
        "multiple_inputs" => asked.everything(),
        "multi_round" => asked.two_steps(),
        "capabilities" => asked.what_the_client_can(),
        _ => return None,
    })
}

fn embedded(uri: &str, mime_type: &str, text: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": text}})
}
