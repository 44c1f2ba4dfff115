//! Refresh of imported documents: drift, the changes that a commit applies, rollback, sources and refusals.

use serde_json::{Value, json};
use toolgate_testkit::upstream::{MockResponse, ResponseGate};
use toolgate_testkit::{ApiFixture, TestResponse, Upstream};

use super::assertions::{assert_error, assert_invalid_fields, column};

on_both_databases!(
    drift_lists_added_removed_changed_breaking_and_unchanged_operations,
    a_commit_changes_tools_in_place_and_leaves_breaking_changes_out,
    breaking_changes_are_applied_when_they_are_accepted,
    removed_operations_are_paused_and_marked_or_deleted,
    a_commit_is_rolled_back_with_an_earlier_revision,
    a_document_is_refreshed_from_its_url_with_its_headers,
    a_document_that_is_edited_during_a_refresh_is_not_overwritten,
    a_key_that_is_revoked_during_a_refresh_changes_nothing,
    headers_of_a_document_are_not_sent_to_another_host,
    a_refresh_keeps_the_filter_of_the_import_and_the_names_of_tools,
    an_import_of_a_known_document_follows_the_same_rules,
    credentials_are_replaced_together_with_changes_to_their_tools,
    a_tool_whose_new_name_is_taken_fails_alone,
    options_of_a_skipped_change_are_not_stored,
    a_changed_document_is_refused_and_only_editors_may_refresh,
);

/// Three operations: `GET /pets` with an optional argument, `POST /pets`, `GET /orders`.
pub(super) fn document() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Petstore", "version": "1"},
        "servers": [{"url": "https://api.example.com/v1"}],
        "paths": {
            "/pets": {
                "get": {"operationId": "listPets", "summary": "List pets", "responses": {}, "parameters": [
                    {"name": "limit", "in": "query", "schema": {"type": "integer"}}]},
                "post": {"operationId": "createPet", "summary": "Create a pet", "responses": {}},
            },
            "/orders": {"get": {"operationId": "listOrders", "summary": "List orders", "responses": {}}},
        },
    })
}

/// `GET /pets` has another text, `POST /pets` a required argument, `GET /orders` is gone, `GET /users` is new.
fn changed_document() -> Value {
    let mut document = document();
    document["paths"]["/pets"]["get"]["summary"] = json!("List all pets");
    document["paths"]["/pets"]["post"]["parameters"] =
        json!([{"name": "owner", "in": "query", "required": true, "schema": {"type": "string"}}]);
    document["paths"].as_object_mut().unwrap().remove("/orders");
    document["paths"]["/users"] = json!({"get": {"operationId": "listUsers", "responses": {}}});
    document
}

