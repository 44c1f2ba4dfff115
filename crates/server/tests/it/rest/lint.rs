//! The cost and the findings of the tools of a server.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, McpClient, MockResponse, Upstream};

use super::assertions::{assert_error, column, keys};

on_both_databases!(
    the_list_of_a_server_has_a_cost_and_findings,
    a_list_over_its_budget_counts_the_tools_without_calls,
    viewers_can_read_it_and_other_users_cannot,
);

async fn lint(service: &ApiFixture, server: i64) -> Value {
    service.api.read(&format!("/servers/{server}/lint")).await
}

async fn the_list_of_a_server_has_a_cost_and_findings(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let empty = lint(service, server).await;
    assert_eq!(empty, json!({"tokens": 0, "tools": [], "findings": []}));
    let fields = json!({
        "name": "find_pets",
        "description": "Lists pets by the words of their names.",
        "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}, "oneOf": [{}]},
    });
    let tool = id(&service.api.create_tool(server, fields).await);
    service.api.create_tool(server, json!({"name": "hidden", "status": "paused"})).await;
    let report = lint(service, server).await;
    assert_eq!(report["tools"].as_array().unwrap().len(), 1);
    assert_eq!(report["tools"][0]["tool_id"], tool);
    let cost = &report["tools"][0];
    assert_eq!(keys(cost), ["tool_id", "name", "description", "schema", "total"]);
    assert_eq!(report["tokens"], cost["total"]);
    assert!(cost["schema"].as_i64().unwrap() > 10, "{cost}");
    assert_eq!(
        report["findings"],
        json!([
            {
                "tool_id": tool,
                "level": "warn",
                "code": "top_level_variants",
                "message": "The schema uses oneOf at the top: Anthropic's API refuses the whole conversation. It is folded for such clients.",
                "fix": "fold",
            },
            {
                "tool_id": tool,
                "argument": "q",
                "level": "warn",
                "code": "unclear_argument",
                "message": "Argument \"q\" has no description and its name does not explain it.",
            },
        ])
    );
}

async fn a_list_over_its_budget_counts_the_tools_without_calls(service: &ApiFixture) {
    let upstream = Upstream::builder().route("/pets", MockResponse::text("[]")).start();
    let server = service.api.create_server(json!({"rate_limit_per_min": 0, "settings": {"list_budget": 100}})).await;
    for (name, description) in [
        ("list_pets", "Lists the pets of the shop with names and ages, newest first, as a short text for people."),
        ("get_owner", "Returns whom an animal belongs to, with the street, the town and the postal code."),
        ("count_visits", "Gives a number for every month, beginning with January of the given calendar year."),
    ] {
        let fields = json!({"name": name, "description": description, "endpoint_url": upstream.url("/pets")});
        service.api.create_tool(id(&server), fields).await;
    }
    let message = async || {
        let findings = lint(service, id(&server)).await["findings"].clone();
        assert_eq!(column(&findings, "code"), ["list_budget"]);
        findings[0]["message"].as_str().unwrap().to_owned()
    };
    assert!(message().await.ends_with("or pause tools that nobody calls (3)."));
    McpClient::new(server["endpoint_url"].as_str().unwrap()).call("list_pets", json!({})).await;
    assert!(message().await.ends_with("or pause tools that nobody calls (2)."));
}

async fn viewers_can_read_it_and_other_users_cannot(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let path = format!("/servers/{server}/lint");
    let user = service.api.create_user("member", "owner").await;
    let member = service.api.key_client(json!({"user_id": user})).await;
    assert_error(&member.get(&path).send().await, 404, "rest_server_invalid_id");
    let body = json!({"user_id": user, "role": "viewer"});
    service.api.post(&format!("/servers/{server}/members")).json(body).send().await.expect(201);
    member.get(&path).send().await.expect(200);
}
