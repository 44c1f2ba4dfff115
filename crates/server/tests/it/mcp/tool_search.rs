//! Search mode: a short list, and tools that find, describe and call the others.

use serde_json::{Value, json};
use toolgate_domain::tokens::estimate;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::management::{self, bare_client, change, change_server, tool_names};

const SEARCH_MODE_TOOLS: [&str; 3] = ["search_tools", "describe_tool", "call_tool"];

fn echo() -> Upstream {
    Upstream::with_handler(|request| MockResponse::text(format!("{} {}", request.method, request.target)))
}

fn tools(upstream: &Upstream) -> Vec<Value> {
    let tool = |name: &str, tag: &str, description: &str, properties: Value, required: Value| {
        json!({
            "name": name, "tags": [tag], "description": description, "endpoint_url": upstream.url(&format!("/{name}")),
            "input_schema": {"type": "object", "properties": properties, "required": required},
        })
    };
    let page = json!({"type": "integer", "minimum": 1, "maximum": 50});
    vec![
        tool(
            "list_issues",
            "issues",
            "List issues of a repository. Newest first.",
            json!({"owner": {"type": "string"}, "state": {"enum": ["open", "closed"]}, "page": page}),
            json!(["owner"]),
        ),
        tool("close_issue", "issues", "Closes an issue.", json!({"number": {"type": "integer"}}), json!(["number"])),
        tool(
            "merge_pull",
            "pulls",
            "Merges a pull request into its base branch.",
            json!({"number": {"type": "integer"}}),
            json!(["number"]),
        ),
        tool("get_weather", "weather", "The forecast of a city.", json!({"city": {"type": "string"}}), json!([])),
    ]
}

/// A server with these settings and four tools, of which `get_weather` is pinned.
async fn start(upstream: &Upstream, settings: Value) -> ServiceFixture {
    let fixture = management::start_server(json!({"settings": settings})).await;
    for mut tool in tools(upstream) {
        tool["pinned"] = (tool["name"] == "get_weather").into();
        fixture.create("/tools", tool).await;
    }
    fixture
}

async fn legacy(fixture: &ServiceFixture) -> McpClient {
    bare_client(fixture).legacy(NEWEST_LEGACY).await
}

