//! A running service with one MCP server, whose objects are created over the management API.

use serde_json::{Value, json};
use toolgate_testkit::{Client, RunningService};

pub(super) struct McpEndpoint {
    pub(super) app: RunningService,
    api: Client,
    server: Value,
}

impl McpEndpoint {
    /// Starts a service and creates one server with these fields.
    pub(super) async fn start(fields: Value) -> Self {
        let app = RunningService::start(env!("CARGO_BIN_EXE_toolgate"));
        let api = app.client();
        let server = api.create("/servers", fields).await;
        Self { app, api, server }
    }

    /// The URL for MCP clients.
    pub(super) fn url(&self) -> &str {
        self.server["endpoint_url"].as_str().unwrap()
    }

    /// A path below the server in the management API.
    pub(super) fn path(&self, suffix: &str) -> String {
        format!("/servers/{}{suffix}", self.server["id"])
    }

    pub(super) async fn create_tool(&self, fields: Value) -> Value {
        self.api.create(&self.path("/tools"), fields).await
    }

    pub(super) async fn create_prompt(&self, fields: Value) -> Value {
        self.api.create(&self.path("/prompts"), fields).await
    }

    pub(super) async fn create_resource(&self, fields: Value) -> Value {
        self.api.create(&self.path("/resources"), fields).await
    }

    /// Creates a key for this server and returns its secret.
    pub(super) async fn create_key(&self) -> String {
        let key = self.api.create(&self.path("/keys"), json!({"name": "test"})).await;
        key["key"].as_str().unwrap().to_owned()
    }
}
