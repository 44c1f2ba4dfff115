//! Listing of tools: selection, order and names.

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::management::{self, bare_client, change, tool_names, uncalled_tool};

async fn duplicate(fixture: &ServiceFixture, tool: &Value) -> Value {
    let path = format!("/tools/{}/duplicate", tool["id"]);
    fixture.app.client().post(&path).send().await.expect(201).json()
}

async fn assert_unknown(mcp: &McpClient, name: &str) {
    let expected = json!({"code": -32602, "message": format!("Unknown tool: {name}")});
    assert_eq!(mcp.error("tools/call", json!({"name": name, "arguments": {}})).await, (200, expected));
}

#[tokio::test]
async fn paused_tools_are_hidden_from_tools_list_and_cannot_be_called() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = management::start_server(json!({})).await;
    let mut paused = management::tool(&upstream, "paused");
    paused["status"] = "paused".into();
    fixture.create("/tools", management::tool(&upstream, "active")).await;
    let paused = fixture.create("/tools", paused).await;
    let mcp = bare_client(&fixture);
    assert_eq!(tool_names(&mcp).await, ["active"]);
    for name in ["paused", "never_made", "Active", " active", ""] {
        assert_unknown(&mcp, name).await;
    }
    assert_eq!(upstream.request_count(), 0);
    change(&fixture, &format!("/tools/{}/toggle", paused["id"]), json!({})).await;
    assert_eq!(tool_names(&mcp).await, ["active", "paused"]);
    assert_eq!(mcp.text("paused", json!({})).await, "ok");
}

#[tokio::test]
async fn tools_are_listed_by_sort_order_then_by_age() {
    let fixture = management::start_server(json!({})).await;
    for (name, sort_order) in [("c", 30), ("a", 10), ("d", 30), ("b", 20)] {
        let mut fields = uncalled_tool(name);
        fields["sort_order"] = sort_order.into();
        fixture.create("/tools", fields).await;
    }
    fixture.create("/tools", uncalled_tool("last")).await;
    assert_eq!(tool_names(&bare_client(&fixture)).await, ["a", "b", "c", "d", "last"]);
}

#[tokio::test]
async fn a_copy_is_listed_under_a_safe_name_and_called_by_either_name() {
    let upstream = Upstream::with_handler(|request| MockResponse::text(request.target.clone()));
    let fixture = management::start_server(json!({})).await;
    let original = fixture.create("/tools", management::tool(&upstream, "get_weather")).await;
    let copy = duplicate(&fixture, &original).await;
    assert_eq!(copy["name"], "get_weather (copy)");
    change(&fixture, &format!("/tools/{}", copy["id"]), json!({"endpoint_url": upstream.url("/copy")})).await;
    let mcp = bare_client(&fixture);
    assert_eq!(tool_names(&mcp).await, ["get_weather", "get_weather_copy"]);
    for (name, path) in
        [("get_weather", "/get_weather"), ("get_weather_copy", "/copy"), ("get_weather (copy)", "/copy")]
    {
        assert_eq!(mcp.text(name, json!({})).await, path, "{name}");
    }
    assert_unknown(&mcp, "get_weather (copy) ").await;
}

#[tokio::test]
async fn a_safe_name_that_is_taken_gets_a_number() {
    let upstream = Upstream::with_handler(|request| MockResponse::text(request.target.clone()));
    let fixture = management::start_server(json!({})).await;
    let original = fixture.create("/tools", management::tool(&upstream, "x")).await;
    fixture.create("/tools", management::tool(&upstream, "x_copy")).await;
    let copy = duplicate(&fixture, &original).await;
    duplicate(&fixture, &copy).await;
    let mcp = bare_client(&fixture);
    assert_eq!(tool_names(&mcp).await, ["x", "x_copy", "x_copy_2", "x_copy_copy"]);
    assert_eq!(mcp.text("x_copy", json!({})).await, "/x_copy");
    assert_eq!(mcp.text("x_copy_2", json!({})).await, "/x");
}

#[tokio::test]
async fn names_are_listed_unchanged_if_configured() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = management::start_server(json!({"settings": {"safe_tool_names": false}})).await;
    let original = fixture.create("/tools", management::tool(&upstream, "x")).await;
    duplicate(&fixture, &original).await;
    let mcp = bare_client(&fixture);
    assert_eq!(tool_names(&mcp).await, ["x", "x (copy)"]);
    // The setting affects only the list: the safe name still works.
    for name in ["x (copy)", "x_copy"] {
        assert_eq!(mcp.text(name, json!({})).await, "ok", "{name}");
    }
    management::change_server(&fixture, json!({"settings": {"safe_tool_names": true}})).await;
    assert_eq!(tool_names(&mcp).await, ["x", "x_copy"]);
}

#[tokio::test]
async fn a_copy_never_gets_the_name_of_a_paused_tool() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = management::start_server(json!({})).await;
    let original = fixture.create("/tools", management::tool(&upstream, "x")).await;
    let mut paused = management::tool(&upstream, "x_copy");
    paused["status"] = "paused".into();
    fixture.create("/tools", paused).await;
    duplicate(&fixture, &original).await;
    let mcp = bare_client(&fixture);
    assert_eq!(tool_names(&mcp).await, ["x", "x_copy_2"]);
    assert_unknown(&mcp, "x_copy").await;
    assert_eq!(mcp.text("x_copy_2", json!({})).await, "ok");
}
