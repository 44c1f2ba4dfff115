//! Fixes of findings with one click.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, McpClient, MockResponse, Upstream};

use super::browser::Browser;
use crate::toolgate;

#[tokio::test]
async fn findings_are_fixed_with_one_click_and_the_fix_can_be_undone() {
    let Some(browser) = Browser::find() else { return };
    let ApiFixture { app, api } = ApiFixture::start(toolgate());
    let long: Value = (0..4_000).map(|number| json!({"number": number, "state": "open"})).collect();
    let upstream = Upstream::builder().route("/orders", MockResponse::json(long)).start();
    let settings = json!({"list_budget": 100, "safe_tool_names": false, "adapt_schemas": false});
    let server = api.create_server(json!({"rate_limit_per_min": 0, "settings": settings})).await;
    let variants = json!({"type": "object", "properties": {}, "anyOf": [{"required": ["a"]}, {}]});
    // This description alone exceeds the token budget of the list.
    let shelves: Vec<String> = (1..30).map(|shelf| format!("shelf {shelf}")).collect();
    let export = format!("Gives the complete contents of the warehouse as one document: {}.", shelves.join(", "));
    for (name, description, input_schema) in [
        ("orders.list", "Returns what a customer has bought in a month, newest first.", json!({"type": "object"})),
        ("export_orders", &export, json!({"type": "object"})),
        ("find_orders", "Searches by words in the comments that the sales team has written.", variants),
    ] {
        let url = upstream.url("/orders");
        let fields =
            json!({"name": name, "description": description, "endpoint_url": url, "input_schema": input_schema});
        api.create_tool(id(&server), fields).await;
    }
    let client = McpClient::new(server["endpoint_url"].as_str().unwrap());
    for _ in 0..5 {
        client.call("export_orders", json!({})).await;
    }
    let output = browser.run("fixes.mjs", &app, &json!({"server": id(&server)})).await;
    output.assert_no_errors();
    assert_eq!(output["faults"], json!([]), "{output:#}");
    let tools = api.read(&format!("/servers/{}/tools", id(&server))).await;
    let state = |tool: &Value| json!([tool["name"], tool["status"], tool["shaping"]]);
    let states: Vec<Value> = tools.as_array().unwrap().iter().map(state).collect();
    let expected = [
        json!(["orders_list", "paused", null]),
        json!(["export_orders", "active", {"max_tokens": 8000}]),
        json!(["find_orders", "paused", null]),
    ];
    assert_eq!(states, expected);
    let settings = api.read(&format!("/servers/{}", id(&server))).await["settings"].clone();
    assert_eq!(settings, json!({"list_budget": 100, "safe_tool_names": false, "adapt_schemas": true}));
    assert!(output.text("/undone").starts_with("1 tool, "), "{output:#}");
}
