//! Secrets never appear in replies, logs or files (guarantee 14 in SECURITY.md).
//!
//! Every secret of these tests contains the same mark, so one search finds any of them.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};
use toolgate_testkit::{ApiFixture, Client, RunningService, TestResponse};

use super::fixtures::{OwnedObjects, create_key, database_dump};
use super::routes::{self, id_of};

on_both_databases![
    no_reply_shows_an_upstream_secret,
    no_error_repeats_a_secret_from_an_invalid_request,
    no_secret_reaches_the_log_or_the_disk_in_plain_text,
    a_mask_leaves_the_secret_unchanged_and_is_refused_where_none_is_stored,
    keys_are_stored_as_hashes_only,
];

/// Part of every secret. Its characters change under base64 and percent-encoding, so searches must cover these forms.
pub(super) const SECRET_MARK: &str = "Zx9~qW?vMarked/Secret+7>";

/// A secret that is unique for `name`.
pub(super) fn secret(name: &str) -> String {
    format!("{name}-{SECRET_MARK}-{name}")
}

#[track_caller]
pub(super) fn assert_clean(location: &str, bytes: &[u8]) {
    if let Some(form) = find_secret(bytes, SECRET_MARK) {
        panic!("{location} contains a secret as {form}: {}", String::from_utf8_lossy(bytes));
    }
}

#[track_caller]
pub(super) fn assert_reply_clean(reply: &TestResponse) {
    assert_clean(&format!("{reply:?}"), &reply.body);
    for (name, value) in &reply.headers {
        assert_clean(name.as_str(), value.as_bytes());
    }
}

/// Credentials of each kind, with secrets.
pub(super) fn credentials() -> Vec<(&'static str, Value)> {
    vec![
        ("bearer", json!({"token": secret("token"), "unknown": secret("unknown")})),
        ("basic", json!({"username": "user", "password": secret("password")})),
        ("api-key", json!({"key_name": "X-Key", "key_value": secret("value"), "key_location": "header"})),
        ("api-key", json!({"key_name": "key", "key_value": secret("value"), "key_location": "query"})),
        ("bearer", json!({"token": secret("token"), "keys": [{"key_name": "X-Key", "key_value": secret("value")}]})),
        (
            "oauth2",
            json!({"token_url": "https://a.example/t", "client_id": "c", "client_secret": secret("client"), "scope": "s"}),
        ),
    ]
}

pub(super) fn secret_headers() -> Value {
    json!({"Accept": "text/plain", "Cookie": secret("cookie"), "X-Api-Key": secret("x"), "Authorization": secret("a"),
        "My-Token": secret("t"), "X-Client-Secret": secret("s")})
}

/// Creates objects with a secret in every field that takes one. Returns one object of each kind.
async fn create_objects_with_secrets(client: &Client) -> OwnedObjects {
    let first = OwnedObjects::create(client, "Secretive").await;
    let server_path = format!("/servers/{}", first.server);
    for (number, (auth_type, credentials)) in credentials().into_iter().enumerate() {
        let test = json!({"auth_type": auth_type, "auth_credentials": credentials, "note": secret("note")});
        let settings = json!({"settings": {"description": "d", "test_credentials": test}});
        let reply = client.post(&server_path).json(settings).send().await.expect(200);
        assert_reply_clean(&reply);
        let shown = json!({"auth_type": auth_type, "auth_credentials": null});
        assert_eq!(reply.json()["settings"]["test_credentials"], shown);

        let body =
            json!({"name": format!("credential{number}"), "auth_type": auth_type, "auth_credentials": credentials});
        let reply = client.post(&format!("{server_path}/credentials")).json(body).send().await.expect(201);
        assert_reply_clean(&reply);
        assert_eq!((&reply.json()["has_credentials"], &reply.json()["auth_credentials"]), (&json!(true), &Value::Null));
        let body = json!({"name": format!("shared{number}"), "endpoint_url": "https://a.example/x",
            "credential": format!("credential{number}"), "headers": secret_headers()});
        assert_reply_clean(&client.post(&format!("{server_path}/tools")).json(body).send().await.expect(201));

        let body = json!({"name": format!("tool{number}"), "endpoint_url": "https://a.example/x", "auth_type": auth_type,
            "auth_credentials": credentials, "headers": secret_headers()});
        let reply = client.post(&format!("{server_path}/tools")).json(body.clone()).send().await.expect(201);
        assert_reply_clean(&reply);
        let tool = reply.json();
        assert_eq!((&tool["auth_type"], &tool["auth_credentials"]), (&json!(auth_type), &Value::Null));
        assert_eq!(
            (&tool["headers"]["Accept"], &tool["headers"]["Cookie"]),
            (&json!("text/plain"), &json!("********"))
        );
        for (source, key) in [("url", "url"), ("wp_query", "site_url"), ("static", "content"), ("dynamic", "tool")] {
            let config = json!({key: "https://a.example/", "auth_type": auth_type, "auth_credentials": credentials,
                "headers": secret_headers()});
            let body = json!({"uri": format!("docs://{source}/{number}"), "name": "r", "data_source_type": source,
                "data_source_config": config});
            let reply = client.post(&format!("{server_path}/resources")).json(body).send().await.expect(201);
            assert_reply_clean(&reply);
            assert!(reply.json()["data_source_config"]["auth_credentials"].is_null(), "{reply:?}");
        }
    }
    first
}

