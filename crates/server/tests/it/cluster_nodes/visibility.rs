//! How soon the change of one node is visible on the others, also after the connection that notifies a node was lost.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolgate_testkit::{McpClient, Postgres, RunningService, ServiceFixture, Upstream};

use crate::faults::proxy::Proxy;
use crate::toolgate;

const ENCRYPTION_KEYS: &str = "a2V5cyB0aGF0IGFsbCBub2RlcyBvZiBvbmUgaGF2ZS4=";
const CHANGES: usize = 200;
const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// A bound for busy machines. On an idle machine the slowest of a hundred changes takes milliseconds.
const VISIBLE_TIMEOUT: Duration = Duration::from_secs(10);
/// A lost connection is noticed after two seconds. Without heartbeats it was noticed after 23 seconds.
const LOST_CONNECTION_TIMEOUT: Duration = Duration::from_secs(18);

/// Three nodes. The second and the third reach the database through a proxy.
struct VisibilityFixture {
    first: ServiceFixture,
    others: [RunningService; 2],
    proxy: Proxy,
    tool: Value,
}

impl VisibilityFixture {
    /// `None` if PostgreSQL is not available.
    async fn start() -> Option<Self> {
        let database = Postgres::fresh_database()?;
        let proxy = Proxy::start(database.url()).await;
        let node = toolgate().database(database).env("TOOLGATE_ENCRYPTION_KEYS", ENCRYPTION_KEYS);
        let first = ServiceFixture::start(
            node.clone(),
            Upstream::builder().start(),
            json!({"name": "Shared", "rate_limit_per_min": 0}),
        )
        .await;
        let others = [(); 2].map(|()| node.clone().temporary_data_dir().postgres(&proxy.url()).start());
        let tool = first.create("/tools", json!({"name": "t", "endpoint_url": "https://a.example/"})).await;
        Some(Self { first, others, proxy, tool })
    }

    fn callers(&self) -> [McpClient; 2] {
        [&self.others[0], &self.others[1]].map(|app| self.first.caller_at(app))
    }

    /// Changes the tool at the first node.
    async fn change(&self, description: &str) {
        let path = format!("/tools/{}", self.tool["id"]);
        self.first.api.patch(&path).json(json!({"description": description})).send().await.expect(200);
    }

    /// The time until each of the other nodes lists this description.
    async fn wait_until_visible(&self, description: &str, timeout: Duration) -> Vec<Duration> {
        let started = Instant::now();
        let wait = async |caller: McpClient| {
            while !caller.send("tools/list", json!({})).await.text().contains(description) {
                assert!(started.elapsed() < timeout, "the change is not visible after {:?}", started.elapsed());
                tokio::time::sleep(POLL_INTERVAL).await;
            }
            started.elapsed()
        };
        join_all(self.callers().map(wait)).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_change_of_one_node_is_visible_on_two_others_at_once() {
    let Some(fixture) = VisibilityFixture::start().await else { return };
    let mut delays = Vec::new();
    for number in 0..CHANGES {
        let description = format!("change {number}.");
        fixture.change(&description).await;
        delays.extend(fixture.wait_until_visible(&description, VISIBLE_TIMEOUT).await);
    }
    delays.sort_unstable();
    let percentile = |percent: usize| delays[(delays.len() - 1) * percent / 100];
    eprintln!(
        "{CHANGES} changes, 3 nodes: p50 {:?}, p99 {:?}, slowest {:?}",
        percentile(50),
        percentile(99),
        percentile(100)
    );
    assert!(percentile(50) < VISIBLE_TIMEOUT / 10, "half of the changes took more than {:?}", percentile(50));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silently_lost_connection_hides_changes_for_two_seconds_only() {
    let Some(fixture) = VisibilityFixture::start().await else { return };
    for round in 0..2 {
        let [before, hidden, after] = ["before", "hidden", "after"].map(|name| format!("{name} {round}."));
        fixture.change(&before).await;
        fixture.wait_until_visible(&before, VISIBLE_TIMEOUT).await;
        fixture.proxy.lose_listeners();
        fixture.change(&hidden).await;
        eprintln!("lost: {:?}", fixture.wait_until_visible(&hidden, LOST_CONNECTION_TIMEOUT).await);
        // The new connection receives notifications.
        fixture.change(&after).await;
        eprintln!("again: {:?}", fixture.wait_until_visible(&after, VISIBLE_TIMEOUT).await);
    }
}
