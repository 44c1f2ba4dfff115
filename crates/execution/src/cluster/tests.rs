//! Nodes with a real Redis that stops, restarts and becomes slow.

mod window;

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use tokio::task::JoinSet;
use toolgate_domain::ids::ServerId;
use toolgate_testkit::Redis;

use super::*;
use crate::cache::CacheKey;
use crate::egress::{OutboundRequest, UpstreamResponse};
use crate::limiter::{RateLimited, RateLimiter, RequestKind};

const SERVER: ServerId = ServerId(7);

/// A node that has tried to connect.
async fn node(redis: &Redis, id: u64) -> Arc<ClusterState> {
    let cluster = ClusterState::new(&RedisUrl::parse(&redis.url()).unwrap(), &[1; 32], id).unwrap();
    cluster.connect_at_start().await;
    Arc::new(cluster)
}

/// How many of `calls` concurrent calls each node admits.
async fn admitted(nodes: &[Arc<RateLimiter>], calls: u32, limit: u32) -> Vec<u32> {
    let mut tasks = JoinSet::new();
    for _ in 0..calls {
        for (index, limiter) in nodes.iter().enumerate() {
            let limiter = Arc::clone(limiter);
            tasks.spawn(async move { (index, limiter.admit(SERVER, RequestKind::Call, limit).await.is_ok()) });
        }
    }
    let mut counts = vec![0; nodes.len()];
    for (index, is_admitted) in tasks.join_all().await {
        counts[index] += u32::from(is_admitted);
    }
    counts
}

fn limiter(cluster: &Arc<ClusterState>) -> Arc<RateLimiter> {
    Arc::new(RateLimiter::new(Some(Arc::clone(cluster))))
}