async fn no_reply_shows_an_upstream_secret(service: &ApiFixture) {
    let ApiFixture { app, api: client } = service;
    let first = create_objects_with_secrets(client).await;
    let server_path = format!("/servers/{}", first.server);
    let copy = client.post(&format!("{server_path}/duplicate")).send().await.expect(201);
    assert_reply_clean(&copy);
    let copy_id = id(&copy.json());
    let (mut tools, mut resources) = (Vec::new(), Vec::new());
    for server in [first.server, copy_id] {
        tools.extend(client.read(&format!("/servers/{server}/tools")).await.as_array().unwrap().clone());
        resources.extend(client.read(&format!("/servers/{server}/resources")).await.as_array().unwrap().clone());
    }
    for route in routes::all(app).await.iter().filter(|route| route.is_read() && !route.is_stream()) {
        for query in ["", "?_envelope=1", "?_fields=settings,auth_credentials,headers,data_source_config"] {
            for server in [first.server, copy_id] {
                let objects = OwnedObjects { server, ..first };
                let address = route.address(&|kind| id_of(&objects, kind, 1));
                assert_reply_clean(&client.get(&format!("{address}{query}")).send().await);
            }
        }
    }
    // Routes that change an object return it as well.
    for tool in &tools {
        let path = format!("/tools/{}", id(tool));
        assert_reply_clean(&client.get(&path).send().await.expect(200));
        assert_reply_clean(&client.post(&format!("{path}/toggle")).send().await.expect(200));
        assert_reply_clean(&client.post(&format!("{path}/duplicate")).send().await.expect(201));
        assert_reply_clean(&client.put(&path).json(tool.clone()).send().await.expect(200));
        assert_reply_clean(&client.delete(&path).send().await.expect(200));
    }
    for credential in client.read(&format!("{server_path}/credentials")).await.as_array().unwrap() {
        let path = format!("{server_path}/credentials/{}", id(credential));
        assert_reply_clean(&client.get(&path).send().await.expect(200));
        assert_reply_clean(&client.put(&path).json(credential.clone()).send().await.expect(200));
        assert_reply_clean(&client.delete(&format!("{path}?force=true")).send().await.expect(200));
    }
    for resource in &resources {
        let path = format!("/servers/{}/resources/{}", resource["server_id"], id(resource));
        assert_reply_clean(&client.get(&path).send().await.expect(200));
        let config = json!({"data_source_config": resource["data_source_config"]});
        assert_reply_clean(&client.patch(&path).json(config).send().await.expect(200));
        assert_reply_clean(&client.delete(&path).send().await.expect(200));
    }
    assert_reply_clean(&client.post(&format!("{server_path}/toggle")).send().await.expect(200));
    assert_reply_clean(&client.delete(&server_path).send().await.expect(200));
}

