//! Users in the management API: fields, validation and deletion.

use serde_json::json;
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::fixtures::{
    ABSENT_ID, assert_error, assert_missing, assert_refused, assert_refused_as, assert_timestamp, client_with_role,
    create_key, create_server,
};

on_both_databases![
    a_user_has_a_name_and_a_role,
    bad_users_are_refused,
    a_user_with_servers_and_the_last_administrator_cannot_be_deleted,
    deleting_a_user_deletes_their_keys,
];

async fn a_user_has_a_name_and_a_role(service: &ApiFixture) {
    let client = &service.api;
    let first = client.read("/users").await;
    assert_eq!(first.as_array().unwrap().len(), 1);
    assert_eq!((&first[0]["id"], &first[0]["role"]), (&json!(1), &json!("admin")), "the initial key belongs to user 1");
    for role in ["admin", "owner", "viewer"] {
        let reply = client.post("/users").json(json!({"name": format!("{role} Ü"), "role": role})).send().await;
        let created = reply.expect(201).json();
        let keys: Vec<&str> = created.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["id", "name", "role", "disabled", "has_provider_account", "created_at", "updated_at"]);
        assert_eq!((&created["name"], &created["role"]), (&json!(format!("{role} Ü")), &json!(role)));
        assert_timestamp(&created["created_at"]);
        assert_eq!(client.read(&format!("/users/{}", id(&created))).await, created);
    }
    assert_eq!(client.create("/users", json!({"name": "plain"})).await["role"], "owner");
    let all = client.get("/users").send().await.expect(200);
    assert_eq!((all.header("x-wp-total"), all.json().as_array().unwrap().len()), (Some("5"), 5));
    let page = client.get("/users").query("per_page", 2).query("page", 3).send().await.expect(200);
    assert_eq!((page.header("x-wp-totalpages"), page.json()[0]["name"].as_str()), (Some("3"), Some("plain")));
}

async fn bad_users_are_refused(service: &ApiFixture) {
    let client = &service.api;
    assert_missing(&client.post("/users").json(json!({"role": "owner"})).send().await, &["name"]);
    for name in [json!(""), json!(" "), json!(7), json!("a\u{202e}"), json!("a\u{0}"), json!("x".repeat(201))] {
        assert_refused(&client.post("/users").json(json!({"name": name})).send().await, "name");
    }
    let root = client.post("/users").json(json!({"name": "x", "role": "root"})).send().await;
    assert_refused_as(&root, "role", "rest_not_in_enum");
    service.api.create_user("x", "owner").await;
    let conflict = client.post("/users").json(json!({"name": "x"})).send().await;
    assert_error(&conflict, 409, "rest_user_exists");
    assert!(conflict.json()["data"]["params"]["name"].is_string(), "{conflict:?}");
    for absent in [ABSENT_ID, 0] {
        assert_error(&client.get(&format!("/users/{absent}")).send().await, 404, "rest_user_invalid_id");
        assert_error(&client.delete(&format!("/users/{absent}")).send().await, 404, "rest_user_invalid_id");
    }
}

async fn a_user_with_servers_and_the_last_administrator_cannot_be_deleted(service: &ApiFixture) {
    let ApiFixture { app, api: client } = service;
    let owner = client_with_role(client, "owner", "owner", &["write"]).await;
    let mine = create_server(&owner, "Mine").await;
    let shown = owner.read(&format!("/servers/{mine}")).await;
    let owner_id = shown["user_id"].as_i64().unwrap();
    assert_ne!(owner_id, 1, "a server belongs to the user of the key that created it");
    let path = format!("/users/{owner_id}");
    let refused = client.delete(&path).send().await.expect(409);
    assert!(refused.json()["message"].as_str().unwrap().contains("servers"), "{refused:?}");
    assert_eq!(owner.read(&format!("/servers/{mine}")).await, shown);
    owner.delete(&format!("/servers/{mine}")).send().await.expect(200);
    client.delete(&path).send().await.expect(200);

    client.delete("/users/1").send().await.expect(409);
    client.read("/servers").await;
    let second = service.api.create_user("second", "admin").await;
    let second_key = create_key(client, second, &["admin"]).await;
    let second_client = app.client_with_key(second_key["key"].as_str());
    second_client.delete("/users/1").send().await.expect(200);
    assert_error(&client.get("/users").send().await, 401, "rest_forbidden");
    second_client.delete(&format!("/users/{second}")).send().await.expect(409);
}

async fn deleting_a_user_deletes_their_keys(service: &ApiFixture) {
    let ApiFixture { app, api: client } = service;
    let user = service.api.create_user("gone", "owner").await;
    let previous = client.read(&format!("/users/{user}")).await;
    let keys = [create_key(client, user, &["read"]).await, create_key(client, user, &["write", "mcp"]).await];
    for key in &keys {
        app.client_with_key(key["key"].as_str()).read("/servers").await;
    }
    let reply = client.delete(&format!("/users/{user}")).send().await.expect(200).json();
    assert_eq!(reply, json!({"deleted": true, "previous": previous}));
    for key in &keys {
        let refused = app.client_with_key(key["key"].as_str()).get("/servers").send().await;
        assert_error(&refused, 401, "rest_forbidden");
        let absent = client.delete(&format!("/api-keys/{}", id(key))).send().await;
        assert_error(&absent, 404, "rest_api_key_invalid_id");
    }
    let listed = client.read("/api-keys").await;
    assert!(listed.as_array().unwrap().iter().all(|key| key["user_id"] != user), "{listed}");
}
