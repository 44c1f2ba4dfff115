//! Up to a thousand concurrent changes over many connections leave a state that a serial order could have produced.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::objects::id;
use toolgate_testkit::{Client, Postgres, RunningService, volume};

use crate::toolgate;

const TOOLS: usize = 10;
const CHANGES_TIMEOUT: Duration = Duration::from_mins(2);

/// Number of changes of each of the four kinds.
fn changes_per_kind() -> usize {
    volume::full_or_sample(250, 100)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_concurrent_changes_on_sqlite_are_serializable() {
    run_concurrent_changes(&toolgate().start()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_concurrent_changes_on_postgresql_are_serializable() {
    let Some(database) = Postgres::fresh_database() else { return };
    run_concurrent_changes(&toolgate().postgres(database.url()).start()).await;
}

async fn run_concurrent_changes(app: &RunningService) {
    let client = app.client();
    let toggled = id(&client.create_server(json!({"name": "Toggled"})).await);
    let copied = id(&client.create_server(json!({"name": "Copied"})).await);
    let ordered = id(&client.create_server(json!({"name": "Ordered"})).await);
    let original = id(&client.create_tool(copied, json!({"name": "x"})).await);
    let names: Vec<String> = (0..TOOLS).map(|n| format!("t{n}")).collect();
    let ids = client.create_tools(ordered, &names).await;
    let orders: BTreeSet<Vec<i64>> = (0..changes_per_kind()).map(|n| permutation(&ids, n)).collect();

    let done = Arc::new(AtomicBool::new(false));
    let mut readers = JoinSet::new();
    for _ in 0..4 {
        readers.spawn(read_order_until_done(app.client(), ordered, ids.clone(), orders.clone(), Arc::clone(&done)));
    }
    // Each change has a separate client and therefore a separate connection.
    let toggle_requests =
        (0..changes_per_kind()).map(|_| post(app, format!("/servers/{toggled}/toggle"), json!({}), 200));
    let copy_requests =
        (0..changes_per_kind()).map(|_| post(app, format!("/tools/{original}/duplicate"), json!({}), 201));
    let creation_requests =
        (0..changes_per_kind()).map(|_| post(app, "/servers".to_owned(), json!({"name": "Same name"}), 201));
    let reorder_requests = (0..changes_per_kind()).map(|n| {
        post(app, format!("/servers/{ordered}/tools/reorder"), json!({"tool_ids": permutation(&ids, n)}), 200)
    });
    tokio::join!(
        join_all(toggle_requests),
        join_all(copy_requests),
        join_all(creation_requests),
        join_all(reorder_requests)
    );
    done.store(true, Ordering::SeqCst);
    let reads: usize = readers.join_all().await.into_iter().sum();
    assert!(reads > 0, "no read happened during the changes");

    let status = client.get(&format!("/servers/{toggled}")).send().await.expect(200).json()["status"].clone();
    assert_eq!(status, if changes_per_kind().is_multiple_of(2) { "active" } else { "paused" });
    assert!(orders.contains(&tool_order(&client, ordered).await));
    assert_copies(&client, copied).await;
    assert_slugs(&client).await;
    let check = app.command().arg("check").output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}

/// Sends a request with a new client; asserts the status.
async fn post(app: &RunningService, path: String, body: Value, status: u16) {
    // On SQLite a thousand changes wait for one writer, and each of them for the disk.
    app.client().post(&path).json(body).timeout(CHANGES_TIMEOUT).send().await.expect(status);
}

/// The `n`-th of many orders of the same tools.
fn permutation(ids: &[i64], n: usize) -> Vec<i64> {
    let mut left = ids.to_vec();
    // A large prime spreads consecutive numbers over different orders.
    let mut digits = n * 7919;
    let mut order = Vec::with_capacity(ids.len());
    while !left.is_empty() {
        order.push(left.remove(digits % left.len()));
        digits = digits / (left.len() + 1) + n;
    }
    order
}

async fn tool_order(client: &Client, server: i64) -> Vec<i64> {
    let tools = client.get(&format!("/servers/{server}/tools")).send().await.expect(200).json();
    tools.as_array().unwrap().iter().map(|tool| tool["id"].as_i64().unwrap()).collect()
}

/// Reads the order repeatedly; each time it must be the first order or one that was requested. Returns the number of
/// reads.
async fn read_order_until_done(
    client: Client,
    server: i64,
    first_order: Vec<i64>,
    orders: BTreeSet<Vec<i64>>,
    done: Arc<AtomicBool>,
) -> usize {
    let mut reads = 0;
    while !done.load(Ordering::SeqCst) {
        let current = tool_order(&client, server).await;
        assert!(current == first_order || orders.contains(&current), "an order is partly applied: {current:?}");
        reads += 1;
    }
    reads
}

/// Asserts that names and positions of the copies are unique, as if they were created one after the other.
async fn assert_copies(client: &Client, server: i64) {
    let reply = client.get(&format!("/servers/{server}/tools")).send().await.expect(200);
    assert_eq!(reply.header("x-wp-total"), Some((changes_per_kind() + 1).to_string().as_str()));
    let tools = reply.json();
    for (n, tool) in tools.as_array().unwrap().iter().enumerate() {
        assert_eq!(tool["name"], format!("x{}", " (copy)".repeat(n)));
        // The first copy gets 99, the lowest position of a copy.
        assert_eq!(tool["sort_order"], if n == 0 { 0 } else { 98 + n });
    }
}

/// Asserts that servers with the same name have consecutively numbered slugs.
async fn assert_slugs(client: &Client) {
    let mut slugs = BTreeSet::new();
    for page in 1..=3 {
        let path = format!("/servers?search=same-name&per_page=100&page={page}");
        let reply = client.get(&path).send().await.expect(200);
        assert_eq!(reply.header("x-wp-total"), Some(changes_per_kind().to_string().as_str()));
        slugs.extend(reply.json().as_array().unwrap().iter().map(|server| server["slug"].as_str().unwrap().to_owned()));
    }
    let numbered = (2..=changes_per_kind()).map(|n| format!("same-name-{n}"));
    assert_eq!(slugs, std::iter::once("same-name".to_owned()).chain(numbered).collect());
}
