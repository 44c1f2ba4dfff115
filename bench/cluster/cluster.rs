//! PostgreSQL, Redis or Valkey, three nodes and nginx, with the servers that the load calls.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_testkit::postgres::{PostgresCluster, PostgresOptions, TestDatabase};
use toolgate_testkit::process::service_binary;
use toolgate_testkit::running_service::{ServiceBuilder, TEST_KEY};
use toolgate_testkit::{Client, McpClient, Postgres, Redis, RunningService, free_address};

use crate::balancer::{self, Balancer};
use crate::connected_program::ConnectedProgram;
use crate::plan::ClusterPlan;
use crate::upstream_log::UpstreamLog;

pub(crate) const NODES: usize = 3;
/// The encryption keys of all nodes.
const ENCRYPTION_KEYS: &str = "a2V5cyB0aGF0IGFsbCBub2RlcyBvZiBvbmUgaGF2ZS4=";
/// How long a node may take to become ready. This is far more than the 10 seconds within which it uses its database
/// again after an outage.
const READY_TIMEOUT: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A server that the load calls, named after its rate limit. The load exceeds the limits of the last two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LimitedServer {
    /// The limit is so large that no call is refused.
    LargeLimit,
    /// The limit is so small that each call is counted in Redis.
    SmallLimit,
    /// Nodes lease slots of the limit in Redis ahead of the calls.
    LeasedSlots,
}

impl LimitedServer {
    pub(crate) const ALL: [Self; 3] = [Self::LargeLimit, Self::SmallLimit, Self::LeasedSlots];

    pub(crate) fn limit_per_min(self) -> u32 {
        match self {
            Self::LargeLimit => 10_000_000,
            Self::SmallLimit => 300,
            Self::LeasedSlots => 1_000,
        }
    }

    /// The upstream path that its tool calls.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::LargeLimit => "/large",
            Self::SmallLimit => "/small",
            Self::LeasedSlots => "/leased",
        }
    }
}

/// A node with a fixed address, which it has again after a restart.
pub(crate) struct ClusterNode {
    pub(crate) address: SocketAddr,
    builder: ServiceBuilder,
    pub(crate) app: RunningService,
}

impl ClusterNode {
    fn start(builder: ServiceBuilder, number: usize) -> Self {
        let address = free_address();
        let builder = builder
            .temporary_data_dir()
            .env("TOOLGATE_LISTEN", address.to_string())
            .env("TOOLGATE_NODE", format!("node-{number}"));
        Self { address, app: builder.clone().start(), builder }
    }

    /// Starts the process again. Its clock differs from the machine's by `clock_offset`: seconds with a sign, or empty
    /// for the same time.
    pub(crate) fn start_again(&mut self, plan: &ClusterPlan, clock_offset: &str) {
        let builder = self.builder.clone();
        self.app = match &plan.faketime {
            Some(library) if !clock_offset.is_empty() => builder
                .env("LD_PRELOAD", library)
                .env("FAKETIME", clock_offset)
                .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                .start(),
            _ => builder.start(),
        };
    }

    /// A client of the management API of this node.
    pub(crate) fn api(&self) -> Client {
        let path = self.app.api_base().split_once("/wp-json").map_or("", |(_, rest)| rest);
        Client::new(&format!("http://{}/wp-json{path}", self.address), Some(TEST_KEY))
    }