/// The document with a credential named `token` for every operation.
pub(super) fn protected_document() -> Value {
    let mut document = document();
    document["components"] = json!({"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}});
    document["security"] = json!([{"token": []}]);
    document
}

/// Imports all operations as active tools. Returns the id of the document.
pub(super) async fn import(service: &ApiFixture, server: i64, arguments: Value) -> Value {
    let mut body = json!({"commit": true, "selected_temp_ids": ["*"], "imported_status": "active"});
    let Value::Object(arguments) = arguments else { panic!("{arguments}") };
    body.as_object_mut().unwrap().extend(arguments);
    let path = format!("/servers/{server}/tools/import-openapi");
    service.api.post(&path).json(body).send().await.expect(200).json()["document_id"].clone()
}

pub(super) async fn send_refresh(service: &ApiFixture, document: &Value, arguments: Value) -> TestResponse {
    service.api.post(&format!("/documents/{document}/refresh")).json(arguments).send().await
}

pub(super) async fn refresh(service: &ApiFixture, document: &Value, arguments: Value) -> Value {
    send_refresh(service, document, arguments).await.expect(200).json()
}

/// The tool that was imported from an operation.
pub(super) async fn tool(service: &ApiFixture, server: i64, operation: &str) -> Value {
    let tools = service.api.read(&format!("/servers/{server}/tools")).await;
    let found = tools.as_array().unwrap().iter().find(|tool| tool["origin"]["operation"] == operation);
    found.unwrap_or_else(|| panic!("{operation}: {tools}")).clone()
}

async fn drift_lists_added_removed_changed_breaking_and_unchanged_operations(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let same = refresh(service, &id, json!({"content": document()})).await;
    let nothing =
        json!({"added": [], "removed": [], "changed": [], "breaking": [], "unchanged": 3, "overlay_orphans": []});
    assert_eq!((&same["drift"], &same["totals"]["candidates"]), (&nothing, &json!(3)));
    let before = service.api.read(&format!("/servers/{server}/tools")).await;
    let read = refresh(service, &id, json!({"content": changed_document()})).await;
    let drift = &read["drift"];
    assert_eq!(column(&drift["added"], "operation"), ["GET /users"]);
    assert_eq!(column(&drift["removed"], "operation"), ["GET /orders"]);
    assert_eq!(column(&drift["changed"], "name"), ["list_pets"]);
    assert_eq!(drift["unchanged"], 0);
    let breaking = &drift["breaking"][0];
    assert_eq!((&breaking["operation"], &breaking["name"]), (&json!("POST /pets"), &json!("create_pet")));
    assert_eq!(breaking["changes"], json!([{"pointer": "/input_schema/required", "was": [], "now": ["owner"]}]));
    assert_eq!(breaking["temp_id"], read["candidates"][1]["temp_id"]);
    assert_eq!(service.api.read(&format!("/servers/{server}/tools")).await, before, "nothing is changed");
    assert_eq!(service.api.read(&format!("/documents/{id}")).await["revision"], 1);
}

async fn a_commit_changes_tools_in_place_and_leaves_breaking_changes_out(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let (pets, post) = (tool(service, server, "GET /pets").await, tool(service, server, "POST /pets").await);
    let mut document = changed_document();
    document["paths"]["/orders"] = self::document()["paths"]["/orders"].clone();
    let orders = tool(service, server, "GET /orders").await;
    let reply = refresh(service, &id, json!({"content": document, "commit": true})).await;
    assert_eq!(column(&reply["created"], "name"), ["list_users"]);
    assert_eq!(column(&reply["updated"], "name"), ["list_pets"]);
    assert_eq!(column(&reply["skipped"], "name"), ["create_pet"]);
    assert_eq!((&reply["failed"], &reply["removed"]), (&json!([]), &json!([])));
    let changed = tool(service, server, "GET /pets").await;
    for field in ["id", "name", "sort_order", "status", "credential", "created_at"] {
        assert_eq!(changed[field], pets[field], "{field}");
    }
    assert_eq!(changed["description"], "List all pets");
    assert_eq!(tool(service, server, "GET /orders").await, orders, "an unchanged tool is not written");
    assert_eq!(tool(service, server, "GET /users").await["status"], "paused");
    let skipped = tool(service, server, "POST /pets").await;
    assert_eq!((&skipped["input_schema"], &skipped["updated_at"]), (&post["input_schema"], &post["updated_at"]));
    assert_eq!((&skipped["origin"]["outdated"], &changed["origin"]["outdated"]), (&json!(true), &json!(false)));
    // Later refreshes still report a change that was not accepted, even after further versions.
    document["paths"]["/orders"]["get"]["summary"] = json!("Orders");
    for content in [document.clone(), document] {
        let read = refresh(service, &id, json!({"content": content, "commit": true})).await;
        assert_eq!(column(&read["drift"]["breaking"], "name"), ["create_pet"]);
        assert_eq!(read["drift"]["added"], json!([]));
    }
    let back = refresh(service, &id, json!({"content": self::document(), "commit": true})).await;
    assert_eq!((&back["drift"]["breaking"], &back["drift"]["unchanged"]), (&json!([]), &json!(1)));
    let tool = tool(service, server, "POST /pets").await;
    assert_eq!((&tool["origin"]["outdated"], &tool["updated_at"]), (&json!(false), &post["updated_at"]));
}

async fn breaking_changes_are_applied_when_they_are_accepted(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let mut document = document();
    document["servers"][0]["url"] = json!("https://other.example.com/v2");
    let read = refresh(service, &id, json!({"content": document})).await;
    assert_eq!(column(&read["drift"]["breaking"], "operation"), ["GET /pets", "POST /pets", "GET /orders"]);
    let change = json!({"pointer": "/endpoint_url", "was": "https://api.example.com/v1/pets", "now": "https://other.example.com/v2/pets"});
    assert_eq!(read["drift"]["breaking"][0]["changes"], json!([change]));
    let one = json!({"content": document, "commit": true, "selected_temp_ids": [read["drift"]["breaking"][0]["temp_id"], "op_unknown"]});
    let reply = refresh(service, &id, one).await;
    assert_eq!(column(&reply["updated"], "name"), ["list_pets"]);
    assert_eq!(column(&reply["skipped"], "name"), ["create_pet", "list_orders"]);
    assert_eq!(column(&reply["failed"], "temp_id"), ["op_unknown"]);
    assert_eq!(tool(service, server, "GET /pets").await["endpoint_url"], "https://other.example.com/v2/pets");
    assert_eq!(tool(service, server, "POST /pets").await["endpoint_url"], "https://api.example.com/v1/pets");
    let reply = refresh(service, &id, json!({"content": document, "commit": true, "accept_breaking": true})).await;
    assert_eq!(column(&reply["updated"], "name"), ["create_pet", "list_orders"]);
    let read = refresh(service, &id, json!({"content": document})).await;
    assert_eq!(read["drift"]["unchanged"], 3);
}

async fn removed_operations_are_paused_and_marked_or_deleted(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let mut document = document();
    document["paths"].as_object_mut().unwrap().remove("/orders");
    let reply = refresh(service, &id, json!({"content": document, "commit": true})).await;
    assert_eq!(
        (column(&reply["removed"], "name"), column(&reply["removed"], "result")),
        (vec!["list_orders"], vec!["paused"])
    );
    let orders = tool(service, server, "GET /orders").await;
    assert_eq!((&orders["status"], &orders["origin"]["removed"]), (&json!("paused"), &json!(true)));
    let again = refresh(service, &id, json!({"content": document, "commit": true})).await;
    assert_eq!((column(&again["drift"]["removed"], "name"), &again["removed"]), (vec!["list_orders"], &json!([])));
    assert_eq!(tool(service, server, "GET /orders").await, orders);
    let back = refresh(service, &id, json!({"content": self::document(), "commit": true})).await;
    assert_eq!(column(&back["updated"], "name"), ["list_orders"]);
    let tool = tool(service, server, "GET /orders").await;
    assert_eq!(
        (&tool["origin"]["removed"], &tool["status"], &tool["id"]),
        (&json!(false), &json!("paused"), &orders["id"])
    );
    let reply = refresh(service, &id, json!({"content": document, "commit": true, "removed": "delete"})).await;
    assert_eq!(column(&reply["removed"], "result"), ["deleted"]);
    assert_eq!(service.api.read(&format!("/servers/{server}")).await["tool_count"], 2);
}

async fn a_commit_is_rolled_back_with_an_earlier_revision(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let before = tool(service, server, "GET /pets").await;
    refresh(service, &id, json!({"content": changed_document(), "commit": true, "accept_breaking": true})).await;
    assert_ne!(tool(service, server, "GET /pets").await["description"], before["description"]);
    let read = refresh(service, &id, json!({"revision": 1})).await;
    assert_eq!(column(&read["drift"]["added"], "operation"), Vec::<&str>::new(), "the tool of GET /orders exists");
    let reply = refresh(service, &id, json!({"revision": 1, "commit": true, "accept_breaking": true})).await;
    assert_eq!(column(&reply["updated"], "name"), ["list_pets", "create_pet", "list_orders"]);
    assert_eq!(column(&reply["removed"], "name"), ["list_users"]);
    let after = tool(service, server, "GET /pets").await;
    for field in ["id", "description", "input_schema", "endpoint_url", "status"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    let stored = service.api.read(&format!("/documents/{id}")).await;
    assert_eq!(stored["revision"], 3);
    let content = service.api.get(&format!("/documents/{id}/content")).send().await.expect(200).json();
    assert_eq!(content, document());
    assert_invalid_fields(&send_refresh(service, &id, json!({"revision": 9})).await, &["revision"]);
    assert_invalid_fields(
        &send_refresh(service, &id, json!({"revision": 1, "content": document()})).await,
        &["revision"],
    );
}

async fn a_document_is_refreshed_from_its_url_with_its_headers(service: &ApiFixture) {
    let upstream = Upstream::builder()
        .route("/openapi.json", MockResponse::json(document()))
        .route("/new.json", MockResponse::json(changed_document()))
        .start();
    let server = service.api.create_default_server().await;
    let sent = import(service, server, json!({"content": document()})).await;
    assert_invalid_fields(&send_refresh(service, &sent, json!({})).await, &["content"]);
    let server = service.api.create_default_server().await;
    let arguments = json!({"url": upstream.url("/openapi.json"), "url_headers": {"X-Doc": "s3cret"}});
    let id = import(service, server, arguments).await;
    let read = refresh(service, &id, json!({})).await;
    assert_eq!((&read["drift"]["unchanged"], upstream.last().header("x-doc")), (&json!(3), Some("s3cret")));
    let read = refresh(service, &id, json!({"url": upstream.url("/new.json"), "commit": true})).await;
    assert_eq!(column(&read["updated"], "name"), ["list_pets"]);
    assert_eq!(upstream.last().header("x-doc"), None, "secret headers are sent to the stored URL only");
    assert_eq!(service.api.read(&format!("/documents/{id}")).await["url"], upstream.url("/new.json"));
}

async fn a_document_that_is_edited_during_a_refresh_is_not_overwritten(service: &ApiFixture) {
    let gate = ResponseGate::new();
    let upstream = Upstream::builder()
        .route("/held.json", MockResponse::json(changed_document()).held_by(&gate))
        .route("/other.json", MockResponse::json(document()))
        .start();
    let (held, other) = (upstream.url("/held.json"), upstream.url("/other.json"));
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document(), "url": held})).await;
    let document = format!("/documents/{id}");
    let pets = format!("/tools/{}", tool(service, server, "GET /pets").await["id"]);
    let edits = [(&pets, json!({"description": "Mine"})), (&document, json!({"url": other}))];
    for (requests, (path, edit)) in edits.into_iter().enumerate() {
        gate.shut();
        let (refreshed, ()) = tokio::join!(send_refresh(service, &id, json!({"url": held, "commit": true})), async {
            upstream.wait_for_requests(requests + 1).await;
            service.api.patch(path).json(edit).send().await.expect(200);
            gate.open();
        });
        assert_error(&refreshed, 409, "rest_document_changed");
    }
    let stored = service.api.read(&document).await;
    assert_eq!((&stored["url"], &stored["revision"]), (&json!(other), &json!(1)));
    assert_eq!(tool(service, server, "GET /pets").await["description"], "Mine");
}

