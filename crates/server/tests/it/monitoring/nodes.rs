//! The list of nodes, and the name of a node.

use serde_json::{Value, json};
use toolgate_testkit::{ApiFixture, Postgres, Redis, RunningService};

use super::WAIT_TIMEOUT;
use crate::toolgate;

/// Name and state of every node, and whether it is the node that sent the reply.
async fn nodes(app: &RunningService) -> Vec<(String, String, bool)> {
    let nodes = app.client().read("/nodes").await;
    let text = |node: &Value, name: &str| node[name].as_str().unwrap().to_owned();
    let entry = |node: &Value| (text(node, "name"), text(node, "state"), node["is_current"] == true);
    nodes.as_array().unwrap().iter().map(entry).collect()
}

fn entry(name: &str, state: &str, is_current: bool) -> (String, String, bool) {
    (name.to_owned(), state.to_owned(), is_current)
}

async fn wait_for_nodes(app: &RunningService, expected: &[(String, String, bool)]) {
    let until = async { while nodes(app).await != expected {} };
    let outcome = tokio::time::timeout(WAIT_TIMEOUT, until).await;
    assert!(outcome.is_ok(), "the nodes are {:?} and not {expected:?}", nodes(app).await);
}

#[tokio::test]
async fn a_node_on_sqlite_lists_itself() {
    let ApiFixture { app, api } = ApiFixture::start(toolgate().env("TOOLGATE_NODE", "only"));
    let nodes = api.read("/nodes").await;
    assert_eq!(nodes.as_array().map(Vec::len), Some(1), "{nodes}");
    let node = &nodes[0];
    let expected = (json!("only"), json!("ready"), json!(true), json!(app.address()), json!(env!("CARGO_PKG_VERSION")));
    let shown = |name: &str| node[name].clone();
    assert_eq!((shown("name"), shown("state"), shown("is_current"), shown("address"), shown("version")), expected);
    assert!(node["started_at"].as_str() <= node["last_seen_at"].as_str(), "{node}");
    assert_eq!(api.read("/settings").await["node"], "only");
}

#[tokio::test]
async fn only_administrators_see_the_nodes() {
    let ApiFixture { app: _app, api } = ApiFixture::start(toolgate());
    let key = api.create("/api-keys", json!({"user_id": 1, "name": "k", "scopes": ["read", "metrics"]})).await;
    api.with_key(key["key"].as_str()).get("/nodes").send().await.expect(403);
    api.with_key(None).get("/nodes").send().await.expect(401);
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_on_postgresql_see_each_other_until_one_stops_or_dies() {
    let Some(database) = Postgres::fresh_database() else { return };
    // Nodes with one database need the same keys.
    let keys = "0123456789abcdef".repeat(4);
    let node = |name: &str| toolgate().postgres(database.url()).env("TOOLGATE_NODE", name);
    let start = |name: &str| node(name).env("TOOLGATE_ENCRYPTION_KEYS", &keys).start();
    let (first, mut second) = (start("first"), start("second"));
    let both = [entry("first", "ready", true), entry("second", "ready", false)];
    wait_for_nodes(&first, &both).await;
    second.terminate();
    wait_for_nodes(&first, &both[..1]).await;
    let mut third = start("third");
    wait_for_nodes(&first, &[both[0].clone(), entry("third", "ready", false)]).await;
    third.kill();
    // As if its last heartbeat was half a minute ago.
    database.psql("UPDATE nodes SET last_seen_at = last_seen_at - 31000 WHERE name = 'third'");
    wait_for_nodes(&first, &[both[0].clone(), entry("third", "lost", false)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_has_the_same_id_in_the_database_and_in_redis() {
    let (Some(redis), Some(database)) = (Redis::start(), Postgres::fresh_database()) else { return };
    let builder = toolgate().postgres(database.url()).env("TOOLGATE_NODE", "only");
    let app = builder.env("TOOLGATE_REDIS_URL", redis.url()).env("TOOLGATE_REDIS_TIMEOUT_MS", "10000").start();
    wait_for_nodes(&app, &[entry("only", "ready", true)]).await;
    let shown = app.client().read("/nodes").await[0]["id"].as_str().unwrap().to_owned();
    let key = redis.keys().into_iter().find(|key| key.ends_with(":nodes")).unwrap();
    assert_eq!(redis.cli(&["ZRANGE", &key, "0", "-1"]), shown);
}

#[tokio::test]
async fn the_node_name_is_in_every_line_of_a_json_log() {
    let builder = toolgate().env("TOOLGATE_NODE", "node-9").env("TOOLGATE_LOG_FORMAT", "json");
    let mut app = builder.env("TOOLGATE_LOG", "debug").start();
    app.terminate();
    let log = app.logs();
    assert!(log.lines().count() > 1, "{log}");
    for line in log.lines() {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(line["node"], "node-9", "{line}");
    }
}
