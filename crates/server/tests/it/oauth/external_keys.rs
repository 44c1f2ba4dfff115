//! The keys of an external issuer: when they are fetched, and what happens without the issuer.

use serde_json::json;
use toolgate_testkit::{McpClient, ServiceFixture};

use super::external_issuer::{ExternalIssuer, IssuerKey, KEYS, assert_invalid, call};
use super::open_streams::{assert_ended, open_streams};
use super::signed_tokens::now;

#[tokio::test]
async fn unknown_keys_make_the_service_ask_the_issuer_once() {
    let issuer = ExternalIssuer::start();
    let endpoint = issuer.start_server(json!({})).await;
    let claims = issuer.claims(&endpoint);
    for number in 0..100 {
        let foreign = IssuerKey::new(&format!("unknown-{number}"));
        let token = foreign.sign(&foreign.header(), &claims);
        assert_invalid(&call(&McpClient::new(endpoint.url()).bearer(&token)).await, &number.to_string());
    }
    assert!(issuer.host.request_count_for(KEYS) <= 2, "{}", issuer.host.request_count_for(KEYS));
    call(&issuer.client(&endpoint, json!({}))).await.expect(200);
}

#[tokio::test]
async fn a_token_of_a_new_key_is_accepted_at_once() {
    let mut issuer = ExternalIssuer::start();
    let endpoint = issuer.start_server(json!({})).await;
    let old = issuer.client(&endpoint, json!({}));
    let unused = issuer.client(&endpoint, json!({"sub": "eve"}));
    call(&old).await.expect(200);
    issuer.rotate("second");
    call(&issuer.client(&endpoint, json!({}))).await.expect(200);
    call(&old).await.expect(200); // accepted tokens are remembered
    assert_invalid(&call(&unused).await, "a token of the key that was removed");
}

#[tokio::test]
async fn known_keys_are_used_without_the_issuer_until_the_service_restarts() {
    let issuer = ExternalIssuer::start();
    let mut endpoint = issuer.start_server(json!({"audience": "shop"})).await;
    let client = |endpoint: &ServiceFixture, subject: &str| {
        let claims = issuer.client(endpoint, json!({"aud": "shop", "sub": subject}));
        claims.at(&endpoint.caller())
    };
    let (first, later, last) = (client(&endpoint, "a"), client(&endpoint, "b"), client(&endpoint, "c"));
    call(&first).await.expect(200);
    drop(issuer.host);
    call(&first).await.expect(200);
    call(&later).await.expect(200);
    endpoint.app.restart();
    let reply = call(&last.at(&endpoint.caller())).await.expect(503);
    assert!(reply.header("retry-after").is_some() && reply.header("www-authenticate").is_none(), "{reply:?}");
    assert_eq!(reply.json()["error"]["code"], 503);
}

#[tokio::test]
async fn streams_end_when_the_token_expires_or_the_rules_change() {
    let issuer = ExternalIssuer::start();
    let endpoint = issuer.start_server(json!({})).await;
    let seconds = now().as_millis() / 1000;
    let streams = open_streams(&issuer.client(&endpoint, json!({"exp": seconds + 10}))).await;
    assert_ended(streams).await;
    let streams = open_streams(&issuer.client(&endpoint, json!({}))).await;
    let oauth = json!({"issuer": issuer.url(), "allow": [{"claim": "groups", "any_of": ["mcp"]}]});
    endpoint.api.patch(&endpoint.path("")).json(json!({"settings": {"oauth": oauth}})).send().await.expect(200);
    assert_ended(streams).await;
}
