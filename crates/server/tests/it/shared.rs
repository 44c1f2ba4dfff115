//! Two nodes of one database, and what they have in common in Redis.

mod answers;
mod limits;
mod outage;
mod secrecy;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::postgres::Database;
use toolgate_testkit::{App, Mcp, Postgres, Redis, Reply, Upstream};

const PATIENCE: Duration = Duration::from_secs(20);

/// Two nodes with one server, in front of one upstream.
struct Nodes {
    redis: Redis,
    apps: [App; 2],
    server: Value,
    upstream: Upstream,
    _database: Database,
}

impl Nodes {
    /// None where there is no `PostgreSQL` or no Redis.
    async fn start(upstream: Upstream, limit: u32) -> Option<Self> {
        let (redis, database) = (Redis::start()?, Postgres::fresh_database()?);
        let keys = "a2V5cyB0aGF0IGFsbCBub2RlcyBvZiBvbmUgaGF2ZS4=";
        let node = || {
            let builder = App::builder(env!("CARGO_BIN_EXE_toolgate")).postgres(database.url());
            builder.env("TOOLGATE_ENCRYPTION_KEYS", keys).env("TOOLGATE_REDIS_URL", redis.url()).start()
        };
        let apps = [node(), node()];
        for app in &apps {
            app.wait_for_log("nodes=2", PATIENCE);
        }
        let fields = json!({"name": "Shared", "rate_limit_per_min": limit});
        let server = apps[0].client().post("/servers").json(fields).send().await.expect(201).json();
        Some(Self { redis, apps, server, upstream, _database: database })
    }

    /// Creates a tool of these fields, and returns its id.
    async fn tool(&self, name: &str, mut fields: Value) -> i64 {
        fields["name"] = name.into();
        fields["endpoint_url"] = self.upstream.url("/").into();
        let path = format!("/servers/{}/tools", self.server["id"]);
        let tool = self.apps[0].client().post(&path).json(fields).send().await.expect(201).json();
        self.heard_of(name).await;
        tool["id"].as_i64().unwrap()
    }

    /// Waits until both nodes publish something with this text: the second hears of a change a moment later. Lists are
    /// counted apart from calls.
    async fn heard_of(&self, text: &str) {
        let heard = async |caller: &Mcp| caller.send("tools/list", json!({})).await.text().contains(text);
        let both = async {
            for index in 0..2 {
                while !heard(&self.caller(index)).await {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        };
        tokio::time::timeout(PATIENCE, both).await.expect("both nodes publish the change");
    }

    /// A bare caller at one of the nodes.
    fn caller(&self, index: usize) -> Mcp {
        let published = self.server["endpoint_url"].as_str().unwrap();
        Mcp::at(&published.replace(&self.apps[0].origin(), &self.apps[index].origin()))
    }

    /// The replies of each node to so many calls by each of four callers.
    async fn flood(&self, calls: usize) -> [Vec<Reply>; 2] {
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

/// How many were answered; the others were told to wait.
#[track_caller]
fn passed(replies: &[Reply]) -> usize {
    for refused in replies.iter().filter(|reply| reply.status != 200) {
        assert_eq!(refused.status, 429, "{refused:?}");
        let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=61).contains(&wait), "{wait}");
    }
    replies.iter().filter(|reply| reply.status == 200).count()
}

/// How often a node logged this.
fn logged(app: &App, text: &str) -> usize {
    app.logs().matches(text).count()
}
