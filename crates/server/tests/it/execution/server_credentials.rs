//! Calls of tools that use a credential of their server, and keys that are sent with other credentials.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::setup::{failure_message, start};

/// Responds with the authorization header that it received.
fn echo() -> Upstream {
    Upstream::with_handler(|request| {
        MockResponse::text(request.header("authorization").unwrap_or("no authorization").to_owned())
    })
}

/// Creates a credential and returns its path.
async fn create_credential(fixture: &ServiceFixture, auth_type: &str, credentials: Value) -> String {
    let body = json!({"name": "shared", "auth_type": auth_type, "auth_credentials": credentials});
    let path = fixture.path("/credentials");
    format!("{path}/{}", id(&fixture.api.create(&path, body).await))
}

async fn update(fixture: &ServiceFixture, path: &str, fields: Value) {
    fixture.api.patch(path).json(fields).send().await.expect(200);
}

#[tokio::test]
async fn one_change_of_a_credential_changes_the_next_call_of_every_tool() {
    let fixture = start(echo()).await;
    let path = create_credential(&fixture, "bearer", json!({"token": "one"})).await;
    let mut ids = Vec::new();
    for name in ["a", "b"] {
        // A cached response must not outlive its credential.
        let fields = json!({"name": name, "endpoint_url": "/x", "credential": "shared", "cache_ttl": 300});
        ids.push(fixture.create_tool(fields).await);
    }
    let texts = async || {
        let caller = fixture.caller();
        [caller.text("a", json!({})).await, caller.text("b", json!({})).await]
    };
    assert_eq!(texts().await, ["Bearer one", "Bearer one"]);
    update(&fixture, &path, json!({"auth_credentials": {"token": "two"}})).await;
    assert_eq!(texts().await, ["Bearer two", "Bearer two"]);
    update(&fixture, &path, json!({"name": "renamed"})).await;
    assert_eq!(texts().await, ["Bearer two", "Bearer two"]);
    assert_eq!(fixture.upstream.request_count(), 4, "a new name does not change the credential");
    let basic = json!({"auth_type": "basic", "auth_credentials": {"username": "u", "password": "p"}});
    update(&fixture, &path, basic).await;
    let sent = || fixture.upstream.last().header("authorization").map(str::to_owned);
    assert_eq!(
        (texts().await, sent().as_deref()),
        (["Basic ********", "Basic ********"].map(String::from), Some("Basic dTpw"))
    );
    let tested = fixture.test_result(ids[0], json!({})).await;
    assert_eq!(tested["content"][0]["text"], "Basic ********");
    assert_eq!((fixture.upstream.request_count(), sent().as_deref()), (7, Some("Basic dTpw")));
}

#[tokio::test]
async fn a_tool_never_sends_without_its_credential() {
    let fixture = start(echo()).await;
    let path = fixture.path("/credentials");
    let created = fixture.api.create(&path, json!({"name": "shared", "auth_type": "bearer"})).await;
    let path = format!("{path}/{}", id(&created));
    let tool = fixture.create_tool(json!({"endpoint_url": "/x", "credential": "shared"})).await;
    let assert_fails = async || {
        let result = fixture.caller().call("tool", json!({})).await;
        assert!(failure_message(&result).starts_with("Credential unavailable"), "{result}");
        assert_eq!(fixture.test_result(tool, json!({})).await["reason"], "bad_credential");
    };
    assert_fails().await;
    update(&fixture, &path, json!({"auth_credentials": {"token": "t"}})).await;
    assert_eq!(fixture.caller().text("tool", json!({})).await, "Bearer t");
    update(&fixture, &path, json!({"auth_credentials": {}})).await;
    assert_fails().await;
    update(&fixture, &path, json!({"auth_credentials": {"token": "u"}})).await;
    assert_eq!(fixture.caller().text("tool", json!({})).await, "Bearer u");
    fixture.api.delete(&format!("{path}?force=true")).send().await.expect(200);
    assert_fails().await;
    assert_eq!(fixture.upstream.request_count(), 2);
}

