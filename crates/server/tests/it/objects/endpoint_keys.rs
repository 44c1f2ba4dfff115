//! Keys for the MCP endpoint of one server.

use serde_json::json;
use toolgate_testkit::ServiceFixture;
use toolgate_testkit::objects::id;

use super::fixtures::{ABSENT_ID, assert_error, assert_missing, assert_refused, assert_timestamp, create_server};

on_both_databases![
    an_endpoint_key_is_shown_only_by_the_reply_that_creates_it,
    an_endpoint_key_belongs_to_one_server_and_is_deleted_with_it,
    name_expiry_and_limit_of_an_endpoint_key_can_be_changed,
    an_endpoint_key_is_refused_by_the_management_api,
];

async fn an_endpoint_key_is_shown_only_by_the_reply_that_creates_it(fixture: &ServiceFixture) {
    let (app, client, server, path) = (&fixture.app, &fixture.api, fixture.server_id(), fixture.path("/keys"));
    let reply = client.post(&path).json(json!({"name": "Claude"})).send().await.expect(201);
    let mut created = reply.json();
    assert_eq!(reply.header("location"), Some(format!("{}{path}/{}", app.api_base(), id(&created)).as_str()));
    let secret = created.as_object_mut().unwrap().remove("key").unwrap();
    let secret = secret.as_str().unwrap();
    assert!(secret.starts_with("tg_") && secret.len() == 46, "{secret}");
    let keys: Vec<&str> = created.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        ["id", "server_id", "name", "hint", "created_at", "expires_at", "last_used_at", "rate_limit_per_min"]
    );
    assert_eq!((&created["server_id"], &created["name"]), (&json!(server), &json!("Claude")));
    assert_timestamp(&created["created_at"]);
    let listed = client.get(&path).send().await.expect(200);
    assert_eq!((listed.json(), listed.header("x-wp-total")), (json!([created]), Some("1")));
    let shown = client.read(&format!("/servers/{server}")).await;
    assert!(!shown.to_string().contains(secret));
    let deleted = client.delete(&format!("{path}/{}", id(&created))).send().await.expect(200).json();
    assert_eq!(deleted, json!({"deleted": true, "previous": created}));
    assert_eq!(client.read(&path).await, json!([]));
}

async fn an_endpoint_key_belongs_to_one_server_and_is_deleted_with_it(fixture: &ServiceFixture) {
    let (client, first, path) = (&fixture.api, fixture.server_id(), fixture.path("/keys"));
    assert_missing(&client.post(&path).json(json!({})).send().await, &["name"]);
    for name in [json!(" "), json!(7), json!("\u{202e}"), json!("x".repeat(201))] {
        assert_refused(&client.post(&path).json(json!({"name": name})).send().await, "name");
    }
    let key = id(&client.create(&path, json!({"name": "k"})).await);
    client.create(&path, json!({"name": "k"})).await;
    let second = create_server(client, "Second").await;
    for absent in [format!("/servers/{second}/keys/{key}"), format!("{path}/{ABSENT_ID}"), format!("{path}/0")] {
        assert_error(&client.delete(&absent).send().await, 404, "rest_key_invalid_id");
    }
    let absent_server = format!("/servers/{ABSENT_ID}/keys");
    assert_error(&client.get(&absent_server).send().await, 404, "rest_server_invalid_id");
    assert_error(&client.post(&absent_server).json(json!({"name": "k"})).send().await, 404, "rest_server_invalid_id");
    assert_error(&client.delete(&format!("{absent_server}/{key}")).send().await, 404, "rest_server_invalid_id");
    let copy = client.post(&format!("/servers/{first}/duplicate")).send().await.expect(201).json();
    assert_eq!(client.read(&format!("/servers/{}/keys", id(&copy))).await, json!([]), "keys are not copied");
    client.delete(&format!("/servers/{first}")).send().await.expect(200);
    assert_error(&client.get(&path).send().await, 404, "rest_server_invalid_id");
}

async fn name_expiry_and_limit_of_an_endpoint_key_can_be_changed(fixture: &ServiceFixture) {
    let (client, path) = (&fixture.api, fixture.path("/keys"));
    let fields = json!({"name": "k", "expires_at": "2035-01-31T00:00:00", "rate_limit_per_min": 30});
    let created = client.create(&path, fields).await;
    assert_eq!((&created["expires_at"], &created["rate_limit_per_min"]), (&json!("2035-01-31T00:00:00"), &json!(30)));
    let key_path = format!("{path}/{}", id(&created));
    let shown = client.read(&key_path).await;
    let same = client.post(&key_path).json(shown.clone()).send().await.expect(200).json();
    assert_eq!(same, shown, "a whole object can be sent back");
    let changed = client.post(&key_path).json(json!({"name": "laptop", "rate_limit_per_min": null})).send().await;
    let changed = changed.expect(200).json();
    assert_eq!((&changed["name"], &changed["rate_limit_per_min"]), (&json!("laptop"), &json!(null)));
    assert_eq!(changed["expires_at"], "2035-01-31T00:00:00");
    let cleared = client.post(&key_path).json(json!({"expires_at": null})).send().await.expect(200).json();
    assert_eq!((&cleared["expires_at"], &cleared["name"]), (&json!(null), &json!("laptop")));
    for (field, value) in [
        ("name", json!(" ")),
        ("expires_at", json!("soon")),
        ("expires_at", json!("2001-01-01T00:00:00")),
        ("rate_limit_per_min", json!(0)),
        ("rate_limit_per_min", json!("many")),
    ] {
        assert_refused(&client.post(&key_path).json(json!({field: value})).send().await, field);
        assert_refused(&client.post(&path).json(json!({"name": "n", field: value})).send().await, field);
    }
    assert_eq!(client.read(&key_path).await, cleared);
    assert_error(&client.post(&format!("{path}/{ABSENT_ID}")).json(json!({})).send().await, 404, "rest_key_invalid_id");
}

async fn an_endpoint_key_is_refused_by_the_management_api(fixture: &ServiceFixture) {
    let (app, client, server, path) = (&fixture.app, &fixture.api, fixture.server_id(), fixture.path("/keys"));
    let created = client.create(&path, json!({"name": "k"})).await;
    let key_client = app.client_with_key(created["key"].as_str());
    for path in ["/servers", &format!("/servers/{server}"), &path, "/analytics/overview"] {
        assert_error(&key_client.get(path).send().await, 401, "rest_forbidden");
    }
}
