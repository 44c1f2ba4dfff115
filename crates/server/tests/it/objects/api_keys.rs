//! Keys of the management API: rows 34 and 34a of the decisions.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_domain::time::Timestamp;
use toolgate_testkit::RunningService;

use super::backend::{Backend, on_both_databases};
use super::make::{
    ABSENT, assert_error, assert_missing, assert_refused, assert_refused_as, assert_timestamp, created, get, id, key,
    server, user,
};

on_both_databases![
    a_key_has_the_announced_form_and_is_shown_only_by_the_reply_that_creates_it,
    a_key_belongs_to_its_caller_and_may_do_everything_but_administer_unless_told_otherwise,
    bad_keys_are_refused,
    scopes_imply_what_they_are_said_to,
    a_key_stops_working_when_it_expires,
    a_revoked_key_stops_working_at_once,
    the_key_is_presented_as_one_bearer_token_in_any_case_and_never_in_the_url,
    a_restart_keeps_keys_and_revocations,
];

const FIELDS: [&str; 7] = ["id", "name", "user_id", "scopes", "hint", "created_at", "expires_at"];

async fn a_key_has_the_announced_form_and_is_shown_only_by_the_reply_that_creates_it(backend: &Backend) {
    let app = backend.start();
    let client = app.client();
    let reply = client.post("/api-keys").json(json!({"name": "Laptop", "scopes": ["read"]})).send().await.expect(201);
    let mut made = reply.json();
    assert_eq!(reply.header("location"), Some(format!("{}/api-keys/{}", app.api_base(), id(&made)).as_str()));
    let secret = made.as_object_mut().unwrap().remove("key").unwrap();
    let secret = secret.as_str().unwrap();
    let random = secret.strip_prefix("tg_").unwrap();
    assert!(random.len() == 43 && random.bytes().all(|b| b.is_ascii_alphanumeric()), "{secret}");
    let keys: Vec<&str> = made.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, FIELDS);
    assert_eq!((&made["name"], &made["scopes"]), (&json!("Laptop"), &json!(["read"])));
    assert_eq!(made["expires_at"], Value::Null);
    assert_timestamp(&made["created_at"]);
    assert!(made["hint"].as_str().unwrap().chars().count() <= 8, "{made}");
    let listed = get(&client, "/api-keys").await;
    assert!(listed.as_array().unwrap().contains(&made), "{listed}");
    assert!(!listed.to_string().contains(secret));
    let deleted = client.delete(&format!("/api-keys/{}", id(&made))).send().await.expect(200).json();
    assert_eq!(deleted, json!({"deleted": true, "previous": made}));
}

async fn a_key_belongs_to_its_caller_and_may_do_everything_but_administer_unless_told_otherwise(backend: &Backend) {
    let app = backend.start();
    let client = app.client();
    let made = created(&client, "/api-keys", json!({"name": "k"})).await;
    assert_eq!((&made["user_id"], &made["scopes"]), (&json!(1), &json!(["read", "write", "mcp"])));
    let plain = app.client_with_key(made["key"].as_str());
    server(&plain, "By the plain key").await;
    assert_error(&plain.get("/api-keys").send().await, 403, "rest_forbidden");
    let owner = user(&app, "owner", "owner").await;
    let made = created(&client, "/api-keys", json!({"name": "k", "user_id": owner.to_string()})).await;
    assert_eq!(made["user_id"], owner);
    let total = client.get("/api-keys").query("per_page", 2).send().await.expect(200);
    assert_eq!((total.header("x-wp-total"), total.header("x-wp-totalpages")), (Some("3"), Some("2")));
}

async fn bad_keys_are_refused(backend: &Backend) {
    let app = backend.start();
    let client = app.client();
    assert_missing(&client.post("/api-keys").json(json!({})).send().await, &["name"]);
    for (field, value) in [
        ("name", json!("")),
        ("name", json!(7)),
        ("name", json!("x".repeat(201))),
        ("user_id", json!(ABSENT)),
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
    assert_error(&client.delete(&format!("/api-keys/{ABSENT}")).send().await, 404, "rest_api_key_invalid_id");
    assert_eq!(get(&client, "/api-keys").await.as_array().unwrap().len(), 1);
}

async fn scopes_imply_what_they_are_said_to(backend: &Backend) {
    let app = backend.start();
    let owner = user(&app, "owner", "owner").await;
    let admin = user(&app, "second admin", "admin").await;
    // Per user and scope: the status of a read, of a write, of an administrator's read.
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
        let key = key(&app, user, &[scope]).await;
        assert_eq!(key["scopes"], json!([scope]), "scopes are shown as they were given");
        let client = app.client_with_key(key["key"].as_str());
        let replies = [
            client.get("/servers").send().await,
            client.post("/servers").json(json!({"name": "x"})).send().await,
            client.get("/users").send().await,
        ];
        assert_eq!(replies.clone().map(|reply| reply.status), expected, "{scope} of user {user}");
        for reply in replies.iter().filter(|reply| reply.status == 403) {
            assert_error(reply, 403, "rest_forbidden");
            assert_eq!(reply.header("www-authenticate"), None, "another key would not be asked for");
        }
    }
}

