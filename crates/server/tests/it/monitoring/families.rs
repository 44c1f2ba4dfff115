//! Each metric changes when the event that it counts happens.

use serde_json::json;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::{get_public, monitored_service, monitoring_client, scrape};

fn upstream() -> Upstream {
    Upstream::with_handler(|request| match request.path() {
        "/missing" => MockResponse::status(404),
        _ => MockResponse::text("answer"),
    })
}

async fn start(fields: serde_json::Value) -> ServiceFixture {
    ServiceFixture::start(monitored_service().env("TOOLGATE_NODE", "node-7"), upstream(), fields).await
}

#[tokio::test]
async fn calls_are_counted_by_outcome_and_reason_with_their_durations() {
    let fixture = start(json!({})).await;
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    fixture.create_tool(json!({"input_schema": schema})).await;
    fixture.create_tool(json!({"name": "missing", "endpoint_url": "/missing"})).await;
    let (caller, metrics) = (fixture.caller(), monitoring_client(&fixture.app));
    let before = scrape(&metrics).await;
    caller.text("tool", json!({"n": 1})).await;
    caller.text("tool", json!({"n": 2})).await;
    assert_eq!(caller.call("missing", json!({})).await["isError"], true);
    assert_eq!(caller.call("tool", json!({"n": "x"})).await["isError"], true);
    let after = scrape(&metrics).await;
    for (series, growth) in [
        ("toolgate_calls_total{outcome=\"success\",reason=\"none\"}", 2),
        ("toolgate_calls_total{outcome=\"failure\",reason=\"upstream_4xx\"}", 1),
        ("toolgate_calls_total{outcome=\"failure\",reason=\"bad_arguments\"}", 1),
        ("toolgate_calls_total{outcome=\"failure\",reason=\"timeout\"}", 0),
        ("toolgate_call_duration_seconds_count{outcome=\"success\"}", 2),
        ("toolgate_call_duration_seconds_bucket{le=\"+Inf\",outcome=\"failure\"}", 2),
        ("toolgate_call_upstream_duration_seconds_count", 3),
        ("toolgate_http_requests_total{route=\"mcp\",status=\"2xx\"}", 4),
        ("toolgate_http_request_duration_seconds_count{route=\"mcp\"}", 4),
        ("toolgate_server_compilations_total", 1),
    ] {
        assert_eq!(after.growth(&before, series), growth, "{series}");
    }
    assert!(after.growth(&before, "toolgate_call_response_bytes_total") >= 12);
    assert!(after.growth(&before, "toolgate_call_request_bytes_total") > 0);
    assert!(after.get("toolgate_call_duration_seconds_sum{outcome=\"success\"}") > 0.0);
    assert!(after.series().all(|series| !series.contains("toolgate_tool_")), "tools are not named unless configured");
}

#[tokio::test]
async fn requests_are_counted_by_route_and_hostile_paths_add_no_series() {
    let fixture = start(json!({})).await;
    let metrics = monitoring_client(&fixture.app);
    let before = scrape(&metrics).await;
    fixture.api.read("/servers").await;
    fixture.api.get("/servers/999999").send().await.expect(404);
    get_public(&fixture.app, "/readyz").await.expect(200);
    for path in ["/nothing", "/a%22%7D%0Ab", "/metrics%00", "/wp-jsonx"] {
        get_public(&fixture.app, path).await.expect(404);
    }
    let after = scrape(&metrics).await;
    for (route, status, growth) in [
        ("api", "2xx", 1),
        ("api", "4xx", 1),
        ("health", "2xx", 1),
        ("other", "4xx", 4),
        ("metrics", "2xx", 1),
        ("mcp", "2xx", 0),
    ] {
        let series = format!("toolgate_http_requests_total{{route=\"{route}\",status=\"{status}\"}}");
        assert_eq!(after.growth(&before, &series), growth, "{series}");
    }
    assert_eq!(after.series().collect::<Vec<_>>(), before.series().collect::<Vec<_>>());
    assert!(after.count("toolgate_http_connections") >= 1 && after.count("toolgate_http_connections_max") == 12_000);
}

#[tokio::test]
async fn refusals_limits_and_cached_responses_are_counted() {
    let fixture = start(json!({"auth_type": "api-key", "rate_limit_per_min": 3})).await;
    fixture.create_tool(json!({"cache_ttl": 300})).await;
    let metrics = monitoring_client(&fixture.app);
    let before = scrape(&metrics).await;
    let key = fixture.create_key().await;
    fixture.caller().send("tools/call", json!({"name": "tool"})).await.expect(401);
    fixture.caller().bearer("wrong").send("tools/call", json!({"name": "tool"})).await.expect(401);
    let caller = fixture.caller().bearer(&key);
    for _ in 0..3 {
        caller.text("tool", json!({})).await;
    }
    caller.send("tools/call", json!({"name": "tool", "arguments": {}})).await.expect(429);
    let after = scrape(&metrics).await;
    for (series, growth) in [
        ("toolgate_refused_requests_total{reason=\"missing_key\"}", 1),
        ("toolgate_refused_requests_total{reason=\"unknown_key\"}", 1),
        ("toolgate_refused_requests_total{reason=\"rate_limit\"}", 1),
        ("toolgate_rate_limit_decisions_total{scope=\"server\",decision=\"admitted\"}", 3),
        ("toolgate_rate_limit_decisions_total{scope=\"server\",decision=\"limited\"}", 1),
        ("toolgate_rate_limit_decisions_total{scope=\"key\",decision=\"admitted\"}", 0),
        ("toolgate_cache_lookups_total{result=\"miss\"}", 1),
        ("toolgate_cache_lookups_total{result=\"hit\"}", 2),
        ("toolgate_call_upstream_duration_seconds_count", 1),
    ] {
        assert_eq!(after.growth(&before, series), growth, "{series}");
    }
    assert_eq!(after.count("toolgate_cache_max_bytes"), 33_554_432);
    assert_eq!(after.count("toolgate_cached_results_max_bytes"), 8_388_608);
}

