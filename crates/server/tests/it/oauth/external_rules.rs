//! Rules for the claims of external tokens, scopes, keys, and changes of the settings.

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, ServiceFixture};

use super::external_issuer::{ExternalIssuer, assert_invalid, call};

async fn update(fixture: &ServiceFixture, oauth: Value) {
    fixture.api.patch(&fixture.path("")).json(json!({"settings": {"oauth": oauth}})).send().await.expect(200);
}

#[tokio::test]
async fn all_rules_must_hold() {
    let issuer = ExternalIssuer::start();
    let allow = json!([
        {"claim": "groups", "any_of": ["mcp", "admins"]},
        {"claim": "email_verified", "any_of": ["true"]},
    ]);
    let fixture = issuer.start_server(json!({"allow": allow})).await;
    for changes in [
        json!({}),
        json!({"groups": ["mcp"]}),
        json!({"groups": ["MCP"], "email_verified": true}),
        json!({"groups": ["other"], "email_verified": true}),
        json!({"groups": "mcp", "email_verified": false}),
    ] {
        let reply = call(&issuer.client(&fixture, changes.clone())).await;
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (403, &json!(403)), "{changes}: {reply:?}");
        assert_eq!(reply.header("www-authenticate"), None, "a new sign-in would not help");
    }
    assert_eq!(fixture.upstream.request_count(), 0);
    for groups in [json!("mcp"), json!(["other", "admins"])] {
        call(&issuer.client(&fixture, json!({"groups": groups, "email_verified": true}))).await.expect(200);
    }
    let refusals = fixture.api.read("/analytics/refusals").await;
    assert!(refusals.to_string().contains("not_allowed"), "{refusals}");
}

#[tokio::test]
async fn scopes_of_the_issuer_decide_what_a_token_may_do() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({"scope_read": "shop.read", "scope_write": "shop.write"})).await;
    for (changes, may_read, may_write) in [
        (json!({}), false, false),
        (json!({"scope": "openid shop.reader"}), false, false),
        (json!({"scope": "openid shop.read"}), true, false),
        (json!({"scp": ["shop.read"]}), true, false),
        (json!({"scp": "shop.write"}), true, true),
        (json!({"scope": "shop.read shop.write"}), true, true),
    ] {
        let mcp = issuer.client(&fixture, changes.clone());
        let read = mcp.send("tools/call", json!({"name": "r", "arguments": {}})).await;
        let list = mcp.send("tools/list", json!({})).await;
        let write = call(&mcp).await;
        let status = |is_allowed| if is_allowed { 200 } else { 403 };
        let expected = (status(may_read), status(may_read), status(may_write));
        assert_eq!((read.status, list.status, write.status), expected, "{changes}");
        if !may_write {
            let scope = if may_read { "shop.write" } else { "shop.read" };
            let start =
                format!(r#"Bearer realm="toolgate", error="insufficient_scope", scope="{scope}", resource_metadata="#);
            assert!(write.header("www-authenticate").unwrap().starts_with(&start), "{changes}: {write:?}");
        }
    }
}

#[tokio::test]
async fn audience_and_subject_claim_can_be_chosen() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({"audience": ["api://shop", "guid"], "subject_claim": "oid"})).await;
    call(&issuer.client(&fixture, json!({"aud": "guid", "oid": "7", "sub": null}))).await.expect(200);
    call(&issuer.client(&fixture, json!({"aud": ["x", "api://shop"], "oid": "7"}))).await.expect(200);
    assert_invalid(&call(&issuer.client(&fixture, json!({"aud": "guid"}))).await, "without the claim");
    assert_invalid(&call(&issuer.client(&fixture, json!({"oid": "7"}))).await, "the endpoint is not in the list");
}

#[tokio::test]
async fn a_change_of_the_settings_applies_to_tokens_that_were_accepted_before() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    let mcp = issuer.client(&fixture, json!({}));
    call(&mcp).await.expect(200);
    update(&fixture, json!({"issuer": issuer.url(), "allow": [{"claim": "groups", "any_of": ["mcp"]}]})).await;
    call(&mcp).await.expect(403);
    update(&fixture, json!({"issuer": issuer.url(), "audience": "other"})).await;
    assert_invalid(&call(&mcp).await, "another audience");
    update(&fixture, json!({"issuer": issuer.url()})).await;
    call(&mcp).await.expect(200);
    update(&fixture, json!({"issuer": "builtin"})).await;
    assert_invalid(&call(&mcp).await, "the built-in issuer");
}

#[tokio::test]
async fn keys_are_accepted_unless_they_are_switched_off() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    let (endpoint_key, own_key) = (fixture.create_key().await, fixture.app.key());
    let with_key = |key: &str| McpClient::new(fixture.url()).bearer(key);
    call(&with_key(&endpoint_key)).await.expect(200);
    call(&with_key(&own_key)).await.expect(200);
    update(&fixture, json!({"issuer": issuer.url(), "keys": false})).await;
    assert_invalid(&call(&with_key(&endpoint_key)).await, "an endpoint key");
    assert_invalid(&call(&with_key(&own_key)).await, "a key of the owner");
    call(&issuer.client(&fixture, json!({}))).await.expect(200);
}
