//! The fixture of most integration tests: a running service, one of its MCP servers, and the upstream of its tools.

use serde_json::{Value, json};

use crate::api_fixture::ApiFixture;
use crate::database_fixture::{DatabaseFixture, DatabaseTarget};
use crate::http::{Client, TestResponse};
use crate::mcp::McpClient;
use crate::objects::{id, with_defaults};
use crate::running_service::{RunningService, ServiceBuilder};
use crate::upstream::Upstream;

/// A running service with one MCP server and an upstream.
#[derive(Debug)]
pub struct ServiceFixture {
    /// The process.
    pub app: RunningService,
    /// A client of the management API with the administrator's key.
    pub api: Client,
    /// The upstream of the tools.
    pub upstream: Upstream,
    /// The MCP server, as the management API returned it.
    pub server: Value,
}

impl ServiceFixture {
    /// Starts a service and creates a server with these fields. By default the server is named `Server` and has no
    /// rate limit.
    pub async fn start(builder: ServiceBuilder, upstream: Upstream, fields: Value) -> Self {
        let ApiFixture { app, api } = ApiFixture::start(builder);
        let fields = with_defaults(fields, &json!({"name": "Server", "rate_limit_per_min": 0}));
        let server = api.create_server(fields).await;
        Self { app, api, upstream, server }
    }

    /// The id of the server.
    pub fn server_id(&self) -> i64 {
        id(&self.server)
    }

    /// Creates a tool and returns its id. The default name is `tool`; an `endpoint_url` that begins with a slash is a
    /// path of the upstream.
    pub async fn create_tool(&self, fields: Value) -> i64 {
        let mut fields = with_defaults(fields, &json!({"name": "tool", "endpoint_url": "/"}));
        if let Some(path) = fields["endpoint_url"].as_str().filter(|url| url.starts_with('/')) {
            fields["endpoint_url"] = self.upstream.url(path).into();
        }
        id(&self.api.create_tool(self.server_id(), fields).await)
    }

    /// Creates a key for the server and returns its secret.
    pub async fn create_key(&self) -> String {
        let key = self.create("/keys", json!({"name": "test"})).await;
        key["key"].as_str().expect("a new key is shown").to_owned()
    }

    /// Creates an object below the server, for instance at `/prompts`, and returns it.
    pub async fn create(&self, subpath: &str, fields: Value) -> Value {
        self.api.create(&self.path(subpath), fields).await
    }

    /// The path of the server, or of an object below it, in the management API.
    pub fn path(&self, subpath: &str) -> String {
        format!("/servers/{}{subpath}", self.server["id"])
    }

    /// Updates a tool.
    pub async fn update_tool(&self, tool: i64, fields: Value) {
        self.api.patch(&format!("/tools/{tool}")).json(fields).send().await.expect(200);
    }

    /// The endpoint of the server. After a restart it is at another port: see [`Self::caller`].
    pub fn url(&self) -> &str {
        self.server["endpoint_url"].as_str().expect("a server has an endpoint")
    }

    /// A caller of the server that sends no MCP revision; create a new one after a restart, because the port changes.
    pub fn caller(&self) -> McpClient {
        self.caller_at(&self.app)
    }

    /// A caller of the same server at another service with the same objects.
    pub fn caller_at(&self, app: &RunningService) -> McpClient {
        McpClient::new(&format!("{}{}", app.origin(), self.endpoint_path()))
    }

    /// The path of the endpoint, which stays the same after a restart.
    pub fn endpoint_path(&self) -> &str {
        self.url().find("/mcp/").and_then(|start| self.url().get(start..)).unwrap_or_default()
    }

    /// The reply of the management API to a test run.
    pub async fn test_reply(&self, tool: i64, body: Value) -> TestResponse {
        self.api.post(&format!("/tools/{tool}/test")).json(body).send().await
    }

    /// The result of a test run with these arguments.
    pub async fn test_result(&self, tool: i64, arguments: Value) -> Value {
        self.test_reply(tool, json!({"arguments": arguments})).await.expect(200).json()
    }
}

impl DatabaseFixture for ServiceFixture {
    async fn open(target: DatabaseTarget) -> Self {
        Self::start(target.service(), Upstream::builder().start(), json!({})).await
    }
}
