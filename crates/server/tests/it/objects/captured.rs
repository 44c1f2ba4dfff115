//! Captured arguments and responses of calls contain no secret: neither in the call log and its exports nor in the
//! database or the journal.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{Client, McpClient, MockResponse, RunningService, Upstream};

use super::fixtures::database_dump;
use super::secrets::{SECRET_MARK, assert_clean, assert_reply_clean, credentials, secret, secret_headers};

on_both_databases![secrets_that_an_upstream_echoes_are_not_stored];

/// Echoes the request, as JSON or, at `/fails`, as a text with an error status.
fn echo(request: &ReceivedRequest) -> MockResponse {
    let text = format!("{} {:?} {}", request.target, request.headers, String::from_utf8_lossy(&request.body));
    match request.path() {
        "/token" => MockResponse::json(json!({"access_token": secret("issued"), "expires_in": 3600})),
        "/fails" => MockResponse::text(text).with_status(400),
        _ => MockResponse::json(json!({"headers": request.headers, "text": text})),
    }
}

/// Creates a server that captures all calls, with tools for every kind of credential. Returns a client of the
/// server and the names of the tools.
async fn create_capturing_server(api: &Client, upstream: &Upstream) -> (McpClient, Vec<String>) {
    let settings = json!({"capture": "all", "capture_max_bytes": 65536});
    let server = api.create("/servers", json!({"name": "S", "rate_limit_per_min": 0, "settings": settings})).await;
    let input_schema = json!({"type": "object", "properties": {"login": {"properties": {"pin": {"writeOnly": true}}},
        "password": {"format": "password"}, "note": {}}});
    let mut names = Vec::new();
    for (number, (auth_type, mut credentials)) in credentials().into_iter().enumerate() {
        if auth_type == "oauth2" {
            credentials["token_url"] = upstream.url("/token").into();
        }
        for path in ["/good", "/fails"] {
            let name = format!("tool{number}{}", path.replace('/', "_"));
            let fields = json!({"name": name, "endpoint_url": upstream.url(path), "http_method": "POST",
                "auth_type": auth_type, "auth_credentials": credentials, "headers": secret_headers(),
                "input_schema": input_schema});
            api.create(&format!("/servers/{}/tools", id(&server)), fields).await;
            names.push(name);
        }
    }
    (McpClient::new(server["endpoint_url"].as_str().unwrap()), names)
}

#[track_caller]
fn assert_no_secret_is_written(app: &RunningService) {
    assert_eq!(find_secret_in_files(app.data_dir(), SECRET_MARK), []);
    assert_clean("the database", database_dump(app).as_bytes());
    assert_clean("the log", app.logs().as_bytes());
}

async fn secrets_that_an_upstream_echoes_are_not_stored(builder: &ServiceBuilder) {
    let upstream = Upstream::with_handler(echo);
    let mut app = builder.clone().env("TOOLGATE_LOG", "trace,sqlx=trace,hyper=debug").start();
    let api = app.client();
    let (caller, names) = create_capturing_server(&api, &upstream).await;
    let arguments = json!({"login": {"pin": secret("pin")}, "password": secret("password"), "note": "N0TE"});
    for name in &names {
        let result = caller.call(name, arguments.clone()).await;
        assert!(result.to_string().contains("********"), "the upstream repeats the secrets: {result}");
        assert_eq!(find_secret(result.to_string().as_bytes(), SECRET_MARK), None, "{result}");
        // The call is in the journal by now.
        assert_eq!(find_secret_in_files(app.data_dir(), SECRET_MARK), []);
    }
    let list = api.read("/calls?per_page=100").await;
    assert_eq!(list.as_array().unwrap().len(), names.len());
    for call in list.as_array().unwrap() {
        let reply = api.get(&format!("/calls/{}", id(call))).send().await.expect(200);
        assert_reply_clean(&reply);
        let shown: Value = reply.json();
        let (arguments, response) = (shown["arguments"].as_str().unwrap(), shown["response"].as_str().unwrap());
        assert!(arguments.contains("N0TE") && arguments.contains("********"), "{shown}");
        assert!(response.contains("N0TE") && response.contains("********"), "{shown}");
    }
    for path in ["/calls", "/calls?format=csv", "/analytics/tools?format=csv"] {
        assert_reply_clean(&api.request(Method::GET, path).send().await.expect(200));
    }
    assert_no_secret_is_written(&app);
    app.terminate();
    assert_no_secret_is_written(&app);
    // Proves that the search works: it finds text that is not secret.
    let plain = find_secret_in_files(app.data_dir(), "N0TE");
    assert!(!plain.is_empty() || database_dump(&app).contains("N0TE"), "the search finds nothing at all");
}
