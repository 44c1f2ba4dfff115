//! Edits of imported tools: they are written into the overlay of the document, and a refresh keeps them.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;

use super::assertions::{assert_error, assert_invalid_fields, column};
use super::document_refresh::{document, import, protected_document, refresh, tool};

on_both_databases!(
    an_edit_of_a_tool_is_kept_in_the_overlay_and_by_a_refresh,
    a_field_that_the_overlay_does_not_have_stays_until_the_document_changes_it,
    a_new_overlay_changes_the_tools,
    a_new_overlay_does_not_accept_a_breaking_change,
    credentials_are_replaced_only_if_the_overlay_can_be_applied,
    edits_of_a_copied_tool_are_not_in_the_overlay,
);

async fn patch(service: &ApiFixture, path: &str, body: Value) -> Value {
    service.api.patch(path).json(body).send().await.expect(200).json()
}

async fn an_edit_of_a_tool_is_kept_in_the_overlay_and_by_a_refresh(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let path = format!("/tools/{}", tool(service, server, "GET /pets").await["id"]);
    let schema = json!({"type": "object", "required": [], "properties": {
        "max": {"type": "integer", "maximum": 50, "description": "At most.", "default": 10}}});
    let edit = json!({
        "name": "pets", "description": "My text", "timeout": 9, "tags": ["mine"], "input_schema": schema,
        "parameter_mapping": {"max": {"location": "query", "name": "limit"}},
    });
    let edited = patch(service, &path, edit).await;
    let stored = service.api.read(&format!("/documents/{id}")).await;
    let expected = json!({"GET /pets": {
        "name": "pets", "description": "My text", "timeout": 9, "tags": ["mine"],
        "arguments": {"query:limit": {"rename": "max", "description": "At most.", "default": 10, "schema": {"maximum": 50}}}}});
    assert_eq!((&stored["overlay"], &stored["names"]["GET /pets"]), (&expected, &json!("pets")));
    let same = refresh(service, &id, json!({"content": document()})).await;
    assert_eq!(same["drift"]["unchanged"], 3, "{same}");
    assert_eq!(same["candidates"][0]["input_schema"], edited["input_schema"], "the overlay gives the edited schema");

    let mut document = document();
    document["paths"]["/pets"]["get"]["summary"] = json!("Other text");
    document["paths"]["/pets"]["get"]["parameters"]
        .as_array_mut()
        .unwrap()
        .push(json!({"name": "q", "in": "query", "schema": {"type": "string"}}));
    let reply = refresh(service, &id, json!({"content": document, "commit": true})).await;
    assert_eq!(column(&reply["updated"], "name"), ["pets"]);
    let after = service.api.read(&path).await;
    for field in ["name", "description", "timeout", "tags"] {
        assert_eq!(after[field], edited[field], "{field}");
    }
    assert_eq!(after["input_schema"]["properties"]["max"], edited["input_schema"]["properties"]["max"]);
    assert_eq!(after["input_schema"]["properties"]["q"], json!({"type": "string"}));
    // An argument that an edit removes is hidden, and an argument with a fixed value keeps it.
    let mapping = json!({"max": {"location": "query", "name": "limit", "value": 7}});
    let schema = json!({"type": "object", "properties": {}, "required": []});
    patch(service, &path, json!({"input_schema": schema, "parameter_mapping": mapping})).await;
    let reply = refresh(service, &id, json!({"content": document})).await;
    assert_eq!(reply["drift"]["unchanged"], 3, "{reply}");
    assert_eq!(reply["candidates"][0]["parameter_mapping"], mapping);
}

async fn a_field_that_the_overlay_does_not_have_stays_until_the_document_changes_it(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let path = format!("/tools/{}", tool(service, server, "GET /pets").await["id"]);
    let edit =
        json!({"endpoint_url": "https://proxy.example.com/pets", "headers": {"X-Api-Key": "s3cret"}, "cache_ttl": 60});
    patch(service, &path, edit).await;
    assert_eq!(service.api.read(&format!("/documents/{id}")).await["overlay"], json!({}));
    let mut document = document();
    document["paths"]["/pets"]["get"]["summary"] = json!("Other text");
    let reply = refresh(service, &id, json!({"content": document, "commit": true})).await;
    assert_eq!(column(&reply["updated"], "name"), ["list_pets"]);
    let after = service.api.read(&path).await;
    assert_eq!(
        (&after["description"], &after["endpoint_url"], &after["cache_ttl"], &after["headers"]["X-Api-Key"]),
        (&json!("Other text"), &json!("https://proxy.example.com/pets"), &json!(60), &json!("********"))
    );
    document["servers"][0]["url"] = json!("https://new.example.com");
    let read = refresh(service, &id, json!({"content": document})).await;
    let breaking = &read["drift"]["breaking"][0];
    let change = json!({"pointer": "/endpoint_url", "was": "https://proxy.example.com/pets", "now": "https://new.example.com/pets"});
    assert_eq!((&breaking["name"], &breaking["changes"]), (&json!("list_pets"), &json!([change])));
}

