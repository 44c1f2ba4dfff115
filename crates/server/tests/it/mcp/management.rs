//! Shared helpers: changes over the management API while clients use a server, and assertions.

use serde_json::{Value, json};
use toolgate_testkit::objects::with_defaults;
use toolgate_testkit::{McpClient, ServiceFixture, TestResponse, Upstream};

use crate::toolgate;

/// Starts a service with one server, without a key and without a rate limit unless `fields` sets them.
pub(super) async fn start_server(fields: Value) -> ServiceFixture {
    let builder = toolgate();
    let fields = with_defaults(fields, &json!({"name": "Shop"}));
    ServiceFixture::start(builder, Upstream::builder().start(), fields).await
}

/// A bare client, which sends JSON-RPC without a handshake or further headers. `legacy` and `modern` change its kind.
pub(super) fn bare_client(fixture: &ServiceFixture) -> McpClient {
    McpClient::new(fixture.url())
}

/// Creates another server in the same service.
pub(super) async fn create_another_server(fixture: &ServiceFixture, fields: Value) -> Value {
    fixture.app.client().create("/servers", fields).await
}

/// Sends a POST request of the management API that changes objects.
pub(super) async fn change(fixture: &ServiceFixture, path: &str, fields: Value) -> Value {
    fixture.app.client().post(path).json(fields).send().await.expect(200).json()
}

/// Deletes the object at a path of the management API.
pub(super) async fn delete(fixture: &ServiceFixture, path: &str) {
    fixture.app.client().delete(path).send().await.expect(200);
}

/// Updates the server.
pub(super) async fn change_server(fixture: &ServiceFixture, fields: Value) -> Value {
    change(fixture, &fixture.path(""), fields).await
}

/// The fields of a tool that requests `/{name}` of the upstream.
pub(super) fn tool(upstream: &Upstream, name: &str) -> Value {
    json!({"name": name, "description": "For testing", "endpoint_url": upstream.url(&format!("/{name}"))})
}

/// The fields of a tool that is never called.
pub(super) fn uncalled_tool(name: &str) -> Value {
    json!({"name": name, "description": "For testing", "endpoint_url": "https://api.example.com/x"})
}

/// One member of each item of a list.
pub(super) fn column<'a>(list: &'a Value, member: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[member].as_str().unwrap()).collect()
}

/// The names in `tools/list`.
pub(super) async fn tool_names(mcp: &McpClient) -> Vec<String> {
    let result = mcp.result("tools/list", json!({})).await;
    column(&result["tools"], "name").into_iter().map(str::to_owned).collect()
}

/// Asserts an error reply: this status, and a JSON-RPC error with this code as the only content.
#[track_caller]
pub(super) fn assert_refused(reply: &TestResponse, status: u16, code: i64) {
    assert_eq!(reply.status, status, "{reply:?}");
    assert_eq!(reply.header("content-type"), Some("application/json"), "{reply:?}");
    let body = reply.json();
    assert_eq!(body["jsonrpc"], "2.0", "{reply:?}");
    assert_eq!(body["error"]["code"], code, "{reply:?}");
    assert!(body["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{reply:?}");
    assert!(body.as_object().unwrap().keys().all(|key| ["jsonrpc", "id", "error"].contains(&key.as_str())));
}
