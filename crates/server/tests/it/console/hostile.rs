//! Hostile text in names, descriptions, schemas, responses and errors of APIs, and names of clients. Pages show it as
//! text and never as markup.

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, MockResponse, RunningService, Upstream};

use super::browser::Browser;
use crate::toolgate;

/// Text that has an effect if a page treats it as markup: elements of class `hostile`, scripts that set `__xss`.
const TEXT: &str = concat!(
    r#""'></title></textarea></script><img class="hostile" src=x onerror="__xss='img'">"#,
    r#"<script class="hostile">__xss='script'</script><svg class="hostile" onload="__xss='svg'">"#,
    r#"<a class="hostile" href="javascript:__xss='link'">{{__xss=1}}${__xss=1}"#,
);
/// A shorter variant for names.
const NAME: &str = r#"'"><img class=hostile src=x onerror=__xss='name'><script class=hostile>__xss='name'</script>"#;
const LINK: &str = "javascript:globalThis.__xss='hostile'";

#[tokio::test]
async fn hostile_text_is_shown_as_text_on_every_page() {
    let Some(browser) = Browser::find() else { return };
    let api = Upstream::with_handler(|request| match request.path() {
        "/fails" => MockResponse::bytes("text/html", TEXT).with_status(500),
        _ => MockResponse::bytes("text/html", TEXT).header("x-hostile", TEXT),
    });
    let app = toolgate().start();
    let input = create_objects(&app, &api).await;
    let output = browser.run("hostile.mjs", &app, &input).await;
    // `failed` is not checked: one page shows an error on purpose.
    assert_eq!(
        (&output["errors"], &output["elsewhere"], &output["dialogs"]),
        (&json!([]), &json!([]), &json!([])),
        "{output:#}"
    );
    let pages = output["seen"].as_array().unwrap();
    assert_eq!(pages.len(), 27, "{output:#}");
    for page in pages {
        let harm = (&page["ran"], &page["elements"], &page["links"]);
        assert_eq!(harm, (&Value::Null, &json!([]), &json!([])), "{page:#}");
    }
}

async fn create_objects(app: &RunningService, api: &Upstream) -> Value {
    let owner = app.client();
    let settings = json!({"description": TEXT, "instructions": TEXT, "capture": "all", "homepage": LINK});
    let fields = json!({"name": NAME, "settings": settings, "rate_limit_per_min": 0});
    let server = owner.create("/servers", fields).await;
    let path = |part: &str| format!("/servers/{}/{part}", server["id"]);
    let property = json!({"type": "string", "title": TEXT, "description": TEXT, "default": TEXT, "enum": [TEXT, LINK]});
    let schema = json!({"type": "object", "description": TEXT, "properties": {TEXT: property}});
    let tool = owner
        .create(
            &path("tools"),
            json!({"name": "hostile_tool", "description": TEXT,
        "endpoint_url": api.url("/answers"), "headers": {"X-Hostile": TEXT}, "input_schema": schema}),
        )
        .await;
    let failing = owner
        .create(&path("tools"), json!({"name": "fails", "description": TEXT, "endpoint_url": api.url("/fails")}))
        .await;
    owner
        .create(
            &path("prompts"),
            json!({"name": "hostile_prompt", "description": TEXT, "template_content": TEXT,
        "arguments": [{"name": "a", "description": TEXT, "required": true}]}),
        )
        .await;
    owner
        .create(
            &path("resources"),
            json!({"uri": LINK, "name": NAME, "description": TEXT,
        "mime_type": "text/html", "data_source_config": {"content": TEXT}}),
        )
        .await;
    owner.create(&path("keys"), json!({"name": NAME})).await;
    let user = owner.create("/users", json!({"name": NAME, "role": "owner"})).await;
    owner.create("/api-keys", json!({"name": NAME, "user_id": user["id"]})).await;
    let client = json!({"name": NAME, "redirect_uris": ["https://client.example/callback"]});
    let client = owner.create("/oauth/clients", client).await;
    let mcp = McpClient::new(server["endpoint_url"].as_str().unwrap()).header("x-mcp-client", NAME);
    mcp.call("hostile_tool", json!({TEXT: TEXT})).await;
    mcp.call("fails", json!({TEXT: TEXT})).await;
    let curl = format!(
        "curl 'http://127.0.0.1:9/hostile?q={}' -H 'X-Hostile: {}'",
        escape_single_quotes(TEXT),
        escape_single_quotes(TEXT)
    );
    json!({"server": server["id"], "tool": tool["id"], "failing": failing["id"], "curl": curl, "text": TEXT,
        "document": document(api).to_string(), "client": client["id"]})
}

/// A document with hostile texts wherever a document has texts.
fn document(api: &Upstream) -> Value {
    let path = format!("/{}", TEXT.replace(['{', '}', '?', '#'], ""));
    let parameter =
        json!({"name": NAME, "in": "query", "description": TEXT, "schema": {"type": "string", "enum": [TEXT]}});
    let operation = json!({"operationId": NAME, "summary": TEXT, "description": TEXT, "tags": [NAME],
        "parameters": [parameter], "responses": {}});
    json!({
        "openapi": "3.1.0",
        "info": {"title": TEXT, "version": TEXT},
        "servers": [{"url": api.url("/{v}"), "description": TEXT, "variables": {"v": {"default": "v1", "description": TEXT}}}],
        "components": {"securitySchemes": {"hostile": {"type": "apiKey", "in": "header", "name": "X-Hostile", "description": TEXT}}},
        "security": [{"hostile": []}],
        "paths": {path: {"get": operation, "trace": operation}, "/plain": {"get": operation}},
    })
}

/// Escapes text for a shell word in single quotes.
fn escape_single_quotes(text: &str) -> String {
    text.replace('\'', r"'\''")
}
