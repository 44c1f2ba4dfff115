//! Nodes with a real Redis that stops, restarts and becomes slow.

mod changes;
mod leases;
mod sessions;
mod transport;
mod window;

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use tokio::task::JoinSet;
use toolgate_domain::ids::{EndpointKeyId, ServerId, ToolId};
use toolgate_testkit::Redis;

use super::*;
use crate::cache::CacheKey;
use crate::call_settings::CalledObject;
use crate::egress::message::{OutboundRequest, UpstreamResponse};
use crate::limiter::cluster::RateLimiter;
use crate::limiter::window::RateLimited;
use crate::limiter::{LimitScope, RequestKind};

const SERVER: LimitScope = LimitScope::Server(ServerId(7));
const KEY: LimitScope = LimitScope::Key(EndpointKeyId(7));

/// Long enough for a busy machine.
const GENEROUS_TIMEOUT: Duration = Duration::from_secs(10);

/// The timeout of a node whose Redis does not respond.
const SHORT_TIMEOUT: Duration = Duration::from_millis(500);

fn cluster_state(url: &str, timeout: Duration, secret: [u8; 32], id: u64) -> ClusterState {
    ClusterState::new(&RedisUrl::parse(url).unwrap(), timeout, &secret, &format!("{id:016x}")).unwrap()
}

/// A node after its first attempt to connect.
async fn node(redis: &Redis, id: u64) -> Arc<ClusterState> {
    node_with_timeout(redis, id, GENEROUS_TIMEOUT).await
}

async fn node_with_timeout(redis: &Redis, id: u64, timeout: Duration) -> Arc<ClusterState> {
    let cluster = cluster_state(&redis.url(), timeout, [1; 32], id);
    cluster.connect_at_start().await;
    Arc::new(cluster)
}

/// How many of `calls` concurrent calls each node admits.
async fn count_admitted(limiters: &[Arc<RateLimiter>], calls: u32, limit: u32) -> Vec<u32> {
    let mut tasks = JoinSet::new();
    for _ in 0..calls {
        for (index, limiter) in limiters.iter().enumerate() {
            let limiter = Arc::clone(limiter);
            tasks.spawn(async move { (index, limiter.admit(SERVER, RequestKind::Call, limit).await.is_ok()) });
        }
    }
    let mut counts = vec![0; limiters.len()];
    for (index, is_admitted) in tasks.join_all().await {
        counts[index] += u32::from(is_admitted);
    }
    counts
}

fn limiter(cluster: &Arc<ClusterState>) -> Arc<RateLimiter> {
    Arc::new(RateLimiter::new(Some(Arc::clone(cluster))))
}

async fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let is_met = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), is_met).await.unwrap_or_else(|_| panic!("{what} within a minute"));
}