async fn a_key_that_is_revoked_during_a_refresh_changes_nothing(service: &ApiFixture) {
    let gate = ResponseGate::new();
    let upstream =
        Upstream::builder().route("/held.json", MockResponse::json(changed_document()).held_by(&gate)).start();
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let key = service.api.create_key(json!({"scopes": ["read", "write"]})).await;
    let client = service.api.with_key(key["key"].as_str());
    let body = json!({"url": upstream.url("/held.json"), "commit": true});
    let (refreshed, ()) = tokio::join!(client.post(&format!("/documents/{id}/refresh")).json(body).send(), async {
        upstream.wait_for_requests(1).await;
        service.api.delete(&format!("/api-keys/{}", key["id"])).send().await.expect(200);
        gate.open();
    });
    assert_eq!(refreshed.status, 401, "{refreshed:?}");
    assert_eq!(service.api.read(&format!("/documents/{id}")).await["revision"], 1);
}

async fn headers_of_a_document_are_not_sent_to_another_host(service: &ApiFixture) {
    let start = || {
        let routes = Upstream::builder().route("/a.json", MockResponse::json(document()));
        routes.route("/b.json", MockResponse::json(document())).start()
    };
    let (own, other) = (start(), start());
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"url": own.url("/a.json"), "url_headers": {"X-Doc": "s3cret"}})).await;
    refresh(service, &id, json!({"url": own.url("/b.json"), "commit": true})).await;
    refresh(service, &id, json!({})).await;
    assert_eq!(own.last().header("x-doc"), Some("s3cret"), "another path of the same host");
    let masked = json!({"url": other.url("/a.json"), "url_headers": {"X-Doc": "********"}, "commit": true});
    assert_invalid_fields(&send_refresh(service, &id, masked).await, &["url_headers"]);
    refresh(service, &id, json!({"url": other.url("/a.json"), "commit": true})).await;
    refresh(service, &id, json!({})).await;
    assert_eq!(other.last().header("x-doc"), None);
    assert_eq!(service.api.read(&format!("/documents/{id}")).await["url_headers"], json!({}));
}

