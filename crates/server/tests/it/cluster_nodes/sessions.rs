//! Sessions of legacy clients are not bound to a node: a session that begins on one node has the same subscriptions,
//! log level and end on all nodes.

mod database_outage;
mod streams;

use std::time::{Duration, Instant};

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::http::EventStream;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{ClusterFixture, McpClient, MockResponse, Redis, Upstream};

use super::{WAIT_TIMEOUT, start_nodes};

/// Number of sessions in the test that measures delays.
const SESSIONS: usize = 100;
/// The longest median delay until the other node knows a change of a session.
const MEDIAN_DELAY_MAX: Duration = Duration::from_secs(1);
const POLL_INTERVAL: Duration = Duration::from_millis(1);
const AVAILABLE_AGAIN: &str = "Redis is available again";

/// Two nodes with a tool and a resource, and a session that began on the first node.
struct SessionFixture {
    nodes: ClusterFixture,
    redis: Redis,
    /// The client of the session, at each node.
    clients: [McpClient; 2],
    resource: Value,
}

impl SessionFixture {
    /// `None` without `PostgreSQL` or Redis.
    async fn start() -> Option<Self> {
        let (nodes, redis) = start_nodes(Upstream::with_handler(|_| MockResponse::text("ok")), 0).await?;
        let fields = json!({"uri": "docs://r", "name": "r", "data_source_config": {"content": "0"}});
        let resource = nodes.first.create("/resources", fields).await;
        nodes.create_tool(json!({})).await;
        let [first, second] = nodes.callers();
        let first = first.header("accept", "application/json, text/event-stream").legacy(NEWEST_LEGACY).await;
        let second = first.at_endpoint_of(&second);
        Some(Self { nodes, redis, clients: [first, second], resource })
    }

    /// Changes the content of the resource at the first node.
    async fn change_resource(&self, content: &str) {
        let path = self.nodes.first.path(&format!("/resources/{}", self.resource["id"]));
        let fields = json!({"data_source_config": {"content": content}});
        self.nodes.first.api.patch(&path).json(fields).send().await.expect(200);
    }

    /// Changes the resource and then the list of tools. Returns whether the stream announces the change of the
    /// resource. `number` must be new, because it is part of the content and of the name of a tool.
    async fn announces_resource(&self, events: &mut EventStream, number: usize) -> bool {
        self.change_resource(&format!("{number}")).await;
        self.nodes.first.create_tool(json!({"name": format!("t{number}")})).await;
        let mut is_announced = false;
        loop {
            let event = events.next_json().await;
            match event["method"].as_str().unwrap() {
                "notifications/resources/updated" => is_announced = true,
                "notifications/tools/list_changed" => return is_announced,
                other => panic!("unexpected notification {other}"),
            }
        }
    }

    /// Changes the resource until the stream announces it.
    async fn wait_until_announced(&self, events: &mut EventStream) {
        for number in 0..200 {
            if self.announces_resource(events, number).await {
                return;
            }
        }
        panic!("the stream does not announce a resource with a subscription");
    }

    /// Changes the resource until the stream does not announce it.
    async fn wait_until_not_announced(&self, events: &mut EventStream) {
        for number in 1000..1200 {
            if !self.announces_resource(events, number).await {
                return;
            }
        }
        panic!("the stream announces a resource without a subscription");
    }
}

/// How often nodes have read the state of a session from Redis.
fn state_read_count(redis: &Redis) -> u64 {
    let stats = redis.cli(&["INFO", "commandstats"]);
    let calls = stats.lines().find_map(|line| line.strip_prefix("cmdstat_hgetall:calls="));
    calls.map_or(0, |rest| rest.split(',').next().unwrap().parse().unwrap())
}

/// Whether requests of this client read the state of its session from Redis.
async fn needs_redis(redis: &Redis, client: &McpClient) -> bool {
    let before = state_read_count(redis);
    for _ in 0..20 {
        assert_eq!(status(client).await, 200);
    }
    state_read_count(redis) != before
}

