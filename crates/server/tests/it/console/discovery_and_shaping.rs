//! The forms for discovery, client profiles and response shaping, and the tokens that a test run shows.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, MockResponse, Upstream};

use super::browser::Browser;
use crate::toolgate;

fn issues() -> Value {
    let issue = |number: i64| {
        json!({
            "number": number,
            "title": format!("Printer {number} on the second floor does not print since yesterday"),
            "html_url": format!("https://issues.example.com/{number}"),
            "user": {"login": "kim", "avatar_url": "https://issues.example.com/kim.png"},
            "labels": [],
        })
    };
    (1..=60).map(issue).collect()
}

#[tokio::test]
async fn lists_and_responses_are_set_up_in_forms_and_a_test_run_shows_the_tokens() {
    let Some(browser) = Browser::find() else { return };
    let ApiFixture { app, api } = ApiFixture::start(toolgate());
    let upstream = Upstream::builder().route("/issues", MockResponse::json(issues())).start();
    let server = id(&api.create_server(json!({"name": "Help desk"})).await);
    let mut tools = Vec::new();
    for name in ["list_issues", "close_issue", "reopen_issue"] {
        let fields = json!({"name": name, "endpoint_url": upstream.url("/issues")});
        tools.push(id(&api.create_tool(server, fields).await));
    }
    let output = browser.run("discovery_and_shaping.mjs", &app, &json!({"server": server, "tool": tools[0]})).await;
    assert_eq!(output["faults"], json!([]), "{output:#}");
    let settings = api.read(&format!("/servers/{server}")).await["settings"].clone();
    assert_eq!(
        settings,
        json!({
            "discovery": "search",
            "list_budget": 2000,
            "client_profiles": {"my-agent": "gemini"},
            "shaping": {"max_tokens": 3000, "drop_empty": true, "tables": true, "html": "markdown", "blobs": "link"},
        })
    );
    let tool = api.read(&format!("/tools/{}", tools[0])).await;
    assert_eq!(
        (&tool["pinned"], &tool["shaping"]),
        (
            &json!(true),
            &json!({
                "max_tokens": 500, "fields": ["[].title", "[].user.login"], "omit": ["*_url"], "drop_empty": true,
                "html": "text", "blobs": "link", "overflow_minutes": 30,
            })
        )
    );
    let overflow = output.text("/overflow/text");
    assert!(overflow.contains("kept for 30 min") && overflow.contains("% less"), "{overflow}");
    assert_eq!(output["overflow"]["isSideBySide"], true, "{output:#}");
    let cost = output.text("/cost");
    assert!(cost.starts_with("3 tools, ") && cost.contains("(search; the whole list has "), "{cost}");
}
