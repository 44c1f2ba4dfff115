//! The overview report.

use serde_json::json;
use toolgate_testkit::ApiFixture;

use super::fixture::ServerFixture;

on_both_databases!(
    the_overview_counts_successful_and_failed_calls_immediately,
    owners_see_the_calls_of_their_servers,
    calls_of_a_deleted_server_stay_in_totals_and_the_log_but_its_tools_are_not_listed,
);

async fn the_overview_counts_successful_and_failed_calls_immediately(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    server.call("cursor", "good", 2).await;
    server.call("cursor", "bad", 1).await;
    let overview = fixture.api.read("/analytics/overview").await;
    assert_eq!(overview["calls_today"], 3);
    assert_eq!(overview["calls_yesterday"], 0);
    assert_eq!(overview["success_rate"], 66.67);
    assert!(overview["avg_response_ms"].is_u64(), "{overview}");
    // A call of a tool that does not exist and a test by the owner are not counted.
    server.caller("cursor").error("tools/call", json!({"name": "nothing", "arguments": {}})).await;
    let tool = fixture.api.read(&format!("/servers/{}/tools", server.id)).await[0]["id"].clone();
    fixture.api.post(&format!("/tools/{tool}/test")).send().await.expect(200);
    assert_eq!(fixture.api.read("/analytics/overview").await["calls_today"], 3);
}

async fn owners_see_the_calls_of_their_servers(fixture: &ApiFixture) {
    let (alice, bob) = (fixture.api.user_client("alice", "owner").await, fixture.api.user_client("bob", "owner").await);
    let (alice_server, ..) = ServerFixture::create_with_tools(&alice, "Alice's").await;
    let (bob_server, ..) = ServerFixture::create_with_tools(&bob, "Bob's").await;
    alice_server.call("cursor", "good", 1).await;
    bob_server.call("cursor", "bad", 2).await;
    for (client, calls, rate) in [(&alice, 1, 100.0), (&bob, 2, 0.0), (&fixture.api, 3, 33.33)] {
        let overview = client.read("/analytics/overview").await;
        assert_eq!((&overview["calls_today"], &overview["success_rate"]), (&json!(calls), &json!(rate)));
    }
}

async fn calls_of_a_deleted_server_stay_in_totals_and_the_log_but_its_tools_are_not_listed(fixture: &ApiFixture) {
    let (server, good, _) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    server.call("cursor", "good", 2).await;
    fixture.api.delete(&format!("/servers/{}", server.id)).send().await.expect(200);
    let overview = fixture.api.read("/analytics/overview").await;
    assert_eq!((&overview["calls_today"], &overview["total_servers"]), (&json!(2), &json!(0)));
    assert_eq!(fixture.api.read("/analytics/client-breakdown").await[0]["total_calls"], 2);
    assert_eq!(fixture.api.read("/analytics/tools").await, json!([]));
    let log = fixture.api.read(&format!("/calls?server={}&tool={good}", server.id)).await;
    assert_eq!((&log[0]["server_name"], &log[1]["tool_name"]), (&json!("Shop"), &json!("good")));
}
