//! A thousand changes at once, from many connections, leave a state that some serial order explains.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::{Client, Postgres, RunningService};

/// Changes of each of the four kinds.
const EACH: usize = 250;
const TOOLS: usize = 10;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_changes_at_once_on_sqlite_end_as_if_one_by_one() {
    change_everything(&RunningService::builder(env!("CARGO_BIN_EXE_toolgate")).start()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_changes_at_once_on_postgresql_end_as_if_one_by_one() {
    let Some(database) = Postgres::fresh_database() else { return };
    change_everything(&RunningService::builder(env!("CARGO_BIN_EXE_toolgate")).postgres(database.url()).start()).await;
}

async fn change_everything(app: &RunningService) {
    let client = app.client();
    let toggled = server(&client, "Toggled").await;
    let copied = server(&client, "Copied").await;
    let ordered = server(&client, "Ordered").await;
    let original = tool(&client, copied, "x").await;
    let mut ids = Vec::new();
    for n in 0..TOOLS {
        ids.push(tool(&client, ordered, &format!("t{n}")).await);
    }
    let orders: BTreeSet<Vec<i64>> = (0..EACH).map(|n| permutation(&ids, n)).collect();

    let done = Arc::new(AtomicBool::new(false));
    let mut readers = JoinSet::new();
    for _ in 0..4 {
        readers.spawn(watch(app.client(), ordered, ids.clone(), orders.clone(), Arc::clone(&done)));
    }
    // Each change has a client of its own, hence a connection of its own.
    let pausing = (0..EACH).map(|_| post(app, format!("/servers/{toggled}/toggle"), json!({}), 200));
    let copying = (0..EACH).map(|_| post(app, format!("/tools/{original}/duplicate"), json!({}), 201));
    let creating = (0..EACH).map(|_| post(app, "/servers".to_owned(), json!({"name": "Same name"}), 201));
    let reordering = (0..EACH).map(|n| {
        post(app, format!("/servers/{ordered}/tools/reorder"), json!({"tool_ids": permutation(&ids, n)}), 200)
    });
    tokio::join!(join_all(pausing), join_all(copying), join_all(creating), join_all(reordering));
    done.store(true, Ordering::SeqCst);
    let reads: usize = readers.join_all().await.into_iter().sum();
    assert!(reads > 0, "nobody read meanwhile");

    let status = client.get(&format!("/servers/{toggled}")).send().await.expect(200).json()["status"].clone();
    assert_eq!(status, if EACH.is_multiple_of(2) { "active" } else { "paused" });
    assert!(orders.contains(&order(&client, ordered).await));
    assert_copies(&client, copied).await;
    assert_slugs(&client).await;
    let check = app.command().arg("check").output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}

async fn server(client: &Client, name: &str) -> i64 {
    client.post("/servers").json(json!({"name": name})).send().await.expect(201).json()["id"].as_i64().unwrap()
}

async fn tool(client: &Client, server: i64, name: &str) -> i64 {
    let tool = json!({"name": name, "endpoint_url": "https://api.example.com/"});
    let reply = client.post(&format!("/servers/{server}/tools")).json(tool).send().await.expect(201);
    reply.json()["id"].as_i64().unwrap()
}

async fn post(app: &RunningService, path: String, body: Value, status: u16) {
    app.client().post(&path).json(body).send().await.expect(status);
}

/// The `n`-th of many orders of the same tools.
fn permutation(ids: &[i64], n: usize) -> Vec<i64> {
    let mut left = ids.to_vec();
    let mut digits = n * 7919;
    let mut order = Vec::with_capacity(ids.len());
    while !left.is_empty() {
        order.push(left.remove(digits % left.len()));
        digits = digits / (left.len() + 1) + n;
    }
    order
}

async fn order(client: &Client, server: i64) -> Vec<i64> {
    let tools = client.get(&format!("/servers/{server}/tools")).send().await.expect(200).json();
    tools.as_array().unwrap().iter().map(|tool| tool["id"].as_i64().unwrap()).collect()
}

/// Reads the order again and again; each time it is the first one, or one that somebody asked for.
async fn watch(
    client: Client,
    server: i64,
    first: Vec<i64>,
    orders: BTreeSet<Vec<i64>>,
    done: Arc<AtomicBool>,
) -> usize {
    let mut reads = 0;
    while !done.load(Ordering::SeqCst) {
        let seen = order(&client, server).await;
        assert!(seen == first || orders.contains(&seen), "half an order: {seen:?}");
        reads += 1;
    }
    reads
}

/// Every copy has a name and a place of its own, as if they had been made one after the other.
async fn assert_copies(client: &Client, server: i64) {
    let reply = client.get(&format!("/servers/{server}/tools")).send().await.expect(200);
    assert_eq!(reply.header("x-wp-total"), Some((EACH + 1).to_string().as_str()));
    let tools = reply.json();
    for (n, tool) in tools.as_array().unwrap().iter().enumerate() {
        assert_eq!(tool["name"], format!("x{}", " (copy)".repeat(n)));
        assert_eq!(tool["sort_order"], if n == 0 { 0 } else { 98 + n });
    }
}

async fn assert_slugs(client: &Client) {
    let mut slugs = BTreeSet::new();
    for page in 1..=3 {
        let path = format!("/servers?search=same-name&per_page=100&page={page}");
        let reply = client.get(&path).send().await.expect(200);
        assert_eq!(reply.header("x-wp-total"), Some(EACH.to_string().as_str()));
        slugs.extend(reply.json().as_array().unwrap().iter().map(|server| server["slug"].as_str().unwrap().to_owned()));
    }
    let numbered = (2..=EACH).map(|n| format!("same-name-{n}"));
    assert_eq!(slugs, std::iter::once("same-name".to_owned()).chain(numbered).collect());
}
