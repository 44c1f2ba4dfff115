//! Credentials of a tool: validated, stored, never shown.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};

use super::assertions::assert_invalid_fields;

on_both_databases!(
    credentials_of_every_type_are_accepted_and_never_shown,
    credentials_must_match_their_auth_type,
    credentials_can_be_replaced_and_cleared_and_must_match_the_stored_auth_type,
    an_error_reply_contains_no_secret,
);

fn credentials_of_every_type(secret: &str) -> Vec<Value> {
    vec![
        json!({"auth_type": "bearer", "auth_credentials": {"token": secret}}),
        json!({"auth_type": "basic", "auth_credentials": {"username": "u", "password": secret}}),
        json!({"auth_type": "api-key", "auth_credentials": {"key_value": secret}}),
        json!({"auth_type": "api_key", "auth_credentials": {"key_name": "k", "key_value": secret, "key_location": "query"}}),
        json!({"auth_type": "oauth2", "auth_credentials": {"token_url": "https://a.example/t", "client_id": "c",
            "client_secret": secret, "scope": "s"}}),
    ]
}

async fn create_tool(service: &ApiFixture, server_id: i64, auth: &Value) -> toolgate_testkit::TestResponse {
    let count = service.api.read(&format!("/servers/{server_id}")).await["tool_count"].clone();
    let mut body = auth.clone();
    body["name"] = format!("t{count}").into();
    body["endpoint_url"] = "https://a.example/x".into();
    service.api.post(&format!("/servers/{server_id}/tools")).json(body).send().await
}

async fn credentials_of_every_type_are_accepted_and_never_shown(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let secret = "very-secret-value-0123456789";
    for auth in credentials_of_every_type(secret) {
        let created = create_tool(service, server_id, &auth).await.expect(201);
        let path = format!("/tools/{}", created.json()["id"]);
        let replies = [
            created,
            service.api.get(&path).send().await.expect(200),
            service.api.post(&path).json(auth).send().await.expect(200),
            service.api.post(&format!("{path}/duplicate")).send().await.expect(201),
            service.api.post(&format!("{path}/toggle")).send().await.expect(200),
            service.api.get(&format!("/servers/{server_id}/tools")).send().await.expect(200),
            service.api.delete(&path).send().await.expect(200),
        ];
        for reply in replies {
            assert_eq!(find_secret(&reply.body, secret), None, "{reply:?}");
            let body = reply.json();
            let tool = if body["deleted"] == true { &body["previous"] } else { &body };
            assert!(tool.is_array() || tool["auth_credentials"].is_null(), "{reply:?}");
        }
    }
    assert_eq!(find_secret_in_files(service.app.data_dir(), secret), []);
    assert_eq!(find_secret(service.app.logs().as_bytes(), secret), None);
}

async fn credentials_must_match_their_auth_type(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for (auth_type, credentials) in [
        ("none", json!({"token": "t"})),
        ("bearer", json!({"token": ""})),
        ("bearer", json!({"token": 5})),
        ("bearer", json!({"token": null})),
        ("bearer", json!({"token": "a\r\nb"})),
        ("bearer", json!({"key_value": "t"})),
        ("bearer", json!("t")),
        ("bearer", json!(["t"])),
        ("basic", json!({"username": ""})),
        ("basic", json!({"username": "", "password": ""})),
        ("basic", json!({"username": "u", "password": 5})),
        ("api-key", json!({"key_name": "X-Key"})),
        ("api-key", json!({"key_value": "v", "key_location": "cookie"})),
        ("api-key", json!({"key_value": "v", "key_name": "X Key"})),
        ("oauth2", json!({"token_url": "https://a.example", "client_id": "c"})),
        ("oauth2", json!({"token_url": "a.example", "client_id": "c", "client_secret": "s"})),
        ("oauth2", json!({"token_url": "ftp://a.example", "client_id": "c", "client_secret": "s"})),
    ] {
        let auth = json!({"auth_type": auth_type, "auth_credentials": credentials});
        assert_invalid_fields(&create_tool(service, server_id, &auth).await, &["auth_credentials"]);
    }
    // Some upstreams expect a token as the password of an empty user name.
    for half in [json!({"username": "", "password": "p"}), json!({"password": "p"}), json!({"username": "u"})] {
        create_tool(service, server_id, &json!({"auth_type": "basic", "auth_credentials": half})).await.expect(201);
    }
    // Credentials need an auth_type, but an auth_type may be set before its credentials.
    let without_type = json!({"auth_credentials": {"token": "t"}});
    assert_invalid_fields(&create_tool(service, server_id, &without_type).await, &["auth_credentials"]);
    create_tool(service, server_id, &json!({"auth_type": "bearer"})).await.expect(201);
    create_tool(service, server_id, &json!({"auth_type": "bearer", "auth_credentials": null})).await.expect(201);
    for (auth_type, empty) in [("none", json!({})), ("none", json!([])), ("bearer", json!({})), ("basic", json!([]))] {
        create_tool(service, server_id, &json!({"auth_type": auth_type, "auth_credentials": empty})).await.expect(201);
    }
}

async fn credentials_can_be_replaced_and_cleared_and_must_match_the_stored_auth_type(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let bearer = json!({"auth_type": "bearer", "auth_credentials": {"token": "t"}});
    let tool = create_tool(service, server_id, &bearer).await.expect(201).json();
    let path = format!("/tools/{}", id(&tool));
    let update = async |body: Value| service.api.patch(&path).json(body).send().await;
    assert_eq!(update(json!({"timeout": 3})).await.expect(200).json()["auth_type"], "bearer");
    update(json!({"auth_credentials": {"token": "other"}})).await.expect(200);
    assert_invalid_fields(&update(json!({"auth_credentials": {"username": "u"}})).await, &["auth_credentials"]);
    update(json!({"auth_credentials": null})).await.expect(200);
    let basic = json!({"auth_type": "basic", "auth_credentials": {"token": "t"}});
    assert_invalid_fields(&update(basic).await, &["auth_credentials"]);
    assert_eq!(service.api.read(&path).await["auth_type"], "bearer", "the refused update changed nothing");
    assert_eq!(update(json!({"auth_type": "none"})).await.expect(200).json()["auth_type"], "none");
    assert_invalid_fields(&update(json!({"auth_credentials": {"token": "t"}})).await, &["auth_credentials"]);
}

async fn an_error_reply_contains_no_secret(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let secret = "very-secret-value-0123456789";
    for auth in [
        json!({"auth_type": "none", "auth_credentials": {"token": secret}}),
        json!({"auth_type": "basic", "auth_credentials": {"username": 5, "password": secret}}),
        json!({"auth_type": "bearer", "auth_credentials": {"token": format!("{secret}\n")}}),
        json!({"auth_type": "bearer", "auth_credentials": secret}),
        json!({"headers": {"Authorization": format!("{secret}\n")}}),
    ] {
        let reply = create_tool(service, server_id, &auth).await.expect(400);
        assert_eq!(find_secret(&reply.body, secret), None, "{reply:?}");
    }
    assert_eq!(find_secret(service.app.logs().as_bytes(), secret), None);
}