    /// Waits until the node is ready and connected to Redis.
    pub(crate) async fn wait_until_ready(&self) {
        let client = Client::new(&format!("http://{}", self.address), None);
        let began = Instant::now();
        loop {
            let reply = client.get("/readyz").try_send().await;
            if reply.is_ok_and(|reply| reply.status == 200)
                && metric(&self.address.to_string(), "toolgate_redis_up").await == Some(1.0)
            {
                return;
            }
            assert!(began.elapsed() < READY_TIMEOUT, "the node is not ready\n{}", self.app.logs());
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}

/// All processes of the run.
pub(crate) struct FaultCluster {
    pub(crate) nodes: Vec<ClusterNode>,
    pub(crate) balancer: Balancer,
    pub(crate) redis: Redis,
    pub(crate) upstream: UpstreamLog,
    /// The path of the endpoint of each server.
    endpoints: Vec<(LimitedServer, String)>,
    /// The id of the tool of [`LimitedServer::LargeLimit`].
    pub(crate) tool: i64,
    pub(crate) program: ConnectedProgram,
    database: TestDatabase,
    pub(crate) postgres: PostgresCluster,
}

impl FaultCluster {
    pub(crate) async fn start(plan: &ClusterPlan) -> Self {
        let postgres = Postgres::private_cluster(PostgresOptions::default()).expect("PostgreSQL is installed");
        let redis = if plan.is_valkey { Redis::start_valkey() } else { Redis::start() };
        let redis = redis.expect("Redis is installed, or TOOLGATE_VALKEY is set to the output of scripts/valkey");
        let (database, upstream) = (postgres.fresh_database(), UpstreamLog::start());
        let balancer_address = balancer::choose_address();
        let base_url = format!("http://{balancer_address}");
        let builder = node_builder(plan, &database, &redis)
            .env("TOOLGATE_BASE_URL", &base_url)
            .env("TOOLGATE_TRUSTED_PROXIES", "127.0.0.1");
        let nodes: Vec<_> = (0..NODES).map(|number| ClusterNode::start(builder.clone(), number)).collect();
        let addresses: Vec<_> = nodes.iter().map(|node| node.address).collect();
        let balancer = Balancer::start(balancer_address, &addresses);
        let (endpoints, tool) = create_servers(&nodes[0].api(), &upstream).await;
        let program = ConnectedProgram::register(&nodes[0], base_url).await;
        let cluster = Self { nodes, balancer, redis, upstream, endpoints, tool, program, database, postgres };
        cluster.wait_until_ready().await;
        cluster.load_servers().await;
        cluster
    }

    pub(crate) async fn wait_until_ready(&self) {
        for node in &self.nodes {
            node.wait_until_ready().await;
        }
    }

    /// Makes every node load every server: without the database, a node serves only servers that it has in memory.
    pub(crate) async fn load_servers(&self) {
        for (node, server) in (0..NODES).flat_map(|node| LimitedServer::ALL.map(|server| (node, server))) {
            self.caller_at(node, server).send("tools/list", json!({})).await.expect(200);
        }
    }

    /// Pauses the PostgreSQL backends from which the nodes receive notifications of changes (`LISTEN`). The nodes
    /// notice it after up to two seconds and open other connections.
    pub(crate) fn pause_listen_backends(&self) {
        let began = Instant::now();
        let mut pids = self.listen_backend_pids();
        // After an outage of PostgreSQL, nodes are ready before they listen again.
        while pids.len() < NODES {
            assert!(began.elapsed() < READY_TIMEOUT, "the nodes do not listen: {pids:?}");
            std::thread::sleep(POLL_INTERVAL);
            pids = self.listen_backend_pids();
        }
        self.postgres.pause_backends(&pids);
    }

    /// The process ids of the PostgreSQL backends from which the nodes receive notifications.
    fn listen_backend_pids(&self) -> Vec<String> {
        let query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'toolgate changes'";
        self.database.psql(query).lines().map(str::to_owned).collect()
    }

    /// Panics unless the clocks of successive nodes differ, at least in the tens of minutes.
    pub(crate) async fn assert_clocks_differ(&self) {
        // The length of `Tue, 17 Nov 2026 23:2`: the header `date` up to the tens of minutes.
        const DATE_PREFIX_LENGTH: usize = 21;
        let mut times = Vec::new();
        for node in &self.nodes {
            let reply = Client::new(&format!("http://{}", node.address), None).get("/livez").send().await.expect(200);
            times.push(reply.header("date").and_then(|date| date.get(..DATE_PREFIX_LENGTH)).map(str::to_owned));
        }
        assert!(
            times.windows(2).all(|pair| pair[0].is_some() && pair[0] != pair[1]),
            "the clocks of the nodes are not apart: {times:?}"
        );
    }

    /// A caller of this server through the balancer.
    pub(crate) fn caller(&self, server: LimitedServer) -> McpClient {
        McpClient::new(&format!("{}{}", self.balancer.origin(), self.endpoint(server)))
    }

    /// A caller of this server at one node.
    pub(crate) fn caller_at(&self, node: usize, server: LimitedServer) -> McpClient {
        McpClient::new(&format!("http://{}{}", self.nodes[node].address, self.endpoint(server)))
    }

    fn endpoint(&self, server: LimitedServer) -> &str {
        let endpoint = self.endpoints.iter().find(|(other, _)| *other == server);
        endpoint.map(|(_, path)| path.as_str()).expect("every server has an endpoint")
    }
}

/// A node on this database and Redis.
pub(crate) fn node_builder(plan: &ClusterPlan, database: &TestDatabase, redis: &Redis) -> ServiceBuilder {
    RunningService::builder(service_binary())
        .postgres(database.url())
        .env("TOOLGATE_LOG", "warn")
        .env("TOOLGATE_ENCRYPTION_KEYS", ENCRYPTION_KEYS)
        .env("TOOLGATE_REDIS_URL", redis.url())
        .env("TOOLGATE_REDIS_TIMEOUT_MS", plan.redis_timeout_ms.to_string())
}

/// The sum of the samples of a metric of the node at this address; `None` while the node does not serve metrics.
async fn metric(address: &str, name: &str) -> Option<f64> {
    let request = Client::new(&format!("http://{address}"), Some(TEST_KEY)).get("/metrics");
    let text = request.try_send().await.ok().filter(|reply| reply.status == 200)?.text();
    let is_sample = |line: &&str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '{']));
    Some(text.lines().filter(is_sample).filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum())
}

/// The number of Redis operations of the node at this address since its start.
pub(crate) async fn redis_operation_count(address: &str) -> f64 {
    metric(address, "toolgate_redis_trips_total").await.expect("a ready node serves metrics")
}

/// Creates the servers with one tool each. Returns their endpoints and the id of the tool of the server with the large
/// limit.
async fn create_servers(api: &Client, upstream: &UpstreamLog) -> (Vec<(LimitedServer, String)>, i64) {
    let (mut endpoints, mut large_limit_tool) = (Vec::new(), 0);
    for server in LimitedServer::ALL {
        let fields = json!({"name": format!("{server:?}"), "rate_limit_per_min": server.limit_per_min()});
        let created = api.create("/servers", fields).await;
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
        let tool = json!({"name": "tool", "endpoint_url": upstream.url(server.path()), "input_schema": schema});
        let tool = api.create(&format!("/servers/{}/tools", created["id"]), tool).await;
        if server == LimitedServer::LargeLimit {
            large_limit_tool = tool["id"].as_i64().expect("a tool has an id");
        }
        let url = created["endpoint_url"].as_str().expect("a server has an endpoint");
        let path = url.find("/mcp/").and_then(|start| url.get(start..)).expect("the URL is an endpoint");
        endpoints.push((server, path.to_owned()));
    }
    (endpoints, large_limit_tool)
}
