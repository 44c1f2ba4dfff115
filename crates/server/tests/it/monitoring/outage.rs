//! Metrics and readiness while PostgreSQL or Redis is down.

use serde_json::json;
use toolgate_testkit::postgres::PostgresOptions;
use toolgate_testkit::{MockResponse, Postgres, Redis, ServiceFixture, Upstream};

use super::samples::Samples;
use super::{WAIT_TIMEOUT, monitored_service, monitoring_client, scrape};
use crate::toolgate;

fn upstream() -> Upstream {
    Upstream::with_handler(|_| MockResponse::text("ok"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_database_makes_the_node_unready_and_its_calls_pending() {
    let Some(mut cluster) = Postgres::private_cluster(PostgresOptions::default()) else { return };
    let database = cluster.fresh_database();
    let fixture = ServiceFixture::start(monitored_service().postgres(database.url()), upstream(), json!({})).await;
    fixture.create_tool(json!({})).await;
    fixture.caller().text("tool", json!({})).await;
    fixture.app.wait_for_call_count(1).await;
    let client = monitoring_client(&fixture.app);
    let samples = scrape(&client).await;
    assert_eq!((samples.count("toolgate_ready"), samples.count("toolgate_database_up")), (1, 1));
    assert_eq!(samples.count("toolgate_database_connections_max{pool=\"main\"}"), 20);
    cluster.stop();
    fixture.caller().text("tool", json!({})).await;
    let reply = client.get("/readyz?verbose").send().await.expect(503).json();
    assert_eq!(reply["checks"]["database"]["status"], "failed", "{reply}");
    assert_eq!(reply["checks"]["stopping"]["status"], "ok", "{reply}");
    client.get("/livez").send().await.expect(200);
    client.get("/startupz").send().await.expect(200);
    let samples = scrape_until(&client, |samples| samples.count("toolgate_ingest_failures_total") > 0).await;
    assert_eq!((samples.count("toolgate_ready"), samples.count("toolgate_database_up")), (0, 0));
    assert_eq!(samples.count("toolgate_journal_pending_calls"), 1);
    assert!(samples.get("toolgate_journal_oldest_pending_seconds") > 0.0);
    assert!(samples.count("toolgate_journal_size_bytes") > 0);
    cluster.start();
    fixture.app.wait_for_call_count(2).await;
    client.get("/readyz").send().await.expect(200);
    let samples = scrape_until(&client, |samples| samples.count("toolgate_journal_pending_calls") == 0).await;
    assert_eq!(samples.count("toolgate_ingest_calls_total"), 2);
    assert!(samples.get("toolgate_ingest_lag_seconds") > 0.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_was_accepted_reads_metrics_while_the_database_is_down() {
    let Some(mut cluster) = Postgres::private_cluster(PostgresOptions::default()) else { return };
    let database = cluster.fresh_database();
    let app = toolgate().postgres(database.url()).start();
    let (api, url) = (app.client(), format!("{}/metrics", app.origin()));
    api.get(&url).send().await.expect(200);
    cluster.stop();
    let samples = Samples::parse(&api.get(&url).send().await.expect(200).text());
    assert_eq!(samples.count("toolgate_database_up"), 0);
    let refused = api.with_key(Some("tg_another")).get(&url).send().await.expect(503);
    assert!(refused.text().contains("TOOLGATE_METRICS_LISTEN"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_trips_are_counted_and_an_outage_only_degrades_the_node() {
    let (Some(mut redis), Some(database)) = (Redis::start(), Postgres::fresh_database()) else { return };
    let builder = monitored_service()
        .postgres(database.url())
        .env("TOOLGATE_REDIS_URL", redis.url())
        .env("TOOLGATE_REDIS_TIMEOUT_MS", "10000");
    let fixture = ServiceFixture::start(builder, upstream(), json!({"rate_limit_per_min": 100})).await;
    fixture.create_tool(json!({})).await;
    let (caller, client) = (fixture.caller(), monitoring_client(&fixture.app));
    let before = scrape(&client).await;
    caller.text("tool", json!({})).await;
    let after = scrape(&client).await;
    assert_eq!((after.count("toolgate_redis_up"), after.count("toolgate_cluster_nodes")), (1, 1));
    assert!(after.growth(&before, "toolgate_redis_trips_total{result=\"ok\"}") >= 1);
    assert_eq!(after.count("toolgate_rate_limit_lease_slots_granted_total"), 0, "the limit is small");
    redis.stop();
    caller.text("tool", json!({})).await;
    fixture.app.wait_for_log("Redis is unavailable", WAIT_TIMEOUT);
    let samples = scrape(&client).await;
    assert_eq!((samples.count("toolgate_redis_up"), samples.count("toolgate_redis_disconnects_total")), (0, 1));
    let reply = client.get("/readyz?verbose").send().await.expect(200).json();
    assert_eq!(reply["checks"]["redis"]["status"], "degraded", "{reply}");
}

#[tokio::test(flavor = "multi_thread")]
async fn leases_of_a_large_rate_limit_are_counted() {
    let (Some(redis), Some(database)) = (Redis::start(), Postgres::fresh_database()) else { return };
    let builder = monitored_service()
        .postgres(database.url())
        .env("TOOLGATE_REDIS_URL", redis.url())
        .env("TOOLGATE_REDIS_TIMEOUT_MS", "10000");
    let fixture = ServiceFixture::start(builder, upstream(), json!({"rate_limit_per_min": 100_000})).await;
    fixture.create_tool(json!({})).await;
    let (caller, client) = (fixture.caller(), monitoring_client(&fixture.app));
    let granted = "toolgate_rate_limit_lease_slots_granted_total";
    let until_granted = async {
        while scrape(&client).await.count(granted) == 0 {
            for _ in 0..20 {
                caller.text("tool", json!({})).await;
            }
        }
    };
    tokio::time::timeout(WAIT_TIMEOUT, until_granted).await.expect("a busy node leases slots");
    let samples = scrape_until(&client, |samples| samples.count("toolgate_rate_limit_leases") == 0).await;
    assert!(samples.count("toolgate_rate_limit_lease_slots_returned_total") <= samples.count(granted));
    assert_eq!(samples.count("toolgate_rate_limit_lease_slots"), 0, "an idle node gives its slots back");
    assert_eq!(samples.count("toolgate_rate_limit_lease_failures_total"), 0);
}

async fn scrape_until(client: &toolgate_testkit::Client, is_wanted: impl Fn(&Samples) -> bool) -> Samples {
    let until = async {
        loop {
            let samples = scrape(client).await;
            if is_wanted(&samples) {
                return samples;
            }
        }
    };
    tokio::time::timeout(WAIT_TIMEOUT, until).await.expect("the metrics change within a minute")
}