async fn a_new_overlay_changes_the_tools(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let path = format!("/documents/{id}");
    let before = tool(service, server, "POST /pets").await;
    let overlay = json!({
        "GET /pets": {"name": "pets", "timeout": 5, "arguments": {"query:limit": {"fixed": 3}}},
        "GET /orders": {"hidden": true},
    });
    patch(service, &path, json!({"overlay": overlay})).await;
    let pets = tool(service, server, "GET /pets").await;
    assert_eq!((&pets["name"], &pets["timeout"]), (&json!("pets"), &json!(5)));
    assert_eq!(pets["parameter_mapping"], json!({"limit": {"location": "query", "value": 3}}));
    let orders = tool(service, server, "GET /orders").await;
    assert_eq!((&orders["status"], &orders["origin"]["removed"]), (&json!("paused"), &json!(false)));
    assert_eq!(tool(service, server, "POST /pets").await, before, "other tools are not written");
    let stored = patch(service, &path, json!({"overlay": {}})).await;
    assert_eq!(stored["names"]["GET /pets"], "pets");
    let pets = tool(service, server, "GET /pets").await;
    assert_eq!((&pets["name"], &pets["timeout"]), (&json!("pets"), &json!(30)), "a tool keeps its name");
    assert_eq!(pets["parameter_mapping"], json!({"limit": {"location": "query"}}));
    // Nothing is changed if the overlay cannot be applied.
    service.api.create_tool(server, json!({"name": "taken"})).await;
    let taken = json!({"POST /pets": {"name": "taken"}});
    assert_error(&service.api.patch(&path).json(json!({"overlay": taken})).send().await, 409, "rest_tool_exists");
    let unknown = json!({"overlay": {"POST /pets": {"nam": "x"}}});
    assert_invalid_fields(&service.api.patch(&path).json(unknown).send().await, &["overlay"]);
    assert_eq!(service.api.read(&path).await["overlay"], json!({}));
    // A tool keeps its name if the overlay gives the same name to another tool.
    patch(service, &path, json!({"overlay": {"POST /pets": {"name": "pets"}}})).await;
    assert_eq!(tool(service, server, "GET /pets").await["name"], "pets");
    assert_eq!(tool(service, server, "POST /pets").await["name"], "pets_2");
}

async fn a_new_overlay_does_not_accept_a_breaking_change(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let mut document = document();
    document["paths"]["/pets"]["post"]["parameters"] =
        json!([{"name": "owner", "in": "query", "required": true, "schema": {"type": "string"}}]);
    refresh(service, &id, json!({"content": document, "commit": true})).await;
    let overlay = json!({"POST /pets": {"description": "Mine"}});
    patch(service, &format!("/documents/{id}"), json!({"overlay": overlay})).await;
    let post = tool(service, server, "POST /pets").await;
    assert_eq!((&post["description"], &post["origin"]["outdated"]), (&json!("Mine"), &json!(true)));
    let read = refresh(service, &id, json!({"content": document})).await;
    assert_eq!(column(&read["drift"]["breaking"], "name"), ["create_pet"]);
}

async fn credentials_are_replaced_only_if_the_overlay_can_be_applied(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let arguments = json!({"content": protected_document(), "credentials": {"token": {"token": "first"}}});
    let path = format!("/documents/{}", import(service, server, arguments).await);
    service.api.create_tool(server, json!({"name": "taken"})).await;
    let has_credentials =
        async || service.api.read(&format!("/servers/{server}/credentials")).await[0]["has_credentials"].clone();
    let body = |overlay: Value| json!({"overlay": overlay, "credentials": {"token": {}}});
    let refused = service.api.patch(&path).json(body(json!({"POST /pets": {"name": "taken"}}))).send().await;
    assert_error(&refused, 409, "rest_tool_exists");
    assert_eq!(has_credentials().await, true);
    let bad = json!({"overlay": {"POST /pets": {"timeout": 7}}, "credentials": {"token": {"tokn": "x"}}});
    assert_invalid_fields(&service.api.patch(&path).json(bad).send().await, &["credentials"]);
    assert_ne!(tool(service, server, "POST /pets").await["timeout"], 7);
    patch(service, &path, body(json!({"POST /pets": {"timeout": 7}}))).await;
    assert_eq!(
        (has_credentials().await, &tool(service, server, "POST /pets").await["timeout"]),
        (json!(false), &json!(7))
    );
}

async fn edits_of_a_copied_tool_are_not_in_the_overlay(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let original = tool(service, server, "GET /pets").await["id"].clone();
    let copy = service.api.post(&format!("/tools/{original}/duplicate")).send().await.expect(201).json();
    patch(service, &format!("/tools/{}", copy["id"]), json!({"description": "Mine"})).await;
    assert_eq!(service.api.read(&format!("/documents/{id}")).await["overlay"], json!({}));
}
