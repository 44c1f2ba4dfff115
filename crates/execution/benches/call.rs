//! Benchmarks of the steps of a call: validating the arguments, building the request, writing the response.

#![expect(clippy::expect_used, reason = "a benchmark, run by hand")]

use bytes::Bytes;
use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::{HttpMethod, Tool, ToolSpec};
use toolgate_execution::content;
use toolgate_execution::egress::UpstreamResponse;
use toolgate_execution::tool::{CompiledTool, CredentialUse};

/// The tools: `item` has two strings, for path and query; `order` has schema rules of every kind and is sent as JSON.
const KINDS: [&str; 2] = ["item", "order"];
const BODY_BYTES: [usize; 4] = [1 << 10, 16 << 10, 128 << 10, 1 << 20];

fn main() {
    divan::main();
}

#[divan::bench(args = KINDS)]
fn validate(bencher: Bencher<'_, '_>, kind: &str) {
    let (tool, arguments) = (tool(kind), arguments(kind).to_string());
    assert!(tool.validate(Some(&arguments)).is_ok(), "the arguments match the schema");
    bencher.bench(|| tool.validate(black_box(Some(&arguments))));
}

#[divan::bench(args = KINDS)]
fn refuse(bencher: Bencher<'_, '_>, kind: &str) {
    let (tool, arguments) = (tool(kind), r#"{"id":7,"extra":true}"#);
    assert!(tool.validate(Some(arguments)).is_err(), "the arguments do not match the schema");
    bencher.bench(|| tool.validate(black_box(Some(arguments))));
}

#[divan::bench(args = KINDS)]
fn request(bencher: Bencher<'_, '_>, kind: &str) {
    let (tool, arguments) = (tool(kind), arguments(kind).to_string());
    let valid = tool.validate(Some(&arguments)).expect("the arguments match the schema");
    assert!(tool.request(&valid, CredentialUse::Stored).is_ok(), "the request can be built");
    bencher.bench(|| tool.request(black_box(&valid), CredentialUse::Stored));
}

/// Writes a JSON response as the text of a content block.
#[divan::bench(args = BODY_BYTES)]
fn respond(bencher: Bencher<'_, '_>, bytes: usize) {
    let response = response(bytes);
    let written: Value = serde_json::from_slice(&write(&response)).expect("the block is JSON");
    assert_eq!(written["text"].as_str().map(str::as_bytes), Some(&*response.body));
    let bencher = bencher.counter(BytesCount::new(response.body.len()));
    bencher.bench(|| write(black_box(&response)));
}

fn write(response: &UpstreamResponse) -> Vec<u8> {
    let mut out = Vec::new();
    content::write_json(&content::to_block(response), &mut out);
    out
}

fn tool(kind: &str) -> CompiledTool {
    let url = if kind == "item" { "https://api.example/items/{id}" } else { "https://api.example/orders" };
    let mut spec = ToolSpec::new(kind.to_owned(), EndpointUrl::parse("endpoint_url", url).expect("a valid URL"));
    spec.http_method = if kind == "item" { HttpMethod::Get } else { HttpMethod::Post };
    spec.input_schema = JsonObject::from_stored(schema(kind).to_string());
    let epoch = Timestamp::from_millis(0);
    let (id, server_id) = (ToolId(1), ServerId(1));
    let tool = Tool {
        id,
        server_id,
        sort_order: 0,
        credential_id: None,
        credential: None,
        revision: 1,
        origin: None,
        created_at: epoch,
        updated_at: epoch,
        spec,
    };
    CompiledTool::compile(&tool, Ok(&Secrets::default())).expect("the schema is valid")
}

fn schema(kind: &str) -> Value {
    let text = |max_length: u64| json!({"type": "string", "maxLength": max_length});
    if kind == "item" {
        return json!({"type": "object", "properties": {"id": text(20), "q": text(100)}, "required": ["id", "q"]});
    }
    let line = json!({
        "type": "object",
        "properties": {"sku": {"type": "string", "pattern": "^[A-Z]-[0-9]+$"}, "count": {"type": "integer", "minimum": 1}},
        "required": ["sku", "count"],
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "properties": {
            "customer": {"type": "object", "properties": {"name": text(100), "email": text(200)}, "required": ["name"]},
            "currency": {"enum": ["EUR", "NOK", "USD"]},
            "is_gift": {"type": "boolean", "default": false},
            "lines": {"type": "array", "items": line, "minItems": 1, "maxItems": 100},
        },
        "required": ["customer", "lines"],
        "additionalProperties": false,
    })
}

fn arguments(kind: &str) -> Value {
    if kind == "item" {
        return json!({"id": "4711", "q": "word4711"});
    }
    let lines: Vec<Value> = (1..=10).map(|number| json!({"sku": format!("A-{number}"), "count": number})).collect();
    json!({"customer": {"name": "Ann", "email": "ann@example.com"}, "currency": "NOK", "lines": lines})
}

fn response(bytes: usize) -> UpstreamResponse {
    let item = json!({"id": 4711, "name": "Item", "text": "x".repeat(60), "is_new": false}).to_string();
    let body = format!("[{}]", vec![item.as_str(); bytes / item.len()].join(","));
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    UpstreamResponse { status: StatusCode::OK, headers, body: Bytes::from(body), sent_tokens: Vec::new() }
}
