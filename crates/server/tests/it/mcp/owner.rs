//! What the owner of a server does over the management API while clients use it, and the form in which clients are
//! answered.

use serde_json::{Value, json};
use toolgate_testkit::{Mcp, Reply, Upstream};

use super::endpoint::Endpoint;

/// A service with one server, which asks for no key and counts no calls unless the fields say so.
pub(super) async fn open(fields: Value) -> Endpoint {
    let mut all = json!({"name": "Shop", "rate_limit_per_min": 0});
    all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    Endpoint::start(all).await
}

/// A caller that sends plain JSON-RPC and nothing else.
pub(super) fn bare(endpoint: &Endpoint) -> Mcp {
    Mcp::at(endpoint.url())
}

/// Another server of the same service.
pub(super) async fn another_server(endpoint: &Endpoint, fields: Value) -> Value {
    endpoint.app.client().post("/servers").json(fields).send().await.expect(201).json()
}

/// Changes an object of the management API.
pub(super) async fn change(endpoint: &Endpoint, path: &str, fields: Value) -> Value {
    endpoint.app.client().post(path).json(fields).send().await.expect(200).json()
}

/// Deletes an object of the management API.
pub(super) async fn delete(endpoint: &Endpoint, path: &str) {
    endpoint.app.client().delete(path).send().await.expect(200);
}

/// Changes the server itself.
pub(super) async fn change_server(endpoint: &Endpoint, fields: Value) -> Value {
    change(endpoint, &endpoint.path(""), fields).await
}

/// A tool that asks the upstream's `/{name}`.
pub(super) fn tool(upstream: &Upstream, name: &str) -> Value {
    json!({"name": name, "description": "For testing", "endpoint_url": upstream.url(&format!("/{name}"))})
}

/// A tool that nobody calls.
pub(super) fn idle_tool(name: &str) -> Value {
    json!({"name": name, "description": "For testing", "endpoint_url": "https://api.example.com/x"})
}

/// One member of each item of a list.
pub(super) fn column<'a>(list: &'a Value, member: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[member].as_str().unwrap()).collect()
}

/// The names that `tools/list` tells.
pub(super) async fn tool_names(mcp: &Mcp) -> Vec<String> {
    let result = mcp.result("tools/list", json!({})).await;
    column(&result["tools"], "name").into_iter().map(str::to_owned).collect()
}

/// A refusal of this status, whose body is a JSON-RPC error of this code and says nothing else.
#[track_caller]
pub(super) fn assert_refused(reply: &Reply, status: u16, code: i64) {
    assert_eq!(reply.status, status, "{reply:?}");
    assert_eq!(reply.header("content-type"), Some("application/json"), "{reply:?}");
    let body = reply.json();
    assert_eq!(body["jsonrpc"], "2.0", "{reply:?}");
    assert_eq!(body["error"]["code"], code, "{reply:?}");
    assert!(body["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{reply:?}");
    assert!(body.as_object().unwrap().keys().all(|key| ["jsonrpc", "id", "error"].contains(&key.as_str())));
}