/// What the service's clock says, to the second.
async fn now(app: &RunningService) -> Timestamp {
    let made = created(&app.client(), "/servers", json!({"name": "Clock"})).await;
    Timestamp::parse(made["created_at"].as_str().unwrap()).unwrap()
}

/// A key of user 1 that expires in less than two seconds, and the moment when it does.
pub(super) async fn expiring_key(app: &RunningService) -> Value {
    let end = Timestamp::from_millis(now(app).await.as_millis() + 2_000).to_string();
    let key = created(&app.client(), "/api-keys", json!({"name": "k", "scopes": ["admin"], "expires_at": end})).await;
    assert_eq!(key["expires_at"], end);
    key
}

/// Asks with a key until it is refused.
pub(super) async fn wait_until_refused(app: &RunningService, key: &Value) {
    let client = app.client_with_key(key["key"].as_str());
    let began = Instant::now();
    while client.get("/servers").send().await.status == 200 {
        assert!(began.elapsed() < Duration::from_secs(10), "the key still works");
    }
}

async fn a_key_stops_working_when_it_expires(backend: &Backend) {
    let app = backend.start();
    let lasting = json!({"name": "k", "scopes": ["read"], "expires_at": "2099-12-31T23:59:59"});
    let lasting = created(&app.client(), "/api-keys", lasting).await;
    assert_eq!(lasting["expires_at"], "2099-12-31T23:59:59");
    let key = expiring_key(&app).await;
    wait_until_refused(&app, &key).await;
    assert!(now(&app).await.to_string().as_str() >= key["expires_at"].as_str().unwrap(), "not before its time");
    let refused = app.client_with_key(key["key"].as_str()).get("/servers").send().await;
    assert_error(&refused, 401, "rest_forbidden");
    get(&app.client_with_key(lasting["key"].as_str()), "/servers").await;
    let listed = get(&app.client(), "/api-keys").await;
    assert!(listed.as_array().unwrap().iter().any(|row| row["id"] == key["id"]), "it is still listed");
}

async fn a_revoked_key_stops_working_at_once(backend: &Backend) {
    let app = backend.start();
    let admin = app.client();
    for _ in 0..20 {
        let key = key(&app, 1, &["admin"]).await;
        let client = app.client_with_key(key["key"].as_str());
        // Known, used, perhaps remembered; then revoked, and not one request longer.
        get(&client, "/servers").await;
        admin.delete(&format!("/api-keys/{}", id(&key))).send().await.expect(200);
        assert_error(&client.get("/servers").send().await, 401, "rest_forbidden");
        assert_error(&client.post("/servers").json(json!({"name": "x"})).send().await, 401, "rest_forbidden");
    }
    let key = key(&app, 1, &["admin"]).await;
    let client = app.client_with_key(key["key"].as_str());
    client.delete(&format!("/api-keys/{}", id(&key))).send().await.expect(200);
    assert_error(&client.get("/servers").send().await, 401, "rest_forbidden");
}

async fn the_key_is_presented_as_one_bearer_token_in_any_case_and_never_in_the_url(backend: &Backend) {
    let app = backend.start();
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

async fn a_restart_keeps_keys_and_revocations(backend: &Backend) {
    let mut app = backend.start();
    let (kept, revoked) = (key(&app, 1, &["read"]).await, key(&app, 1, &["read"]).await);
    app.client().delete(&format!("/api-keys/{}", id(&revoked))).send().await.expect(200);
    app.restart();
    get(&app.client_with_key(kept["key"].as_str()), "/servers").await;
    let refused = app.client_with_key(revoked["key"].as_str()).get("/servers").send().await;
    assert_error(&refused, 401, "rest_forbidden");
}
