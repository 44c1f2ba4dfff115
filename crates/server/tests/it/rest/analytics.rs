//! Reports of a service without calls, and their parameters.

use serde_json::json;
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_invalid, assert_invalid_fields, keys};

on_both_databases!(
    the_overview_counts_servers_and_tools,
    the_overview_covers_the_callers_own_servers,
    reports_without_calls_are_zero,
    the_breakdown_accepts_any_range_of_days,
    the_breakdown_refuses_invalid_dates,
);

async fn the_overview_counts_servers_and_tools(service: &ApiFixture) {
    let first = service.api.create_default_server().await;
    service.api.create_server(json!({"status": "draft"})).await;
    service.api.create_server(json!({"status": "paused"})).await;
    service.api.create_tool(first, json!({"name": "a"})).await;
    let paused = service.api.create_tool(first, json!({"name": "b", "status": "paused"})).await;
    let counts = async || {
        let overview = service.api.read("/analytics/overview").await;
        ["total_servers", "active_servers", "total_tools", "active_tools"]
            .map(|field| overview[field].as_i64().unwrap())
    };
    assert_eq!(counts().await, [3, 1, 2, 1]);
    service.api.post(&format!("/tools/{}/toggle", id(&paused))).send().await.expect(200);
    service.api.post(&format!("/servers/{first}/toggle")).send().await.expect(200);
    assert_eq!(counts().await, [3, 0, 2, 2]);
    service.api.delete(&format!("/servers/{first}")).send().await.expect(200);
    assert_eq!(counts().await, [2, 0, 0, 0]);
}

async fn the_overview_covers_the_callers_own_servers(service: &ApiFixture) {
    service.api.create_server(json!({})).await;
    let owner = service.api.user_client("owner", "owner").await;
    let overview = owner.get("/analytics/overview").send().await.expect(200).json();
    assert_eq!(overview["total_servers"], 0);
    owner.post("/servers").json(json!({"name": "A"})).send().await.expect(201);
    assert_eq!(owner.get("/analytics/overview").send().await.json()["total_servers"], 1);
    assert_eq!(service.api.read("/analytics/overview").await["total_servers"], 2);
}

async fn reports_without_calls_are_zero(service: &ApiFixture) {
    let overview = service.api.read("/analytics/overview").await;
    let fields = [
        "total_servers",
        "active_servers",
        "total_tools",
        "active_tools",
        "calls_today",
        "calls_yesterday",
        "avg_response_ms",
        "success_rate",
    ];
    assert_eq!(keys(&overview), fields);
    for field in fields {
        assert_eq!(overview[field].as_f64(), Some(0.0), "{field}");
        assert!(field == "success_rate" || overview[field].is_i64(), "{field}");
    }
    for path in ["/analytics/client-breakdown", "/analytics/tools", "/calls"] {
        assert_eq!(service.api.read(path).await, json!([]), "{path}");
    }
    let points = service.api.read("/analytics/timeseries").await;
    assert!(points.as_array().unwrap().iter().all(|point| point["calls"] == 0 && point["p50_ms"].is_null()));
    let paths = ["overview", "client-breakdown", "timeseries", "tools"].map(|name| format!("/analytics/{name}"));
    for path in paths.iter().map(String::as_str).chain(["/calls", "/calls/1", "/calls/stream"]) {
        service.anonymous().get(path).send().await.expect(401);
    }
}

async fn the_breakdown_accepts_any_range_of_days(service: &ApiFixture) {
    for query in [
        "from=2026-01-01",
        "to=2026-01-01",
        "from=2026-01-01&to=2026-01-01",
        "from=2024-02-29&to=2026-12-31",
        "from=0001-01-01&to=9999-12-31",
        "from=2026-01-01&unknown=1",
    ] {
        assert_eq!(service.api.read(&format!("/analytics/client-breakdown?{query}")).await, json!([]), "{query}");
    }
}

async fn the_breakdown_refuses_invalid_dates(service: &ApiFixture) {
    for bad in [
        "2026-02-30",
        "2025-02-29",
        "2026-13-01",
        "2026-00-10",
        "2026-1-1",
        "01-01-2026",
        "20260101",
        "2026-01-01T00:00:00",
        "2026-01-01 ",
        "2026/01/01",
        "yesterday",
        "0",
        "-026-01-01",
    ] {
        for field in ["from", "to"] {
            let reply = service.api.get("/analytics/client-breakdown").query(field, bad).send().await;
            assert_invalid_fields(&reply, &[field]);
        }
    }
    let both_invalid = service.api.get("/analytics/client-breakdown?from=x&to=y").send().await;
    assert_invalid_fields(&both_invalid, &["from", "to"]);
    let reversed = service.api.get("/analytics/client-breakdown?from=2026-01-02&to=2026-01-01").send().await;
    assert_invalid(&reversed, "from", "rest_invalid_param");
}
