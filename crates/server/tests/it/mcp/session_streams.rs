//! The stream of a legacy session: what its owner changes is told to whoever has it open, and nothing else.

use serde_json::{Value, json};
use toolgate_testkit::http::Events;
use toolgate_testkit::mcp::NEWEST_LEGACY;

use super::endpoint::Endpoint;
use super::owner::{self, bare, change, idle_tool};

fn changed(kind: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": format!("notifications/{kind}/list_changed"), "params": {}})
}

fn updated(uri: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}})
}

fn prompt(name: &str) -> Value {
    json!({"name": name, "template_content": "hello"})
}

fn resource(uri: &str) -> Value {
    json!({"uri": uri, "name": "r", "data_source_config": {"content": "before"}})
}

async fn listening(endpoint: &Endpoint) -> Events {
    bare(endpoint).legacy(NEWEST_LEGACY).await.listen().await
}

/// The next event is this one. Nothing that came before it was told: a mark at the end shows that.
async fn assert_next(events: &mut Events, expected: Value) {
    assert_eq!(events.next_json().await, expected);
}

#[tokio::test]
async fn every_kind_of_list_is_announced_when_it_changes() {
    let endpoint = owner::open(json!({})).await;
    let mut events = listening(&endpoint).await;
    let tool = endpoint.tool(idle_tool("t")).await;
    assert_next(&mut events, changed("tools")).await;
    let path = format!("/tools/{}", tool["id"]);
    for update in [json!({"name": "renamed"}), json!({"description": "other"}), json!({"status": "paused"})] {
        change(&endpoint, &path, update).await;
        assert_next(&mut events, changed("tools")).await;
    }
    change(&endpoint, &format!("{path}/toggle"), json!({})).await;
    assert_next(&mut events, changed("tools")).await;
    owner::delete(&endpoint, &path).await;
    assert_next(&mut events, changed("tools")).await;

    let prompt = endpoint.prompt(prompt("p")).await;
    assert_next(&mut events, changed("prompts")).await;
    owner::delete(&endpoint, &endpoint.path(&format!("/prompts/{}", prompt["id"]))).await;
    assert_next(&mut events, changed("prompts")).await;

    let resource = endpoint.resource(resource("docs://r")).await;
    assert_next(&mut events, changed("resources")).await;
    let path = endpoint.path(&format!("/resources/{}", resource["id"]));
    // A template of the same resource is in a list of its own.
    change(&endpoint, &path, json!({"template_uri": "docs://r/{id}"})).await;
    assert_next(&mut events, changed("resources")).await;
    owner::delete(&endpoint, &path).await;
    assert_next(&mut events, changed("resources")).await;
}

#[tokio::test]
async fn a_new_order_and_a_copy_are_announced() {
    let endpoint = owner::open(json!({})).await;
    let a = endpoint.tool(idle_tool("a")).await;
    let b = endpoint.tool(idle_tool("b")).await;
    let mut events = listening(&endpoint).await;
    change(&endpoint, &endpoint.path("/tools/reorder"), json!({"tool_ids": [b["id"], a["id"]]})).await;
    assert_next(&mut events, changed("tools")).await;
    endpoint.app.client().post(&format!("/tools/{}/duplicate", a["id"])).send().await.expect(201);
    assert_next(&mut events, changed("tools")).await;
}

#[tokio::test]
async fn what_does_not_show_is_not_told() {
    let endpoint = owner::open(json!({})).await;
    let tool = endpoint.tool(idle_tool("t")).await;
    let paused = endpoint.tool(json!({"name": "p", "endpoint_url": "https://a.example/", "status": "paused"})).await;
    let prompt = endpoint.prompt(prompt("p")).await;
    let resource = endpoint.resource(resource("docs://r")).await;
    let mut events = listening(&endpoint).await;
    let fields = json!({"timeout": 5, "endpoint_url": "https://b.example/", "cache_ttl": 9});
    change(&endpoint, &format!("/tools/{}", tool["id"]), fields).await;
    change(&endpoint, &format!("/tools/{}", paused["id"]), json!({"name": "q"})).await;
    let template = json!({"template_content": "other"});
    change(&endpoint, &endpoint.path(&format!("/prompts/{}", prompt["id"])), template).await;
    let content = json!({"data_source_config": {"content": "after"}});
    change(&endpoint, &endpoint.path(&format!("/resources/{}", resource["id"])), content).await;
    owner::change_server(&endpoint, json!({"name": "Other name", "rate_limit_per_min": 10_000})).await;
    let other = owner::another_server(&endpoint, json!({"name": "Other server"})).await;
    let path = format!("/servers/{}/tools", other["id"]);
    endpoint.app.client().post(&path).json(idle_tool("t")).send().await.expect(201);
    // The first thing that shows is the first that is told.
    endpoint.prompt(self::prompt("shows")).await;
    assert_next(&mut events, changed("prompts")).await;
}