async fn a_refresh_keeps_the_filter_of_the_import_and_the_names_of_tools(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let overlay = json!({"GET /pets": {"name": "pets", "arguments": {"query:limit": {"rename": "max"}}}, "GET /gone": {"timeout": 5}});
    let id = import(service, server, json!({"content": document(), "paths": ["/pets"], "overlay": overlay})).await;
    let mut document = changed_document();
    document["paths"]["/pets"]["get"]["operationId"] = json!("otherName");
    document["paths"]["/pets"]["get"]["parameters"][0]["name"] = json!("count");
    let read = refresh(service, &id, json!({"content": document})).await;
    assert_eq!((&read["drift"]["added"], &read["drift"]["removed"]), (&json!([]), &json!([])));
    assert_eq!(read["drift"]["overlay_orphans"], json!(["GET /gone", "GET /pets query:limit"]));
    assert_eq!(column(&read["candidates"], "name"), ["pets", "create_pet"]);
    refresh(service, &id, json!({"content": document, "commit": true})).await;
    assert_eq!(service.api.read(&format!("/documents/{id}")).await["overlay"], overlay, "the overlay is kept");
    // A moved path is found by its operationId, and its tool keeps the name.
    let moved = json!({"get": document["paths"]["/pets"]["get"], "post": document["paths"]["/pets"]["post"]});
    let mut document = self::document();
    document["paths"] = json!({"/pets/all": moved});
    let reply = refresh(service, &id, json!({"content": document, "commit": true, "accept_breaking": true})).await;
    assert_eq!((&reply["drift"]["added"], &reply["drift"]["removed"]), (&json!([]), &json!([])));
    assert_eq!(column(&reply["updated"], "name"), ["pets", "create_pet"]);
    let moved = tool(service, server, "GET /pets/all").await;
    assert_eq!(moved["endpoint_url"], "https://api.example.com/v1/pets/all");
}

