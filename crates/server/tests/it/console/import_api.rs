//! Imports of API documents in the console: from a dropped file to tools and a first call, with the keyboard alone, and
//! with many operations.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use toolgate_testkit::{ApiFixture, MockResponse, Upstream};

use super::browser::Browser;
use crate::toolgate;

/// Limits for the page: a screen shows about 20 rows, and a few more are rendered beyond its edges.
const ROWS_MAX: u64 = 60;
const NODES_MAX: u64 = 2_500;

/// A document with `count` operations that read, one that writes, and a deprecated one.
fn document(url: &str, count: usize) -> Value {
    let mut paths = Map::new();
    for number in 1..=count {
        let operation = json!({
            "operationId": format!("getItem{number:04}"), "summary": format!("Gets item {number}"),
            "tags": [format!("group {}", number % 3)],
            "parameters": [
                {"name": "id", "in": "query", "required": true, "schema": {"type": "integer", "minimum": 7}},
                {"name": "verbose", "in": "query", "schema": {"type": "boolean"}},
            ],
            "responses": {},
        });
        paths.insert(format!("/items/{number:04}"), json!({"get": operation}));
    }
    paths.insert(
        "/items".to_owned(),
        json!({
            "post": {"operationId": "createItem", "summary": "Creates an item", "tags": ["write"], "responses": {}},
            "delete": {"operationId": "deleteItems", "deprecated": true, "responses": {}},
            "trace": {"operationId": "traceItems", "responses": {}},
        }),
    );
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Items", "version": "2.0"},
        "servers": [{"url": url}],
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
        "paths": paths,
    })
}

fn names(tools: &Value) -> BTreeSet<String> {
    tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_dropped_file_becomes_ten_renamed_tools_and_a_first_call() {
    let Some(browser) = Browser::find() else { return };
    let upstream = Upstream::with_handler(|request| MockResponse::json(json!({"asked": request.query_pairs()})));
    let ApiFixture { app, api } = ApiFixture::start(toolgate());
    let server = api.create_default_server().await;
    let text = serde_json::to_string_pretty(&document(&upstream.url(""), 12)).unwrap();
    let input = json!({"server": server, "document": text, "token": "s3cret-token"});
    let output = browser.run("import_api.mjs", &app, &input).await;
    output.assert_no_errors();

    assert_eq!(output["start"], json!({"selected": "13 of 14", "deprecated": false}), "{output:#}");
    assert!(
        output.text("/problem").contains("TRACE /items") && output.text("/problem").contains("line "),
        "{output:#}"
    );
    assert!(output.text("/source").contains("\"operationId\": \"getItem0001\""), "{output:#}");
    let tools = api.read(&format!("/servers/{server}/tools")).await;
    let expected: BTreeSet<String> = (1..=10).map(|number| format!("item_{number}")).collect();
    assert_eq!(names(&tools), expected, "{output:#}");
    let first = &tools[0];
    assert_eq!((&first["status"], &first["credential"]), (&json!("active"), &json!("token")));
    assert_eq!(first["parameter_mapping"]["verbose"]["value"], json!(true), "the argument is fixed: {first:#}");
    assert_eq!(first["origin"]["operation"], "GET /items/0001");
    let call = upstream.last();
    assert_eq!(call.header("authorization"), Some("Bearer s3cret-token"));
    assert_eq!(call.query_pairs(), [("id".to_owned(), "7".to_owned()), ("verbose".to_owned(), "true".to_owned())]);
    assert!(output.text("/tested").contains("Success"), "{output:#}");
    assert!(
        output.text("/origin").contains("Items") && output.text("/origin").contains("GET /items/0001"),
        "{output:#}"
    );
    let documents = api.read(&format!("/servers/{server}/documents")).await;
    assert_eq!((&documents[0]["name"], &documents[0]["tools_count"]), (&json!("Documented items"), &json!(10)));
    assert_eq!(output["downloaded"], text, "the download is the document as it was dropped");
}

#[tokio::test]
async fn a_document_is_imported_with_the_keyboard_alone() {
    let Some(browser) = Browser::find() else { return };
    let ApiFixture { app, api } = ApiFixture::start(toolgate());
    let server = api.create_default_server().await;
    let input = json!({"document": document("https://api.example.com", 5).to_string()});
    let output = browser.run("import_keyboard.mjs", &app, &input).await;
    output.assert_no_errors();
    let tools = api.read(&format!("/servers/{server}/tools")).await;
    assert_eq!(names(&tools), BTreeSet::from(["create_item".to_owned(), "renamed_by_key".to_owned()]), "{output:#}");
}

#[tokio::test]
async fn a_thousand_operations_render_only_a_few_rows() {
    let Some(browser) = Browser::find() else { return };
    let ApiFixture { app, api } = ApiFixture::start(toolgate());
    let server = api.create_default_server().await;
    let output = browser.run("import_many.mjs", &app, &json!({"server": server})).await;
    output.assert_no_errors();
    let views = output["views"].as_array().unwrap();
    assert_eq!(views.len(), 4, "{output:#}");
    for view in views {
        assert!(view["rows"].as_u64().unwrap() < ROWS_MAX && view["nodes"].as_u64().unwrap() < NODES_MAX, "{view:#}");
    }
    assert_eq!(output["last"], "get_item0998", "End and the arrow key lead to the last row but one: {output:#}");
    assert_eq!(output["warning"], "The selection has more than 40 tools and more than 20,000 tokens", "{output:#}");
}
