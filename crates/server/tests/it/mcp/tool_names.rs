//! Listing of tools: selection, order and names.

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::management::{self, change, idle_tool, plain_client, tool_names};

async fn duplicate(endpoint: &ServiceFixture, tool: &Value) -> Value {
    let path = format!("/tools/{}/duplicate", tool["id"]);
    endpoint.app.client().post(&path).send().await.expect(201).json()
}

async fn assert_unknown(mcp: &McpClient, name: &str) {
    let expected = json!({"code": -32602, "message": format!("Unknown tool: {name}")});
    assert_eq!(mcp.error("tools/call", json!({"name": name, "arguments": {}})).await, (200, expected));
}

#[tokio::test]
async fn paused_tools_are_hidden_from_tools_list_and_cannot_be_called() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let endpoint = management::start_server(json!({})).await;
    let mut paused = management::tool(&upstream, "paused");
    paused["status"] = "paused".into();
    endpoint.create("/tools", management::tool(&upstream, "active")).await;
    let paused = endpoint.create("/tools", paused).await;
    let mcp = plain_client(&endpoint);
    assert_eq!(tool_names(&mcp).await, ["active"]);
    for name in ["paused", "never_made", "Active", " active", ""] {
        assert_unknown(&mcp, name).await;
    }
    assert_eq!(upstream.request_count(), 0);
    change(&endpoint, &format!("/tools/{}/toggle", paused["id"]), json!({})).await;
    assert_eq!(tool_names(&mcp).await, ["active", "paused"]);
    assert_eq!(mcp.text("paused", json!({})).await, "ok");
}

#[tokio::test]
async fn tools_are_listed_by_sort_order_then_by_age() {
    let endpoint = management::start_server(json!({})).await;
    for (name, sort_order) in [("c", 30), ("a", 10), ("d", 30), ("b", 20)] {
        let mut fields = idle_tool(name);
        fields["sort_order"] = sort_order.into();
        endpoint.create("/tools", fields).await;
    }
    endpoint.create("/tools", idle_tool("last")).await;
    assert_eq!(tool_names(&plain_client(&endpoint)).await, ["a", "b", "c", "d", "last"]);
}

#[tokio::test]
async fn a_copy_is_listed_under_a_safe_name_and_called_by_either_name() {
    let upstream = Upstream::with_handler(|request| MockResponse::text(request.target.clone()));
    let endpoint = management::start_server(json!({})).await;
    let original = endpoint.create("/tools", management::tool(&upstream, "get_weather")).await;
    let copy = duplicate(&endpoint, &original).await;
    assert_eq!(copy["name"], "get_weather (copy)");
    change(&endpoint, &format!("/tools/{}", copy["id"]), json!({"endpoint_url": upstream.url("/copy")})).await;
    let mcp = plain_client(&endpoint);
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
    let endpoint = management::start_server(json!({})).await;
    let original = endpoint.create("/tools", management::tool(&upstream, "x")).await;
    endpoint.create("/tools", management::tool(&upstream, "x_copy")).await;
    let copy = duplicate(&endpoint, &original).await;
    duplicate(&endpoint, &copy).await;
    let mcp = plain_client(&endpoint);
    assert_eq!(tool_names(&mcp).await, ["x", "x_copy", "x_copy_2", "x_copy_copy"]);
    assert_eq!(mcp.text("x_copy", json!({})).await, "/x_copy");
    assert_eq!(mcp.text("x_copy_2", json!({})).await, "/x");
}

#[tokio::test]
async fn names_are_listed_unchanged_if_configured() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let endpoint = management::start_server(json!({"settings": {"safe_tool_names": false}})).await;
    let original = endpoint.create("/tools", management::tool(&upstream, "x")).await;
    duplicate(&endpoint, &original).await;
    let mcp = plain_client(&endpoint);
    assert_eq!(tool_names(&mcp).await, ["x", "x (copy)"]);
    // The setting affects only the list: the safe name still works.
    for name in ["x (copy)", "x_copy"] {
        assert_eq!(mcp.text(name, json!({})).await, "ok", "{name}");
    }
    management::change_server(&endpoint, json!({"settings": {"safe_tool_names": true}})).await;
    assert_eq!(tool_names(&mcp).await, ["x", "x_copy"]);
}

#[tokio::test]
async fn a_copy_never_gets_the_name_of_a_paused_tool() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let endpoint = management::start_server(json!({})).await;
    let original = endpoint.create("/tools", management::tool(&upstream, "x")).await;
    let mut paused = management::tool(&upstream, "x_copy");
    paused["status"] = "paused".into();
    endpoint.create("/tools", paused).await;
    duplicate(&endpoint, &original).await;
    let mcp = plain_client(&endpoint);
    assert_eq!(tool_names(&mcp).await, ["x", "x_copy_2"]);
    assert_unknown(&mcp, "x_copy").await;
    assert_eq!(mcp.text("x_copy_2", json!({})).await, "ok");
}
