//! Calls by tool.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;

use super::fixture::{ServerFixture, assert_invalid, items};
use crate::toolgate;

on_both_databases!(
    every_tool_is_reported_with_its_calls,
    unused_tools_can_be_selected,
    tools_are_paginated,
    tools_of_other_owners_are_not_reported,
    invalid_parameters_are_refused,
);

fn ids(list: &Value) -> Vec<i64> {
    items(list).iter().map(|tool| tool["tool_id"].as_i64().unwrap()).collect()
}

async fn every_tool_is_reported_with_its_calls(fixture: &ApiFixture) {
    let (server, good, bad) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    let missing = server.create_tool(&fixture.api, "missing").await;
    server.call("cursor", "good", 1).await;
    server.call("cursor", "bad", 2).await;
    fixture.api.post(&format!("/tools/{bad}/toggle")).send().await.expect(200);
    let tools = fixture.api.read("/analytics/tools").await;
    assert_eq!(ids(&tools), [bad, good, missing]);
    let busiest = &tools[0];
    assert_eq!((&busiest["tool_name"], &busiest["status"]), (&json!("bad"), &json!("paused")));
    assert_eq!((&busiest["server_id"], &busiest["server_name"]), (&json!(server.id), &json!("Shop")));
    assert_eq!((&busiest["calls"], &busiest["failures"]), (&json!(2), &json!(2)));
    assert_eq!((busiest["failure_rate"].as_f64(), tools[1]["failure_rate"].as_f64()), (Some(100.0), Some(0.0)));
    assert!(busiest["p50_ms"].as_f64() > Some(0.0) && busiest["avg_ms"].as_f64() > Some(0.0), "{busiest}");
    let log = fixture.api.read("/calls").await;
    let last = log[0]["time"].as_str().unwrap().split_once('.').unwrap().0;
    assert_eq!((&busiest["last_call"], &busiest["unused"]), (&json!(last), &json!(false)));
    let unused = &tools[2];
    assert_eq!((&unused["calls"], &unused["unused"], &unused["last_call"]), (&json!(0), &json!(true), &Value::Null));
    assert!(unused["p99_ms"].is_null(), "{unused}");
}

async fn unused_tools_can_be_selected(fixture: &ApiFixture) {
    let (server, good, bad) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    server.call("cursor", "good", 1).await;
    assert_eq!(ids(&fixture.api.read("/analytics/tools?unused=true").await), [bad]);
    assert_eq!(ids(&fixture.api.read("/analytics/tools?unused=0").await), [good]);
    // The last call is reported although it is outside the range.
    let january = fixture.api.read("/analytics/tools?to=2026-01-31&unused=true").await;
    assert_eq!(ids(&january), [good, bad]);
    assert!(january[0]["last_call"].is_string() && january[1]["last_call"].is_null(), "{january}");
}

async fn tools_are_paginated(fixture: &ApiFixture) {
    let server = ServerFixture::create(&fixture.api, "Shop").await;
    for number in 0..25 {
        let fields = json!({"name": format!("t{number}"), "endpoint_url": "https://api.example.com/"});
        fixture.api.create(&format!("/servers/{}/tools", server.id), fields).await;
    }
    let first = fixture.api.get("/analytics/tools").send().await.expect(200);
    assert_eq!((first.header("x-wp-total"), first.header("x-wp-totalpages")), (Some("25"), Some("2")));
    assert!(first.header("link").unwrap().contains("page=2"), "{first:?}");
    let second = fixture.api.get("/analytics/tools?page=2").send().await.expect(200);
    let mut all = ids(&first.json());
    assert_eq!(all.len(), 20);
    all.extend(ids(&second.json()));
    assert_eq!(all.len(), 25);
    assert!(all.is_sorted(), "ties are sorted by id: {all:?}");
    assert_eq!(fixture.api.read("/analytics/tools?page=3").await, json!([]));
    assert_eq!(items(&fixture.api.read("/analytics/tools?per_page=7").await).len(), 7);
    let table = fixture.api.get("/analytics/tools?format=csv").send().await.expect(200);
    assert_eq!(table.text().lines().count(), 26, "a table has all tools");
}

