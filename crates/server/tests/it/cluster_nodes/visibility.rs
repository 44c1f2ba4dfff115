//! How soon the change of one node is visible on the others, also after the connection that notifies a node was lost.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{McpClient, Postgres, Redis, RunningService, ServiceFixture, Upstream};

use super::REDIS_TIMEOUT;
use crate::faults::proxy::Proxy;
use crate::toolgate;

const ENCRYPTION_KEYS: &str = "a2V5cyB0aGF0IGFsbCBub2RlcyBvZiBvbmUgaGF2ZS4=";
const CHANGES: usize = 200;
/// Number of changes in each test with Redis.
const CHANGES_WITH_REDIS: usize = 100;
const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// Long enough for a busy machine, and less than the 30 seconds after which a node reads a server again without a
/// notification. On an idle machine the slowest of a hundred changes takes milliseconds.
const VISIBLE_TIMEOUT: Duration = Duration::from_secs(10);
/// Less than the 23 seconds after which a lost connection is noticed without heartbeats. With heartbeats it takes two
/// seconds.
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
        Self::start_with(toolgate()).await
    }

    /// Waits until both nodes receive notifications through Redis. `None` if PostgreSQL or Redis is not available.
    async fn start_with_redis() -> Option<(Self, Redis)> {
        let redis = Redis::start()?;
        let builder = toolgate()
            .env("TOOLGATE_REDIS_URL", redis.url())
            .env("TOOLGATE_REDIS_TIMEOUT_MS", REDIS_TIMEOUT.as_millis().to_string());
        let fixture = Self::start_with(builder).await?;
        let began = Instant::now();
        for number in 0.. {
            fixture.change(&format!("attempt {number}.")).await;
            if fixture.notifications("redis", "").await.iter().all(|count| *count > 0) {
                break;
            }
            assert!(began.elapsed() < LOST_CONNECTION_TIMEOUT, "no notification arrived through Redis");
        }
        // Each channel delivers changes in order, so after this one no earlier notification is pending.
        fixture.change("ready.").await;
        fixture.wait_until_visible("ready.", VISIBLE_TIMEOUT).await;
        Some((fixture, redis))
    }

    async fn start_with(builder: ServiceBuilder) -> Option<Self> {
        let database = Postgres::fresh_database()?;
        let proxy = Proxy::start(database.url()).await;
        let node = builder.database(database).env("TOOLGATE_ENCRYPTION_KEYS", ENCRYPTION_KEYS);
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

    /// Makes changes, each after the other nodes have seen the one before. Prints and returns the sorted delays.
    async fn measure_changes(&self, changes: usize) -> Vec<Duration> {
        let mut delays = Vec::new();
        for number in 0..changes {
            let description = format!("change {number}.");
            self.change(&description).await;
            delays.extend(self.wait_until_visible(&description, VISIBLE_TIMEOUT).await);
        }
        delays.sort_unstable();
        let [p50, p99, slowest] = [50, 99, 100].map(|percent| percentile(&delays, percent));
        eprintln!("{changes} changes, 3 nodes: p50 {p50:?}, p99 {p99:?}, slowest {slowest:?}");
        delays
    }

    /// Number of notifications that arrived at each of the other nodes through a channel with this result; an empty
    /// `result` means all results.
    async fn notifications(&self, channel: &str, result: &str) -> [u64; 2] {
        let start = format!("toolgate_change_notifications_total{{channel=\"{channel}\",result=\"{result}");
        let count = async |app: &RunningService| {
            let metrics = app.client().get(&format!("{}/metrics", app.origin())).send().await.expect(200).text();
            let samples = metrics.lines().filter(|line| line.starts_with(&start));
            samples.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
        };
        [count(&self.others[0]).await, count(&self.others[1]).await]
    }

    /// Changes of which the other nodes were notified, each counted once.
    async fn applied(&self) -> [u64; 2] {
        let (postgres, redis) =
            (self.notifications("postgres", "applied").await, self.notifications("redis", "applied").await);
        [postgres[0] + redis[0], postgres[1] + redis[1]]
    }
}

fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    sorted[(sorted.len() - 1) * percent / 100]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_one_node_are_soon_visible_on_two_others() {
    let Some(fixture) = VisibilityFixture::start().await else { return };
    let delays = fixture.measure_changes(CHANGES).await;
    let median = percentile(&delays, 50);
    assert!(median < VISIBLE_TIMEOUT / 10, "the median delay is {median:?}");
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_redis_changes_are_soon_visible_although_no_notification_of_the_database_arrives() {
    let Some((fixture, _redis)) = VisibilityFixture::start_with_redis().await else { return };
    fixture.proxy.lose_all_listeners();
    let before = fixture.notifications("redis", "applied").await;
    fixture.measure_changes(CHANGES_WITH_REDIS).await;
    let after = fixture.notifications("redis", "applied").await;
    assert_eq!([after[0] - before[0], after[1] - before[1]], [CHANGES_WITH_REDIS as u64; 2]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_that_redis_and_the_database_report_is_applied_once() {
    let Some((fixture, _redis)) = VisibilityFixture::start_with_redis().await else { return };
    let before = fixture.applied().await;
    fixture.measure_changes(CHANGES_WITH_REDIS).await;
    let after = fixture.applied().await;
    assert_eq!([after[0] - before[0], after[1] - before[1]], [CHANGES_WITH_REDIS as u64; 2]);
    for channel in ["postgres", "redis"] {
        eprintln!("{channel} was first: {:?}", fixture.notifications(channel, "applied").await);
    }
}
