//! A server whose tools come from a document, and a newer version of the document.

use serde_json::{Value, json};
use toolgate_testkit::Client;
use toolgate_testkit::objects::id;

/// Creates the server. Returns the ids of the server, the document and a tool, and the text of the newer version.
pub(super) async fn create(api: &Client) -> Value {
    let server = api.create_returning_id("/servers", json!({"name": "Shop imports"})).await;
    let (first_version, newer_version) = (document(false), document(true));
    let arguments = json!({"content": first_version, "commit": true, "selected_temp_ids": ["*"]});
    let path = format!("/servers/{server}/tools/import-openapi");
    let reply = api.post(&path).json(arguments).send().await.expect(200).json();
    let tools = api.read(&format!("/servers/{server}/tools")).await;
    let text = serde_json::to_string_pretty(&newer_version).unwrap();
    json!({"server": server, "document": reply["document_id"], "tool": id(&tools[0]), "text": text})
}

/// A document with everything that the page can show: problems, warnings, several servers and security schemes. The
/// newer version adds an operation, removes one, and changes a text and a type.
fn document(is_newer: bool) -> Value {
    let limit_type = if is_newer { "string" } else { "integer" };
    let mut paths = json!({
        "/orders": {
            "get": {"operationId": "listOrders", "summary": "Lists orders", "tags": ["orders"], "responses": {},
                "parameters": [{"name": "limit", "in": "query", "schema": {"type": limit_type}},
                    {"name": "Cookie", "in": "header", "schema": {"type": "string"}}]},
            "delete": {"operationId": "deleteOrders", "deprecated": true, "tags": ["orders"], "responses": {}},
            "trace": {"responses": {}},
        },
        "/orders/{id}": {"get": {"operationId": "getOrder", "responses": {}, "security": [{"key": []}],
            "summary": if is_newer { "Reads an order" } else { "Gets an order" },
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}]}},
    });
    let other = if is_newer { "/customers" } else { "/invoices" };
    paths[other] = json!({"post": {"summary": "Creates one", "responses": {}}});
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": if is_newer { "2" } else { "1" }},
        "servers": [
            {"url": "https://{region}.shop.example", "variables": {"region": {"default": "eu", "enum": ["eu", "us"]}}},
            {"url": "https://test.shop.example", "description": "For tests"},
        ],
        "components": {"securitySchemes": {
            "token": {"type": "http", "scheme": "bearer"},
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "certificate": {"type": "mutualTLS"},
        }},
        "security": [{"token": []}],
        "paths": paths,
    })
}
