//! The order of tools: positions of new tools, and reordering.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, TestResponse};

use super::assertions::{assert_error, assert_invalid, assert_invalid_fields, assert_missing, ids_of};

on_both_databases!(
    a_new_tool_goes_to_the_end,
    reordering_numbers_tools_from_zero,
    tools_not_listed_follow_in_their_order,
    ids_may_be_sent_as_text,
    an_invalid_list_is_refused_and_changes_nothing,
    sort_order_has_bounds,
);

/// The id and the sort order of each tool, as listed.
async fn positions(service: &ApiFixture, server_id: i64) -> Vec<(i64, i64)> {
    let list = service.api.read(&format!("/servers/{server_id}/tools")).await;
    list.as_array().unwrap().iter().map(|tool| (id(tool), tool["sort_order"].as_i64().unwrap())).collect()
}

async fn reorder(service: &ApiFixture, server_id: i64, tool_ids: Value) -> TestResponse {
    let body = json!({"tool_ids": tool_ids});
    service.api.post(&format!("/servers/{server_id}/tools/reorder")).json(body).send().await
}

async fn a_new_tool_goes_to_the_end(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let ids = service.api.create_tools(server_id, &["a", "b", "c"]).await;
    assert_eq!(positions(service, server_id).await, [(ids[0], 0), (ids[1], 1), (ids[2], 2)]);
    service.api.delete(&format!("/tools/{}", ids[0])).send().await.expect(200);
    assert_eq!(service.api.create_tool(server_id, json!({"name": "d"})).await["sort_order"], 3);
    for (tool_id, _) in positions(service, server_id).await {
        service.api.delete(&format!("/tools/{tool_id}")).send().await.expect(200);
    }
    assert_eq!(
        service.api.create_tool(server_id, json!({"name": "e"})).await["sort_order"],
        0,
        "positions start at 0 in a server without tools"
    );
    let other_server_id = service.api.create_default_server().await;
    assert_eq!(
        service.api.create_tool(other_server_id, json!({})).await["sort_order"],
        0,
        "each server has its own positions"
    );
}

async fn reordering_numbers_tools_from_zero(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let ids = service.api.create_tools(server_id, &["a", "b", "c"]).await;
    service.api.post(&format!("/tools/{}/toggle", ids[1])).send().await.expect(200);
    let copy = service.api.post(&format!("/tools/{}/duplicate", ids[0])).send().await.expect(201).json();
    assert_eq!(copy["sort_order"], 99);
    let reply = reorder(service, server_id, json!([ids[2], id(&copy), ids[1], ids[0]])).await.expect(200);
    assert_eq!(reply.text(), r#"{"reordered":true}"#);
    let expected = [(ids[2], 0), (id(&copy), 1), (ids[1], 2), (ids[0], 3)];
    assert_eq!(positions(service, server_id).await, expected);
    reorder(service, server_id, json!([ids[2], id(&copy), ids[1], ids[0]])).await.expect(200);
    assert_eq!(positions(service, server_id).await, expected, "repeating the request changes nothing");
}

async fn tools_not_listed_follow_in_their_order(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let ids = service.api.create_tools(server_id, &["a", "b", "c", "d", "e"]).await;
    reorder(service, server_id, json!([ids[3], ids[1]])).await.expect(200);
    let expected = [(ids[3], 0), (ids[1], 1), (ids[0], 2), (ids[2], 3), (ids[4], 4)];
    assert_eq!(positions(service, server_id).await, expected);
    reorder(service, server_id, json!([ids[4]])).await.expect(200);
    assert_eq!(
        ids_of(&service.api.read(&format!("/servers/{server_id}/tools")).await),
        [ids[4], ids[3], ids[1], ids[0], ids[2]]
    );
}

async fn ids_may_be_sent_as_text(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let ids = service.api.create_tools(server_id, &["a", "b"]).await;
    let (first, second) = (ids[0], ids[1]);
    reorder(service, server_id, json!([second.to_string(), first.to_string()])).await.expect(200);
    assert_eq!(positions(service, server_id).await[0].0, second);
    let floats = format!(r#"{{"tool_ids":[{first}.0,"{second}.0"]}}"#);
    service.api.post(&format!("/servers/{server_id}/tools/reorder")).body(floats).send().await.expect(200);
    assert_eq!(positions(service, server_id).await[0].0, first);
    let query = format!("/servers/{server_id}/tools/reorder?tool_ids={second},{first}");
    service.api.post(&query).send().await.expect(200);
    assert_eq!(positions(service, server_id).await[0].0, second);
}

async fn an_invalid_list_is_refused_and_changes_nothing(service: &ApiFixture) {
    let (server_id, other) = (service.api.create_default_server().await, service.api.create_default_server().await);
    let ids = service.api.create_tools(server_id, &["a", "b", "c"]).await;
    let foreign = id(&service.api.create_tool(other, json!({})).await);
    let unchanged = service.api.read(&format!("/servers/{server_id}/tools")).await;
    for bad in [
        json!([ids[2], foreign]),
        json!([ids[2], 999]),
        json!([ids[2], 0]),
        json!([ids[2], -1]),
        json!([ids[2], 1e300]),
        json!([ids[2], ids[0], ids[2]]),
        json!([ids[2], ids[2].to_string()]),
        json!([]),
        json!([ids[2], "x"]),
        json!([ids[2], ""]),
        json!([ids[2], 1.5]),
        json!([ids[2], null]),
        json!([ids[2], true]),
        json!([ids[2], [ids[0]]]),
        json!([{"id": ids[2]}]),
        json!({"0": ids[2]}),
        json!(true),
        json!("c,b"),
    ] {
        assert_invalid_fields(&reorder(service, server_id, bad).await, &["tool_ids"]);
    }
    let duplicate = reorder(service, server_id, json!([ids[2], ids[2]])).await;
    assert_invalid(&duplicate, "tool_ids", "rest_duplicate_items");
    assert_invalid(&reorder(service, server_id, json!([])).await, "tool_ids", "rest_too_few_items");
    assert_invalid(&reorder(service, server_id, json!(["x"])).await, "tool_ids", "rest_invalid_type");
    assert_invalid_fields(&reorder(service, server_id, json!((1..=1001).collect::<Vec<_>>())).await, &["tool_ids"]);
    assert_missing(&reorder(service, server_id, Value::Null).await, &["tool_ids"]);
    assert_eq!(service.api.read(&format!("/servers/{server_id}/tools")).await, unchanged);
    assert_error(&reorder(service, 999, json!([ids[0]])).await, 404, "rest_server_invalid_id");
}

async fn sort_order_has_bounds(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let body = |sort_order: Value| json!({"name": "x", "endpoint_url": "https://a.example", "sort_order": sort_order});
    for bad in [json!(-1), json!(1_i64 << 31), json!(i64::MAX)] {
        let reply = service.api.post(&format!("/servers/{server_id}/tools")).json(body(bad)).send().await;
        assert_invalid(&reply, "sort_order", "rest_out_of_bounds");
    }
    let last = service.api.create_tool(server_id, json!({"sort_order": i32::MAX})).await;
    let next = service.api.create_tool(server_id, json!({"name": "next"})).await;
    let copy = service.api.post(&format!("/tools/{}/duplicate", id(&last))).send().await.expect(201).json();
    let order = ids_of(&service.api.read(&format!("/servers/{server_id}/tools")).await);
    assert_eq!(order, [id(&last), id(&next), id(&copy)]);
    assert_eq!(service.api.read(&format!("/tools/{}", id(&next))).await["sort_order"], next["sort_order"]);
}
