//! Bad messages to one endpoint, from each kind of MCP client.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::McpClient;
use toolgate_testkit::mcp::MODERN;

use super::super::generator::HostileRng;
use super::BadRequest;
use super::corruption::{any_value, corrupt_bytes, corrupt_headers, corrupt_value, excerpt, one_of};

/// HTTP methods that cannot carry a message.
const UNSUPPORTED_METHODS: [Method; 4] = [Method::GET, Method::PUT, Method::PATCH, Method::HEAD];
const HEADERS: [&str; 12] = [
    "accept",
    "authorization",
    "content-encoding",
    "content-type",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-param-city",
    "mcp-protocol-version",
    "mcp-session-id",
    "origin",
    "x-api-key",
];

/// The callers are a bare, a legacy and a modern client, in this order.
pub(super) fn bad_message(callers: &[McpClient; 3], rng: &mut HostileRng) -> BadRequest {
    let kind = rng.below(callers.len());
    let mut message = valid_message(rng);
    if kind == 2 && rng.below(8) > 0 {
        message["params"]["_meta"] = modern_meta();
    }
    // The headers match the valid message, so that header validation does not hide errors in the body.
    let request = callers[kind].post(message.clone());
    let request = if rng.below(30) == 0 {
        callers[kind].session_request(one_of(rng, &UNSUPPORTED_METHODS).clone())
    } else {
        request
    };
    let mut description = format!("caller {kind}");
    let request = corrupt_headers(rng, request, &HEADERS, &mut description);
    if rng.below(8) > 0 {
        corrupt(rng, &mut message);
    }
    let mut bytes = message.to_string().into_bytes();
    if rng.below(5) == 0 {
        corrupt_bytes(rng, &mut bytes);
    }
    description.extend([", ", &excerpt(&bytes)]);
    BadRequest { request: request.body(bytes), description }
}

/// The client metadata that each request of the modern revision carries.
fn modern_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A message that is valid in at least one protocol revision.
fn valid_message(rng: &mut HostileRng) -> Value {
    let city = json!({"city": "Bern"});
    let reference = json!({"type": "ref/prompt", "name": "describe"});
    let info = json!({"name": "test", "version": "1"});
    let messages = [
        ("initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info})),
        ("ping", json!({})),
        ("server/discover", json!({})),
        ("tools/list", json!({"cursor": "x"})),
        ("tools/call", json!({"name": "weather", "arguments": city})),
        ("tools/call", json!({"name": "weather", "arguments": city, "_meta": {"progressToken": 1}})),
        ("prompts/list", json!({})),
        ("prompts/get", json!({"name": "describe", "arguments": city})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "docs://city/Bern"})),
        ("resources/subscribe", json!({"uri": "docs://city/Bern"})),
        ("completion/complete", json!({"ref": reference, "argument": {"name": "city", "value": "B"}})),
        ("logging/setLevel", json!({"level": "debug"})),
        ("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})),
        ("notifications/cancelled", json!({"requestId": 1})),
    ];
    let (method, params) = one_of(rng, &messages);
    json!({"jsonrpc": "2.0", "id": rng.below(1_000), "method": method, "params": params})
}

/// Breaks one part of a message, or puts the message into a batch.
fn corrupt(rng: &mut HostileRng, message: &mut Value) {
    match rng.below(10) {
        0 => *message = any_value(rng),
        1 => *message = (0..rng.below(60)).map(|_| message.clone()).collect(),
        2 => *message = json!([message, any_value(rng)]),
        3 => message["id"] = any_value(rng),
        4 => message["method"] = any_value(rng),
        5 => message["params"] = any_value(rng),
        6 => message["params"]["_meta"] = any_value(rng),
        7 => message["params"]["arguments"] = any_value(rng),
        _ => corrupt_value(rng, message),
    }
}
