//! Streams of one session on two nodes.

use toolgate_testkit::Postgres;

use super::super::REDIS_TIMEOUT;
use super::*;
use crate::faults::proxy::Proxy;
use crate::toolgate;

const ROUNDS: usize = 20;
const STREAMS: u32 = 60;
const REDIS_DELAY: Duration = Duration::from_millis(100);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_streams_that_open_on_two_nodes_at_the_same_time_exactly_one_stays_open() {
    let Some(fixture) = SessionFixture::start().await else { return };
    let [first, second] = &fixture.clients;
    for round in 0..ROUNDS {
        let (mut one, mut other) = tokio::join!(first.listen(), second.listen());
        let mut newer = tokio::select! {
            end = one.next() => { assert_eq!(end, None); other }
            end = other.next() => { assert_eq!(end, None); one }
        };
        let name = format!("t{round}");
        fixture.nodes.first.create_tool(json!({"name": name})).await;
        assert_eq!(newer.next_json().await["method"], "notifications/tools/list_changed", "round {round}");
        // A node that hears of the change later would notify a stream of the next round.
        for client in [first, second] {
            wait_until(async || client.result("tools/list", json!({})).await.to_string().contains(&name)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_does_not_read_the_state_for_a_stream_whose_client_has_left() {
    let Some(fixture) = SessionFixture::start().await else { return };
    let [first, second] = &fixture.clients;
    for client in [first, second] {
        wait_until(async || !needs_redis(&fixture.redis, client).await).await;
    }
    // After a change on the first node, the second node reads the state only if it has an open stream.
    let is_state_read = async || {
        let before = state_read_count(&fixture.redis);
        first.result("resources/subscribe", json!({"uri": "docs://r"})).await;
        // Events arrive in order, so the end of another session follows the change.
        let marker = first.clone().legacy(NEWEST_LEGACY).await;
        let marker_there = marker.at_endpoint_of(second);
        assert_eq!(status(&marker_there).await, 200);
        marker.session_request(Method::DELETE).send().await.expect(204);
        wait_until(async || status(&marker_there).await == 404).await;
        // The second node reads the state of the new session once.
        state_read_count(&fixture.redis) > before + 1
    };
    let events = second.listen().await;
    wait_until(is_state_read).await;
    drop(events);
    wait_until(async || {
        for _ in 0..5 {
            if is_state_read().await {
                return false;
            }
        }
        true
    })
    .await;
}

/// Two nodes; the second one reaches Redis through the proxy. `None` without `PostgreSQL` or Redis.
async fn start_nodes_with_proxy() -> Option<(ClusterFixture, Redis, Proxy)> {
    let (redis, database) = (Redis::start()?, Postgres::fresh_database()?);
    let proxy = Proxy::start(&redis.url()).await;
    let node = toolgate().database(database).env("TOOLGATE_REDIS_TIMEOUT_MS", REDIS_TIMEOUT.as_millis().to_string());
    let first = node.clone().env("TOOLGATE_REDIS_URL", redis.url());
    let second = node.temporary_data_dir().env("TOOLGATE_REDIS_URL", proxy.url());
    let fields = json!({"name": "Shared", "rate_limit_per_min": 0});
    let nodes = ClusterFixture::start([first, second], Upstream::builder().start(), fields).await;
    for app in nodes.apps() {
        app.wait_for_log("nodes=2", WAIT_TIMEOUT);
    }
    let resource = json!({"uri": "docs://r", "name": "r", "data_source_config": {"content": "0"}});
    nodes.first.create("/resources", resource).await;
    Some((nodes, redis, proxy))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_states_of_many_streams_are_read_concurrently() {
    let Some((nodes, redis, proxy)) = start_nodes_with_proxy().await else { return };
    let [first, second] = nodes.callers();
    let (mut clients, mut streams) = (Vec::new(), Vec::new());
    for _ in 0..STREAMS {
        let client = first.clone().legacy(NEWEST_LEGACY).await;
        streams.push(client.at_endpoint_of(&second).listen().await);
        clients.push(client);
    }
    proxy.delay(REDIS_DELAY);
    let (started, before) = (Instant::now(), state_read_count(&redis));
    for client in &clients {
        client.result("resources/subscribe", json!({"uri": "docs://r"})).await;
    }
    wait_until(async || state_read_count(&redis) >= before + u64::from(STREAMS)).await;
    // If the states were read one after the other, each would take two delays.
    assert!(started.elapsed() < 2 * STREAMS * REDIS_DELAY, "{:?}", started.elapsed());
}
