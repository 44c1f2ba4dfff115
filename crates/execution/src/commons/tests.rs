//! Nodes on one real Redis, and on one that goes away, comes back, and is slow.

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
use crate::limiter::{Limits, RequestKind, RetryAfter};

const SERVER: ServerId = ServerId(7);

/// A node that has greeted.
async fn node(redis: &Redis, id: u64) -> Arc<Commons> {
    let commons = Commons::new(&Address::parse(&redis.url()).unwrap(), &[1; 32], id).unwrap();
    commons.greet().await;
    Arc::new(commons)
}

/// How many of so many calls at once each of these nodes admits.
async fn admitted(nodes: &[Arc<Limits>], calls: u32, limit: u32) -> Vec<u32> {
    let mut tasks = JoinSet::new();
    for _ in 0..calls {
        for (index, limits) in nodes.iter().enumerate() {
            let limits = Arc::clone(limits);
            tasks.spawn(async move { (index, limits.admit(SERVER, RequestKind::Call, limit).await.is_ok()) });
        }
    }
    let mut counts = vec![0; nodes.len()];
    for (index, is_admitted) in tasks.join_all().await {
        counts[index] += u32::from(is_admitted);
    }
    counts
}

fn limits(commons: &Arc<Commons>) -> Arc<Limits> {
    Arc::new(Limits::new(Some(Arc::clone(commons))))
}