async fn search(mcp: &McpClient, arguments: Value) -> Vec<String> {
    mcp.text("search_tools", arguments).await.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn the_list_has_pinned_tools_and_three_tools_that_find_the_others() {
    let upstream = echo();
    let fixture = start(&upstream, json!({"discovery": "search"})).await;
    for mcp in [bare_client(&fixture), legacy(&fixture).await, bare_client(&fixture).modern()] {
        let list = mcp.result("tools/list", json!({})).await;
        assert_eq!(
            management::column(&list["tools"], "name"),
            ["get_weather", "search_tools", "describe_tool", "call_tool"]
        );
        let meta: String = list["tools"].as_array().unwrap()[1..].iter().map(Value::to_string).collect();
        assert!(estimate(&meta) <= 450, "{} {meta}", estimate(&meta));
        assert!(meta.contains("Groups: issues (2), pulls (1), weather (1)."), "{meta}");
        let refused = mcp.error("tools/list", json!({"cursor": "x"})).await;
        assert_eq!(refused.1["code"], -32602);
    }
}

#[tokio::test]
async fn a_search_returns_one_line_for_each_tool() {
    let upstream = echo();
    let fixture = start(&upstream, json!({"discovery": "search"})).await;
    let mcp = legacy(&fixture).await;
    let found = search(&mcp, json!({"query": "isues that are open"})).await;
    assert_eq!(found[0], "list_issues(owner, state?, page?) - List issues of a repository");
    assert_eq!(
        search(&mcp, json!({"query": "merge", "group": "Pulls"})).await,
        ["merge_pull(number) - Merges a pull request into its base branch"]
    );
    assert_eq!(search(&mcp, json!({"query": "issue", "limit": 1})).await.len(), 1);
    let nothing = mcp.text("search_tools", json!({"query": "merge", "group": "weather"})).await;
    assert!(nothing.starts_with("No tool matches."), "{nothing}");
    for bad in [json!({}), json!({"query": 7})] {
        let result = mcp.call("search_tools", bad).await;
        assert_eq!(result["isError"], true);
        assert!(result["content"][0]["text"].as_str().unwrap().starts_with("\"query\" is missing."), "{result}");
    }
}

#[tokio::test]
async fn tools_that_match_equally_well_are_ordered_by_calls() {
    let upstream = echo();
    let fixture = management::start_server(json!({"settings": {"discovery": "search"}})).await;
    for name in ["alpha_report", "beta_report"] {
        fixture.create("/tools", management::tool(&upstream, name)).await;
    }
    let mcp = legacy(&fixture).await;
    mcp.text("beta_report", json!({})).await;
    fixture.app.wait_for_call_count(1).await;
    assert_eq!(
        search(&mcp, json!({"query": "report"})).await,
        ["beta_report() - For testing", "alpha_report() - For testing"]
    );
}

#[tokio::test]
async fn a_description_has_the_schema_without_references_and_an_example() {
    let upstream = echo();
    let fixture = start(&upstream, json!({"discovery": "search"})).await;
    let mut fields = management::tool(&upstream, "book_room");
    fields["input_schema"] = json!({
        "type": "object", "properties": {"from": {"$ref": "#/$defs/day"}, "beds": {"type": "integer", "default": 2, "maximum": 9}},
        "required": ["from", "beds"], "$defs": {"day": {"type": "string", "format": "date"}},
    });
    fields["output_schema"] = json!({"type": "object", "properties": {"id": {"type": "string"}}});
    fixture.create("/tools", fields).await;
    let mcp = legacy(&fixture).await;
    let text = mcp.text("describe_tool", json!({"names": ["book_room", "close_isue"]})).await;
    let (first, second) = text.split_once('\n').unwrap();
    let expected = json!({
        "name": "book_room", "description": "For testing",
        "inputSchema": {
            "type": "object",
            "properties": {"from": {"type": "string", "format": "date"}, "beds": {"type": "integer", "default": 2, "maximum": 9}},
            "required": ["from", "beds"],
        },
        "example": {"from": "2026-01-31", "beds": 2},
    });
    assert_eq!(serde_json::from_str::<Value>(first).unwrap(), expected);
    assert_eq!(second, "There is no tool \"close_isue\": did you mean \"close_issue\"?");
    for bad in
        [json!({}), json!({"names": []}), json!({"names": ["a", "b", "c", "d", "e", "f"]}), json!({"names": ["none"]})]
    {
        assert_eq!(mcp.call("describe_tool", bad).await["isError"], true);
    }
}

#[tokio::test]
async fn call_tool_is_recorded_as_a_call_of_the_tool_itself() {
    let upstream = echo();
    let fixture = start(&upstream, json!({"discovery": "search", "capture": "all"})).await;
    let tools = fixture.app.client().get(&fixture.path("/tools")).send().await.expect(200).json();
    let id = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "list_issues").unwrap()["id"].clone();
    let clients = [bare_client(&fixture), legacy(&fixture).await, bare_client(&fixture).modern()];
    for mcp in &clients {
        let called = mcp.text("call_tool", json!({"name": "list_issues", "arguments": {"owner": "o"}})).await;
        assert_eq!(called, "GET /list_issues?owner=o");
        // A hidden tool can also be called by its own name.
        assert_eq!(mcp.text("list_issues", json!({"owner": "o"})).await, called);
    }
    // The arguments may also be a text that contains a JSON object.
    assert_eq!(
        clients[0].text("call_tool", json!({"name": "close_issue", "arguments": "{\"number\":1}"})).await,
        "GET /close_issue?number=1"
    );
    fixture.app.wait_for_call_count(7).await;
    let calls = fixture.app.client().get("/calls?per_page=100").send().await.expect(200).json();
    let of_tool: Vec<&Value> = calls.as_array().unwrap().iter().filter(|call| call["tool_id"] == id).collect();
    assert_eq!((calls.as_array().unwrap().len(), of_tool.len()), (7, 6), "{calls}");
    let call = fixture.app.client().get(&format!("/calls/{}", of_tool[0]["id"])).send().await.expect(200).json();
    assert_eq!(call["arguments"], "{\"owner\":\"o\"}");
}

