//! Requests at the same moment: each is served as if it had come alone.

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolgate_testkit::Reply;
use toolgate_testkit::http::Request;

use super::Setup;
use super::setup::{assert_error, id};

on_both_databases!(
    servers_of_one_name_made_at_once_get_slugs_of_their_own,
    one_of_many_wins_an_explicit_slug,
    tools_made_and_copied_at_once_stand_in_line,
    toggles_at_once_are_all_counted,
    reorders_at_once_leave_one_of_the_orders,
);

async fn all_at_once(requests: impl IntoIterator<Item = Request>) -> Vec<Reply> {
    join_all(requests.into_iter().map(Request::send)).await
}

/// Distinct values of a field.
fn distinct(replies: Vec<Reply>, field: &str) -> usize {
    let mut values: Vec<String> =
        replies.into_iter().map(|reply| reply.expect(201).json()[field].to_string()).collect();
    values.sort_unstable();
    values.dedup();
    values.len()
}

async fn servers_of_one_name_made_at_once_get_slugs_of_their_own(setup: Setup) {
    let service = setup.start();
    let requests = (0..12).map(|_| service.api.post("/servers").json(json!({"name": "Weather"})));
    assert_eq!(distinct(all_at_once(requests).await, "slug"), 12);
}

async fn one_of_many_wins_an_explicit_slug(setup: Setup) {
    let service = setup.start();
    let requests = (0..8).map(|_| service.api.post("/servers").json(json!({"name": "A", "slug": "mine"})));
    let (made, refused): (Vec<_>, Vec<_>) = all_at_once(requests).await.into_iter().partition(|r| r.status == 201);
    assert_eq!((made.len(), refused.len()), (1, 7));
    for reply in &refused {
        assert_error(reply, 409, "rest_server_exists");
    }
}

async fn tools_made_and_copied_at_once_stand_in_line(setup: Setup) {
    let service = setup.start();
    let server_id = service.server_id().await;
    let path = format!("/servers/{server_id}/tools");
    let body = |number: i32| json!({"name": format!("t{number}"), "endpoint_url": "https://a.example"});
    let made = all_at_once((0..8).map(|number| service.api.post(&path).json(body(number)))).await;
    let first = id(&made[0].json());
    assert_eq!(distinct(made, "sort_order"), 8);
    let copies = all_at_once((0..6).map(|_| service.api.post(&format!("/tools/{first}/duplicate")))).await;
    assert_eq!((distinct(copies.clone(), "name"), distinct(copies, "sort_order")), (6, 6));
    assert_eq!(service.read(&format!("/servers/{server_id}")).await["tool_count"], 14);
}

async fn toggles_at_once_are_all_counted(setup: Setup) {
    let service = setup.start();
    let server_id = service.server_id().await;
    let path = format!("/servers/{server_id}");
    let toggled = all_at_once((0..9).map(|_| service.api.post(&format!("{path}/toggle")))).await;
    let paused = toggled.into_iter().filter(|reply| reply.json()["status"] == "paused").count();
    assert_eq!(paused, 5);
    assert_eq!(service.read(&path).await["status"], "paused");
}

async fn reorders_at_once_leave_one_of_the_orders(setup: Setup) {
    let service = setup.start();
    let server_id = service.server_id().await;
    let ids = service.tools(server_id, &["a", "b", "c", "d"]).await;
    let backwards: Vec<i64> = ids.iter().rev().copied().collect();
    let path = format!("/servers/{server_id}/tools");
    let request = |order: &[i64]| service.api.post(&format!("{path}/reorder")).json(json!({"tool_ids": order}));
    let requests = (0..10).map(|number| request(if number % 2 == 0 { &ids } else { &backwards }));
    for reply in all_at_once(requests).await {
        reply.expect(200);
    }
    let list = service.read(&path).await;
    let order: Vec<i64> = list.as_array().unwrap().iter().map(id).collect();
    assert!(order == ids || order == backwards, "{order:?}");
    let places: Vec<&Value> = list.as_array().unwrap().iter().map(|tool| &tool["sort_order"]).collect();
    assert_eq!(json!(places), json!([0, 1, 2, 3]));
}
