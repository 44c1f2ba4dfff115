//! A key that was revoked opens nothing after a minute, also at a node that did not hear of it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_testkit::postgres::TestDatabase;
use toolgate_testkit::{McpClient, Postgres, RunningService};

use super::proxy::Proxy;

const MINUTE: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(200);

/// Two nodes, one of them behind a proxy, and a server that asks for a key.
struct RevocationNodes {
    near: RunningService,
    far: RunningService,
    proxy: Proxy,
    server: Value,
    database: TestDatabase,
}

impl RevocationNodes {
    /// None where there is no `PostgreSQL`.
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
        let (near, far) = (node(database.url()), node(&proxy.url()));
        let server = json!({"name": "Locked", "auth_type": "api-key", "rate_limit_per_min": 0});
        let server = near.client().post("/servers").json(server).send().await.expect(201).json();
        Some(Self { near, far, proxy, server, database })
    }

    /// A key of the server, and one of its owner.
    async fn keys(&self) -> [(String, Value); 2] {
        let below = format!("/servers/{}/keys", self.server["id"]);
        let owner = json!({"user_id": self.server["user_id"], "name": "k", "scopes": ["mcp"]});
        let mut keys = Vec::new();
        for (path, fields) in [(below.as_str(), json!({"name": "k"})), ("/api-keys", owner)] {
            let key = self.near.client().post(path).json(fields).send().await.expect(201).json();
            keys.push((format!("{path}/{}", key["id"]), key["key"].clone()));
        }
        keys.try_into().unwrap()
    }

    /// What the far node answers to a key.
    async fn status(&self, key: &Value) -> u16 {
        let published = self.server["endpoint_url"].as_str().unwrap();
        let far = McpClient::new(&published.replace(&self.near.origin(), &self.far.origin()));
        far.bearer(key.as_str().unwrap()).send("tools/list", json!({})).await.status
    }

    async fn wait_for(&self, key: &Value, status: u16) {
        let begun = Instant::now();
        while self.status(key).await != status {
            assert!(begun.elapsed() < MINUTE, "not {status} after {:?}\n{}", begun.elapsed(), self.far.logs());
            tokio::time::sleep(PAUSE).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_revoked_while_a_node_is_cut_off_from_the_database_open_nothing_once_it_is_back() {
    let Some(nodes) = RevocationNodes::start().await else { return };
    let keys = nodes.keys().await;
    for (_, key) in &keys {
        nodes.wait_for(key, 200).await;
    }
    nodes.proxy.cut();
    for (path, key) in &keys {
        nodes.near.client().delete(path).send().await.expect(200);
        assert_eq!(nodes.status(key).await, 200, "calls go on from the last state that is known");
    }
    nodes.proxy.resume();
    for (_, key) in &keys {
        nodes.wait_for(key, 401).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_whose_revocation_nobody_told_of_open_nothing_after_a_minute() {
    let Some(nodes) = RevocationNodes::start().await else { return };
    let keys = nodes.keys().await;
    for (_, key) in &keys {
        nodes.wait_for(key, 200).await;
    }
    nodes.database.psql("DELETE FROM endpoint_keys; DELETE FROM api_keys WHERE is_bootstrap = 0");
    for (_, key) in &keys {
        assert_eq!(nodes.status(key).await, 200, "nobody told, so it was not looked at yet");
    }
    for (_, key) in &keys {
        nodes.wait_for(key, 401).await;
    }
}
