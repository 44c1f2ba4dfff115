//! The keys of an external issuer: when they are fetched, and what happens without the issuer.

use serde_json::json;
use toolgate_testkit::{McpClient, ServiceFixture};

use super::external_issuer::{ExternalIssuer, IssuerKey, KEYS_PATH, assert_invalid, call};
use super::open_streams::{assert_ended, open_streams};
use super::signed_tokens::now;

#[tokio::test]
async fn tokens_with_unknown_keys_make_the_service_fetch_the_keys_once() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    let claims = issuer.claims(&fixture);
    for number in 0..100 {
        let foreign = IssuerKey::new(&format!("unknown-{number}"));
        let token = foreign.sign(&foreign.header(), &claims);
        assert_invalid(&call(&McpClient::new(fixture.url()).bearer(&token)).await, &number.to_string());
    }
    assert!(issuer.host.request_count_for(KEYS_PATH) <= 2, "{}", issuer.host.request_count_for(KEYS_PATH));
    call(&issuer.client(&fixture, json!({}))).await.expect(200);
}

#[tokio::test]
async fn a_token_signed_with_a_new_key_is_accepted_immediately() {
    let mut issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    let old = issuer.client(&fixture, json!({}));
    let unused = issuer.client(&fixture, json!({"sub": "eve"}));
    call(&old).await.expect(200);
    issuer.rotate("second");
    call(&issuer.client(&fixture, json!({}))).await.expect(200);
    call(&old).await.expect(200); // the service caches accepted tokens
    assert_invalid(&call(&unused).await, "a token signed with the removed key");
}

#[tokio::test]
async fn known_keys_are_used_without_the_issuer_until_the_service_restarts() {
    let issuer = ExternalIssuer::start();
    let mut fixture = issuer.start_server(json!({"audience": "shop"})).await;
    let client = |fixture: &ServiceFixture, subject: &str| {
        let client = issuer.client(fixture, json!({"aud": "shop", "sub": subject}));
        client.at_endpoint_of(&fixture.caller())
    };
    let (first, later, last) = (client(&fixture, "a"), client(&fixture, "b"), client(&fixture, "c"));
    call(&first).await.expect(200);
    drop(issuer.host);
    call(&first).await.expect(200);
    call(&later).await.expect(200);
    fixture.app.restart();
    let reply = call(&last.at_endpoint_of(&fixture.caller())).await.expect(503);
    assert!(reply.header("retry-after").is_some() && reply.header("www-authenticate").is_none(), "{reply:?}");
    assert_eq!(reply.json()["error"]["code"], 503);
}

#[tokio::test]
async fn streams_end_when_the_token_expires_or_the_rules_change() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    let seconds = now().as_millis() / 1000;
    let streams = open_streams(&issuer.client(&fixture, json!({"exp": seconds + 10}))).await;
    assert_ended(streams).await;
    let streams = open_streams(&issuer.client(&fixture, json!({}))).await;
    let oauth = json!({"issuer": issuer.url(), "allow": [{"claim": "groups", "any_of": ["mcp"]}]});
    fixture.api.patch(&fixture.path("")).json(json!({"settings": {"oauth": oauth}})).send().await.expect(200);
    assert_ended(streams).await;
}
