//! A change that the management API has confirmed is seen by the very next request, every time.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::{Answer, Upstream};

use super::endpoint::Endpoint;
use super::owner::{self, bare, change, change_server, idle_tool, tool_names};

const ROUNDS: usize = 40;

async fn three_tools(endpoint: &Endpoint) -> Vec<Value> {
    let mut tools = Vec::new();
    for name in ["a", "b", "c"] {
        tools.push(endpoint.tool(idle_tool(name)).await);
    }
    tools
}

#[tokio::test]
async fn a_toggled_tool_comes_and_goes_at_once() {
    let endpoint = owner::open(json!({})).await;
    let tools = three_tools(&endpoint).await;
    let (api, mcp) = (endpoint.app.client(), bare(&endpoint));
    let path = format!("/tools/{}/toggle", tools[1]["id"]);
    for round in 0..ROUNDS {
        api.post(&path).send().await.expect(200);
        let expected: &[&str] = if round % 2 == 0 { &["a", "c"] } else { &["a", "b", "c"] };
        assert_eq!(tool_names(&mcp).await, expected, "round {round}");
    }
}

#[tokio::test]
async fn a_new_order_is_the_order_at_once() {
    let endpoint = owner::open(json!({})).await;
    let tools = three_tools(&endpoint).await;
    let (api, mcp) = (endpoint.app.client(), bare(&endpoint));
    for round in 0..ROUNDS {
        let order: Vec<&Value> = [0, 1, 2].map(|place| &tools[(place + round) % 3]).to_vec();
        let ids: Vec<&Value> = order.iter().map(|tool| &tool["id"]).collect();
        let body = json!({"tool_ids": ids});
        api.post(&endpoint.path("/tools/reorder")).json(body).send().await.expect(200);
        let names: Vec<&str> = order.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(tool_names(&mcp).await, names, "round {round}");
    }
}

#[tokio::test]
async fn a_created_renamed_or_deleted_tool_shows_at_once() {
    let endpoint = owner::open(json!({})).await;
    let mcp = bare(&endpoint);
    for round in 0..ROUNDS {
        let tool = endpoint.tool(idle_tool(&format!("made_{round}"))).await;
        assert_eq!(tool_names(&mcp).await, [format!("made_{round}")]);
        let path = format!("/tools/{}", tool["id"]);
        change(&endpoint, &path, json!({"name": "renamed"})).await;
        assert_eq!(tool_names(&mcp).await, ["renamed"]);
        owner::delete(&endpoint, &path).await;
        assert_eq!(tool_names(&mcp).await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_changed_address_or_credential_is_used_by_the_next_call() {
    let upstream = Upstream::answering(|request| {
        let key = request.header("authorization").unwrap_or_default();
        Answer::text(format!("{} {key}", request.target))
    });
    let endpoint = owner::open(json!({})).await;
    let mut fields = owner::tool(&upstream, "t");
    // A kept answer must not outlive the change either.
    fields["cache_ttl"] = 300.into();
    fields["auth_type"] = "bearer".into();
    fields["auth_credentials"] = json!({"token": "first"});
    let tool = endpoint.tool(fields).await;
    let mcp = bare(&endpoint);
    assert_eq!(mcp.text("t", json!({})).await, "/t Bearer first");
    for round in 0..ROUNDS / 2 {
        let (token, url) = (format!("t{round}"), upstream.url(&format!("/{round}")));
        let fields = json!({"endpoint_url": url, "auth_credentials": {"token": token}});
        change(&endpoint, &format!("/tools/{}", tool["id"]), fields).await;
        assert_eq!(mcp.text("t", json!({})).await, format!("/{round} Bearer t{round}"));
    }
}

#[tokio::test]
async fn a_toggled_server_opens_and_closes_at_once() {
    let endpoint = owner::open(json!({})).await;
    let (api, mcp) = (endpoint.app.client(), bare(&endpoint));
    for round in 0..ROUNDS {
        api.post(&endpoint.path("/toggle")).send().await.expect(200);
        let expected = if round % 2 == 0 { 503 } else { 200 };
        mcp.send("tools/list", json!({})).await.expect(expected);
    }
}

#[tokio::test]
async fn a_deleted_server_is_gone_at_once() {
    let endpoint = owner::open(json!({})).await;
    let mcp = bare(&endpoint);
    mcp.send("tools/list", json!({})).await.expect(200);
    owner::delete(&endpoint, &endpoint.path("")).await;
    owner::assert_refused(&mcp.send("tools/list", json!({})).await, 404, 404);
}

#[tokio::test]
async fn readers_see_whole_orders_while_tools_move() {
    let endpoint = owner::open(json!({})).await;
    let tools = three_tools(&endpoint).await;
    let (api, mcp) = (endpoint.app.client(), bare(&endpoint));
    let writing = async {
        for round in 0..ROUNDS {
            let order: Vec<&Value> = [0, 1, 2].map(|place| &tools[(place + round) % 3]["id"]).to_vec();
            let body = json!({"tool_ids": order});
            api.post(&endpoint.path("/tools/reorder")).json(body).send().await.expect(200);
        }
    };
    let reading = async {
        for _ in 0..ROUNDS * 4 {
            let names = tool_names(&mcp).await.concat();
            assert!(["abc", "bca", "cab"].contains(&names.as_str()), "{names}");
        }
    };
    tokio::join!(writing, reading);
}

#[tokio::test]
async fn changed_settings_hold_for_the_next_request() {
    let endpoint = owner::open(json!({})).await;
    let mcp = bare(&endpoint).header("origin", "https://app.example");
    let ask = || mcp.plain(Method::OPTIONS).send();
    ask().await.expect(403);
    change_server(&endpoint, json!({"settings": {"allowed_origins": ["https://app.example"]}})).await;
    ask().await.expect(204);
    change_server(&endpoint, json!({"settings": null})).await;
    ask().await.expect(403);
}