/// Repeats `attempt` until it returns true.
async fn wait_until(mut attempt: impl AsyncFnMut() -> bool) {
    let attempts = async {
        while !attempt().await {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    };
    tokio::time::timeout(WAIT_TIMEOUT, attempts).await.expect("the condition holds within a minute");
}

/// How many log messages a call sends.
async fn log_message_count(client: &McpClient) -> usize {
    let reply = client.send("tools/call", json!({"name": "tool", "arguments": {}})).await.expect(200);
    reply.text().matches("notifications/message").count()
}

async fn status(client: &McpClient) -> u16 {
    client.send("ping", json!({})).await.status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_of_one_node_serves_the_subscriptions_made_on_another() {
    let Some(fixture) = SessionFixture::start().await else { return };
    let [first, second] = &fixture.clients;
    let mut events = second.listen().await;
    assert!(!fixture.announces_resource(&mut events, 5000).await);
    first.result("resources/subscribe", json!({"uri": "docs://r"})).await;
    fixture.wait_until_announced(&mut events).await;
    first.result("resources/unsubscribe", json!({"uri": "docs://r"})).await;
    fixture.wait_until_not_announced(&mut events).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_sees_a_session_later_serves_its_subscriptions_and_ends_its_older_stream() {
    let Some(fixture) = SessionFixture::start().await else { return };
    let [first, second] = &fixture.clients;
    first.result("resources/subscribe", json!({"uri": "docs://r"})).await;
    let mut older = first.listen().await;
    let mut newer = second.listen().await;
    fixture.wait_until_announced(&mut newer).await;
    while older.next().await.is_some() {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_level_holds_on_every_node() {
    let Some(fixture) = SessionFixture::start().await else { return };
    assert_eq!(log_message_count(&fixture.clients[1]).await, 0);
    fixture.clients[0].result("logging/setLevel", json!({"level": "info"})).await;
    wait_until(async || log_message_count(&fixture.clients[1]).await > 0).await;
    fixture.clients[0].result("logging/setLevel", json!({"level": "error"})).await;
    wait_until(async || log_message_count(&fixture.clients[1]).await == 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_ended_on_one_node_has_ended_on_all_even_after_a_restart_without_redis() {
    let Some(SessionFixture { mut nodes, mut redis, clients: [first, second], .. }) = SessionFixture::start().await
    else {
        return;
    };
    let mut events = second.listen().await;
    assert_eq!(status(&second).await, 200);
    first.session_request(Method::DELETE).send().await.expect(204);
    assert_eq!(status(&first).await, 404);
    wait_until(async || status(&second).await == 404).await;
    while events.next().await.is_some() {}
    redis.stop();
    nodes.first.app.restart();
    nodes.second.restart();
    for caller in nodes.callers() {
        assert_eq!(status(&first.at_endpoint_of(&caller)).await, 404);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_ended_while_redis_was_unavailable_has_ended_on_all_nodes() {
    let Some(SessionFixture { mut redis, clients: [first, second], nodes: _nodes, .. }) = SessionFixture::start().await
    else {
        return;
    };
    assert_eq!(status(&second).await, 200);
    redis.stop();
    first.session_request(Method::DELETE).send().await.expect(204);
    wait_until(async || status(&second).await == 404).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn state_that_redis_has_lost_is_shared_again() {
    let Some(mut fixture) = SessionFixture::start().await else { return };
    fixture.clients[0].result("logging/setLevel", json!({"level": "info"})).await;
    fixture.redis.stop();
    // A change while Redis is unavailable is shared later.
    fixture.clients[0].result("resources/subscribe", json!({"uri": "docs://r"})).await;
    fixture.redis.restart();
    for app in fixture.nodes.apps() {
        app.wait_for_log(AVAILABLE_AGAIN, WAIT_TIMEOUT);
    }
    // The second node has not seen the session before.
    wait_until(async || status(&fixture.clients[0]).await == 200 && log_message_count(&fixture.clients[1]).await > 0)
        .await;
    let mut events = fixture.clients[1].listen().await;
    fixture.wait_until_announced(&mut events).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_shares_state_that_redis_has_lost_without_another_request() {
    let Some(mut fixture) = SessionFixture::start().await else { return };
    let [first, second] = &fixture.clients;
    first.result("logging/setLevel", json!({"level": "info"})).await;
    fixture.redis.stop();
    fixture.redis.restart();
    wait_until(async || log_message_count(second).await > 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_that_finds_no_state_in_redis_makes_its_node_share_the_rest() {
    let Some(fixture) = SessionFixture::start().await else { return };
    let [first, second] = &fixture.clients;
    first.result("logging/setLevel", json!({"level": "info"})).await;
    // The connections to Redis stay open.
    fixture.redis.cli(&["FLUSHALL"]);
    first.result("resources/subscribe", json!({"uri": "docs://r"})).await;
    wait_until(async || log_message_count(second).await > 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn state_that_redis_has_lost_is_combined_with_what_another_node_stores_later() {
    let Some(fixture) = SessionFixture::start().await else { return };
    let [first, second] = &fixture.clients;
    first.result("logging/setLevel", json!({"level": "info"})).await;
    fixture.redis.cli(&["FLUSHALL"]);
    // The second node has not seen the session before, so it stores a state without the level.
    second.result("resources/subscribe", json!({"uri": "docs://r"})).await;
    wait_until(async || status(first).await == 200 && log_message_count(second).await > 0).await;
    assert!(log_message_count(first).await > 0);
    let mut events = first.listen().await;
    fixture.wait_until_announced(&mut events).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_of_a_known_session_do_not_need_redis() {
    let Some(fixture) = SessionFixture::start().await else { return };
    // A node reads the state until it is subscribed to events, and once for each session.
    for client in &fixture.clients {
        wait_until(async || !needs_redis(&fixture.redis, client).await).await;
    }
    assert!(state_read_count(&fixture.redis) > 0, "the second node has read the state");
    assert!(!needs_redis(&fixture.redis, &fixture.nodes.first.caller()).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_other_node_knows_levels_and_ends_of_sessions_within_a_second() {
    let Some(fixture) = SessionFixture::start().await else { return };
    let [first, second] = fixture.nodes.callers();
    let (mut levels, mut ends) = (Vec::new(), Vec::new());
    for _ in 0..SESSIONS {
        let first = first.clone().header("accept", "application/json, text/event-stream").legacy(NEWEST_LEGACY).await;
        let second = first.at_endpoint_of(&second);
        assert_eq!(status(&second).await, 200);
        first.result("logging/setLevel", json!({"level": "info"})).await;
        let started = Instant::now();
        wait_until(async || log_message_count(&second).await > 0).await;
        levels.push(started.elapsed());
        first.session_request(Method::DELETE).send().await.expect(204);
        let started = Instant::now();
        wait_until(async || status(&second).await == 404).await;
        ends.push(started.elapsed());
    }
    for (name, mut delays) in [("levels", levels), ("ends", ends)] {
        delays.sort_unstable();
        let (median, slowest) = (delays[delays.len() / 2], delays[delays.len() - 1]);
        eprintln!("{SESSIONS} {name}: p50 {median:?}, slowest {slowest:?}");
        assert!(median < MEDIAN_DELAY_MAX, "the median delay of {name} is {median:?}");
    }
}
