//! Calls by server.

use serde_json::{Value, json};

use super::shop::{Shop, assert_blames, get, items, on_both_databases};

on_both_databases!(
    servers_are_told_in_the_order_in_which_they_are_named,
    without_names_the_newest_are_told,
    others_servers_are_as_if_nobody_had_called_them,
    lists_and_ranges_are_checked,
);

fn calls(list: &Value) -> Vec<(i64, i64)> {
    let pair = |server: &Value| (server["server_id"].as_i64().unwrap(), server["calls"].as_i64().unwrap());
    items(list).iter().map(pair).collect()
}

async fn servers_are_told_in_the_order_in_which_they_are_named(shop: Shop) {
    let (one, ..) = shop.stocked(&shop.api, "One").await;
    let (two, ..) = shop.stocked(&shop.api, "Two").await;
    one.call("cursor", "good", 1).await;
    two.call("cursor", "good", 1).await;
    two.call("zed", "bad", 2).await;
    let told = get(&shop.api, &format!("/analytics/servers?servers={},{},{},999", two.id, one.id, two.id)).await;
    assert_eq!(calls(&told), [(two.id, 3), (one.id, 1), (999, 0)]);
    assert_eq!((&told[0]["failures"], &told[0]["failure_rate"]), (&json!(2), &json!(66.67)));
    assert!(told[0]["p95_ms"].as_f64() > Some(0.0) && told[0]["last_call"].is_string(), "{told}");
    assert!(told[2]["p95_ms"].is_null() && told[2]["last_call"].is_null(), "{told}");
    let earlier = get(&shop.api, &format!("/analytics/servers?servers[]={}&to=2026-01-31", two.id)).await;
    assert_eq!(calls(&earlier), [(two.id, 0)]);
    let table = shop.api.get(&format!("/analytics/servers?servers={}&format=csv", two.id)).send().await.expect(200);
    assert!(table.text().starts_with("server_id,calls,failures,"), "{}", table.text());
}

async fn without_names_the_newest_are_told(shop: Shop) {
    assert_eq!(get(&shop.api, "/analytics/servers").await, json!([]));
    let (one, ..) = shop.stocked(&shop.api, "One").await;
    let two = shop.server(&shop.api, "Two").await;
    one.call("cursor", "good", 2).await;
    for path in ["/analytics/servers", "/analytics/servers?servers="] {
        assert_eq!(calls(&get(&shop.api, path).await), [(two.id, 0), (one.id, 2)]);
    }
}

async fn others_servers_are_as_if_nobody_had_called_them(shop: Shop) {
    let (alice, bob) = (shop.owner("alice").await, shop.owner("bob").await);
    let (server, ..) = shop.stocked(&alice, "Alice's").await;
    server.call("cursor", "good", 1).await;
    let path = format!("/analytics/servers?servers={}", server.id);
    for (who, seen) in [(&alice, 1), (&bob, 0), (&shop.api, 1)] {
        assert_eq!(calls(&get(who, &path).await), [(server.id, seen)]);
    }
    assert_eq!(get(&bob, "/analytics/servers").await, json!([]));
}

async fn lists_and_ranges_are_checked(shop: Shop) {
    let many = vec!["1"; 101].join(",");
    for (query, blamed) in [
        ("servers=x".to_owned(), "servers"),
        ("servers=1,2.5".to_owned(), "servers"),
        (format!("servers={many}"), "servers"),
        ("servers=1,2&from=1900-01-01".to_owned(), "from"),
        ("servers=1&from=yesterday".to_owned(), "from"),
    ] {
        let reply = shop.api.get(&format!("/analytics/servers?{query}")).send().await;
        assert_blames(&reply, blamed);
    }
    get(&shop.api, "/analytics/servers?servers=1&from=2020-01-01").await;
}
