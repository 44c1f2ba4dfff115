//! A running service with one MCP server and an upstream.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{Client, McpClient, RunningService, TestResponse, Upstream};

/// A running service, one of its MCP servers, and the upstream of its tools.
pub(super) struct ToolHarness {
    pub(super) app: RunningService,
    pub(super) api: Client,
    pub(super) upstream: Upstream,
    pub(super) server: Value,
}

/// A service that is not started yet.
pub(super) fn service() -> ServiceBuilder {
    RunningService::builder(env!("CARGO_BIN_EXE_toolgate"))
}

/// A service that logs the record of each call, one JSON object per line.
pub(super) fn recording_service() -> ServiceBuilder {
    service().env("TOOLGATE_LOG", "toolgate::call=debug").env("TOOLGATE_LOG_FORMAT", "json")
}

impl ToolHarness {
    /// A harness with this upstream, and a server without a rate limit.
    pub(super) async fn new(upstream: Upstream) -> Self {
        Self::with_server(service(), upstream, json!({})).await
    }

    /// Like [`Self::new`], with call records in the log.
    pub(super) async fn recording(upstream: Upstream) -> Self {
        Self::with_server(recording_service(), upstream, json!({})).await
    }

    /// A harness whose server has these fields. By default the server is named `Server` and has no rate limit.
    pub(super) async fn with_server(builder: ServiceBuilder, upstream: Upstream, fields: Value) -> Self {
        let app = builder.start();
        let api = app.client();
        let fields = with_defaults(fields, &json!({"name": "Server", "rate_limit_per_min": 0}));
        let server = api.create("/servers", fields).await;
        Self { app, api, upstream, server }
    }

    /// Creates a tool and returns its id. The default name is `tool`; an `endpoint_url` that begins with a slash is a
    /// path of the upstream.
    pub(super) async fn create_tool(&self, fields: Value) -> i64 {
        let mut fields = with_defaults(fields, &json!({"name": "tool", "endpoint_url": "/"}));
        if let Some(path) = fields["endpoint_url"].as_str().filter(|url| url.starts_with('/')) {
            fields["endpoint_url"] = self.upstream.url(path).into();
        }
        let path = self.path("/tools");
        self.api.create(&path, fields).await["id"].as_i64().unwrap()
    }

    /// The path of the server, or of an object below it, in the management API.
    pub(super) fn path(&self, subpath: &str) -> String {
        format!("/servers/{}{subpath}", self.server["id"])
    }

    /// Updates a tool.
    pub(super) async fn update_tool(&self, tool: i64, fields: Value) {
        self.api.patch(&format!("/tools/{tool}")).json(fields).send().await.expect(200);
    }

    /// A caller of the server that sends no MCP revision.
    pub(super) fn caller(&self) -> McpClient {
        McpClient::new(self.url())
    }

    /// The endpoint of the server.
    pub(super) fn url(&self) -> &str {
        self.server["endpoint_url"].as_str().unwrap()
    }

    /// The reply of the management API to a test run.
    pub(super) async fn test_reply(&self, tool: i64, body: Value) -> TestResponse {
        self.api.post(&format!("/tools/{tool}/test")).json(body).send().await
    }

    /// The result of a test run with these arguments.
    pub(super) async fn test_result(&self, tool: i64, arguments: Value) -> Value {
        self.test_reply(tool, json!({"arguments": arguments})).await.expect(200).json()
    }
}

fn with_defaults(mut fields: Value, defaults: &Value) -> Value {
    for (name, value) in defaults.as_object().unwrap() {
        fields.as_object_mut().unwrap().entry(name).or_insert_with(|| value.clone());
    }
    fields
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

/// The message and the advice of a call that failed. A caller without a revision gets nothing else. Panics if the call
/// succeeded.
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
