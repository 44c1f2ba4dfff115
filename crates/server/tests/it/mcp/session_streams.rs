//! The stream of a legacy session: it carries a notification for each visible change and nothing else.

use serde_json::{Value, json};
use toolgate_testkit::ServiceFixture;
use toolgate_testkit::http::EventStream;
use toolgate_testkit::mcp::NEWEST_LEGACY;

use super::management::{self, bare_client, change, uncalled_tool};

fn list_changed(kind: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": format!("notifications/{kind}/list_changed"), "params": {}})
}

fn resource_updated(uri: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}})
}

fn prompt(name: &str) -> Value {
    json!({"name": name, "template_content": "hello"})
}

fn resource(uri: &str) -> Value {
    json!({"uri": uri, "name": "r", "data_source_config": {"content": "before"}})
}

async fn open_stream(fixture: &ServiceFixture) -> EventStream {
    bare_client(fixture).legacy(NEWEST_LEGACY).await.listen().await
}

/// Asserts the next event. This also shows that no other event was sent before it.
async fn assert_next(events: &mut EventStream, expected: Value) {
    assert_eq!(events.next_json().await, expected);
}

#[tokio::test]
async fn clients_are_notified_of_every_list_change() {
    let fixture = management::start_server(json!({})).await;
    let mut events = open_stream(&fixture).await;
    let tool = fixture.create("/tools", uncalled_tool("t")).await;
    assert_next(&mut events, list_changed("tools")).await;
    let path = format!("/tools/{}", tool["id"]);
    for update in [json!({"name": "renamed"}), json!({"description": "other"}), json!({"status": "paused"})] {
        change(&fixture, &path, update).await;
        assert_next(&mut events, list_changed("tools")).await;
    }
    change(&fixture, &format!("{path}/toggle"), json!({})).await;
    assert_next(&mut events, list_changed("tools")).await;
    management::delete(&fixture, &path).await;
    assert_next(&mut events, list_changed("tools")).await;

    let prompt = fixture.create("/prompts", prompt("p")).await;
    assert_next(&mut events, list_changed("prompts")).await;
    management::delete(&fixture, &fixture.path(&format!("/prompts/{}", prompt["id"]))).await;
    assert_next(&mut events, list_changed("prompts")).await;

    let resource = fixture.create("/resources", resource("docs://r")).await;
    assert_next(&mut events, list_changed("resources")).await;
    let path = fixture.path(&format!("/resources/{}", resource["id"]));
    // The template adds the resource to the list of templates.
    change(&fixture, &path, json!({"template_uri": "docs://r/{id}"})).await;
    assert_next(&mut events, list_changed("resources")).await;
    management::delete(&fixture, &path).await;
    assert_next(&mut events, list_changed("resources")).await;
}

#[tokio::test]
async fn clients_are_notified_of_a_new_order_and_of_a_copy() {
    let fixture = management::start_server(json!({})).await;
    let a = fixture.create("/tools", uncalled_tool("a")).await;
    let b = fixture.create("/tools", uncalled_tool("b")).await;
    let mut events = open_stream(&fixture).await;
    change(&fixture, &fixture.path("/tools/reorder"), json!({"tool_ids": [b["id"], a["id"]]})).await;
    assert_next(&mut events, list_changed("tools")).await;
    fixture.app.client().post(&format!("/tools/{}/duplicate", a["id"])).send().await.expect(201);
    assert_next(&mut events, list_changed("tools")).await;
}

#[tokio::test]
async fn invisible_changes_send_no_notification() {
    let fixture = management::start_server(json!({})).await;
    let tool = fixture.create("/tools", uncalled_tool("t")).await;
    let paused =
        fixture.create("/tools", json!({"name": "p", "endpoint_url": "https://a.example/", "status": "paused"})).await;
    let prompt = fixture.create("/prompts", prompt("p")).await;
    let resource = fixture.create("/resources", resource("docs://r")).await;
    let mut events = open_stream(&fixture).await;
    let fields = json!({"timeout": 5, "endpoint_url": "https://b.example/", "cache_ttl": 9});
    change(&fixture, &format!("/tools/{}", tool["id"]), fields).await;
    change(&fixture, &format!("/tools/{}", paused["id"]), json!({"name": "q"})).await;
    let template = json!({"template_content": "other"});
    change(&fixture, &fixture.path(&format!("/prompts/{}", prompt["id"])), template).await;
    let content = json!({"data_source_config": {"content": "after"}});
    change(&fixture, &fixture.path(&format!("/resources/{}", resource["id"])), content).await;
    management::change_server(&fixture, json!({"name": "Other name", "rate_limit_per_min": 10_000})).await;
    let other = management::create_another_server(&fixture, json!({"name": "Other server"})).await;
    let path = format!("/servers/{}/tools", other["id"]);
    fixture.app.client().post(&path).json(uncalled_tool("t")).send().await.expect(201);
    // The first notification is for the first visible change.
    fixture.create("/prompts", self::prompt("shows")).await;
    assert_next(&mut events, list_changed("prompts")).await;
}

