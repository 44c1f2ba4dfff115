//! Two nodes with one database that share state in Redis.

mod documents;
mod every_fault;
mod failed_start;
mod first_key;
mod outage;
mod rate_limits;
mod responses;
mod secrecy;
mod sessions;
mod visibility;

use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;
use toolgate_testkit::{ClusterFixture, Postgres, Redis, RunningService, TestResponse, Upstream};

use crate::toolgate;

const WAIT_TIMEOUT: Duration = Duration::from_mins(1);

/// The time a call waits for Redis: long enough for a busy machine, unless a test makes Redis unresponsive.
const REDIS_TIMEOUT: Duration = Duration::from_secs(10);

/// Two nodes with one Redis. `None` without `PostgreSQL` or Redis.
async fn start_nodes(upstream: Upstream, limit_per_min: u32) -> Option<(ClusterFixture, Redis)> {
    start_nodes_with_timeout(upstream, limit_per_min, REDIS_TIMEOUT).await
}

async fn start_nodes_with_timeout(
    upstream: Upstream,
    limit_per_min: u32,
    timeout: Duration,
) -> Option<(ClusterFixture, Redis)> {
    let (redis, database) = (Redis::start()?, Postgres::fresh_database()?);
    let first = toolgate()
        .database(database)
        .env("TOOLGATE_REDIS_TIMEOUT_MS", timeout.as_millis().to_string())
        .env("TOOLGATE_REDIS_URL", redis.url());
    let second = first.clone().temporary_data_dir();
    let fields = json!({"name": "Shared", "rate_limit_per_min": limit_per_min});
    let nodes = ClusterFixture::start([first, second], upstream, fields).await;
    for app in nodes.apps() {
        app.wait_for_log("nodes=2", WAIT_TIMEOUT);
    }
    Some((nodes, redis))
}

/// Makes `calls` calls with each of eight concurrent callers, four per node. Returns the replies of each node.
async fn flood(nodes: &ClusterFixture, calls: usize) -> [Vec<TestResponse>; 2] {
    let mut tasks = JoinSet::new();
    for index in [0, 1, 0, 1, 0, 1, 0, 1] {
        let caller = nodes.first.caller_at(nodes.apps()[index]);
        tasks.spawn(async move {
            let mut replies = Vec::new();
            for _ in 0..calls {
                replies.push((index, caller.send("tools/call", json!({"name": "tool", "arguments": {}})).await));
            }
            replies
        });
    }
    let mut all = [Vec::new(), Vec::new()];
    for (index, reply) in tasks.join_all().await.into_iter().flatten() {
        all[index].push(reply);
    }
    all
}

/// The number of successful replies; all others must be rate limited.
#[track_caller]
fn passed_count(replies: &[TestResponse]) -> usize {
    for refused in replies.iter().filter(|reply| reply.status != 200) {
        assert_eq!(refused.status, 429, "{refused:?}");
        let retry_after_secs: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=61).contains(&retry_after_secs), "Retry-After is {retry_after_secs}");
    }
    replies.iter().filter(|reply| reply.status == 200).count()
}

/// How often a node logged this text.
fn log_count(app: &RunningService, text: &str) -> usize {
    app.logs().matches(text).count()
}