/// Requests that contain secrets and are refused for different reasons.
fn invalid_requests(objects: &OwnedObjects) -> Vec<(Method, String, String)> {
    let mut requests = Vec::new();
    let secret = secret("wrong");
    let quoted = json!(secret).to_string();
    let server = format!("/servers/{}", objects.server);
    let long = json!(secret.repeat(2_000)).to_string();
    let with_newline = json!(format!("{secret}\r\nX: y")).to_string();
    for value in [
        quoted.clone(),
        format!("[{quoted}]"),
        format!("{{\"x\":{quoted}}}"),
        format!("{{\"token\":{{\"x\":{quoted}}}}}"),
        format!("{{\"token\":[{quoted}]}}"),
        format!("{{\"token\":{long}}}"),
        format!("{{\"token\":{with_newline}}}"),
        format!("{{\"token\":{quoted},\"token\":{quoted}}}"),
        format!("{{\"token\":{quoted}"),
        format!("{{\"token\":{quoted}\u{1}}}"),
        format!("{{\"username\":{quoted}}}"),
    ] {
        for auth_type in ["bearer", "basic", "api-key", "oauth2", "none", "digest"] {
            let auth = format!("\"auth_type\":\"{auth_type}\",\"auth_credentials\":{value}");
            let tool = format!("{{\"name\":\"a b\",\"endpoint_url\":\"https://a.example/\",{auth}}}");
            requests.push((Method::POST, format!("{server}/tools"), tool));
            requests.push((Method::PATCH, format!("/tools/{}", objects.tool), format!("{{\"name\":\"a b\",{auth}}}")));
            let settings = format!("{{\"name\":\"\",\"settings\":{{\"test_credentials\":{{{auth}}}}}}}");
            requests.push((Method::PUT, server.clone(), settings));
            let credential = format!("{{\"name\":\"a b\",{auth}}}");
            requests.push((Method::POST, format!("{server}/credentials"), credential.clone()));
            requests.push((Method::PATCH, format!("{server}/credentials/{}", objects.credential), credential));
            let config = format!("{{\"url\":\"https://a.example/\",{auth}}}");
            let resource = format!("{{\"name\":\"\",\"data_source_type\":\"url\",\"data_source_config\":{config}}}");
            requests.push((Method::POST, format!("{server}/resources/{}", objects.resource), resource));
        }
        let headers = format!("{{\"name\":\"a b\",\"headers\":{{\"Authorization\":{value}}}}}");
        requests.push((Method::POST, format!("/tools/{}", objects.tool), headers));
    }
    let encoded = secret.bytes().fold(String::new(), |text, byte| text + &format!("%{byte:02X}"));
    for field in
        ["credential", "endpoint_url", "auth_type", "http_method", "status", "timeout", "headers", "input_schema"]
    {
        requests.push((Method::POST, format!("/tools/{}", objects.tool), format!("{{\"{field}\":{quoted}}}")));
    }
    for url in [format!("https://user:{encoded}@a.example/"), format!("http://169.254.169.254/{encoded}?k={encoded}")] {
        requests.push((Method::POST, format!("/tools/{}", objects.tool), json!({"endpoint_url": url}).to_string()));
        let config = json!({"data_source_type": "url", "data_source_config": {"url": url}}).to_string();
        requests.push((Method::POST, format!("{server}/resources/{}", objects.resource), config));
    }
    let curl = |text: Value| (Method::POST, "/tools/import-curl".to_owned(), json!({"curl": text}).to_string());
    requests.push(curl(json!(["curl -u", secret])));
    for text in [
        secret.clone(),
        format!("curl -u 'user:{secret}"),
        format!("curl -u 'user:{secret}' https://a.example/ -H \"X: {secret}"),
        format!("curl -u 'user:{secret}' https://a.example/ -H"),
        format!("curl -H 'Authorization: Bearer {secret}'"),
        format!("curl -F '{secret}' https://a.example/"),
        format!("curl 'ftp://user:{encoded}@a.example/?api_key={encoded}'"),
    ] {
        requests.push(curl(json!(text)));
    }
    requests
}

async fn no_error_repeats_a_secret_from_an_invalid_request(builder: &ServiceBuilder) {
    let mut app = builder.clone().env("TOOLGATE_LOG", "trace").start();
    let client = app.client();
    let objects = OwnedObjects::create(&client, "Strict").await;
    for (method, path, body) in invalid_requests(&objects) {
        let request = client.request(method, &path).header("content-type", "application/json").body(body.clone());
        let reply = request.send().await;
        assert_eq!(reply.status, 400, "{body} was accepted: {reply:?}");
        assert_reply_clean(&reply);
    }
    let guessed = app.client_with_key(Some(&secret("key").replace(['?', '>', '~'], "x"))).get("/servers").send().await;
    assert_reply_clean(&guessed.expect(401));
    app.terminate();
    assert_clean("the log", app.logs().as_bytes());
    assert_clean("the output", app.stdout().as_bytes());
    assert_eq!(find_secret_in_files(app.data_dir(), SECRET_MARK), []);
    assert_clean("the database", database_dump(&app).as_bytes());
}

