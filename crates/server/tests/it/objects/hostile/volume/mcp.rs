//! Bad messages to one endpoint, as each kind of caller would send them.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::McpClient;
use toolgate_testkit::mcp::MODERN;

use super::super::generator::HostileRng;
use super::BadRequest;
use super::spoiling::{any_value, beginning, one_of, spoil_bytes, spoil_headers, spoil_value};

/// What is no way to send a message.
const METHODS: [Method; 4] = [Method::GET, Method::PUT, Method::PATCH, Method::HEAD];
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

/// The callers are a bare, a legacy and a modern one, in this order.
pub(super) fn bad(callers: &[McpClient; 3], rng: &mut HostileRng) -> BadRequest {
    let kind = rng.below(callers.len());
    let mut message = good(rng);
    if kind == 2 && rng.below(8) > 0 {
        message["params"]["_meta"] = modern_meta();
    }
    // Headers repeat what a good message says, so that what is wrong with this one is seen behind them.
    let request = callers[kind].post(message.clone());
    let request = if rng.below(30) == 0 { callers[kind].with_session(one_of(rng, &METHODS).clone()) } else { request };
    let mut shown = format!("caller {kind}");
    let request = spoil_headers(rng, request, &HEADERS, &mut shown);
    if rng.below(8) > 0 {
        spoil(rng, &mut message);
    }
    let mut bytes = message.to_string().into_bytes();
    if rng.below(5) == 0 {
        spoil_bytes(rng, &mut bytes);
    }
    shown.extend([", ", &beginning(&bytes)]);
    BadRequest { request: request.body(bytes), shown }
}

/// What each request of the modern revision says about its sender.
fn modern_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A message that would be answered well, at least by one kind of server.
fn good(rng: &mut HostileRng) -> Value {
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

/// One thing wrong with a message, or the message among others.
fn spoil(rng: &mut HostileRng, message: &mut Value) {
    match rng.below(10) {
        0 => *message = any_value(rng),
        1 => *message = (0..rng.below(60)).map(|_| message.clone()).collect(),
        2 => *message = json!([message, any_value(rng)]),
        3 => message["id"] = any_value(rng),
        4 => message["method"] = any_value(rng),
        5 => message["params"] = any_value(rng),
        6 => message["params"]["_meta"] = any_value(rng),
        7 => message["params"]["arguments"] = any_value(rng),
        _ => spoil_value(rng, message),
    }
}