/// Runs the reconnect tasks until every node is in the expected state.
async fn wait_until(nodes: &[Arc<ClusterState>], is_connected: bool) {
    let mut tasks = JoinSet::new();
    for node in nodes {
        let node = Arc::clone(node);
        tasks.spawn(async move { node.run_reconnect().await });
    }
    let reached = async {
        while nodes.iter().any(|node| node.connection.is_connected() != is_connected) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), reached).await.expect("the nodes reach the state within 10 s");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_together_admit_exactly_the_limit() {
    let Some(redis) = Redis::start() else { return };
    let nodes = [limiter(&node(&redis, 1).await), limiter(&node(&redis, 2).await), limiter(&node(&redis, 3).await)];
    let mut total = 0;
    // In batches, so that no call waits for longer than the timeout.
    for _ in 0..20 {
        total += admitted(&nodes, 10, 100).await.iter().sum::<u32>();
    }
    assert_eq!(total, 100);
    let RateLimited(wait) = nodes[0].admit(SERVER, RequestKind::Call, 100).await.unwrap_err();
    assert!((58..=61).contains(&wait.as_secs()), "the wait is {wait:?}");
    nodes[1].admit(SERVER, RequestKind::Other, 100).await.unwrap();
    nodes[1].admit(ServerId(8), RequestKind::Call, 100).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_each_node_has_its_share_until_redis_has_a_full_window() {
    let Some(mut redis) = Redis::start() else { return };
    let cluster = [node(&redis, 1).await, node(&redis, 2).await];
    // The first node connected before the second.
    cluster[0].send_heartbeat().await;
    let nodes = [limiter(&cluster[0]), limiter(&cluster[1])];
    redis.stop();
    let mut counts = vec![0, 0];
    for _ in 0..10 {
        let more = admitted(&nodes, 10, 20).await;
        counts = counts.iter().zip(more).map(|(a, b)| a + b).collect();
    }
    assert_eq!(counts, [10, 10]);
    redis.restart();
    wait_until(&cluster, true).await;
    assert_eq!(redis.cli(&["DBSIZE"]), "1", "Redis has lost everything but the list of nodes");
    assert_eq!(admitted(&nodes, 10, 20).await, [0, 0], "no node gets a second share within the same minute");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_redis_admitted_count_towards_the_share() {
    let Some(mut redis) = Redis::start() else { return };
    let cluster = node(&redis, 1).await;
    let nodes = [limiter(&cluster)];
    assert_eq!(admitted(&nodes, 6, 10).await, [6]);
    redis.stop();
    assert_eq!(admitted(&nodes, 20, 10).await, [4]);
}

#[tokio::test]
async fn a_share_is_never_zero() {
    let cluster = ClusterState::new(&RedisUrl::parse("redis://127.0.0.1:1").unwrap(), &[1; 32], 1).unwrap();
    cluster.nodes.store(3, Ordering::Relaxed);
    assert_eq!([1, 2, 3, 7, 60].map(|limit| cluster.share(limit)), [1, 1, 1, 2, 20]);
    cluster.nodes.store(0, Ordering::Relaxed);
    assert_eq!(cluster.share(60), 60);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unresponsive_redis_costs_three_timeouts_and_then_nothing() {
    let Some(redis) = Redis::start() else { return };
    let cluster = node(&redis, 1).await;
    let limiter = limiter(&cluster);
    redis.pause();
    let started = Instant::now();
    for _ in 0..3 {
        limiter.admit(SERVER, RequestKind::Call, 1_000).await.unwrap();
    }
    let waited = started.elapsed();
    assert!((150..600).contains(&waited.as_millis()), "three calls took {waited:?}");
    assert!(!cluster.connection.is_connected());
    let started = Instant::now();
    for _ in 0..200 {
        limiter.admit(SERVER, RequestKind::Call, 1_000).await.unwrap();
    }
    assert!(started.elapsed().as_millis() < 150, "200 calls took {:?}", started.elapsed());
    redis.resume();
    wait_until(&[cluster], true).await;
}

#[tokio::test]
async fn a_node_that_leaves_or_stops_sending_heartbeats_is_not_counted() {
    let Some(redis) = Redis::start() else { return };
    let (one, two) = (node(&redis, 1).await, node(&redis, 2).await);
    one.send_heartbeat().await;
    assert_eq!((one.share(10), two.share(10)), (5, 5));
    two.leave().await;
    one.send_heartbeat().await;
    assert_eq!(one.share(10), 10);
    // A heartbeat that has expired.
    let name = redis.keys().into_iter().find(|name| name.ends_with(":nodes")).unwrap();
    redis.cli(&["ZADD", &name, "1", "silent"]);
    one.send_heartbeat().await;
    assert_eq!(one.share(10), 10);
}

#[tokio::test]
async fn a_wrong_redis_value_does_not_disable_the_limit() {
    let Some(redis) = Redis::start() else { return };
    let cluster = node(&redis, 1).await;
    let nodes = [limiter(&cluster)];
    let name = cluster.keys.plain_key(format_args!("window:7:calls"));
    redis.cli(&["SET", &name, "not a list"]);
    assert_eq!(admitted(&nodes, 30, 5).await, [5]);
}

#[tokio::test]
async fn responses_are_shared_unless_they_are_large_or_were_fetched_with_a_token() {
    let Some(redis) = Redis::start() else { return };
    let (one, two) = (node(&redis, 1).await, node(&redis, 2).await);
    let other_installation = ClusterState::new(&RedisUrl::parse(&redis.url()).unwrap(), &[2; 32], 3).unwrap();
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
        let key = CacheKey::new((b't', id, 1), &request);
        one.put_response(&key, minute, &response).await;
        let found = two.get_response(&key).await;
        assert_eq!(found.as_ref().map(|(found, _)| found.body.len()), is_shared.then_some(response.body.len()));
        assert!(found.is_none_or(|(_, left)| left <= minute && left > minute / 2), "its time to live is bounded");
        assert!(other_installation.get_response(&key).await.is_none(), "another installation finds nothing");
    }
}