async fn no_secret_reaches_the_log_or_the_disk_in_plain_text(builder: &ServiceBuilder) {
    let mut app = builder.clone().env("TOOLGATE_LOG", "trace,sqlx=trace,hyper=debug").start();
    let client = app.client();
    let first = create_objects_with_secrets(&client).await;
    client.post(&format!("/tools/{}/duplicate", first.tool)).send().await.expect(201);
    client.post(&format!("/servers/{}/duplicate", first.server)).send().await.expect(201);
    for text in [
        format!("curl -u 'user:{}' https://a.example/", secret("curl")),
        format!("curl -k -H 'Cookie: {0}' -d '{0}' https://a.example/", secret("curl")),
    ] {
        for infer in ["0", "1"] {
            let request = client.post("/tools/import-curl").query("infer", infer).json(json!({"curl": text}));
            let reply = request.send().await.expect(200);
            assert!(find_secret(&reply.body, SECRET_MARK).is_some(), "the caller gets the secret back: {reply:?}");
        }
        // The command may also be a query parameter.
        client.post("/tools/import-curl").query("curl", text).send().await.expect(200);
    }
    client.get("/servers").query("search", secret("query")).query("token", secret("query")).send().await.expect(200);
    // Search while the service runs, with an open write-ahead log, and again after it has stopped.
    assert_eq!(find_secret_in_files(app.data_dir(), SECRET_MARK), []);
    assert_clean("the database", database_dump(&app).as_bytes());
    app.wait_for_log("/servers", Duration::from_secs(30));
    app.terminate();
    assert_eq!(find_secret_in_files(app.data_dir(), SECRET_MARK), []);
    assert_clean("the log", app.logs().as_bytes());
    // Proves that the search works: it finds text that is not secret.
    let plain = find_secret_in_files(app.data_dir(), "https://a.example/x");
    assert!(
        !plain.is_empty() || database_dump(&app).contains("https://a.example/x"),
        "the search finds nothing at all"
    );
}

async fn a_mask_leaves_the_secret_unchanged_and_is_refused_where_none_is_stored(service: &ApiFixture) {
    let client = &service.api;
    let objects = OwnedObjects::create(client, "Masks").await;
    let path = format!("/tools/{}", objects.tool);
    let masked = json!({"headers": {"X-Token": "********"}});
    let refused = client.post(&path).json(masked.clone()).send().await;
    super::fixtures::assert_refused(&refused, "headers");
    let new_headers = json!({"headers": {"X-Token": secret("t"), "X-Plain": "********"}});
    let shown = client.post(&path).json(new_headers).send().await.expect(200).json();
    assert_eq!(shown["headers"], json!({"X-Token": "********", "X-Plain": "********"}));
    let unchanged = client.post(&path).json(json!({"headers": shown["headers"]})).send().await.expect(200).json();
    assert_eq!(unchanged["headers"], shown["headers"]);
    client.post(&path).json(json!({"headers": {}})).send().await.expect(200);
    super::fixtures::assert_refused(&client.post(&path).json(masked).send().await, "headers");

    let config = |headers: Value| json!({"data_source_type": "url", "data_source_config": {"url": "https://a.example/", "headers": headers}});
    let path = format!("/servers/{}/resources/{}", objects.server, objects.resource);
    let refused = client.post(&path).json(config(json!({"Cookie": "********"}))).send().await;
    super::fixtures::assert_refused(&refused, "data_source_config");
    client.post(&path).json(config(json!({"Cookie": secret("c")}))).send().await.expect(200);
    let unchanged = client.post(&path).json(config(json!({"Cookie": "********"}))).send().await.expect(200);
    assert_eq!(unchanged.json()["data_source_config"]["headers"]["Cookie"], "********");
}

async fn keys_are_stored_as_hashes_only(builder: &ServiceBuilder) {
    let mut app: RunningService = builder.clone().env("TOOLGATE_LOG", "trace,sqlx=trace,hyper=debug").start();
    let objects = OwnedObjects::create(&app.client(), "Keys").await;
    let created = create_key(&app.client(), 1, &["admin"]).await;
    let endpoint = app.client().create(&format!("/servers/{}/keys", objects.server), json!({"name": "k"})).await;
    let keys = [
        created["key"].as_str().unwrap(),
        endpoint["key"].as_str().unwrap(),
        toolgate_testkit::running_service::TEST_KEY,
    ];
    for client in keys.map(|key| app.client_with_key(Some(key))) {
        client.get("/servers").send().await;
        client.delete("/api-keys/0").send().await;
    }
    let shown = [app.client().read("/api-keys").await, app.client().read("/users").await];
    app.terminate();
    let (logs, dump) = (app.logs(), database_dump(&app));
    for key in keys {
        assert_eq!(find_secret(logs.as_bytes(), key), None);
        assert_eq!(find_secret(dump.as_bytes(), key), None);
        let files = find_secret_in_files(app.data_dir(), key);
        assert!(files.iter().all(|found| found.path.ends_with("admin-key")), "{files:?}");
        for reply in &shown {
            assert_eq!(find_secret(reply.to_string().as_bytes(), key), None);
        }
    }
}
