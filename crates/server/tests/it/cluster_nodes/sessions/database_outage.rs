//! Sessions that end while the database is unavailable.

use tokio::task::JoinSet;
use toolgate_testkit::postgres::{PostgresCluster, PostgresOptions, TestDatabase};
use toolgate_testkit::{Postgres, ResponseGate, ServiceFixture};

use super::*;
use crate::toolgate;

/// Sessions whose ends are measured.
const ENDED_SESSIONS: usize = 20;

/// Two nodes with a database that can be stopped.
struct DatabaseOutageFixture {
    nodes: ClusterFixture,
    redis: Redis,
    database: TestDatabase,
    cluster: PostgresCluster,
}

impl DatabaseOutageFixture {
    /// `None` without `PostgreSQL` or Redis.
    async fn start() -> Option<Self> {
        let (redis, cluster) = (Redis::start()?, Postgres::private_cluster(PostgresOptions::default())?);
        let database = cluster.fresh_database();
        let node = toolgate().postgres(database.url()).env("TOOLGATE_REDIS_URL", redis.url());
        let (upstream, fields) = (Upstream::builder().start(), json!({"name": "Shared", "rate_limit_per_min": 0}));
        let nodes = ClusterFixture::start([node.clone(), node.temporary_data_dir()], upstream, fields).await;
        Some(Self { nodes, redis, database, cluster })
    }

    /// The client of a new session, at each node. Both nodes know the session.
    async fn new_session(&self) -> [McpClient; 2] {
        let [first, second] = self.nodes.callers();
        let first = first.legacy(NEWEST_LEGACY).await;
        let second = first.at_endpoint_of(&second);
        assert_eq!(status(&second).await, 200);
        [first, second]
    }
}

/// The number of ended sessions in the database.
fn stored_count(database: &TestDatabase) -> String {
    database.psql("SELECT COUNT(*) FROM ended_sessions").trim().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_ended_while_the_database_was_unavailable_is_stored_later() {
    let Some(mut fixture) = DatabaseOutageFixture::start().await else { return };
    let [first, second] = fixture.new_session().await;
    fixture.cluster.stop();
    first.session_request(Method::DELETE).send().await.expect(204);
    assert_eq!(status(&first).await, 404);
    wait_until(async || status(&second).await == 404).await;
    fixture.cluster.start();
    wait_until(async || stored_count(&fixture.database) == "1").await;
    // Sessions are deleted after their ids have expired, at the latest at the next start.
    fixture.database.psql("INSERT INTO ended_sessions VALUES ('\\x010101010101010101010101', 1)");
    fixture.nodes.second.restart();
    wait_until(async || stored_count(&fixture.database) == "1").await;
    assert_eq!(status(&first.at_endpoint_of(&fixture.nodes.callers()[1])).await, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_of_a_session_reaches_the_other_node_as_an_event_of_redis() {
    let Some(mut fixture) = DatabaseOutageFixture::start().await else { return };
    let mut sessions = Vec::new();
    for _ in 0..ENDED_SESSIONS {
        let clients = fixture.new_session().await;
        wait_until(async || !needs_redis(&fixture.redis, &clients[1]).await).await;
        sessions.push(clients);
    }
    let reads = state_read_count(&fixture.redis);
    // Without the database, only Redis can notify the other node.
    fixture.cluster.stop();
    let (mut delays, mut deletions) = (Vec::new(), JoinSet::new());
    for [first, second] in sessions {
        let started = Instant::now();
        // The reply comes later, because the node waits for the database.
        deletions.spawn(first.session_request(Method::DELETE).send());
        wait_until(async || status(&second).await == 404).await;
        delays.push(started.elapsed());
    }
    for reply in deletions.join_all().await {
        reply.expect(204);
    }
    assert_eq!(state_read_count(&fixture.redis), reads, "the second node has read the ends, instead of receiving them");
    delays.sort_unstable();
    let (median, slowest) = (delays[ENDED_SESSIONS / 2], delays[ENDED_SESSIONS - 1]);
    eprintln!("{ENDED_SESSIONS} ends without a database: p50 {median:?}, slowest {slowest:?}");
    assert!(median < MEDIAN_DELAY_MAX, "the median delay of ends is {median:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_ended_while_the_database_was_unavailable_is_stored_while_the_node_finishes_its_last_call() {
    let Some(mut cluster) = Postgres::private_cluster(PostgresOptions::default()) else { return };
    let database = cluster.fresh_database();
    let gate = ResponseGate::new();
    let response = MockResponse::text("ok").held_by(&gate);
    let upstream = Upstream::with_handler(move |_| response.clone());
    let fields = json!({"name": "S", "rate_limit_per_min": 0});
    let mut service = ServiceFixture::start(toolgate().postgres(database.url()), upstream, fields).await;
    service.create_tool(json!({})).await;
    let caller = service.caller();
    let session = caller.clone().legacy(NEWEST_LEGACY).await;
    let mut calls = JoinSet::new();
    calls.spawn(async move { caller.text("tool", json!({})).await });
    service.upstream.wait_for_requests(1).await;
    cluster.stop();
    session.session_request(Method::DELETE).send().await.expect(204);
    service.app.send_terminate();
    service.app.wait_for_log("stopping", WAIT_TIMEOUT);
    cluster.start();
    wait_until(async || stored_count(&database) == "1").await;
    gate.open();
    assert_eq!(calls.join_next().await.unwrap().unwrap(), "ok");
    assert_eq!(service.app.wait().code(), Some(0), "{}", service.app.logs());
}