#[tokio::test]
async fn a_watched_resource_is_told_of_when_its_content_may_have_changed() {
    let endpoint = owner::open(json!({})).await;
    let one = endpoint.resource(resource("docs://one")).await;
    let two = endpoint.resource(resource("docs://two")).await;
    let mut fields = resource("docs://by");
    fields["template_uri"] = "docs://by/{id}".into();
    let by = endpoint.resource(fields).await;
    let mcp = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    let mut events = mcp.listen().await;
    for uri in ["docs://one", "docs://by/7"] {
        assert_eq!(mcp.result("resources/subscribe", json!({"uri": uri})).await, json!({}));
    }
    let rewrite = async |resource: &Value, content: &str| {
        let path = endpoint.path(&format!("/resources/{}", resource["id"]));
        change(&endpoint, &path, json!({"data_source_config": {"content": content}})).await;
    };
    rewrite(&two, "nobody watches").await;
    rewrite(&one, "after").await;
    assert_next(&mut events, updated("docs://one")).await;
    rewrite(&by, "after").await;
    assert_next(&mut events, updated("docs://by/7")).await;
    assert_eq!(mcp.result("resources/unsubscribe", json!({"uri": "docs://one"})).await, json!({}));
    rewrite(&one, "once more").await;
    rewrite(&by, "once more").await;
    assert_next(&mut events, updated("docs://by/7")).await;
    // Its end is a change too, and one of the list.
    owner::delete(&endpoint, &endpoint.path(&format!("/resources/{}", by["id"]))).await;
    assert_next(&mut events, changed("resources")).await;
    assert_next(&mut events, updated("docs://by/7")).await;
}

#[tokio::test]
async fn watching_needs_a_session_and_a_resource() {
    let endpoint = owner::open(json!({})).await;
    endpoint.resource(resource("docs://r")).await;
    let mcp = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    let (status, error) = mcp.error("resources/subscribe", json!({"uri": "docs://unknown"})).await;
    assert_eq!((status, &error["code"]), (200, &json!(-32002)));
    let (status, error) = bare(&endpoint).error("resources/subscribe", json!({"uri": "docs://r"})).await;
    assert_eq!((status, &error["code"]), (200, &json!(-32602)));
    // What is not watched can be left alone.
    assert_eq!(mcp.result("resources/unsubscribe", json!({"uri": "docs://r"})).await, json!({}));
}

#[tokio::test]
async fn sessions_watch_for_themselves() {
    let endpoint = owner::open(json!({})).await;
    let one = endpoint.resource(resource("docs://one")).await;
    let (watching, other) = (bare(&endpoint).legacy(NEWEST_LEGACY).await, bare(&endpoint).legacy(NEWEST_LEGACY).await);
    let (mut of_watching, mut of_other) = (watching.listen().await, other.listen().await);
    watching.result("resources/subscribe", json!({"uri": "docs://one"})).await;
    let content = json!({"data_source_config": {"content": "after"}});
    change(&endpoint, &endpoint.path(&format!("/resources/{}", one["id"])), content).await;
    assert_next(&mut of_watching, updated("docs://one")).await;
    endpoint.tool(idle_tool("mark")).await;
    for events in [&mut of_watching, &mut of_other] {
        assert_next(events, changed("tools")).await;
    }
}

#[tokio::test]
async fn a_session_has_one_stream_and_the_newer_replaces_the_older() {
    let endpoint = owner::open(json!({})).await;
    let mcp = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    let mut older = mcp.listen().await;
    let mut newer = mcp.listen().await;
    assert_eq!(older.next().await, None);
    endpoint.tool(idle_tool("t")).await;
    assert_next(&mut newer, changed("tools")).await;
    // A client whose connection broke comes back the same way.
    drop(newer);
    let mut again = mcp.listen().await;
    endpoint.tool(idle_tool("u")).await;
    assert_next(&mut again, changed("tools")).await;
}
