//! A revoked key or an ended grant is rejected after at most a minute, even by a node that received no notification.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_testkit::postgres::TestDatabase;
use toolgate_testkit::{ClusterFixture, Postgres, Upstream, volume};

use super::proxy::Proxy;
use crate::oauth::signed_tokens::{self, GRANT};

/// A minute, and some time for a busy machine.
const REVOCATION_TIMEOUT: Duration = Duration::from_secs(75);
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Two nodes, the second one behind a proxy to the database, and a server that requires a key.
struct RevocationFixture {
    nodes: ClusterFixture,
    proxy: Proxy,
    database: TestDatabase,
}

impl RevocationFixture {
    /// `None` if PostgreSQL is not available.
    async fn start(auth_type: &str) -> Option<Self> {
        let database = Postgres::fresh_database()?;
        let proxy = Proxy::start(database.url()).await;
        let builders = [database.url(), &proxy.url()].map(|url| signed_tokens::service().postgres(url));
        let fields = json!({"name": "Locked", "auth_type": auth_type});
        let nodes = ClusterFixture::start(builders, Upstream::builder().start(), fields).await;
        Some(Self { nodes, proxy, database })
    }

    /// Creates an endpoint key of the server and an API key of its owner; returns the path and the secret of each.
    async fn create_keys(&self) -> [(String, Value); 2] {
        let first = &self.nodes.first;
        let server_keys = first.path("/keys");
        let owner = json!({"user_id": first.server["user_id"], "name": "k", "scopes": ["mcp"]});
        let mut keys = Vec::new();
        for (path, fields) in [(server_keys.as_str(), json!({"name": "k"})), ("/api-keys", owner)] {
            let key = first.api.create(path, fields).await;
            keys.push((format!("{path}/{}", key["id"]), key["key"].clone()));
        }
        keys.try_into().unwrap()
    }

    /// A token for the server.
    fn token(&self) -> Value {
        signed_tokens::sign(&signed_tokens::token_for(&self.nodes.first.server)).into()
    }

    /// Ends the grant of the token without a notification.
    fn end_grant(&self) {
        let now = signed_tokens::now().as_millis();
        self.database.psql(&format!("INSERT INTO ended_grants (id, ended_at) VALUES ({GRANT}, {now})"));
    }

    /// The status of a request with this key or token to the node behind the proxy.
    async fn status(&self, key: &Value) -> u16 {
        let [_, proxied] = self.nodes.callers();
        proxied.bearer(key.as_str().unwrap()).send("tools/list", json!({})).await.status
    }

    async fn wait_for_status(&self, key: &Value, status: u16) {
        let started = Instant::now();
        while self.status(key).await != status {
            assert!(
                started.elapsed() < REVOCATION_TIMEOUT,
                "the status is not {status} after {:?}\n{}",
                started.elapsed(),
                self.nodes.second.logs()
            );
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_revoked_while_a_node_is_disconnected_from_the_database_are_rejected_after_it_reconnects() {
    let Some(fixture) = RevocationFixture::start("api-key").await else { return };
    let keys = fixture.create_keys().await;
    for (_, key) in &keys {
        fixture.wait_for_status(key, 200).await;
    }
    fixture.proxy.cut();
    for (path, key) in &keys {
        fixture.nodes.first.api.delete(path).send().await.expect(200);
        assert_eq!(fixture.status(key).await, 200, "calls continue with the cached snapshot");
    }
    fixture.proxy.resume();
    for (_, key) in &keys {
        fixture.wait_for_status(key, 401).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_revoked_without_a_notification_are_rejected_after_a_minute() {
    if !volume::is_full() {
        return;
    }
    let Some(fixture) = RevocationFixture::start("api-key").await else { return };
    let keys = fixture.create_keys().await;
    for (_, key) in &keys {
        fixture.wait_for_status(key, 200).await;
    }
    // A notification of the creation of the keys that arrives later would reload them.
    fixture.nodes.wait_until_notified().await;
    fixture.database.psql("DELETE FROM endpoint_keys; DELETE FROM api_keys WHERE is_bootstrap = 0");
    for (_, key) in &keys {
        assert_eq!(fixture.status(key).await, 200, "there was no notification, so the cached snapshot is still in use");
    }
    for (_, key) in &keys {
        fixture.wait_for_status(key, 401).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn grants_that_end_while_a_node_is_disconnected_from_the_database_are_rejected_after_it_reconnects() {
    let Some(fixture) = RevocationFixture::start("oauth").await else { return };
    let token = fixture.token();
    fixture.wait_for_status(&token, 200).await;
    fixture.proxy.cut();
    fixture.end_grant();
    assert_eq!(fixture.status(&token).await, 200, "calls continue with the grants that are known");
    fixture.proxy.resume();
    fixture.wait_for_status(&token, 401).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn grants_that_end_without_a_notification_are_rejected_after_a_minute() {
    if !volume::is_full() {
        return;
    }
    let Some(fixture) = RevocationFixture::start("oauth").await else { return };
    let token = fixture.token();
    fixture.wait_for_status(&token, 200).await;
    fixture.nodes.wait_until_notified().await;
    fixture.end_grant();
    assert_eq!(fixture.status(&token).await, 200, "there was no notification");
    fixture.wait_for_status(&token, 401).await;
}