async fn tools_of_other_owners_are_not_reported(fixture: &ApiFixture) {
    let (alice, bob) = (fixture.api.user_client("alice", "owner").await, fixture.api.user_client("bob", "owner").await);
    let (alice_server, good, bad) = ServerFixture::create_with_tools(&alice, "Alice's").await;
    let (bob_server, ..) = ServerFixture::create_with_tools(&bob, "Bob's").await;
    alice_server.call("cursor", "good", 1).await;
    assert_eq!(ids(&alice.read("/analytics/tools").await), [good, bad]);
    assert_eq!(alice.read(&format!("/analytics/tools?server={}", bob_server.id)).await, json!([]));
    assert_eq!(ids(&fixture.api.read(&format!("/analytics/tools?server={}", alice_server.id)).await), [good, bad]);
    assert_eq!(items(&fixture.api.read("/analytics/tools").await).len(), 4);
}

async fn invalid_parameters_are_refused(fixture: &ApiFixture) {
    for (query, field) in [
        ("from=2026-02-30", "from"),
        ("to=2026-01-01T00:00:00", "to"),
        ("from=2026-01-02&to=2026-01-01", "from"),
        ("unused=maybe", "unused"),
        ("per_page=101", "per_page"),
        ("server=0", "server"),
    ] {
        assert_invalid(&fixture.api.get(&format!("/analytics/tools?{query}")).send().await, field);
    }
}

#[tokio::test]
async fn with_too_many_tools_a_server_must_be_selected() {
    let fixture = ApiFixture::start(toolgate());
    let server = ServerFixture::create(&fixture.api, "Shop").await;
    let path = format!("/servers/{}", server.id);
    for number in 0..250 {
        let fields = json!({"name": format!("t{number}"), "endpoint_url": "https://api.example.com/"});
        fixture.api.create(&format!("{path}/tools"), fields).await;
    }
    let duplicate_server = async || fixture.api.post(&format!("{path}/duplicate")).send().await.expect(201);
    // Twenty servers with 250 tools each have 5,000 tools, which is the limit.
    for _ in 0..19 {
        duplicate_server().await;
    }
    let at_limit = fixture.api.get("/analytics/tools").send().await.expect(200);
    assert_eq!(at_limit.header("x-wp-total"), Some("5000"));
    // The number of tools times days is limited too.
    fixture.api.get("/analytics/tools?from=2026-01-01&to=2026-03-21").send().await.expect(200);
    for range in ["from=2026-01-01&to=2026-03-22", "from=0001-01-01"] {
        let refused = fixture.api.get(&format!("/analytics/tools?{range}")).send().await;
        assert_invalid(&refused, "from");
        assert!(refused.text().contains("at most 80 days"), "{refused:?}");
    }
    let with_server = fixture.api.get(&format!("/analytics/tools?from=0000-01-01&server={}", server.id)).send().await;
    assert_invalid(&with_server, "from");
    assert!(
        with_server.text().contains("Choose a later from."),
        "the advice does not suggest to select a server: {with_server:?}"
    );
    let long_range = format!("/analytics/tools?from=2022-01-01&to=2026-01-01&server={}", server.id);
    fixture.api.get(&long_range).send().await.expect(200);
    duplicate_server().await;
    for query in ["", "?unused=true", "?format=csv"] {
        let refused = fixture.api.get(&format!("/analytics/tools{query}")).send().await;
        assert_invalid(&refused, "server");
        assert!(refused.text().contains("5000"), "{refused:?}");
    }
    let one_server = fixture.api.get(&format!("/analytics/tools?server={}", server.id)).send().await.expect(200);
    assert_eq!(one_server.header("x-wp-total"), Some("250"));
}
