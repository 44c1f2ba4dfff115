//! API keys of the management API: format, scopes, expiry and revocation.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_domain::time::Timestamp;
use toolgate_testkit::objects::id;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{ApiFixture, RunningService};

use super::fixtures::{
    ABSENT_ID, assert_error, assert_missing, assert_refused, assert_refused_as, assert_timestamp, create_key,
    create_server,
};

on_both_databases![
    a_key_has_the_documented_format_and_is_shown_only_by_the_reply_that_creates_it,
    by_default_a_key_belongs_to_its_creator_and_cannot_administer,
    bad_keys_are_refused,
    each_scope_grants_its_documented_rights,
    a_key_stops_working_when_it_expires,
    a_revoked_key_stops_working_immediately,
    a_key_is_accepted_only_as_a_single_bearer_token,
    keys_and_revocations_survive_a_restart,
];

const FIELDS: [&str; 7] = ["id", "name", "user_id", "scopes", "hint", "created_at", "expires_at"];

async fn a_key_has_the_documented_format_and_is_shown_only_by_the_reply_that_creates_it(service: &ApiFixture) {
    let ApiFixture { app, api: client } = service;
    let reply = client.post("/api-keys").json(json!({"name": "Laptop", "scopes": ["read"]})).send().await.expect(201);
    let mut created = reply.json();
    assert_eq!(reply.header("location"), Some(format!("{}/api-keys/{}", app.api_base(), id(&created)).as_str()));
    let secret = created.as_object_mut().unwrap().remove("key").unwrap();
    let secret = secret.as_str().unwrap();
    let random = secret.strip_prefix("tg_").unwrap();
    assert!(random.len() == 43 && random.bytes().all(|b| b.is_ascii_alphanumeric()), "{secret}");
    let keys: Vec<&str> = created.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, FIELDS);
    assert_eq!((&created["name"], &created["scopes"]), (&json!("Laptop"), &json!(["read"])));
    assert_eq!(created["expires_at"], Value::Null);
    assert_timestamp(&created["created_at"]);
    assert!(created["hint"].as_str().unwrap().chars().count() <= 8, "{created}");
    let listed = client.read("/api-keys").await;
    assert!(listed.as_array().unwrap().contains(&created), "{listed}");
    assert!(!listed.to_string().contains(secret));
    let deleted = client.delete(&format!("/api-keys/{}", id(&created))).send().await.expect(200).json();
    assert_eq!(deleted, json!({"deleted": true, "previous": created}));
}

async fn by_default_a_key_belongs_to_its_creator_and_cannot_administer(service: &ApiFixture) {
    let ApiFixture { app, api: client } = service;
    let created = client.create("/api-keys", json!({"name": "k"})).await;
    assert_eq!((&created["user_id"], &created["scopes"]), (&json!(1), &json!(["read", "write", "mcp"])));
    let plain = app.client_with_key(created["key"].as_str());
    create_server(&plain, "By the plain key").await;
    assert_error(&plain.get("/users").send().await, 403, "rest_forbidden");
    let owner = service.api.create_user("owner", "owner").await;
    let created = client.create("/api-keys", json!({"name": "k", "user_id": owner.to_string()})).await;
    assert_eq!(created["user_id"], owner);
    let total = client.get("/api-keys").query("per_page", 2).send().await.expect(200);
    assert_eq!((total.header("x-wp-total"), total.header("x-wp-totalpages")), (Some("3"), Some("2")));
}

async fn bad_keys_are_refused(service: &ApiFixture) {
    let client = &service.api;
    assert_missing(&client.post("/api-keys").json(json!({})).send().await, &["name"]);
    for (field, value) in [
        ("name", json!("")),
        ("name", json!(7)),
        ("name", json!("x".repeat(201))),
        ("user_id", json!(ABSENT_ID)),
        ("user_id", json!(0)),
        ("user_id", json!("x")),
        ("scopes", json!([])),
        ("scopes", json!(["root"])),
        ("scopes", json!(["read", 7])),
        ("scopes", json!({"read": true})),
        ("expires_at", json!("tomorrow")),
        ("expires_at", json!("2020-01-01T00:00:00")),
        ("expires_at", json!("2099-02-30T00:00:00")),
        ("expires_at", json!("2099-01-01T00:00:00+02:00")),
        ("expires_at", json!(4_000_000_000_u64)),
    ] {
        let mut body = json!({"name": "k"});
        body[field] = value;
        assert_refused(&client.post("/api-keys").json(body).send().await, field);
    }
    let unknown = client.post("/api-keys").json(json!({"name": "k", "scopes": ["Read"]})).send().await;
    assert_refused_as(&unknown, "scopes", "rest_not_in_enum");
    assert_error(&client.delete(&format!("/api-keys/{ABSENT_ID}")).send().await, 404, "rest_api_key_invalid_id");
    assert_eq!(client.read("/api-keys").await.as_array().unwrap().len(), 1);
}

async fn each_scope_grants_its_documented_rights(service: &ApiFixture) {
    let app = &service.app;
    let owner = service.api.create_user("owner", "owner").await;
    let admin = service.api.create_user("second admin", "admin").await;
    // For each user and scope: the status of a read, a write and an administrator's read.
    for (user, scope, expected) in [
        (owner, "read", [200, 403, 403]),
        (owner, "write", [200, 201, 403]),
        (owner, "mcp", [403, 403, 403]),
        (owner, "admin", [200, 201, 403]),
        (admin, "read", [200, 403, 403]),
        (admin, "write", [200, 201, 403]),
        (admin, "mcp", [403, 403, 403]),
        (admin, "admin", [200, 201, 200]),
    ] {
        let key = create_key(&service.api, user, &[scope]).await;
        assert_eq!(key["scopes"], json!([scope]), "scopes are shown unchanged");
        let client = app.client_with_key(key["key"].as_str());
        let replies = [
            client.get("/servers").send().await,
            client.post("/servers").json(json!({"name": "x"})).send().await,
            client.get("/users").send().await,
        ];
        assert_eq!(replies.clone().map(|reply| reply.status), expected, "{scope} of user {user}");
        for reply in replies.iter().filter(|reply| reply.status == 403) {
            assert_error(reply, 403, "rest_forbidden");
            assert_eq!(reply.header("www-authenticate"), None, "a 403 does not ask for another key");
        }
    }
}

