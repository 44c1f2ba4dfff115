//! A revoked key is rejected after at most a minute, even by a node that received no notification.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_testkit::postgres::TestDatabase;
use toolgate_testkit::{McpClient, Postgres, RunningService, volume};

use super::proxy::Proxy;

/// A minute, and some time for a busy machine.
const REVOCATION_TIMEOUT: Duration = Duration::from_secs(75);
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Two nodes, one of them behind a proxy to the database, and a server that requires a key.
struct RevocationNodes {
    direct: RunningService,
    proxied: RunningService,
    proxy: Proxy,
    server: Value,
    database: TestDatabase,
}

impl RevocationNodes {
    /// `None` if PostgreSQL is not available.
    async fn start() -> Option<Self> {
        let database = Postgres::fresh_database()?;
        let proxy = Proxy::start(database.url()).await;
        let node = |url: &str| {
            let keys = "a2V5cyB0aGF0IGFsbCBub2RlcyBvZiBvbmUgaGF2ZS4=";
            RunningService::builder(env!("CARGO_BIN_EXE_toolgate"))
                .postgres(url)
                .env("TOOLGATE_ENCRYPTION_KEYS", keys)
                .start()
        };
        let (direct, proxied) = (node(database.url()), node(&proxy.url()));
        let server = json!({"name": "Locked", "auth_type": "api-key", "rate_limit_per_min": 0});
        let server = direct.client().create("/servers", server).await;
        Some(Self { direct, proxied, proxy, server, database })
    }

    /// Creates an endpoint key of the server and an API key of its owner; returns the path and the secret of each.
    async fn create_keys(&self) -> [(String, Value); 2] {
        let server_keys = format!("/servers/{}/keys", self.server["id"]);
        let owner = json!({"user_id": self.server["user_id"], "name": "k", "scopes": ["mcp"]});
        let mut keys = Vec::new();
        for (path, fields) in [(server_keys.as_str(), json!({"name": "k"})), ("/api-keys", owner)] {
            let key = self.direct.client().create(path, fields).await;
            keys.push((format!("{path}/{}", key["id"]), key["key"].clone()));
        }
        keys.try_into().unwrap()
    }

    /// The status of a request with this key to the node behind the proxy.
    async fn status(&self, key: &Value) -> u16 {
        let direct_url = self.server["endpoint_url"].as_str().unwrap();
        let proxied = McpClient::new(&direct_url.replace(&self.direct.origin(), &self.proxied.origin()));
        proxied.bearer(key.as_str().unwrap()).send("tools/list", json!({})).await.status
    }

    async fn wait_for_status(&self, key: &Value, status: u16) {
        let started = Instant::now();
        while self.status(key).await != status {
            assert!(
                started.elapsed() < REVOCATION_TIMEOUT,
                "the status is not {status} after {:?}\n{}",
                started.elapsed(),
                self.proxied.logs()
            );
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_revoked_while_a_node_is_disconnected_from_the_database_are_rejected_after_it_reconnects() {
    let Some(nodes) = RevocationNodes::start().await else { return };
    let keys = nodes.create_keys().await;
    for (_, key) in &keys {
        nodes.wait_for_status(key, 200).await;
    }
    nodes.proxy.cut();
    for (path, key) in &keys {
        nodes.direct.client().delete(path).send().await.expect(200);
        assert_eq!(nodes.status(key).await, 200, "calls continue with the cached snapshot");
    }
    nodes.proxy.resume();
    for (_, key) in &keys {
        nodes.wait_for_status(key, 401).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_revoked_without_a_notification_are_rejected_after_a_minute() {
    if !volume::is_full() {
        return;
    }
    let Some(nodes) = RevocationNodes::start().await else { return };
    let keys = nodes.create_keys().await;
    for (_, key) in &keys {
        nodes.wait_for_status(key, 200).await;
    }
    nodes.database.psql("DELETE FROM endpoint_keys; DELETE FROM api_keys WHERE is_bootstrap = 0");
    for (_, key) in &keys {
        assert_eq!(nodes.status(key).await, 200, "there was no notification, so the cached snapshot is still in use");
    }
    for (_, key) in &keys {
        nodes.wait_for_status(key, 401).await;
    }
}
