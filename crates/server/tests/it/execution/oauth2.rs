//! OAuth 2 client credentials: a token endpoint and an API on one fake upstream.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolgate_testkit::secrets::find_secret;
use toolgate_testkit::upstream::Received;
use toolgate_testkit::{Answer, Upstream};

use super::setup::{Stage, failure};

const SECRET: &str = "client-secret-0123456789";

/// An issuer of `token-1`, `token-2`, ... and an API that answers as `api` says.
fn upstream(api: impl Fn(&Received) -> Answer + Send + Sync + 'static) -> Upstream {
    let issued = Arc::new(AtomicUsize::new(0));
    Upstream::answering(move |request| match request.path() {
        "/token" => {
            let number = issued.fetch_add(1, Ordering::Relaxed) + 1;
            Answer::json(json!({"access_token": format!("token-{number}"), "token_type": "Bearer", "expires_in": 3600}))
        }
        _ => api(request),
    })
}

async fn stage(upstream: Upstream) -> (Stage, i64) {
    let stage = Stage::new(upstream).await;
    let credentials = json!({"token_url": stage.upstream.url("/token"), "client_id": "client id",
        "client_secret": SECRET, "scope": "read write"});
    let fields = json!({"endpoint_url": "/api", "auth_type": "oauth2", "auth_credentials": credentials});
    let id = stage.tool(fields).await;
    (stage, id)
}

fn authorizations(stage: &Stage, path: &str) -> Vec<String> {
    let requests = stage.upstream.requests();
    let asked = requests.iter().filter(|request| request.path() == path);
    asked.map(|request| request.header("authorization").unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn one_token_serves_many_calls() {
    let (stage, id) = stage(upstream(|_| Answer::text("ok"))).await;
    let caller = stage.caller();
    let at_once = join_all((0..20).map(|_| caller.text("tool", json!({})))).await;
    assert!(at_once.iter().all(|text| text == "ok"));
    for _ in 0..3 {
        caller.text("tool", json!({})).await;
    }
    assert_eq!(stage.test(id, json!({})).await["success"], true);
    assert_eq!(authorizations(&stage, "/api"), vec!["Bearer token-1"; 24]);
    // "client+id:client-secret-0123456789", each half form-encoded first.
    let basic = "Basic Y2xpZW50K2lkOmNsaWVudC1zZWNyZXQtMDEyMzQ1Njc4OQ==";
    assert_eq!(authorizations(&stage, "/token"), [basic]);
    let asked = stage.upstream.requests().into_iter().find(|request| request.path() == "/token").unwrap();
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(asked.form(), [pair("grant_type", "client_credentials"), pair("scope", "read write")]);
    assert_eq!(asked.method, "POST");
}

#[tokio::test]
async fn a_token_that_the_api_refuses_is_replaced_once() {
    let takes_the_second = |request: &Received| match request.header("authorization") {
        Some("Bearer token-2") => Answer::text("ok"),
        _ => Answer::status(401),
    };
    let (stage, _) = stage(upstream(takes_the_second)).await;
    assert_eq!(stage.caller().text("tool", json!({})).await, "ok");
    assert_eq!(authorizations(&stage, "/api"), ["Bearer token-1", "Bearer token-2"]);
    assert_eq!(stage.caller().text("tool", json!({})).await, "ok");
    assert_eq!((stage.upstream.hits_of("/token"), stage.upstream.hits_of("/api")), (2, 3));
}

#[tokio::test]
async fn an_api_that_refuses_every_token_is_asked_twice_and_believed() {
    let (stage, _) = stage(upstream(|_| Answer::status(401).body("no"))).await;
    let result = stage.caller().call("tool", json!({})).await;
    assert!(failure(&result).starts_with("Upstream returned HTTP 401 Unauthorized: no"), "{result}");
    assert_eq!((stage.upstream.hits_of("/token"), stage.upstream.hits_of("/api")), (2, 2));
}

#[tokio::test]
async fn a_refused_client_is_a_tool_error_without_its_secrets() {
    let issuer = Upstream::answering(|request| match request.path() {
        // An issuer may echo anything.
        "/token" => {
            let echo = format!("{:?} {}", request.headers, request.text());
            Answer::json(json!({"error": "invalid_client", "error_description": echo})).with_status(401)
        }
        _ => Answer::text("never"),
    });
    let (stage, id) = stage(issuer).await;
    let reply = stage.caller().send("tools/call", json!({"name": "tool"})).await.expect(200);
    let result = reply.json()["result"].clone();
    let text = failure(&result);
    assert!(text.contains("The token endpoint refused the client credentials (HTTP 401, invalid_client)"), "{text}");
    let tested = stage.test_reply(id, json!({"debug": true})).await.expect(200);
    assert_eq!(tested.json()["status_code"], 0, "{tested:?}");
    for bytes in [&reply.body, &tested.body] {
        assert_eq!(find_secret(bytes, SECRET), None);
    }
    assert_eq!(stage.upstream.hits_of("/api"), 0);
}

#[tokio::test]
async fn an_issuer_that_fails_is_told_from_one_that_refuses() {
    let answers: [(u16, Value, &str); 4] = [
        (503, json!({}), "The token endpoint failed (HTTP 503)"),
        (429, json!({}), "refused to issue a token for now (HTTP 429)"),
        (400, json!({"error": "invalid_scope"}), "refused the scope (HTTP 400, invalid_scope)"),
        (200, json!({"token": "misnamed"}), "without a usable access_token"),
    ];
    for (status, body, expected) in answers {
        let (stage, _) = stage(Upstream::answering(move |_| Answer::json(body.clone()).with_status(status))).await;
        let result = stage.caller().call("tool", json!({})).await;
        assert!(failure(&result).contains(expected), "{status}: {result}");
        assert_eq!(stage.upstream.hits_of("/api"), 0);
    }
}
