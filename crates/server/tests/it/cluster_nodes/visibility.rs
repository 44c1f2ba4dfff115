//! How soon the change of one node is visible on the others, also after the connection that notifies a node was lost.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolgate_testkit::{McpClient, Postgres, RunningService, ServiceFixture, Upstream};

use crate::faults::proxy::Proxy;
use crate::toolgate;

const ENCRYPTION_KEYS: &str = "a2V5cyB0aGF0IGFsbCBub2RlcyBvZiBvbmUgaGF2ZS4=";
const CHANGES: usize = 200;
/// How often connections are lost.
const LOSSES: usize = 20;
const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// A bound for busy machines. On an idle machine the slowest of a hundred changes takes milliseconds.
const VISIBLE_TIMEOUT: Duration = Duration::from_secs(10);
/// Longer than a slow reply of the database, and than heartbeats of a second with a fixed timeout would take to give up.
const SLOW_RESPONSE: Duration = Duration::from_secs(2);
const SLOW_RESPONSES: usize = 3;
/// How long a node needs to know how fast the database usually replies.
const WARM_UP: Duration = Duration::from_secs(1);

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
    let [median, _, _] = percentiles(delays, "changes on 3 nodes");
    assert!(median < VISIBLE_TIMEOUT / 10, "half of the changes took more than {median:?}");
}

/// The median, the 99th percentile and the longest delay. Prints them.
fn percentiles(mut delays: Vec<Duration>, name: &str) -> [Duration; 3] {
    delays.sort_unstable();
    let all = [50, 99, 100].map(|percent| delays[(delays.len() * percent).div_ceil(100) - 1]);
    eprintln!("{} {name}: p50 {:?}, p99 {:?}, slowest {:?}", delays.len(), all[0], all[1], all[2]);
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silently_lost_connections_hide_changes_for_a_tenth_of_a_second_only() {
    let Some(fixture) = VisibilityFixture::start().await else { return };
    tokio::time::sleep(WARM_UP).await;
    let (mut hidden, mut later) = (Vec::new(), Vec::new());
    for round in 0..LOSSES {
        fixture.proxy.lose_listeners();
        let description = format!("hidden {round}.");
        fixture.change(&description).await;
        hidden.extend(fixture.wait_until_visible(&description, VISIBLE_TIMEOUT).await);
        // The new connections receive notifications.
        let description = format!("later {round}.");
        fixture.change(&description).await;
        later.extend(fixture.wait_until_visible(&description, VISIBLE_TIMEOUT).await);
        // Another moment between two heartbeats.
        tokio::time::sleep(WARM_UP + Duration::from_millis(7) * u32::try_from(round).unwrap()).await;
    }
    percentiles(later, "changes after a lost connection was replaced");
    let [median, _, _] = percentiles(hidden, "changes right after a lost connection");
    // A bound for busy machines.
    assert!(median < Duration::from_secs(1), "half of the changes were hidden for more than {median:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_database_does_not_lose_the_connections_that_receive_changes() {
    let Some(fixture) = VisibilityFixture::start().await else { return };
    tokio::time::sleep(WARM_UP).await;
    let loss_count = || -> usize {
        fixture
            .others
            .iter()
            .map(|app| app.logs().matches("connection that receives changes of other nodes").count())
            .sum()
    };
    let before = loss_count();
    for round in 0..SLOW_RESPONSES {
        fixture.proxy.hold();
        tokio::time::sleep(SLOW_RESPONSE).await;
        fixture.proxy.resume();
        let description = format!("change {round}.");
        fixture.change(&description).await;
        fixture.wait_until_visible(&description, VISIBLE_TIMEOUT).await;
    }
    // Two connections a round, if the node gave up while it waits. On a busy machine one of them may really be late.
    let losses = loss_count() - before;
    assert!(losses < SLOW_RESPONSES, "{losses} lost connections: {}", fixture.others[0].logs());
}
