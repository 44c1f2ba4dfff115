//! The figures of the day.

use serde_json::json;

use super::shop::{Shop, get, on_both_databases};

on_both_databases!(
    successes_and_failures_are_in_the_overview_at_once,
    everybody_sees_the_calls_of_own_servers,
    the_calls_of_a_deleted_server_stay,
);

async fn successes_and_failures_are_in_the_overview_at_once(shop: Shop) {
    let (server, ..) = shop.stocked(&shop.api, "Shop").await;
    server.call("cursor", "good", 2).await;
    server.call("cursor", "bad", 1).await;
    let overview = get(&shop.api, "/analytics/overview").await;
    assert_eq!(overview["calls_today"], 3);
    assert_eq!(overview["calls_yesterday"], 0);
    assert_eq!(overview["success_rate"], 66.67);
    assert!(overview["avg_response_ms"].is_u64(), "{overview}");
    // What is no call: a tool that is not there, a test of the owner's.
    server.caller("cursor").error("tools/call", json!({"name": "nothing", "arguments": {}})).await;
    let tool = get(&shop.api, &format!("/servers/{}/tools", server.id)).await[0]["id"].clone();
    shop.api.post(&format!("/tools/{tool}/test")).send().await.expect(200);
    assert_eq!(get(&shop.api, "/analytics/overview").await["calls_today"], 3);
}

async fn everybody_sees_the_calls_of_own_servers(shop: Shop) {
    let (alice, bob) = (shop.owner("alice").await, shop.owner("bob").await);
    let (of_alice, ..) = shop.stocked(&alice, "Alice's").await;
    let (of_bob, ..) = shop.stocked(&bob, "Bob's").await;
    of_alice.call("cursor", "good", 1).await;
    of_bob.call("cursor", "bad", 2).await;
    for (who, calls, rate) in [(&alice, 1, 100.0), (&bob, 2, 0.0), (&shop.api, 3, 33.33)] {
        let overview = get(who, "/analytics/overview").await;
        assert_eq!((&overview["calls_today"], &overview["success_rate"]), (&json!(calls), &json!(rate)));
    }
}

async fn the_calls_of_a_deleted_server_stay(shop: Shop) {
    let (server, good, _) = shop.stocked(&shop.api, "Shop").await;
    server.call("cursor", "good", 2).await;
    shop.api.delete(&format!("/servers/{}", server.id)).send().await.expect(200);
    let overview = get(&shop.api, "/analytics/overview").await;
    assert_eq!((&overview["calls_today"], &overview["total_servers"]), (&json!(2), &json!(0)));
    assert_eq!(get(&shop.api, "/analytics/client-breakdown").await[0]["total_calls"], 2);
    assert_eq!(get(&shop.api, "/analytics/tools").await, json!([]));
    let log = get(&shop.api, &format!("/calls?server={}&tool={good}", server.id)).await;
    assert_eq!((&log[0]["server_name"], &log[1]["tool_name"]), (&json!("Shop"), &json!("good")));
}
