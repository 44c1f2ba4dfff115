//! OAuth 2 client credentials: a token endpoint and an API on one fake upstream.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolgate_testkit::secrets::find_secret;
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::setup::{failure_message, start};

const SECRET: &str = "client-secret-0123456789";

/// An issuer of `token-1`, `token-2`, ... and an API that responds with `api`.
fn upstream(api: impl Fn(&ReceivedRequest) -> MockResponse + Send + Sync + 'static) -> Upstream {
    let issued = Arc::new(AtomicUsize::new(0));
    Upstream::with_handler(move |request| match request.path() {
        "/token" => {
            let number = issued.fetch_add(1, Ordering::Relaxed) + 1;
            MockResponse::json(
                json!({"access_token": format!("token-{number}"), "token_type": "Bearer", "expires_in": 3600}),
            )
        }
        _ => api(request),
    })
}

async fn fixture(upstream: Upstream) -> (ServiceFixture, i64) {
    let fixture = start(upstream).await;
    let credentials = json!({"token_url": fixture.upstream.url("/token"), "client_id": "client id",
        "client_secret": SECRET, "scope": "read write"});
    let fields = json!({"endpoint_url": "/api", "auth_type": "oauth2", "auth_credentials": credentials});
    let id = fixture.create_tool(fields).await;
    (fixture, id)
}

fn authorizations(fixture: &ServiceFixture, path: &str) -> Vec<String> {
    let requests = fixture.upstream.requests();
    let matching = requests.iter().filter(|request| request.path() == path);
    matching.map(|request| request.header("authorization").unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn one_token_serves_many_calls() {
    let (fixture, id) = fixture(upstream(|_| MockResponse::text("ok"))).await;
    let caller = fixture.caller();
    let concurrent = join_all((0..20).map(|_| caller.text("tool", json!({})))).await;
    assert!(concurrent.iter().all(|text| text == "ok"));
    for _ in 0..3 {
        caller.text("tool", json!({})).await;
    }
    assert_eq!(fixture.test_result(id, json!({})).await["success"], true);
    assert_eq!(authorizations(&fixture, "/api"), vec!["Bearer token-1"; 24]);
    // "client+id:client-secret-0123456789", each half form-encoded first.
    let basic = "Basic Y2xpZW50K2lkOmNsaWVudC1zZWNyZXQtMDEyMzQ1Njc4OQ==";
    assert_eq!(authorizations(&fixture, "/token"), [basic]);
    let token_request = fixture.upstream.requests().into_iter().find(|request| request.path() == "/token").unwrap();
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(token_request.form(), [pair("grant_type", "client_credentials"), pair("scope", "read write")]);
    assert_eq!(token_request.method, "POST");
}

#[tokio::test]
async fn a_token_that_the_api_rejects_is_replaced_once() {
    let accepts_the_second = |request: &ReceivedRequest| match request.header("authorization") {
        Some("Bearer token-2") => MockResponse::text("ok"),
        _ => MockResponse::status(401),
    };
    let (fixture, _) = fixture(upstream(accepts_the_second)).await;
    assert_eq!(fixture.caller().text("tool", json!({})).await, "ok");
    assert_eq!(authorizations(&fixture, "/api"), ["Bearer token-1", "Bearer token-2"]);
    assert_eq!(fixture.caller().text("tool", json!({})).await, "ok");
    assert_eq!((fixture.upstream.request_count_for("/token"), fixture.upstream.request_count_for("/api")), (2, 3));
}

#[tokio::test]
async fn an_api_that_rejects_every_token_is_called_twice() {
    let (fixture, _) = fixture(upstream(|_| MockResponse::status(401).body("no"))).await;
    let result = fixture.caller().call("tool", json!({})).await;
    assert!(failure_message(&result).starts_with("Upstream returned HTTP 401 Unauthorized: no"), "{result}");
    assert_eq!((fixture.upstream.request_count_for("/token"), fixture.upstream.request_count_for("/api")), (2, 2));
}

#[tokio::test]
async fn a_rejected_client_is_a_tool_error_without_secrets() {
    let issuer = Upstream::with_handler(|request| match request.path() {
        // An issuer may echo anything.
        "/token" => {
            let echo = format!("{:?} {}", request.headers, request.text());
            MockResponse::json(json!({"error": "invalid_client", "error_description": echo})).with_status(401)
        }
        _ => MockResponse::text("never"),
    });
    let (fixture, id) = fixture(issuer).await;
    let reply = fixture.caller().send("tools/call", json!({"name": "tool"})).await.expect(200);
    let result = reply.json()["result"].clone();
    let text = failure_message(&result);
    assert!(text.contains("The token endpoint refused the client credentials (HTTP 401, invalid_client)"), "{text}");
    let tested = fixture.test_reply(id, json!({"debug": true})).await.expect(200);
    assert_eq!(tested.json()["status_code"], 0, "{tested:?}");
    for bytes in [&reply.body, &tested.body] {
        assert_eq!(find_secret(bytes, SECRET), None);
    }
    assert_eq!(fixture.upstream.request_count_for("/api"), 0);
}

#[tokio::test]
async fn failures_and_refusals_of_an_issuer_have_different_messages() {
    let responses: [(u16, Value, &str); 4] = [
        (503, json!({}), "The token endpoint failed (HTTP 503)"),
        (429, json!({}), "refused to issue a token for now (HTTP 429)"),
        (400, json!({"error": "invalid_scope"}), "refused the scope (HTTP 400, invalid_scope)"),
        (200, json!({"token": "misnamed"}), "without a usable access_token"),
    ];
    for (status, body, expected) in responses {
        let (fixture, _) =
            fixture(Upstream::with_handler(move |_| MockResponse::json(body.clone()).with_status(status))).await;
        let result = fixture.caller().call("tool", json!({})).await;
        assert!(failure_message(&result).contains(expected), "{status}: {result}");
        assert_eq!(fixture.upstream.request_count_for("/api"), 0);
    }
}
