//! Which changes a commit of a known document applies, and when it is refused.

use serde_json::{Value, json};
use toolgate_testkit::upstream::{MockResponse, ResponseGate};
use toolgate_testkit::{ApiFixture, Upstream};

use super::assertions::{assert_error, column};
use super::document_refresh::{document, import, refresh, send_refresh, tool};

on_both_databases!(
    an_update_applies_the_breaking_changes_that_are_selected,
    a_refresh_with_all_selected_applies_all_breaking_changes,
    the_same_document_creates_no_new_version,
    a_document_that_another_editor_refreshes_at_the_same_time_is_refused,
);

/// The document at another server, which is a breaking change of each tool.
fn moved_document(host: &str) -> Value {
    let mut document = document();
    document["servers"][0]["url"] = json!(format!("https://{host}/v1"));
    document
}

async fn an_update_applies_the_breaking_changes_that_are_selected(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let url = "https://docs.example.com/api.json";
    import(service, server, json!({"content": document(), "url": url})).await;
    let path = format!("/servers/{server}/tools/import-openapi");
    let commit = async |host: &str, selected: Value| {
        let body = json!({
            "content": moved_document(host), "url": url, "commit": true, "selected_temp_ids": selected,
            "on_conflict": "update",
        });
        service.api.post(&path).json(body).send().await.expect(200).json()
    };
    let read = service.api.post(&path).json(json!({"content": document()})).send().await.expect(200).json();
    let one = commit("one.example.com", json!([read["candidates"][1]["temp_id"]])).await;
    assert_eq!(column(&one["updated"], "name"), ["create_pet"]);
    assert_eq!(tool(service, server, "POST /pets").await["endpoint_url"], "https://one.example.com/v1/pets");
    assert_eq!(tool(service, server, "GET /pets").await["endpoint_url"], "https://api.example.com/v1/pets");
    let all = commit("all.example.com", json!(["*"])).await;
    assert_eq!(column(&all["updated"], "name"), ["list_pets", "create_pet", "list_orders"]);
    assert_eq!(tool(service, server, "GET /pets").await["endpoint_url"], "https://all.example.com/v1/pets");
}

async fn a_refresh_with_all_selected_applies_all_breaking_changes(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let content = moved_document("all.example.com");
    let reply = refresh(service, &id, json!({"content": content, "commit": true, "selected_temp_ids": ["*"]})).await;
    assert_eq!(column(&reply["updated"], "name"), ["list_pets", "create_pet", "list_orders"]);
    assert_eq!((&reply["skipped"], &reply["failed"]), (&json!([]), &json!([])));
}

async fn the_same_document_creates_no_new_version(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let before = service.api.read(&format!("/servers/{server}/tools")).await;
    let reply = refresh(service, &id, json!({"content": document(), "commit": true})).await;
    for list in ["created", "updated", "failed", "removed"] {
        assert_eq!(reply[list], json!([]), "{list}");
    }
    assert_eq!(service.api.read(&format!("/documents/{id}")).await["revision"], 1);
    assert_eq!(service.api.read(&format!("/servers/{server}/tools")).await, before);
}

async fn a_document_that_another_editor_refreshes_at_the_same_time_is_refused(service: &ApiFixture) {
    let gate = ResponseGate::new();
    let held = MockResponse::json(moved_document("late.example.com")).held_by(&gate);
    let upstream = Upstream::builder().route("/api.json", held).start();
    let server = service.api.create_default_server().await;
    let id = import(service, server, json!({"content": document()})).await;
    let editor = service.api.create_user("editor", "owner").await;
    service.api.create(&format!("/servers/{server}/members"), json!({"user_id": editor, "role": "editor"})).await;
    let editor = service.api.key_client(json!({"user_id": editor})).await;
    let late = json!({"url": upstream.url("/api.json"), "commit": true, "accept_breaking": true});
    let late = editor.post(&format!("/documents/{id}/refresh")).json(late).send();
    let first = async {
        // The document is read before it is fetched.
        upstream.wait_for_requests(1).await;
        let first = json!({"content": moved_document("first.example.com"), "commit": true, "accept_breaking": true});
        send_refresh(service, &id, first).await.expect(200);
        gate.open();
    };
    let (late, ()) = tokio::join!(late, first);
    assert_error(&late, 409, "rest_document_changed");
    assert_eq!(service.api.read(&format!("/documents/{id}")).await["revision"], 2);
    assert_eq!(tool(service, server, "GET /pets").await["endpoint_url"], "https://first.example.com/v1/pets");
}