#[tokio::test]
async fn subscribers_of_a_resource_are_notified_when_its_content_may_have_changed() {
    let fixture = management::start_server(json!({})).await;
    let one = fixture.create("/resources", resource("docs://one")).await;
    let two = fixture.create("/resources", resource("docs://two")).await;
    let mut fields = resource("docs://by");
    fields["template_uri"] = "docs://by/{id}".into();
    let templated = fixture.create("/resources", fields).await;
    let mcp = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let mut events = mcp.listen().await;
    for uri in ["docs://one", "docs://by/7"] {
        assert_eq!(mcp.result("resources/subscribe", json!({"uri": uri})).await, json!({}));
    }
    let rewrite = async |resource: &Value, content: &str| {
        let path = fixture.path(&format!("/resources/{}", resource["id"]));
        change(&fixture, &path, json!({"data_source_config": {"content": content}})).await;
    };
    rewrite(&two, "not subscribed").await;
    rewrite(&one, "after").await;
    assert_next(&mut events, resource_updated("docs://one")).await;
    rewrite(&templated, "after").await;
    assert_next(&mut events, resource_updated("docs://by/7")).await;
    assert_eq!(mcp.result("resources/unsubscribe", json!({"uri": "docs://one"})).await, json!({}));
    rewrite(&one, "once more").await;
    rewrite(&templated, "once more").await;
    assert_next(&mut events, resource_updated("docs://by/7")).await;
    // Deleting the resource changes its content and the list.
    management::delete(&fixture, &fixture.path(&format!("/resources/{}", templated["id"]))).await;
    assert_next(&mut events, list_changed("resources")).await;
    assert_next(&mut events, resource_updated("docs://by/7")).await;
}

#[tokio::test]
async fn subscribing_needs_a_session_and_a_resource() {
    let fixture = management::start_server(json!({})).await;
    fixture.create("/resources", resource("docs://r")).await;
    let mcp = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let (status, error) = mcp.error("resources/subscribe", json!({"uri": "docs://unknown"})).await;
    assert_eq!((status, &error["code"]), (200, &json!(-32002)));
    let (status, error) = bare_client(&fixture).error("resources/subscribe", json!({"uri": "docs://r"})).await;
    assert_eq!((status, &error["code"]), (200, &json!(-32602)));
    // Unsubscribing from an unsubscribed resource is accepted.
    assert_eq!(mcp.result("resources/unsubscribe", json!({"uri": "docs://r"})).await, json!({}));
}

#[tokio::test]
async fn sessions_have_separate_subscriptions() {
    let fixture = management::start_server(json!({})).await;
    let one = fixture.create("/resources", resource("docs://one")).await;
    let (subscribed, other) =
        (bare_client(&fixture).legacy(NEWEST_LEGACY).await, bare_client(&fixture).legacy(NEWEST_LEGACY).await);
    let (mut subscribed_events, mut other_events) = (subscribed.listen().await, other.listen().await);
    subscribed.result("resources/subscribe", json!({"uri": "docs://one"})).await;
    let content = json!({"data_source_config": {"content": "after"}});
    change(&fixture, &fixture.path(&format!("/resources/{}", one["id"])), content).await;
    assert_next(&mut subscribed_events, resource_updated("docs://one")).await;
    fixture.create("/tools", uncalled_tool("mark")).await;
    for events in [&mut subscribed_events, &mut other_events] {
        assert_next(events, list_changed("tools")).await;
    }
}

#[tokio::test]
async fn a_session_has_one_stream_and_the_newer_replaces_the_older() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let mut older = mcp.listen().await;
    let mut newer = mcp.listen().await;
    assert_eq!(older.next().await, None);
    fixture.create("/tools", uncalled_tool("t")).await;
    assert_next(&mut newer, list_changed("tools")).await;
    // A client that reconnects also replaces the older stream.
    drop(newer);
    let mut again = mcp.listen().await;
    fixture.create("/tools", uncalled_tool("u")).await;
    assert_next(&mut again, list_changed("tools")).await;
}
