//! Calls by server.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;

use super::fixture::{ServerFixture, assert_invalid, items};

on_both_databases!(
    servers_are_reported_in_the_requested_order,
    without_a_list_the_newest_servers_are_reported,
    servers_of_other_owners_are_reported_without_calls,
    invalid_lists_and_ranges_are_refused,
);

/// Id and number of calls of each server.
fn calls(list: &Value) -> Vec<(i64, i64)> {
    let id_and_calls = |server: &Value| (server["server_id"].as_i64().unwrap(), server["calls"].as_i64().unwrap());
    items(list).iter().map(id_and_calls).collect()
}

async fn servers_are_reported_in_the_requested_order(fixture: &ApiFixture) {
    let (one, ..) = ServerFixture::create_with_tools(&fixture.api, "One").await;
    let (two, ..) = ServerFixture::create_with_tools(&fixture.api, "Two").await;
    one.call("cursor", "good", 1).await;
    two.call("cursor", "good", 1).await;
    two.call("zed", "bad", 2).await;
    let report = fixture.api.read(&format!("/analytics/servers?servers={},{},{},999", two.id, one.id, two.id)).await;
    assert_eq!(calls(&report), [(two.id, 3), (one.id, 1), (999, 0)]);
    assert_eq!((&report[0]["failures"], &report[0]["failure_rate"]), (&json!(2), &json!(66.67)));
    assert!(report[0]["p95_ms"].as_f64() > Some(0.0) && report[0]["last_call"].is_string(), "{report}");
    assert!(report[2]["p95_ms"].is_null() && report[2]["last_call"].is_null(), "{report}");
    let earlier = fixture.api.read(&format!("/analytics/servers?servers[]={}&to=2026-01-31", two.id)).await;
    assert_eq!(calls(&earlier), [(two.id, 0)]);
    let table = fixture.api.get(&format!("/analytics/servers?servers={}&format=csv", two.id)).send().await.expect(200);
    assert!(table.text().starts_with("server_id,calls,failures,"), "{}", table.text());
}

async fn without_a_list_the_newest_servers_are_reported(fixture: &ApiFixture) {
    assert_eq!(fixture.api.read("/analytics/servers").await, json!([]));
    let (one, ..) = ServerFixture::create_with_tools(&fixture.api, "One").await;
    let two = ServerFixture::create(&fixture.api, "Two").await;
    one.call("cursor", "good", 2).await;
    for path in ["/analytics/servers", "/analytics/servers?servers="] {
        assert_eq!(calls(&fixture.api.read(path).await), [(two.id, 0), (one.id, 2)]);
    }
}

async fn servers_of_other_owners_are_reported_without_calls(fixture: &ApiFixture) {
    let (alice, bob) = (fixture.api.user_client("alice", "owner").await, fixture.api.user_client("bob", "owner").await);
    let (server, ..) = ServerFixture::create_with_tools(&alice, "Alice's").await;
    server.call("cursor", "good", 1).await;
    let path = format!("/analytics/servers?servers={}", server.id);
    for (client, visible_calls) in [(&alice, 1), (&bob, 0), (&fixture.api, 1)] {
        assert_eq!(calls(&client.read(&path).await), [(server.id, visible_calls)]);
    }
    assert_eq!(bob.read("/analytics/servers").await, json!([]));
}

async fn invalid_lists_and_ranges_are_refused(fixture: &ApiFixture) {
    let too_many_ids = vec!["1"; 101].join(",");
    for (query, field) in [
        ("servers=x".to_owned(), "servers"),
        ("servers=1,2.5".to_owned(), "servers"),
        (format!("servers={too_many_ids}"), "servers"),
        ("servers=1,2&from=1900-01-01".to_owned(), "from"),
        ("servers=1&from=yesterday".to_owned(), "from"),
    ] {
        let reply = fixture.api.get(&format!("/analytics/servers?{query}")).send().await;
        assert_invalid(&reply, field);
    }
    fixture.api.read("/analytics/servers?servers=1&from=2020-01-01").await;
}
