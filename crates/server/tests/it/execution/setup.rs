//! A service with one MCP server, and an upstream behind it.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::app::AppBuilder;
use toolgate_testkit::{App, Client, Mcp, Reply, Upstream};

/// A caller's way through the service to an upstream.
pub(super) struct Stage {
    pub(super) app: App,
    pub(super) api: Client,
    pub(super) upstream: Upstream,
    pub(super) server: Value,
}

/// The service, not started yet.
pub(super) fn service() -> AppBuilder {
    App::builder(env!("CARGO_BIN_EXE_toolgate"))
}

/// The service with the records of its calls in the log, one JSON object a line.
pub(super) fn recording_service() -> AppBuilder {
    service().env("TOOLGATE_LOG", "toolgate::call=debug").env("TOOLGATE_LOG_FORMAT", "json")
}

impl Stage {
    /// A server without a limit in front of this upstream.
    pub(super) async fn new(upstream: Upstream) -> Self {
        Self::of(service(), upstream, json!({})).await
    }

    /// The same, with records in the log.
    pub(super) async fn recording(upstream: Upstream) -> Self {
        Self::of(recording_service(), upstream, json!({})).await
    }

    /// A server of these fields; it needs no name, and has no limit unless they say so.
    pub(super) async fn of(builder: AppBuilder, upstream: Upstream, fields: Value) -> Self {
        let app = builder.start();
        let api = app.client();
        let fields = with_defaults(fields, &json!({"name": "Stage", "rate_limit_per_min": 0}));
        let server = created(&api, "/servers", fields).await;
        Self { app, api, upstream, server }
    }

    /// Creates a tool and returns its id. It is called `tool` unless the fields say so; an address that begins with
    /// a slash is one of the upstream's.
    pub(super) async fn tool(&self, fields: Value) -> i64 {
        let mut fields = with_defaults(fields, &json!({"name": "tool", "endpoint_url": "/"}));
        if let Some(path) = fields["endpoint_url"].as_str().filter(|url| url.starts_with('/')) {
            fields["endpoint_url"] = self.upstream.url(path).into();
        }
        let path = self.path("/tools");
        created(&self.api, &path, fields).await["id"].as_i64().unwrap()
    }

    /// The path of the server in the management API, or of what is below it.
    pub(super) fn path(&self, below: &str) -> String {
        format!("/servers/{}{below}", self.server["id"])
    }

    /// Changes a tool.
    pub(super) async fn update(&self, tool: i64, fields: Value) {
        self.api.patch(&format!("/tools/{tool}")).json(fields).send().await.expect(200);
    }

    /// A bare caller of the server.
    pub(super) fn caller(&self) -> Mcp {
        Mcp::at(self.url())
    }

    /// The server's address for MCP clients.
    pub(super) fn url(&self) -> &str {
        self.server["endpoint_url"].as_str().unwrap()
    }

    /// The reply of the test route.
    pub(super) async fn test_reply(&self, tool: i64, body: Value) -> Reply {
        self.api.post(&format!("/tools/{tool}/test")).json(body).send().await
    }

    /// The result of a test with these arguments.
    pub(super) async fn test(&self, tool: i64, arguments: Value) -> Value {
        self.test_reply(tool, json!({"arguments": arguments})).await.expect(200).json()
    }
}

pub(super) async fn created(api: &Client, path: &str, fields: Value) -> Value {
    api.post(path).json(fields).send().await.expect(201).json()
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

/// Calls `tool` with arguments that are written out, as `serde_json` could not hold them.
pub(super) async fn call_written(caller: &Mcp, arguments: &str) -> Value {
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"tool","arguments":{arguments}}}}}"#
    );
    let request = caller.plain(Method::POST).header("content-type", "application/json").body(message);
    request.send().await.expect(200).json()["result"].clone()
}

/// The message of a call that failed.
#[track_caller]
pub(super) fn failure(result: &Value) -> &str {
    explained(result).0
}

/// What happened in a call that failed, and what to do about it, which is all that a bare caller gets.
#[track_caller]
pub(super) fn explained(result: &Value) -> (&str, &str) {
    assert_eq!(result["isError"], true, "{result}");
    let text = |index: usize| {
        let block = &result["content"][index]["text"];
        block.as_str().filter(|text| !text.is_empty()).unwrap_or_else(|| panic!("block {index} is missing: {result}"))
    };
    let blocks = [text(0), text(1)].map(|text| json!({"type": "text", "text": text}));
    assert_eq!(*result, json!({"content": blocks, "isError": true}));
    (text(0), text(1))
}

/// The keys of an object, in the order in which they came.
#[track_caller]
pub(super) fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap_or_else(|| panic!("no object: {object}")).keys().map(String::as_str).collect()
}