/// Runs the keepers until the line of each is as wanted.
async fn until(nodes: &[Arc<Commons>], is_up: bool) {
    let mut keepers = JoinSet::new();
    for node in nodes {
        let node = Arc::clone(node);
        keepers.spawn(async move { node.keep().await });
    }
    let reached = async {
        while nodes.iter().any(|node| node.line.is_up() != is_up) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), reached).await.expect("the line is as wanted within 10 s");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_together_admit_exactly_the_limit() {
    let Some(redis) = Redis::start() else { return };
    let nodes = [limits(&node(&redis, 1).await), limits(&node(&redis, 2).await), limits(&node(&redis, 3).await)];
    let mut total = 0;
    // In portions, so that none waits for longer than the budget.
    for _ in 0..20 {
        total += admitted(&nodes, 10, 100).await.iter().sum::<u32>();
    }
    assert_eq!(total, 100);
    let RetryAfter(wait) = nodes[0].admit(SERVER, RequestKind::Call, 100).await.unwrap_err();
    assert!((58..=61).contains(&wait.as_secs()), "{wait:?}");
    nodes[1].admit(SERVER, RequestKind::Other, 100).await.unwrap();
    nodes[1].admit(ServerId(8), RequestKind::Call, 100).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_each_node_has_its_share_and_the_share_stays_until_redis_knows_all() {
    let Some(mut redis) = Redis::start() else { return };
    let commons = [node(&redis, 1).await, node(&redis, 2).await];
    // The first one did not know of the second when it came.
    commons[0].announce().await;
    let nodes = [limits(&commons[0]), limits(&commons[1])];
    redis.stop();
    let mut counts = vec![0, 0];
    for _ in 0..10 {
        let more = admitted(&nodes, 10, 20).await;
        counts = counts.iter().zip(more).map(|(a, b)| a + b).collect();
    }
    assert_eq!(counts, [10, 10]);
    redis.start_again();
    until(&commons, true).await;
    assert_eq!(redis.cli(&["DBSIZE"]), "1", "it has forgotten all but who is there now");
    assert_eq!(admitted(&nodes, 10, 20).await, [0, 0], "nobody gets another share in the same minute");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_redis_admitted_counts_towards_the_share() {
    let Some(mut redis) = Redis::start() else { return };
    let commons = node(&redis, 1).await;
    let nodes = [limits(&commons)];
    assert_eq!(admitted(&nodes, 6, 10).await, [6]);
    redis.stop();
    assert_eq!(admitted(&nodes, 20, 10).await, [4]);
}

#[tokio::test]
async fn a_share_is_never_no_limit() {
    let commons = Commons::new(&Address::parse("redis://127.0.0.1:1").unwrap(), &[1; 32], 1).unwrap();
    commons.nodes.store(3, Ordering::Relaxed);
    assert_eq!([1, 2, 3, 7, 60].map(|limit| commons.share(limit)), [1, 1, 1, 2, 20]);
    commons.nodes.store(0, Ordering::Relaxed);
    assert_eq!(commons.share(60), 60);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_does_not_answer_costs_three_budgets_and_then_nothing() {
    let Some(redis) = Redis::start() else { return };
    let commons = node(&redis, 1).await;
    let nodes = limits(&commons);
    redis.pause();
    let begun = Instant::now();
    for _ in 0..3 {
        nodes.admit(SERVER, RequestKind::Call, 1_000).await.unwrap();
    }
    let waited = begun.elapsed();
    assert!((150..600).contains(&waited.as_millis()), "{waited:?}");
    assert!(!commons.line.is_up());
    let begun = Instant::now();
    for _ in 0..200 {
        nodes.admit(SERVER, RequestKind::Call, 1_000).await.unwrap();
    }
    assert!(begun.elapsed().as_millis() < 150, "{:?}", begun.elapsed());
    redis.resume();
    until(&[commons], true).await;
}

#[tokio::test]
async fn a_node_that_leaves_or_falls_silent_is_not_counted() {
    let Some(redis) = Redis::start() else { return };
    let (one, two) = (node(&redis, 1).await, node(&redis, 2).await);
    one.announce().await;
    assert_eq!((one.share(10), two.share(10)), (5, 5));
    two.leave().await;
    one.announce().await;
    assert_eq!(one.share(10), 10);
    // A word that is over.
    let name = redis.names().into_iter().find(|name| name.ends_with(":nodes")).unwrap();
    redis.cli(&["ZADD", &name, "1", "silent"]);
    one.announce().await;
    assert_eq!(one.share(10), 10);
}

#[tokio::test]
async fn what_redis_says_wrongly_is_no_admission_without_limit() {
    let Some(redis) = Redis::start() else { return };
    let commons = node(&redis, 1).await;
    let nodes = [limits(&commons)];
    let name = commons.keys.plain(format_args!("window:7:calls"));
    redis.cli(&["SET", &name, "no list"]);
    assert_eq!(admitted(&nodes, 30, 5).await, [5]);
}

#[tokio::test]
async fn answers_are_shared_unless_they_are_large_or_were_fetched_with_a_token() {
    let Some(redis) = Redis::start() else { return };
    let (one, two) = (node(&redis, 1).await, node(&redis, 2).await);
    let stranger = Commons::new(&Address::parse(&redis.url()).unwrap(), &[2; 32], 3).unwrap();
    stranger.greet().await;
    let answer = |length: usize, tokens: &[&str]| UpstreamResponse {
        status: StatusCode::OK,
        headers: HeaderMap::new(),
        body: vec![b'x'; length].into(),
        sent_tokens: tokens.iter().map(|token| (*token).into()).collect(),
    };
    let minute = Duration::from_mins(1);
    for (id, response, is_shared) in
        [(1, answer(256 * 1024, &[]), true), (2, answer(256 * 1024 + 1, &[]), false), (3, answer(9, &["t"]), false)]
    {
        let uri = http::Uri::from_static("http://127.0.0.1/");
        let request = OutboundRequest { method: Method::GET, uri, headers: HeaderMap::new(), body: Bytes::new() };
        let key = CacheKey::of((b't', id, 1), &request);
        one.offer(&key, minute, &response).await;
        let found = two.find(&key).await;
        assert_eq!(found.as_ref().map(|(found, _)| found.body.len()), is_shared.then_some(response.body.len()));
        assert!(found.is_none_or(|(_, left)| left <= minute && left > minute / 2), "it ends when its time is over");
        assert!(stranger.find(&key).await.is_none(), "another installation finds nothing");
    }
}
