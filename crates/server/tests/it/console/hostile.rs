//! Words of others: names, descriptions, schemas, answers and errors of APIs, names of clients. A page shows them as
//! words, whatever they say.

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, MockResponse, RunningService, Upstream};

use super::browser::{Browser, create, service};

/// What would do something in a page that took it for markup: elements of class `hostile`, scripts that set `__xss`.
const TEXT: &str = concat!(
    r#""'></title></textarea></script><img class="hostile" src=x onerror="__xss='img'">"#,
    r#"<script class="hostile">__xss='script'</script><svg class="hostile" onload="__xss='svg'">"#,
    r#"<a class="hostile" href="javascript:__xss='link'">{{__xss=1}}${__xss=1}"#,
);
/// The same where there is less room.
const NAME: &str = r#"'"><img class=hostile src=x onerror=__xss='name'><script class=hostile>__xss='name'</script>"#;
const LINK: &str = "javascript:globalThis.__xss='hostile'";

#[tokio::test]
async fn hostile_words_are_only_words_on_every_page() {
    let Some(browser) = Browser::find() else { return };
    let api = Upstream::with_handler(|request| match request.path() {
        "/fails" => MockResponse::bytes("text/html", TEXT).with_status(500),
        _ => MockResponse::bytes("text/html", TEXT).header("x-hostile", TEXT),
    });
    let app = service().start();
    let input = create_objects(&app, &api).await;
    let output = browser.run("hostile.mjs", &app, &input).await;
    // The page that is made to show an error was refused something.
    assert_eq!(
        (&output["errors"], &output["elsewhere"], &output["dialogs"]),
        (&json!([]), &json!([]), &json!([])),
        "{output:#}"
    );
    let places = output["seen"].as_array().unwrap();
    assert_eq!(places.len(), 22, "{output:#}");
    for place in places {
        let harm = (&place["ran"], &place["elements"], &place["links"]);
        assert_eq!(harm, (&Value::Null, &json!([]), &json!([])), "{place:#}");
    }
}

async fn create_objects(app: &RunningService, api: &Upstream) -> Value {
    let owner = app.client();
    let settings = json!({"description": TEXT, "instructions": TEXT, "capture": "all", "homepage": LINK});
    let fields = json!({"name": NAME, "settings": settings, "rate_limit_per_min": 0});
    let server = create(&owner, "/servers", fields).await;
    let path = |part: &str| format!("/servers/{}/{part}", server["id"]);
    let property = json!({"type": "string", "title": TEXT, "description": TEXT, "default": TEXT, "enum": [TEXT, LINK]});
    let schema = json!({"type": "object", "description": TEXT, "properties": {TEXT: property}});
    let tool = create(
        &owner,
        &path("tools"),
        json!({"name": "hostile_tool", "description": TEXT,
        "endpoint_url": api.url("/answers"), "headers": {"X-Hostile": TEXT}, "input_schema": schema}),
    )
    .await;
    let failing = create(
        &owner,
        &path("tools"),
        json!({"name": "fails", "description": TEXT, "endpoint_url": api.url("/fails")}),
    )
    .await;
    create(
        &owner,
        &path("prompts"),
        json!({"name": "hostile_prompt", "description": TEXT, "template_content": TEXT,
        "arguments": [{"name": "a", "description": TEXT, "required": true}]}),
    )
    .await;
    create(
        &owner,
        &path("resources"),
        json!({"uri": LINK, "name": NAME, "description": TEXT,
        "mime_type": "text/html", "data_source_config": {"content": TEXT}}),
    )
    .await;
    create(&owner, &path("keys"), json!({"name": NAME})).await;
    let user = create(&owner, "/users", json!({"name": NAME, "role": "owner"})).await;
    create(&owner, "/api-keys", json!({"name": NAME, "user_id": user["id"]})).await;
    let mcp = McpClient::new(server["endpoint_url"].as_str().unwrap()).header("x-mcp-client", NAME);
    mcp.call("hostile_tool", json!({TEXT: TEXT})).await;
    mcp.call("fails", json!({TEXT: TEXT})).await;
    let curl = format!("curl 'http://127.0.0.1:9/hostile?q={}' -H 'X-Hostile: {}'", shell(TEXT), shell(TEXT));
    json!({"server": server["id"], "tool": tool["id"], "failing": failing["id"], "curl": curl, "text": TEXT})
}

/// Inside single quotes.
fn shell(text: &str) -> String {
    text.replace('\'', r"'\''")
}
