//! The settings object of a server.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};

use super::assertions::assert_invalid;

on_both_databases!(
    settings_are_merged_by_key_and_null_removes_a_key,
    settings_accept_and_store_any_key,
    settings_that_the_service_uses_are_validated,
    settings_have_a_maximum_size,
    test_credentials_are_never_shown_or_stored_in_plain_text,
    test_credentials_are_validated,
);

async fn settings_are_merged_by_key_and_null_removes_a_key(service: &ApiFixture) {
    let server = service.api.create_server(json!({"settings": {"description": "d", "a": {"x": 1}, "b": 2}})).await;
    let path = format!("/servers/{}", id(&server));
    let update = async |settings: Value| {
        let reply = service.api.patch(&path).json(json!({"settings": settings})).send().await.expect(200);
        assert_eq!(service.api.read(&path).await, reply.json());
        reply.json()["settings"].clone()
    };
    assert_eq!(update(json!({"c": 3})).await, json!({"description": "d", "a": {"x": 1}, "b": 2, "c": 3}));
    assert_eq!(update(json!({"a": {"y": 2}, "b": null})).await, json!({"description": "d", "a": {"y": 2}, "c": 3}));
    assert_eq!(update(json!({})).await, json!({"description": "d", "a": {"y": 2}, "c": 3}));
    assert_eq!(update(json!({"description": null, "a": null, "c": null, "unknown": null})).await, json!({}));
    assert_eq!(update(json!({"description": ""})).await, json!({"description": ""}));
    assert_eq!(update(Value::Null).await, Value::Null);
    assert_eq!(update(json!({"description": "again"})).await, json!({"description": "again"}));
    let untouched = service.api.patch(&path).json(json!({"name": "B"})).send().await.expect(200).json();
    assert_eq!(untouched["settings"], json!({"description": "again"}));
}

async fn settings_accept_and_store_any_key(service: &ApiFixture) {
    let settings = json!({"description": "é\n2", "instructions": "do", "allowed_origins": ["https://a.example:8443"],
        "safe_tool_names": false, "capture": "failures", "capture_max_bytes": 65536, "ünïcode key": [1, 2.5, null, {"deep": true}], "": "empty key"});
    let server = service.api.create_server(json!({"settings": settings})).await;
    assert_eq!(server["settings"], settings);
    assert_eq!(service.api.read(&format!("/servers/{}", id(&server))).await["settings"], settings);
    let nulls = service.api.create_server(json!({"settings": {"description": null}})).await;
    assert_eq!(nulls["settings"], json!({}));
}

async fn settings_that_the_service_uses_are_validated(service: &ApiFixture) {
    for bad in [
        json!({"description": 5}),
        json!({"description": ["d"]}),
        json!({"instructions": {}}),
        json!({"safe_tool_names": "yes"}),
        json!({"allowed_origins": "https://a.example"}),
        json!({"allowed_origins": [5]}),
        json!({"allowed_origins": ["not an origin"]}),
        json!({"allowed_origins": ["https://a.example/path"]}),
        json!({"capture": true}),
        json!({"capture": "errors"}),
        json!({"capture_max_bytes": 0}),
        json!({"capture_max_bytes": 65537}),
        json!({"capture_max_bytes": "4096.5"}),
    ] {
        let reply = service.api.post("/servers").json(json!({"name": "A", "settings": bad})).send().await;
        assert_eq!(reply.json()["data"]["params"].as_object().unwrap().len(), 1, "{reply:?}");
        assert!(reply.json()["data"]["params"]["settings"].is_string(), "{reply:?}");
    }
    let long = "x".repeat(65_536);
    let reply = service.api.post("/servers").json(json!({"name": "A", "settings": {"description": long}})).send().await;
    assert_invalid(&reply, "settings", "rest_too_long");
}

async fn settings_have_a_maximum_size(service: &ApiFixture) {
    let fitting = "x".repeat(256 * 1024 - r#"{"a":""}"#.len());
    let server = service.api.create_server(json!({"settings": {"a": fitting}})).await;
    let too_long = json!({"name": "A", "settings": {"a": format!("{fitting}x")}});
    assert_invalid(&service.api.post("/servers").json(too_long).send().await, "settings", "rest_too_long");
    let grown = service.api.patch(&format!("/servers/{}", id(&server))).json(json!({"settings": {"b": 1}}));
    assert_invalid(&grown.send().await, "settings", "rest_too_long");
}

async fn test_credentials_are_never_shown_or_stored_in_plain_text(service: &ApiFixture) {
    let secret = "s3cret-test-token-0123456789";
    let credentials = json!({"auth_type": "bearer", "auth_credentials": {"token": secret}});
    let created =
        service.api.post("/servers").json(json!({"name": "A", "settings": {"test_credentials": credentials}}));
    let created = created.send().await.expect(201);
    let shown = json!({"auth_type": "bearer", "auth_credentials": null});
    assert_eq!(created.json()["settings"]["test_credentials"], shown);
    let path = format!("/servers/{}", created.json()["id"]);
    let replies = [
        created,
        service.api.get(&path).send().await,
        service.api.get("/servers").send().await,
        service.api.post(&path).json(json!({"settings": {"test_credentials": shown}})).send().await,
        service.api.post(&format!("{path}/duplicate")).send().await,
        service.api.delete(&path).send().await,
    ];
    for reply in replies {
        assert!((200..=201).contains(&reply.status), "{reply:?}");
        assert_eq!(find_secret(&reply.body, secret), None, "{reply:?}");
    }
    assert_eq!(find_secret_in_files(service.app.data_dir(), secret), []);
    assert_eq!(find_secret(service.app.logs().as_bytes(), secret), None);
}

async fn test_credentials_are_validated(service: &ApiFixture) {
    for bad in [
        json!("bearer"),
        json!([]),
        json!({}),
        json!({"auth_type": "digest"}),
        json!({"auth_type": "bearer", "auth_credentials": {"tok": "x"}}),
        json!({"auth_type": "bearer", "auth_credentials": "x"}),
        json!({"auth_type": "basic", "auth_credentials": {"username": 5}}),
    ] {
        let body = json!({"name": "A", "settings": {"test_credentials": bad}});
        let reply = service.api.post("/servers").json(body).send().await.expect(400);
        assert!(reply.json()["data"]["params"]["settings"].is_string(), "{reply:?}");
    }
    let removed = service.api.create_server(json!({"settings": {"test_credentials": null}})).await;
    assert_eq!(removed["settings"], json!({}));
}