#[tokio::test]
async fn streams_and_sessions_are_counted() {
    let fixture = start(json!({})).await;
    let metrics = monitoring_client(&fixture.app);
    let before = scrape(&metrics).await;
    assert_eq!(before.count("toolgate_streams"), 0);
    let caller = McpClient::new(fixture.url()).legacy(NEWEST_LEGACY).await;
    let stream = caller.listen().await;
    let after = scrape(&metrics).await;
    assert_eq!(after.count("toolgate_streams"), 1);
    assert_eq!(after.count("toolgate_streams_max"), 6000);
    assert_eq!(after.growth(&before, "toolgate_sessions_started_total"), 1);
    drop(stream);
}

#[tokio::test]
async fn recorded_calls_are_pending_until_they_are_ingested() {
    let fixture = start(json!({})).await;
    fixture.create_tool(json!({})).await;
    fixture.caller().text("tool", json!({})).await;
    // The report waits until the call is in the database.
    assert_eq!(fixture.app.wait_for_call_count(1).await, 1);
    let samples = scrape(&monitoring_client(&fixture.app)).await;
    assert_eq!(samples.count("toolgate_recording_enabled"), 1);
    assert_eq!(samples.count("toolgate_ingest_calls_total"), 1);
    assert_eq!(samples.count("toolgate_journal_pending_calls"), 0);
    assert!(samples.get("toolgate_journal_oldest_pending_seconds") < f64::EPSILON);
    assert_eq!(samples.count("toolgate_journal_lost_calls_total"), 0);
    assert_eq!(samples.count("toolgate_journal_max_bytes"), 1_073_741_824);
    assert!(samples.get("toolgate_ingest_lag_seconds") >= 0.0);
}

#[tokio::test]
async fn the_node_its_database_and_its_process_are_described() {
    let fixture = start(json!({})).await;
    let samples = scrape(&monitoring_client(&fixture.app)).await;
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(samples.count(&format!("toolgate_build_info{{version=\"{version}\"}}")), 1);
    assert_eq!(samples.count("toolgate_node_info{node=\"node-7\",database=\"sqlite\"}"), 1);
    assert_eq!((samples.count("toolgate_ready"), samples.count("toolgate_database_up")), (1, 1));
    assert_eq!(samples.count("toolgate_database_connections_max{pool=\"writer\"}"), 1);
    assert_eq!(samples.count("toolgate_database_connection_waiters{pool=\"reader\"}"), 0);
    let connections =
        |state: &str| samples.count(&format!("toolgate_database_connections{{pool=\"writer\",state=\"{state}\"}}"));
    assert_eq!(connections("in_use") + connections("idle"), 1);
    assert!(!samples.contains("toolgate_redis_up"));
    assert!(
        samples.count("process_resident_memory_bytes") > 1_000_000 && samples.get("process_cpu_seconds_total") > 0.0
    );
    assert!(samples.count("process_open_fds") > 3 && samples.count("process_threads") > 1);
}

#[tokio::test]
async fn the_busiest_tools_are_named_if_configured() {
    let builder = monitored_service().env("TOOLGATE_METRICS_TOOLS", "top2");
    let fixture = ServiceFixture::start(builder, upstream(), json!({})).await;
    for name in ["busy", "less_busy", "seldom", "other"] {
        fixture.create_tool(json!({"name": name})).await;
    }
    let caller = fixture.caller();
    for (name, calls) in [("busy", 4), ("less_busy", 3), ("seldom", 2), ("other", 1)] {
        for _ in 0..calls {
            caller.text(name, json!({})).await;
        }
    }
    let samples = scrape(&monitoring_client(&fixture.app)).await;
    let server = fixture.server_id();
    for (labels, calls) in [
        (format!("server=\"{server}\",tool=\"busy\",outcome=\"success\""), 4),
        (format!("server=\"{server}\",tool=\"less_busy\",outcome=\"success\""), 3),
        ("server=\"\",tool=\"other\",outcome=\"success\"".to_owned(), 3),
        ("server=\"\",tool=\"other\",outcome=\"failure\"".to_owned(), 0),
    ] {
        assert_eq!(samples.count(&format!("toolgate_tool_calls_total{{{labels}}}")), calls, "{labels}");
    }
    let named = samples.series().filter(|series| series.starts_with("toolgate_tool_call_seconds_total")).count();
    assert_eq!(named, 3);
}