#[tokio::test]
async fn tools_with_one_oauth2_credential_share_a_token() {
    let issued = AtomicUsize::new(0);
    let upstream = Upstream::with_handler(move |request| {
        if request.path() == "/token" {
            let number = issued.fetch_add(1, Ordering::Relaxed) + 1;
            return MockResponse::json(json!({"access_token": format!("token-{number}"), "expires_in": 3600}));
        }
        let header = |name: &str| request.header(name).unwrap_or("-").to_owned();
        MockResponse::text(format!("{} {}", header("authorization"), header("x-app")))
    });
    let fixture = start(upstream).await;
    let credentials = |secret: &str| {
        json!({"token_url": fixture.upstream.url("/token"), "client_id": "c", "client_secret": secret,
            "keys": [{"key_name": "X-App", "key_value": "app-1"}]})
    };
    let path = create_credential(&fixture, "oauth2", credentials("one")).await;
    let names: Vec<String> = (0..10).map(|number| format!("t{number}")).collect();
    for name in &names {
        fixture.create_tool(json!({"name": name, "endpoint_url": "/x", "credential": "shared"})).await;
    }
    let caller = fixture.caller();
    let texts = join_all(names.iter().map(|name| caller.text(name, json!({})))).await;
    assert_eq!(texts, vec!["Bearer ******** ********"; 10]);
    let sent = fixture.upstream.requests().into_iter().filter(|request| request.path() == "/x");
    for request in sent {
        assert_eq!((request.header("authorization"), request.header("x-app")), (Some("Bearer token-1"), Some("app-1")));
    }
    assert_eq!((fixture.upstream.request_count_for("/x"), fixture.upstream.request_count_for("/token")), (10, 1));
    let token_request = fixture.upstream.requests().into_iter().find(|request| request.path() == "/token").unwrap();
    assert_eq!(token_request.header("x-app"), None, "keys are for the API, not for the issuer");
    update(&fixture, &path, json!({"auth_credentials": credentials("two")})).await;
    fixture.caller().text("t0", json!({})).await;
    assert_eq!(fixture.upstream.last().header("authorization"), Some("Bearer token-2"));
}

#[tokio::test]
async fn keys_are_sent_with_a_token_and_nothing_shows_them() {
    let upstream =
        Upstream::with_handler(|request| MockResponse::text(format!("{:?} {}", request.headers, request.target)));
    let fixture = start(upstream).await;
    let capture = json!({"settings": {"capture": "all"}});
    fixture.api.patch(&fixture.path("")).json(capture).send().await.expect(200);
    let secrets = ["bearer-secret-1", "header-secret-2", "query-secret-3", "cookie-secret-4", "path-secret-5"];
    let [token, header, query, cookie, path] = secrets;
    let credentials = json!({"token": token, "keys": [
        {"key_name": "X-App", "key_value": header},
        {"key_name": "appid", "key_value": query, "key_location": "query"},
        {"key_name": "sid", "key_value": cookie, "key_location": "cookie"},
        {"key_name": "tenant", "key_value": path, "key_location": "path"},
    ]});
    create_credential(&fixture, "bearer", credentials.clone()).await;
    let shared = json!({"name": "shared", "endpoint_url": "/{tenant}/x", "credential": "shared"});
    let own =
        json!({"name": "own", "endpoint_url": "/{tenant}/x", "auth_type": "bearer", "auth_credentials": credentials});
    for fields in [shared, own] {
        let name = fields["name"].as_str().unwrap().to_owned();
        let id = fixture.create_tool(fields).await;
        fixture.caller().text(&name, json!({})).await;
        let received = fixture.upstream.last();
        assert_eq!(received.target, "/path-secret-5/x?appid=query-secret-3");
        assert_eq!(received.header("authorization"), Some("Bearer bearer-secret-1"));
        assert_eq!((received.header("x-app"), received.header("cookie")), (Some(header), Some("sid=cookie-secret-4")));
        let request = fixture.test_reply(id, json!({"debug": true})).await.expect(200).json()["request"].clone();
        assert_eq!(request["url"], fixture.upstream.url("/********/x?appid=********"), "{request}");
        let calls = fixture.api.get("/calls").send().await.expect(200);
        let call = fixture.api.get(&format!("/calls/{}", last_call_id(&calls.json()))).send().await.expect(200);
        assert!(call.json()["response"].as_str().is_some_and(|text| text.contains("********")), "{call:?}");
        for secret in secrets {
            assert_eq!(find_secret(&call.body, secret), None, "{call:?}");
            assert_eq!(find_secret(request.to_string().as_bytes(), secret), None, "{request}");
        }
    }
    for secret in secrets {
        assert_eq!(find_secret_in_files(fixture.app.data_dir(), secret), []);
        assert_eq!(find_secret(fixture.app.logs().as_bytes(), secret), None);
    }
}

fn last_call_id(calls: &Value) -> i64 {
    id(&calls[0])
}
