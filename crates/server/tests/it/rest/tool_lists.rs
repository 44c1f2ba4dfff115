//! Lists of tools: complete unless a page is requested.

use serde_json::json;
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_invalid, column, ids_of};

on_both_databases!(
    every_tool_is_listed_unless_a_page_is_requested,
    status_filters_tools_and_totals,
    a_tag_filters_tools_and_totals,
    tools_are_listed_by_sort_order_then_id,
);

async fn every_tool_is_listed_unless_a_page_is_requested(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let path = format!("/servers/{server_id}/tools");
    let empty = service.api.get(&path).send().await.expect(200);
    assert_eq!((empty.header("x-wp-total"), empty.header("x-wp-totalpages")), (Some("0"), Some("0")));
    let names: Vec<String> = (0..25).map(|number| format!("t{number}")).collect();
    service.api.create_tools(server_id, &names).await;
    let all = service.api.get(&path).send().await.expect(200);
    assert_eq!(column(&all.json(), "name"), names);
    assert_eq!((all.header("x-wp-total"), all.header("x-wp-totalpages")), (Some("25"), Some("1")));
    assert_eq!(all.header("link"), None);

    let page = service.api.get(&format!("{path}?per_page=10&page=2&status=active")).send().await.expect(200);
    assert_eq!(column(&page.json(), "name"), names[10..20]);
    assert_eq!((page.header("x-wp-total"), page.header("x-wp-totalpages")), (Some("25"), Some("3")));
    let link = page.header("link").unwrap();
    assert!(link.contains("rel=\"prev\"") && link.contains("rel=\"next\""), "{link}");
    assert_eq!(link.matches("status=active").count(), 2, "{link}");
    assert!(link.contains(&format!("{}{path}?", service.app.api_base())), "{link}");
    assert_eq!(
        service.api.read(&format!("{path}?page=2")).await.as_array().unwrap().len(),
        5,
        "a page has 20 tools, so 5 are left"
    );
    let beyond = service.api.get(&format!("{path}?per_page=10&page=9")).send().await.expect(200);
    assert_eq!((beyond.json(), beyond.header("x-wp-total")), (json!([]), Some("25")));
    for (query, field) in [("per_page=0", "per_page"), ("per_page=101", "per_page"), ("page=0", "page")] {
        assert_invalid(&service.api.get(&format!("{path}?{query}")).send().await, field, "rest_out_of_bounds");
    }
}

async fn status_filters_tools_and_totals(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for (name, status) in [("a", "active"), ("b", "paused"), ("c", "active")] {
        service.api.create_tool(server_id, json!({"name": name, "status": status})).await;
    }
    let path = format!("/servers/{server_id}/tools");
    for (query, names, total) in [
        ("", vec!["a", "b", "c"], "3"),
        ("?status=", vec!["a", "b", "c"], "3"),
        ("?status=active", vec!["a", "c"], "2"),
        ("?status=paused", vec!["b"], "1"),
        ("?status=active&per_page=1", vec!["a"], "2"),
    ] {
        let reply = service.api.get(&format!("{path}{query}")).send().await.expect(200);
        assert_eq!((column(&reply.json(), "name"), reply.header("x-wp-total")), (names, Some(total)), "{query}");
    }
    for bad in ["draft", "Active", "x"] {
        let reply = service.api.get(&format!("{path}?status={bad}")).send().await;
        assert_invalid(&reply, "status", "rest_not_in_enum");
        assert_eq!(reply.json()["data"]["params"]["status"], "status is not one of active and paused.");
    }
}

async fn a_tag_filters_tools_and_totals(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for (name, tags, status) in [
        ("a", json!(["pet", "x"]), "active"),
        ("b", json!(["pets"]), "active"),
        ("c", json!(["x & y", "pet"]), "paused"),
    ] {
        service.api.create_tool(server_id, json!({"name": name, "tags": tags, "status": status})).await;
    }
    let path = format!("/servers/{server_id}/tools");
    for (query, names, total) in [
        ("?tag=", vec!["a", "b", "c"], "3"),
        ("?tag=pet", vec!["a", "c"], "2"),
        ("?tag=pet&status=paused", vec!["c"], "1"),
        ("?tag=pet&per_page=1", vec!["a"], "2"),
        ("?tag=x%20%26%20y", vec!["c"], "1"),
        ("?tag=PET", vec![], "0"),
    ] {
        let reply = service.api.get(&format!("{path}{query}")).send().await.expect(200);
        assert_eq!((column(&reply.json(), "name"), reply.header("x-wp-total")), (names, Some(total)), "{query}");
    }
    let long = service.api.get(&format!("{path}?tag={}", "x".repeat(65))).send().await;
    assert_invalid(&long, "tag", "rest_too_long");
}

async fn tools_are_listed_by_sort_order_then_id(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let mut ids = Vec::new();
    for (name, sort_order) in [("a", 5), ("b", 0), ("c", 5), ("d", 2)] {
        let tool = service.api.create_tool(server_id, json!({"name": name, "sort_order": sort_order})).await;
        ids.push(id(&tool));
    }
    let listed = ids_of(&service.api.read(&format!("/servers/{server_id}/tools")).await);
    assert_eq!(listed, [ids[1], ids[3], ids[0], ids[2]]);
}