async fn an_import_of_a_known_document_follows_the_same_rules(service: &ApiFixture) {
    let upstream = Upstream::builder().route("/a.json", MockResponse::json(changed_document())).start();
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let url = json!({"url": upstream.url("/a.json")});
    service.api.patch(&format!("/documents/{id}")).json(url.clone()).send().await.expect(200);
    let commit = |more: Value| {
        let mut body = json!({"url": upstream.url("/a.json"), "commit": true, "selected_temp_ids": ["*"]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let path = format!("/servers/{server}/tools/import-openapi");
    let reply = service.api.post(&path).json(commit(json!({}))).send().await.expect(200).json();
    assert_eq!(reply["document_id"], id);
    assert_eq!(column(&reply["created"], "name"), ["list_users"]);
    assert_eq!(column(&reply["updated"], "name"), ["list_pets"]);
    assert_eq!(column(&reply["skipped"], "name"), ["create_pet"]);
    assert_eq!(column(&reply["removed"], "name"), ["list_orders"]);
    let pets = tool(service, server, "GET /pets").await;
    let again = service.api.post(&path).json(commit(json!({}))).send().await.expect(200).json();
    assert_eq!((&again["created"], &again["updated"]), (&json!([]), &json!([])));
    assert_eq!(again["skipped"].as_array().unwrap().len(), 3, "{again}");
    assert_eq!(tool(service, server, "GET /pets").await, pets);
    let other = &reply["created"][0]["temp_id"];
    let update = commit(json!({"on_conflict": "update", "selected_temp_ids": [other]}));
    let reply = service.api.post(&path).json(update).send().await.expect(200).json();
    assert_eq!(reply["updated"], json!([]), "a breaking change of a tool that is not selected");
    let accepted = service.api.post(&path).json(commit(json!({"accept_breaking": true}))).send().await.expect(200);
    assert_eq!(column(&accepted.json()["updated"], "name"), ["create_pet"]);
}

async fn credentials_are_replaced_together_with_changes_to_their_tools(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let mut document = protected_document();
    let id = import(service, server, json!({"content": document, "credentials": {"token": {"token": "first"}}})).await;
    for (summary, credentials) in [("All pets", json!({"token": "second"})), ("Pets", json!({}))] {
        document["paths"]["/pets"]["get"]["summary"] = json!(summary);
        let arguments = json!({"content": document, "commit": true, "credentials": {"token": credentials}});
        let reply = refresh(service, &id, arguments).await;
        assert_eq!(column(&reply["updated"], "name"), ["list_pets"]);
        assert_eq!(tool(service, server, "GET /pets").await["description"], summary);
        let stored = service.api.read(&format!("/servers/{server}/credentials")).await;
        assert_eq!((&stored[0]["has_credentials"], &stored[0]["tools_count"]), (&json!(summary != "Pets"), &json!(3)));
    }
}

async fn a_tool_whose_new_name_is_taken_fails_alone(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    import(service, server, json!({"content": document()})).await;
    service.api.create_tool(server, json!({"name": "taken"})).await;
    let overlay = json!({"GET /pets": {"description": "Mine"}, "POST /pets": {"name": "taken"}});
    let path = format!("/servers/{server}/tools/import-openapi");
    let body = json!({
        "content": document(), "overlay": overlay, "commit": true, "selected_temp_ids": ["*"], "accept_breaking": true,
    });
    let reply = service.api.post(&path).json(body).send().await.expect(200).json();
    assert_eq!(column(&reply["updated"], "name"), ["list_pets"]);
    assert_eq!(column(&reply["failed"], "name"), ["create_pet"]);
    assert_eq!(tool(service, server, "GET /pets").await["description"], "Mine");
    assert_eq!(tool(service, server, "POST /pets").await["name"], "create_pet");
}

async fn options_of_a_skipped_change_are_not_stored(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    import(service, server, json!({"content": document()})).await;
    let moved = json!({"content": document(), "base_url": "https://other.example.com/v2", "commit": true,
        "selected_temp_ids": ["*"], "on_conflict": "skip"});
    let mut accepted = moved.clone();
    accepted["accept_breaking"] = json!(true);
    let path = format!("/servers/{server}/tools/import-openapi");
    let reply = service.api.post(&path).json(moved).send().await.expect(200).json();
    let pets = tool(service, server, "GET /pets").await;
    assert_eq!(
        (&reply["updated"], pets["endpoint_url"].as_str()),
        (&json!([]), Some("https://api.example.com/v1/pets"))
    );
    assert_eq!(pets["origin"]["outdated"], false, "the document has no newer version");
    let reply = service.api.post(&path).json(accepted).send().await.expect(200).json();
    assert_eq!(reply["updated"].as_array().unwrap().len(), 3, "{reply}");
    assert_eq!(tool(service, server, "GET /pets").await["endpoint_url"], "https://other.example.com/v2/pets");
}

async fn a_changed_document_is_refused_and_only_editors_may_refresh(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let read = refresh(service, &id, json!({"content": document()})).await;
    let arguments = json!({"content": changed_document(), "commit": true, "document_sha256": read["document_sha256"]});
    assert_error(&send_refresh(service, &id, arguments).await, 409, "rest_document_changed");
    assert_eq!(service.api.read(&format!("/documents/{id}")).await["revision"], 1);
    let path = format!("/documents/{id}/refresh");
    let body = json!({"content": document()});
    let other = service.api.user_client("other", "owner").await;
    assert_error(&other.post(&path).json(body.clone()).send().await, 404, "rest_document_invalid_id");
    let viewer = service.api.user_client("viewer", "viewer").await;
    assert_error(&viewer.post(&path).json(body).send().await, 403, "rest_forbidden");
}
