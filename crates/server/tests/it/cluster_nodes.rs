//! Two nodes with one database that share state in Redis.

mod outage;
mod rate_limits;
mod responses;
mod secrecy;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::postgres::TestDatabase;
use toolgate_testkit::{McpClient, Postgres, Redis, RunningService, TestResponse, Upstream};

const WAIT_TIMEOUT: Duration = Duration::from_mins(1);

/// The time a call waits for Redis: long enough for a busy machine, unless a test makes Redis unresponsive.
const REDIS_TIMEOUT: Duration = Duration::from_secs(10);

/// Two nodes with one MCP server and one upstream.
struct ClusterNodes {
    redis: Redis,
    apps: [RunningService; 2],
    server: Value,
    upstream: Upstream,
    _database: TestDatabase,
}

impl ClusterNodes {
    /// `None` without `PostgreSQL` or Redis.
    async fn start(upstream: Upstream, limit_per_min: u32) -> Option<Self> {
        Self::start_with_redis_timeout(upstream, limit_per_min, REDIS_TIMEOUT).await
    }

    async fn start_with_redis_timeout(upstream: Upstream, limit_per_min: u32, timeout: Duration) -> Option<Self> {
        let (redis, database) = (Redis::start()?, Postgres::fresh_database()?);
        let keys = "a2V5cyB0aGF0IGFsbCBub2RlcyBvZiBvbmUgaGF2ZS4=";
        let node = || {
            let builder = RunningService::builder(env!("CARGO_BIN_EXE_toolgate")).postgres(database.url());
            let builder = builder.env("TOOLGATE_REDIS_TIMEOUT_MS", timeout.as_millis().to_string());
            builder.env("TOOLGATE_ENCRYPTION_KEYS", keys).env("TOOLGATE_REDIS_URL", redis.url()).start()
        };
        let apps = [node(), node()];
        for app in &apps {
            app.wait_for_log("nodes=2", WAIT_TIMEOUT);
        }
        let fields = json!({"name": "Shared", "rate_limit_per_min": limit_per_min});
        let server = apps[0].client().create("/servers", fields).await;
        Some(Self { redis, apps, server, upstream, _database: database })
    }

    /// Creates a tool with these fields and returns its id.
    async fn create_tool(&self, name: &str, mut fields: Value) -> i64 {
        fields["name"] = name.into();
        fields["endpoint_url"] = self.upstream.url("/").into();
        let path = format!("/servers/{}/tools", self.server["id"]);
        let tool = self.apps[0].client().create(&path, fields).await;
        self.wait_until_published(name).await;
        tool["id"].as_i64().unwrap()
    }

    /// Waits until both nodes list a tool with this text: the second node receives a change a moment later. These
    /// lists do not use up the rate limit of calls.
    async fn wait_until_published(&self, text: &str) {
        let is_published = async |caller: &McpClient| caller.send("tools/list", json!({})).await.text().contains(text);
        let both = async {
            for index in 0..2 {
                while !is_published(&self.caller(index)).await {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        };
        tokio::time::timeout(WAIT_TIMEOUT, both).await.expect("both nodes publish the change");
    }

    /// A caller of one of the nodes.
    fn caller(&self, index: usize) -> McpClient {
        let first_node_url = self.server["endpoint_url"].as_str().unwrap();
        McpClient::new(&first_node_url.replace(&self.apps[0].origin(), &self.apps[index].origin()))
    }

    /// Makes `calls` calls with each of eight concurrent callers, four per node. Returns the replies of each node.
    async fn flood(&self, calls: usize) -> [Vec<TestResponse>; 2] {
        let mut tasks = JoinSet::new();
        for index in [0, 1, 0, 1, 0, 1, 0, 1] {
            let caller = self.caller(index);
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
