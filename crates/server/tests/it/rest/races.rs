//! Concurrent requests: each is served as if it were the only one.

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolgate_testkit::http::TestRequest;
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, TestResponse};

use super::assertions::assert_error;

on_both_databases!(
    concurrent_servers_of_one_name_get_distinct_slugs,
    one_of_many_concurrent_requests_gets_an_explicit_slug,
    concurrent_tools_and_copies_get_distinct_positions,
    concurrent_toggles_are_all_applied,
    concurrent_reorders_leave_one_of_the_orders,
);

async fn send_concurrently(requests: impl IntoIterator<Item = TestRequest>) -> Vec<TestResponse> {
    join_all(requests.into_iter().map(TestRequest::send)).await
}

/// The number of distinct values of a field.
fn count_distinct(replies: Vec<TestResponse>, field: &str) -> usize {
    let mut values: Vec<String> =
        replies.into_iter().map(|reply| reply.expect(201).json()[field].to_string()).collect();
    values.sort_unstable();
    values.dedup();
    values.len()
}

async fn concurrent_servers_of_one_name_get_distinct_slugs(service: &ApiFixture) {
    let requests = (0..12).map(|_| service.api.post("/servers").json(json!({"name": "Weather"})));
    assert_eq!(count_distinct(send_concurrently(requests).await, "slug"), 12);
}

async fn one_of_many_concurrent_requests_gets_an_explicit_slug(service: &ApiFixture) {
    let requests = (0..8).map(|_| service.api.post("/servers").json(json!({"name": "A", "slug": "mine"})));
    let (created, refused): (Vec<_>, Vec<_>) =
        send_concurrently(requests).await.into_iter().partition(|r| r.status == 201);
    assert_eq!((created.len(), refused.len()), (1, 7));
    for reply in &refused {
        assert_error(reply, 409, "rest_server_exists");
    }
}

async fn concurrent_tools_and_copies_get_distinct_positions(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let path = format!("/servers/{server_id}/tools");
    let body = |number: i32| json!({"name": format!("t{number}"), "endpoint_url": "https://a.example"});
    let created = send_concurrently((0..8).map(|number| service.api.post(&path).json(body(number)))).await;
    let first = id(&created[0].json());
    assert_eq!(count_distinct(created, "sort_order"), 8);
    let copies = send_concurrently((0..6).map(|_| service.api.post(&format!("/tools/{first}/duplicate")))).await;
    assert_eq!((count_distinct(copies.clone(), "name"), count_distinct(copies, "sort_order")), (6, 6));
    assert_eq!(service.api.read(&format!("/servers/{server_id}")).await["tool_count"], 14);
}

async fn concurrent_toggles_are_all_applied(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let path = format!("/servers/{server_id}");
    let toggled = send_concurrently((0..9).map(|_| service.api.post(&format!("{path}/toggle")))).await;
    let paused = toggled.into_iter().filter(|reply| reply.json()["status"] == "paused").count();
    assert_eq!(paused, 5);
    assert_eq!(service.api.read(&path).await["status"], "paused");
}

async fn concurrent_reorders_leave_one_of_the_orders(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let ids = service.api.create_tools(server_id, &["a", "b", "c", "d"]).await;
    let backwards: Vec<i64> = ids.iter().rev().copied().collect();
    let path = format!("/servers/{server_id}/tools");
    let request = |order: &[i64]| service.api.post(&format!("{path}/reorder")).json(json!({"tool_ids": order}));
    let requests = (0..10).map(|number| request(if number % 2 == 0 { &ids } else { &backwards }));
    for reply in send_concurrently(requests).await {
        reply.expect(200);
    }
    let list = service.api.read(&path).await;
    let order: Vec<i64> = list.as_array().unwrap().iter().map(id).collect();
    assert!(order == ids || order == backwards, "{order:?}");
    let positions: Vec<&Value> = list.as_array().unwrap().iter().map(|tool| &tool["sort_order"]).collect();
    assert_eq!(json!(positions), json!([0, 1, 2, 3]));
}