/// Runs the reconnect tasks until every node is connected.
async fn wait_until_connected(nodes: &[Arc<ClusterState>]) {
    let mut tasks = JoinSet::new();
    for node in nodes {
        let node = Arc::clone(node);
        tasks.spawn(async move { node.run_reconnect().await });
    }
    wait_until("the nodes connect", || nodes.iter().all(|node| node.is_connected())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_that_is_used_up_is_not_exceeded_when_redis_does_not_reply_in_time() {
    const LIMIT: u32 = 10;
    let Some(redis) = Redis::start() else { return };
    let nodes = [node(&redis, 1).await, node_with_timeout(&redis, 2, SHORT_TIMEOUT).await];
    let limiters = nodes.each_ref().map(limiter);
    assert_eq!(count_admitted(&limiters[..1], LIMIT, LIMIT).await, [LIMIT]);
    let admit = || limiters[1].admit(SERVER, RequestKind::Call, LIMIT);
    for _ in 0..3 {
        admit().await.unwrap_err();
        redis.pause();
        let unanswered = admit().await;
        redis.resume();
        unanswered.unwrap_err();
    }
    assert!(nodes[1].is_connected() && nodes[1].redis_stats().timed_out > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_together_admit_exactly_the_limit() {
    let Some(redis) = Redis::start() else { return };
    let limiters = [limiter(&node(&redis, 1).await), limiter(&node(&redis, 2).await), limiter(&node(&redis, 3).await)];
    let (mut total, started) = (0, Instant::now());
    for _ in 0..20 {
        total += count_admitted(&limiters, 10, 100).await.iter().sum::<u32>();
    }
    assert_eq!(total, 100);
    let RateLimited(wait) = limiters[0].admit(SERVER, RequestKind::Call, 100).await.unwrap_err();
    // The wait ends a minute after the first call.
    let wait_min_secs = 58_u64.saturating_sub(started.elapsed().as_secs());
    assert!((wait_min_secs..=61).contains(&wait.as_secs()), "the wait is {wait:?}");
    limiters[1].admit(SERVER, RequestKind::Other, 100).await.unwrap();
    limiters[1].admit(LimitScope::Server(ServerId(8)), RequestKind::Call, 100).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_key_has_a_separate_window_and_a_reverted_request_does_not_count() {
    let Some(redis) = Redis::start() else { return };
    let nodes = [node(&redis, 1).await, node(&redis, 2).await];
    let count = |index: usize, scope| nodes[index].count_request(scope, "calls", 2);
    for index in [0, 1] {
        assert_eq!(count(index, KEY).await, Some(Ok(())));
        assert_eq!(count(index, SERVER).await, Some(Ok(())));
    }
    assert!(count(0, KEY).await.unwrap().is_err());
    nodes[1].uncount_request(KEY, "calls").await;
    assert_eq!(count(0, KEY).await, Some(Ok(())));
    assert!(count(1, KEY).await.unwrap().is_err());
    assert!(count(1, SERVER).await.unwrap().is_err());
    for _ in 0..3 {
        nodes[0].uncount_request(KEY, "calls").await;
    }
    assert_eq!(count(1, KEY).await, Some(Ok(())), "an empty window stays empty");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_each_node_has_its_share_until_redis_has_a_full_window() {
    let Some(mut redis) = Redis::start() else { return };
    let nodes = [node(&redis, 1).await, node(&redis, 2).await];
    // The first node connected before the second.
    nodes[0].send_heartbeat().await;
    let limiters = [limiter(&nodes[0]), limiter(&nodes[1])];
    redis.stop();
    let mut counts = vec![0, 0];
    for _ in 0..10 {
        let more = count_admitted(&limiters, 10, 20).await;
        counts = counts.iter().zip(more).map(|(a, b)| a + b).collect();
    }
    assert_eq!(counts, [10, 10]);
    redis.restart();
    wait_until_connected(&nodes).await;
    assert_eq!(redis.cli(&["DBSIZE"]), "1", "Redis has lost everything but the list of nodes");
    assert_eq!(count_admitted(&limiters, 10, 20).await, [0, 0], "no node gets a second share within the same minute");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_redis_admitted_count_towards_the_share() {
    let Some(mut redis) = Redis::start() else { return };
    let cluster = node(&redis, 1).await;
    let limiters = [limiter(&cluster)];
    assert_eq!(count_admitted(&limiters, 6, 10).await, [6]);
    redis.stop();
    assert_eq!(count_admitted(&limiters, 20, 10).await, [4]);
}

#[tokio::test]
async fn a_share_is_never_zero() {
    let cluster = cluster_state("redis://127.0.0.1:1", GENEROUS_TIMEOUT, [1; 32], 1);
    cluster.node_count.store(3, Ordering::Relaxed);
    assert_eq!([1, 2, 3, 7, 60].map(|limit| cluster.limit_per_node(limit)), [1, 1, 1, 2, 20]);
    cluster.node_count.store(0, Ordering::Relaxed);
    assert_eq!(cluster.limit_per_node(60), 60);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unresponsive_redis_costs_three_timeouts_and_then_nothing() {
    let Some(redis) = Redis::start() else { return };
    let cluster = node_with_timeout(&redis, 1, SHORT_TIMEOUT).await;
    let limiter = limiter(&cluster);
    redis.pause();
    let started = Instant::now();
    for _ in 0..3 {
        limiter.admit(SERVER, RequestKind::Call, 1_000).await.unwrap();
    }
    let waited = started.elapsed();
    assert!(waited >= 3 * SHORT_TIMEOUT, "three calls took {waited:?}");
    assert!(!cluster.connection.is_connected());
    let started = Instant::now();
    for _ in 0..200 {
        limiter.admit(SERVER, RequestKind::Call, 1_000).await.unwrap();
    }
    assert!(started.elapsed() < SHORT_TIMEOUT, "200 calls took {:?}, so one of them waited", started.elapsed());
    redis.resume();
    wait_until_connected(&[cluster]).await;
}

#[tokio::test]
async fn a_node_that_leaves_or_stops_sending_heartbeats_is_not_counted() {
    let Some(redis) = Redis::start() else { return };
    let (one, two) = (node(&redis, 1).await, node(&redis, 2).await);
    one.send_heartbeat().await;
    assert_eq!((one.limit_per_node(10), two.limit_per_node(10)), (5, 5));
    two.leave().await;
    one.send_heartbeat().await;
    assert_eq!(one.limit_per_node(10), 10);
    // A heartbeat that has expired.
    let name = redis.keys().into_iter().find(|name| name.ends_with(":nodes")).unwrap();
    redis.cli(&["ZADD", &name, "1", "silent"]);
    one.send_heartbeat().await;
    assert_eq!(one.limit_per_node(10), 10);
}

#[tokio::test]
async fn a_wrong_redis_value_does_not_disable_the_limit() {
    let Some(redis) = Redis::start() else { return };
    let cluster = node(&redis, 1).await;
    let limiters = [limiter(&cluster)];
    let name = cluster.keys.plain_key(format_args!("window:7:calls"));
    redis.cli(&["SET", &name, "not a list"]);
    assert_eq!(count_admitted(&limiters, 30, 5).await, [5]);
}

#[tokio::test]
async fn responses_are_shared_unless_they_are_large_or_were_fetched_with_a_token() {
    let Some(redis) = Redis::start() else { return };
    let (one, two) = (node(&redis, 1).await, node(&redis, 2).await);
    let other_installation = cluster_state(&redis.url(), GENEROUS_TIMEOUT, [2; 32], 3);
    other_installation.connect_at_start().await;
    let response = |length: usize, tokens: &[&str]| UpstreamResponse {
        status: StatusCode::OK,
        headers: HeaderMap::new(),
        body: vec![b'x'; length].into(),
        sent_tokens: tokens.iter().map(|token| (*token).into()).collect(),
    };
    let minute = Duration::from_mins(1);
    for (id, response, is_shared) in [
        (1, response(256 * 1024, &[]), true),
        (2, response(256 * 1024 + 1, &[]), false),
        (3, response(9, &["t"]), false),
    ] {
        let uri = http::Uri::from_static("http://127.0.0.1/");
        let request = OutboundRequest { method: Method::GET, uri, headers: HeaderMap::new(), body: Bytes::new() };
        let key = CacheKey::new(CalledObject::Tool(ToolId(id)), 1, &request);
        one.put_response(key.as_bytes(), minute, &response).await;
        let found = two.get_response(key.as_bytes()).await;
        assert_eq!(found.as_ref().map(|(found, _)| found.body.len()), is_shared.then_some(response.body.len()));
        assert!(
            found.is_none_or(|(_, remaining)| remaining <= minute && remaining > minute / 2),
            "its time to live is bounded"
        );
        assert!(other_installation.get_response(key.as_bytes()).await.is_none(), "another installation finds nothing");
    }
}
