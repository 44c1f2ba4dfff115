//! Several nodes of one service.

use std::time::Duration;

use serde_json::{Value, json};

use crate::mcp::McpClient;
use crate::running_service::{RunningService, ServiceBuilder};
use crate::service_fixture::ServiceFixture;
use crate::upstream::Upstream;

/// The encryption keys of all nodes: one key, whose bytes are all 7.
const ENCRYPTION_KEYS: &str = "0707070707070707070707070707070707070707070707070707070707070707";
const PUBLISH_TIMEOUT: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Nodes with the same database, one MCP server and one upstream.
#[derive(Debug)]
pub struct ClusterFixture {
    /// The first node, with the server and the upstream.
    pub first: ServiceFixture,
    /// The second node.
    pub second: RunningService,
}

impl ClusterFixture {
    /// Starts two nodes, which must use the same database, and creates a server at the first one.
    pub async fn start(nodes: [ServiceBuilder; 2], upstream: Upstream, fields: Value) -> Self {
        let [first, second] = nodes.map(|node| node.env("TOOLGATE_ENCRYPTION_KEYS", ENCRYPTION_KEYS));
        let first = ServiceFixture::start(first, upstream, fields).await;
        Self { first, second: second.start() }
    }

    /// Both processes.
    pub fn apps(&self) -> [&RunningService; 2] {
        [&self.first.app, &self.second]
    }

    /// A caller of the server at each node.
    pub fn callers(&self) -> [McpClient; 2] {
        self.apps().map(|app| self.first.caller_at(app))
    }

    /// Creates a tool, see [`ServiceFixture::create_tool`], and waits until both nodes list it.
    pub async fn create_tool(&self, fields: Value) -> i64 {
        let name = fields["name"].as_str().unwrap_or("tool").to_owned();
        let tool = self.first.create_tool(fields).await;
        self.wait_until_published(&name).await;
        tool
    }

    /// Waits until `tools/list` of both nodes contains this text: the second node receives a change slightly later.
    /// Listing tools does not use up the rate limit of calls.
    pub async fn wait_until_published(&self, text: &str) {
        let is_published = async |caller: &McpClient| caller.send("tools/list", json!({})).await.text().contains(text);
        let both = async {
            for caller in self.callers() {
                while !is_published(&caller).await {
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
            }
        };
        tokio::time::timeout(PUBLISH_TIMEOUT, both).await.expect("both nodes publish the change");
    }

    /// Waits until the second node has received the notifications of all changes so far. Notifications arrive in the
    /// order of the changes, so it is enough to wait for one about a server that is created now.
    pub async fn wait_until_notified(&self) {
        let api = &self.first.api;
        let server = api.create_server(json!({"name": "Last"})).await;
        let url = server["endpoint_url"].as_str().expect("a server has an endpoint");
        let caller = McpClient::new(&url.replace(&self.first.app.origin(), &self.second.origin()));
        let status = async || caller.send("tools/list", json!({})).await.status;
        // This request makes the second node load the server: it learns of the next change only by notification.
        assert_eq!(status().await, 200, "a new server is published");
        api.patch(&format!("/servers/{}", server["id"])).json(json!({"status": "paused"})).send().await.expect(200);
        let notified = async {
            while status().await == 200 {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        };
        tokio::time::timeout(PUBLISH_TIMEOUT, notified).await.expect("the second node is notified");
    }
}
