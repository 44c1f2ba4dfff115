//! A change that the management API has confirmed is always visible to the next request.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::management::{self, bare_client, change, change_server, tool_names, uncalled_tool};

const ROUNDS: usize = 40;

async fn create_three_tools(fixture: &ServiceFixture) -> Vec<Value> {
    let mut tools = Vec::new();
    for name in ["a", "b", "c"] {
        tools.push(fixture.create("/tools", uncalled_tool(name)).await);
    }
    tools
}

#[tokio::test]
async fn a_toggled_tool_appears_and_disappears_immediately() {
    let fixture = management::start_server(json!({})).await;
    let tools = create_three_tools(&fixture).await;
    let (api, mcp) = (fixture.app.client(), bare_client(&fixture));
    let path = format!("/tools/{}/toggle", tools[1]["id"]);
    for round in 0..ROUNDS {
        api.post(&path).send().await.expect(200);
        let expected: &[&str] = if round % 2 == 0 { &["a", "c"] } else { &["a", "b", "c"] };
        assert_eq!(tool_names(&mcp).await, expected, "round {round}");
    }
}

#[tokio::test]
async fn a_new_order_applies_immediately() {
    let fixture = management::start_server(json!({})).await;
    let tools = create_three_tools(&fixture).await;
    let (api, mcp) = (fixture.app.client(), bare_client(&fixture));
    for round in 0..ROUNDS {
        let order: Vec<&Value> = [0, 1, 2].map(|index| &tools[(index + round) % 3]).to_vec();
        let ids: Vec<&Value> = order.iter().map(|tool| &tool["id"]).collect();
        let body = json!({"tool_ids": ids});
        api.post(&fixture.path("/tools/reorder")).json(body).send().await.expect(200);
        let names: Vec<&str> = order.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(tool_names(&mcp).await, names, "round {round}");
    }
}

#[tokio::test]
async fn a_created_renamed_or_deleted_tool_is_visible_immediately() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture);
    for round in 0..ROUNDS {
        let tool = fixture.create("/tools", uncalled_tool(&format!("made_{round}"))).await;
        assert_eq!(tool_names(&mcp).await, [format!("made_{round}")]);
        let path = format!("/tools/{}", tool["id"]);
        change(&fixture, &path, json!({"name": "renamed"})).await;
        assert_eq!(tool_names(&mcp).await, ["renamed"]);
        management::delete(&fixture, &path).await;
        assert_eq!(tool_names(&mcp).await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_changed_url_or_credential_is_used_by_the_next_call() {
    let upstream = Upstream::with_handler(|request| MockResponse::text(request.target.clone()));
    let sent_key = || upstream.last().header("authorization").map(str::to_owned);
    let fixture = management::start_server(json!({})).await;
    let mut fields = management::tool(&upstream, "t");
    // The cache is on: a cached response must not be used after the change.
    fields["cache_ttl"] = 300.into();
    fields["auth_type"] = "bearer".into();
    fields["auth_credentials"] = json!({"token": "first"});
    let tool = fixture.create("/tools", fields).await;
    let mcp = bare_client(&fixture);
    assert_eq!((mcp.text("t", json!({})).await.as_str(), sent_key().as_deref()), ("/t", Some("Bearer first")));
    for round in 0..ROUNDS / 2 {
        let (token, url) = (format!("t{round}"), upstream.url(&format!("/{round}")));
        let fields = json!({"endpoint_url": url, "auth_credentials": {"token": token}});
        change(&fixture, &format!("/tools/{}", tool["id"]), fields).await;
        assert_eq!(mcp.text("t", json!({})).await, format!("/{round}"));
        assert_eq!(sent_key(), Some(format!("Bearer t{round}")));
    }
}

#[tokio::test]
async fn a_toggled_server_is_paused_or_active_immediately() {
    let fixture = management::start_server(json!({})).await;
    let (api, mcp) = (fixture.app.client(), bare_client(&fixture));
    for round in 0..ROUNDS {
        api.post(&fixture.path("/toggle")).send().await.expect(200);
        let expected = if round % 2 == 0 { 503 } else { 200 };
        mcp.send("tools/list", json!({})).await.expect(expected);
    }
}

#[tokio::test]
async fn a_deleted_server_is_gone_immediately() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture);
    mcp.send("tools/list", json!({})).await.expect(200);
    management::delete(&fixture, &fixture.path("")).await;
    management::assert_refused(&mcp.send("tools/list", json!({})).await, 404, 404);
}

#[tokio::test]
async fn a_list_read_during_reorders_has_one_of_the_orders() {
    let fixture = management::start_server(json!({})).await;
    let tools = create_three_tools(&fixture).await;
    let (api, mcp) = (fixture.app.client(), bare_client(&fixture));
    let writing = async {
        for round in 0..ROUNDS {
            let order: Vec<&Value> = [0, 1, 2].map(|index| &tools[(index + round) % 3]["id"]).to_vec();
            let body = json!({"tool_ids": order});
            api.post(&fixture.path("/tools/reorder")).json(body).send().await.expect(200);
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
async fn changed_settings_apply_to_the_next_request() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture).header("origin", "https://app.example");
    let preflight = || mcp.raw_request(Method::OPTIONS).send();
    preflight().await.expect(403);
    change_server(&fixture, json!({"settings": {"allowed_origins": ["https://app.example"]}})).await;
    preflight().await.expect(204);
    change_server(&fixture, json!({"settings": null})).await;
    preflight().await.expect(403);
}
