//! `GET /servers/{id}/lint`: the token cost of a server's tools, and the findings about them.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, McpClient, MockResponse, Upstream};

use super::assertions::{assert_error, column, keys};

on_both_databases!(
    the_list_of_a_server_has_a_cost_and_findings,
    the_cost_of_a_conversation_is_that_of_the_list_which_clients_get,
    a_list_over_its_budget_counts_the_tools_without_calls,
    recorded_calls_show_long_results_and_arguments_on_which_calls_fail,
    captured_calls_show_which_arguments_are_never_sent,
    viewers_can_read_the_report_and_other_users_cannot,
);

async fn lint(service: &ApiFixture, server: i64) -> Value {
    service.api.read(&format!("/servers/{server}/lint")).await
}

async fn the_list_of_a_server_has_a_cost_and_findings(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let empty = lint(service, server).await;
    let conversation = json!({"discovery": "all", "searches": false, "tools": 0, "tokens": 0});
    assert_eq!(empty, json!({"tokens": 0, "conversation": conversation, "tools": [], "findings": []}));
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
    assert_eq!(keys(cost), ["tool_id", "name", "description", "schema", "total", "used"]);
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

async fn the_cost_of_a_conversation_is_that_of_the_list_which_clients_get(service: &ApiFixture) {
    let server = service.api.create_server(json!({"settings": {"discovery": "search"}})).await;
    for number in 0..60 {
        let fields = json!({
            "name": format!("get_report_{number}"),
            "description": format!("Returns the figures of department {number} for a month of a year."),
            "endpoint_url": "https://api.example.com/reports",
            "pinned": number == 3,
            "shaping": if number == 5 { json!({"max_tokens": 2000}) } else { Value::Null },
        });
        service.api.create_tool(id(&server), fields).await;
    }
    let report = lint(service, id(&server)).await;
    let conversation = &report["conversation"];
    assert_eq!((&conversation["discovery"], &conversation["searches"]), (&json!("search"), &json!(true)));
    let list = McpClient::new(server["endpoint_url"].as_str().unwrap()).result("tools/list", json!({})).await;
    let tools = list["tools"].as_array().unwrap_or_else(|| panic!("{list}"));
    assert_eq!(conversation["tools"], tools.len());
    assert_eq!(tools.len(), 5, "a pinned tool, three for search and read_more");
    let listed = toolgate_domain::tokens::estimate(&list["tools"].to_string());
    let shown = usize::try_from(conversation["tokens"].as_u64().unwrap()).unwrap();
    assert!(shown.abs_diff(listed) * 20 <= listed, "{shown} and {listed}");
    assert!(report["tokens"].as_u64().unwrap() > 2000, "{report}");
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
    assert!(message().await.ends_with("or pause tools without calls (3)."));
    McpClient::new(server["endpoint_url"].as_str().unwrap()).call("list_pets", json!({})).await;
    assert!(message().await.ends_with("or pause tools without calls (2)."));
}

async fn recorded_calls_show_long_results_and_arguments_on_which_calls_fail(service: &ApiFixture) {
    let long: Value = (0..4_000).map(|number| json!({"number": number, "state": "open"})).collect();
    let upstream = Upstream::builder().route("/tickets", MockResponse::json(long)).start();
    let settings = json!({"capture": "failures"});
    let server = service.api.create_server(json!({"rate_limit_per_min": 0, "settings": settings})).await;
    let fields = json!({
        "name": "list_tickets",
        "description": "Lists the tickets in a state.",
        "endpoint_url": upstream.url("/tickets"),
        "input_schema": {
            "type": "object", "required": ["state"],
            "properties": {"state": {"type": "string", "enum": ["new", "closed"]}},
        },
    });
    let tool = id(&service.api.create_tool(id(&server), fields).await);
    let client = McpClient::new(server["endpoint_url"].as_str().unwrap());
    for _ in 0..6 {
        client.call("list_tickets", json!({"state": "new"})).await;
    }
    assert_eq!(column(&lint(service, id(&server)).await["findings"], "code"), ["large_answers"]);
    for _ in 0..4 {
        client.call("list_tickets", json!({"state": "close"})).await;
    }
    let findings = lint(service, id(&server)).await["findings"].clone();
    assert_eq!(column(&findings, "code"), ["large_answers", "failed_argument"]);
    let message = findings[0]["message"].as_str().unwrap();
    assert!(message.starts_with("Answers cost ") && message.contains("Claude Code warns at 10,000."), "{message}");
    assert_eq!((&findings[0]["fix"], &findings[0]["tool_id"]), (&json!("budget"), &json!(tool)));
    assert_eq!(
        findings[1]["message"],
        "40 % of the calls of the last 30 days failed on \"state\". \"state\" cannot be \"close\": did you mean \
         \"closed\"? It takes \"new\" or \"closed\"."
    );
    assert_eq!(findings[1]["argument"], "state");
    service
        .api
        .patch(&format!("/tools/{tool}"))
        .json(json!({"shaping": {"max_tokens": 8000}}))
        .send()
        .await
        .expect(200);
    assert_eq!(column(&lint(service, id(&server)).await["findings"], "code"), ["failed_argument"]);
}

async fn captured_calls_show_which_arguments_are_never_sent(service: &ApiFixture) {
    let upstream = Upstream::builder().route("/search", MockResponse::text("none")).start();
    let settings = json!({"capture": "all"});
    let server = service.api.create_server(json!({"rate_limit_per_min": 0, "settings": settings})).await;
    let names: Vec<String> = (0..16).map(|number| format!("filter_{number:02}")).collect();
    let properties: serde_json::Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!({"type": "string"}))).collect();
    let fields = json!({
        "name": "search_shop",
        "description": "Returns articles by their properties.",
        "endpoint_url": upstream.url("/search"),
        "input_schema": {"type": "object", "properties": properties},
    });
    service.api.create_tool(id(&server), fields).await;
    let client = McpClient::new(server["endpoint_url"].as_str().unwrap());
    for call in 0..20 {
        client.call("search_shop", json!({names[call % 13].as_str(): "x"})).await;
    }
    let findings = lint(service, id(&server)).await["findings"].clone();
    assert_eq!(
        column(&findings, "message"),
        ["16 arguments, 16 optional: hide those that are never sent (filter_13, filter_14, filter_15)."]
    );
    assert_eq!(findings[0]["code"], "unused_arguments");
}

async fn viewers_can_read_the_report_and_other_users_cannot(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let path = format!("/servers/{server}/lint");
    let user = service.api.create_user("member", "owner").await;
    let member = service.api.key_client(json!({"user_id": user})).await;
    assert_error(&member.get(&path).send().await, 404, "rest_server_invalid_id");
    let body = json!({"user_id": user, "role": "viewer"});
    service.api.post(&format!("/servers/{server}/members")).json(body).send().await.expect(201);
    member.get(&path).send().await.expect(200);
}