#[tokio::test]
async fn a_wrong_call_through_call_tool_is_explained() {
    let upstream = echo();
    let fixture = start(&upstream, json!({"discovery": "search"})).await;
    let mcp = legacy(&fixture).await;
    let failure = async |arguments: Value| {
        let result = mcp.call("call_tool", arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        management::column(&result["content"], "text").join(" ")
    };
    let unknown = failure(json!({"name": "list_issue", "arguments": {}})).await;
    assert_eq!(
        unknown,
        "There is no tool \"list_issue\": did you mean \"list_issues\"? Find tools with search_tools, then call again with a name that it returns."
    );
    let bad_arguments = failure(json!({"name": "list_issues", "arguments": {"page": 500}})).await;
    assert!(
        bad_arguments.ends_with("Signature: list_issues(owner, state?, page?) - List issues of a repository"),
        "{bad_arguments}"
    );
    assert!(failure(json!({"name": "call_tool", "arguments": {}})).await.starts_with("call_tool cannot call itself."));
    assert!(
        failure(json!({"name": "list_issues", "arguments": [1]})).await.starts_with("\"arguments\" must be an object.")
    );
    assert!(failure(json!({})).await.starts_with("\"name\" is missing."));
    assert_eq!(upstream.request_count(), 0);
    // A direct call of an unknown tool stays a protocol error.
    assert_eq!(mcp.error("tools/call", json!({"name": "list_issue"})).await.1["code"], -32602);
}

#[tokio::test]
async fn a_url_with_groups_narrows_every_list() {
    let upstream = echo();
    let fixture = start(&upstream, json!({})).await;
    let narrowed = |groups: &str| McpClient::new(&format!("{}?group={groups}", fixture.url()));
    assert_eq!(tool_names(&narrowed("issues")).await, ["list_issues", "close_issue"]);
    assert_eq!(tool_names(&narrowed("Pulls,weather").legacy(NEWEST_LEGACY).await).await, ["merge_pull", "get_weather"]);
    assert_eq!(tool_names(&narrowed("none")).await, [""; 0]);
    assert_eq!(tool_names(&bare_client(&fixture)).await.len(), 4);
    // Only lists are narrowed.
    assert_eq!(narrowed("issues").text("get_weather", json!({})).await, "GET /get_weather");
    change_server(&fixture, json!({"settings": {"discovery": "search"}})).await;
    let issues = narrowed("issues");
    assert_eq!(tool_names(&issues).await, SEARCH_MODE_TOOLS);
    assert!(search(&issues, json!({"query": "forecast"})).await[0].starts_with("No tool matches."));
}

#[tokio::test]
async fn without_a_tag_the_group_is_the_first_segment_of_the_path() {
    let upstream = echo();
    let fixture = management::start_server(json!({})).await;
    for (name, path) in [("a", "/api/v1/orders/{id}"), ("b", "/orders"), ("c", "/users/orders")] {
        let fields = json!({"name": name, "description": "x", "endpoint_url": upstream.url(path), "input_schema": {"type": "object", "properties": {"id": {"type": "string"}}}});
        fixture.create("/tools", fields).await;
    }
    assert_eq!(tool_names(&McpClient::new(&format!("{}?group=orders", fixture.url()))).await, ["a", "b"]);
}

#[tokio::test]
async fn auto_mode_uses_search_if_the_list_is_too_long_for_the_client() {
    let upstream = echo();
    let fixture = start(&upstream, json!({"discovery": "auto"})).await;
    let mcp = legacy(&fixture).await;
    assert_eq!(tool_names(&mcp).await.len(), 4);
    change_server(&fixture, json!({"settings": {"list_budget": 100}})).await;
    assert_eq!(tool_names(&mcp).await, ["get_weather", "search_tools", "describe_tool", "call_tool"]);
    assert_eq!(tool_names(&bare_client(&fixture)).await.len(), 4, "one pinned tool and three others");
    // Claude Code loads tools on demand by itself.
    let claude = bare_client(&fixture).named("claude-code").legacy(NEWEST_LEGACY).await;
    assert_eq!(tool_names(&claude).await, ["list_issues", "close_issue", "merge_pull", "get_weather"]);
}

#[tokio::test]
async fn built_in_tools_whose_names_are_taken_get_a_number() {
    let upstream = echo();
    let fixture = start(&upstream, json!({"discovery": "search"})).await;
    fixture.create("/tools", management::tool(&upstream, "call_tool")).await;
    let mcp = legacy(&fixture).await;
    assert_eq!(tool_names(&mcp).await, ["get_weather", "search_tools", "describe_tool", "call_tool_2"]);
    assert_eq!(mcp.text("call_tool", json!({})).await, "GET /call_tool");
    assert_eq!(mcp.text("call_tool_2", json!({"name": "call_tool"})).await, "GET /call_tool");
}

#[tokio::test]
async fn changes_of_pins_and_of_the_mode_are_announced() {
    let upstream = echo();
    let fixture = start(&upstream, json!({})).await;
    let mcp = legacy(&fixture).await;
    let mut stream = mcp.listen().await;
    change_server(&fixture, json!({"settings": {"discovery": "search"}})).await;
    assert_eq!(stream.next().await.unwrap().json()["method"], "notifications/tools/list_changed");
    let tools = fixture.app.client().get(&fixture.path("/tools")).send().await.expect(200).json();
    let first = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "merge_pull").unwrap();
    change(&fixture, &format!("/tools/{}", first["id"]), json!({"pinned": true})).await;
    assert_eq!(stream.next().await.unwrap().json()["method"], "notifications/tools/list_changed");
    assert_eq!(tool_names(&mcp).await[..2], ["merge_pull", "get_weather"]);
}