/// Creates a server and returns its `created_at`: the current time of the service, in whole seconds.
async fn now(app: &RunningService) -> Timestamp {
    let created = app.client().create("/servers", json!({"name": "Clock"})).await;
    Timestamp::parse(created["created_at"].as_str().unwrap()).unwrap()
}

/// A key of user 1 that expires within two seconds.
pub(crate) async fn expiring_key(app: &RunningService) -> Value {
    let expires_at = Timestamp::from_millis(now(app).await.as_millis() + 2_000).to_string();
    let key =
        app.client().create("/api-keys", json!({"name": "k", "scopes": ["admin"], "expires_at": expires_at})).await;
    assert_eq!(key["expires_at"], expires_at);
    key
}

/// Sends requests with a key until it is refused.
pub(crate) async fn wait_until_refused(app: &RunningService, key: &Value) {
    let client = app.client_with_key(key["key"].as_str());
    let start = Instant::now();
    while client.get("/servers").send().await.status == 200 {
        assert!(start.elapsed() < Duration::from_secs(30), "the key still works");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn a_key_stops_working_when_it_expires(service: &ApiFixture) {
    let app = &service.app;
    let long_lived = json!({"name": "k", "scopes": ["read"], "expires_at": "2099-12-31T23:59:59"});
    let long_lived = service.api.create("/api-keys", long_lived).await;
    assert_eq!(long_lived["expires_at"], "2099-12-31T23:59:59");
    let key = expiring_key(app).await;
    wait_until_refused(app, &key).await;
    assert!(
        now(app).await.to_string().as_str() >= key["expires_at"].as_str().unwrap(),
        "the key was refused before it expired"
    );
    let refused = app.client_with_key(key["key"].as_str()).get("/servers").send().await;
    assert_error(&refused, 401, "rest_forbidden");
    let challenge = r#"Bearer error="invalid_token", error_description="The API key has expired""#;
    assert_eq!(refused.header("www-authenticate"), Some(challenge));
    app.client_with_key(long_lived["key"].as_str()).read("/servers").await;
    let listed = service.api.read("/api-keys").await;
    assert!(listed.as_array().unwrap().iter().any(|row| row["id"] == key["id"]), "an expired key is still listed");
}

async fn a_revoked_key_stops_working_immediately(service: &ApiFixture) {
    let app = &service.app;
    let admin = &service.api;
    for _ in 0..20 {
        let key = create_key(&service.api, 1, &["admin"]).await;
        let client = app.client_with_key(key["key"].as_str());
        // The first request may put the key into a cache, which the revocation must invalidate.
        client.read("/servers").await;
        admin.delete(&format!("/api-keys/{}", id(&key))).send().await.expect(200);
        assert_error(&client.get("/servers").send().await, 401, "rest_forbidden");
        assert_error(&client.post("/servers").json(json!({"name": "x"})).send().await, 401, "rest_forbidden");
    }
    let key = create_key(&service.api, 1, &["admin"]).await;
    let client = app.client_with_key(key["key"].as_str());
    client.delete(&format!("/api-keys/{}", id(&key))).send().await.expect(200);
    assert_error(&client.get("/servers").send().await, 401, "rest_forbidden");
}

async fn a_key_is_accepted_only_as_a_single_bearer_token(service: &ApiFixture) {
    let app = &service.app;
    let anonymous = app.client_with_key(None);
    let key = app.key();
    for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
        let reply = anonymous.get("/servers").header("authorization", &format!("{scheme} {key}")).send().await;
        reply.expect(200);
    }
    for value in [key.clone(), format!("Basic {key}"), format!("Bearer{key}"), format!("Bearer {key} {key}")] {
        let reply = anonymous.get("/servers").header("authorization", &value).send().await;
        assert_error(&reply, 401, "rest_forbidden");
    }
    for name in ["api_key", "key", "token", "access_token", "authorization", "Authorization"] {
        let reply = anonymous.get("/servers").query(name, &key).send().await;
        assert_error(&reply, 401, "rest_forbidden");
    }
    for name in ["x-api-key", "cookie", "proxy-authorization", "x-wp-nonce"] {
        let reply = anonymous.get("/servers").header(name, &format!("Bearer {key}")).send().await;
        assert_error(&reply, 401, "rest_forbidden");
    }
    let bearer = format!("Bearer {key}");
    let twice = anonymous.get("/servers").header("authorization", &bearer).append_header("authorization", &bearer);
    assert_error(&twice.send().await, 401, "rest_forbidden");
}

async fn keys_and_revocations_survive_a_restart(builder: &ServiceBuilder) {
    let mut app = builder.clone().start();
    let (valid, revoked) =
        (create_key(&app.client(), 1, &["read"]).await, create_key(&app.client(), 1, &["read"]).await);
    app.client().delete(&format!("/api-keys/{}", id(&revoked))).send().await.expect(200);
    app.restart();
    app.client_with_key(valid["key"].as_str()).read("/servers").await;
    let refused = app.client_with_key(revoked["key"].as_str()).get("/servers").send().await;
    assert_error(&refused, 401, "rest_forbidden");
}
