//! A server whose tools succeed or fail, and assertions about replies.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{Client, McpClient, MockResponse, TestResponse, Upstream};

/// A server without authentication or rate limit, and the upstream of its tools.
pub(super) struct ServerFixture {
    pub(super) id: i64,
    pub(super) url: String,
    upstream: Upstream,
}

impl ServerFixture {
    pub(super) async fn create(owner: &Client, name: &str) -> Self {
        let upstream = Upstream::builder()
            .route("/good", MockResponse::text("hello"))
            .route("/bad", MockResponse::status(500))
            .route("/missing", MockResponse::status(404))
            .start();
        let server = owner.create_server(json!({"name": name, "rate_limit_per_min": 0})).await;
        Self { id: id(&server), url: server["endpoint_url"].as_str().unwrap().to_owned(), upstream }
    }

    /// Creates a server with the tools `good` and `bad`; returns it and their ids.
    pub(super) async fn create_with_tools(owner: &Client, name: &str) -> (Self, i64, i64) {
        let server = Self::create(owner, name).await;
        let (good, bad) = (server.create_tool(owner, "good").await, server.create_tool(owner, "bad").await);
        (server, good, bad)
    }

    /// Creates a tool with this name: calls of `good` succeed, those of `bad` and `missing` fail.
    pub(super) async fn create_tool(&self, owner: &Client, name: &str) -> i64 {
        let fields = json!({"name": name, "endpoint_url": self.upstream.url(&format!("/{name}"))});
        id(&owner.create_tool(self.id, fields).await)
    }

    /// An MCP client with this name.
    pub(super) fn caller(&self, client: &str) -> McpClient {
        McpClient::new(&self.url).header("x-mcp-client", client)
    }

    /// Calls a tool `times` times.
    pub(super) async fn call(&self, client: &str, tool: &str, times: usize) {
        let mcp = self.caller(client);
        for _ in 0..times {
            mcp.call(tool, json!({})).await;
        }
    }
}

/// The items of a list.
#[track_caller]
pub(super) fn items(list: &Value) -> &[Value] {
    list.as_array().unwrap()
}

/// The sum of a field over all items.
pub(super) fn sum(list: &Value, field: &str) -> i64 {
    items(list).iter().map(|item| item[field].as_i64().unwrap()).sum()
}

/// Asserts a 503 with this code and a `Retry-After`.
pub(super) async fn assert_at_capacity(api: &Client, code: &str, path: &str) {
    let refused = api.get(path).send().await.expect(503);
    assert_eq!(refused.json()["code"], code);
    assert!(refused.header("retry-after").is_some(), "{refused:?}");
}

/// Asserts a 400 with a message for this field.
#[track_caller]
pub(super) fn assert_invalid(reply: &TestResponse, field: &str) {
    assert_eq!((reply.status, &reply.json()["code"]), (400, &json!("rest_invalid_param")), "{reply:?}");
    let message = reply.json()["data"]["params"][field].as_str().map(str::to_owned);
    assert!(message.is_some_and(|message| message.contains(field)), "{field}: {reply:?}");
}
