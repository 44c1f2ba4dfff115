//! The end of a grant ends the access of its tokens: the next call is refused, and open streams end.

use serde_json::{Value, json};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{Client, McpClient};

use super::flow::OAuthFixture;
use super::open_streams::{assert_ended, open_streams};
use super::signed_tokens::now;

on_both_databases!(
    after_a_grant_is_deleted_the_next_call_is_refused_and_its_streams_end,
    every_loss_of_access_ends_the_tokens,
    access_ends_with_the_key_of_the_sign_in,
    the_last_use_of_a_grant_is_shown,
);

/// A client with a token that the person with this key gave it.
async fn connect(fixture: &OAuthFixture, key: &str) -> McpClient {
    let mut browser = fixture.visitor();
    browser.sign_in_with_key(key).await.expect(303);
    let callback = browser.allow(&fixture.authorize_path(&[])).await;
    let token = fixture.exchange(&callback["code"]).await.expect(200).json();
    McpClient::new(fixture.endpoint()).bearer(token["access_token"].as_str().unwrap())
}

async fn assert_refused(mcp: &McpClient, case: &str) {
    let reply = mcp.send("tools/list", json!({})).await;
    assert_eq!(reply.status, 401, "{case}: {reply:?}");
}

fn grants_path(fixture: &OAuthFixture) -> String {
    format!("/servers/{}/grants", fixture.server["id"])
}

async fn after_a_grant_is_deleted_the_next_call_is_refused_and_its_streams_end(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let (ended, other) = (connect(&fixture, &fixture.app.key()).await, connect(&fixture, &fixture.app.key()).await);
    let streams = open_streams(&ended).await;
    let grants = fixture.api.read(&grants_path(&fixture)).await;
    let oldest = grants.as_array().unwrap().iter().map(|grant| grant["id"].as_i64().unwrap()).min().unwrap();
    fixture.api.delete(&format!("{}/{oldest}", grants_path(&fixture))).send().await.expect(200);
    assert_refused(&ended, "a deleted grant").await;
    assert_ended(streams).await;
    other.send("tools/list", json!({})).await.expect(200);
}

async fn access_ends_with_the_key_of_the_sign_in(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let ends_at = now().plus_millis(600_000).to_string();
    let fields = json!({"name": "short", "scopes": ["admin"], "expires_at": ends_at});
    let key = fixture.api.create("/api-keys", fields).await;
    let mut browser = fixture.visitor();
    browser.sign_in_with_key(key["key"].as_str().unwrap()).await.expect(303);
    let callback = browser.allow(&fixture.authorize_path(&[])).await;
    let first = fixture.exchange(&callback["code"]).await.expect(200).json();
    let renewed = fixture.refresh(first["refresh_token"].as_str().unwrap()).await.expect(200).json();
    for tokens in [first, renewed] {
        // Instead of an hour.
        assert!((1..=600).contains(&tokens["expires_in"].as_i64().unwrap()), "{tokens}");
    }
    let grants = fixture.api.read(&grants_path(&fixture)).await;
    assert_eq!(grants[0]["expires_at"], key["expires_at"], "{grants:#}");
}

async fn delete(api: &Client, path: &str) {
    api.delete(path).send().await.expect(200);
}

async fn every_loss_of_access_ends_the_tokens(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let api = &fixture.api;
    let server = format!("/servers/{}", fixture.server["id"]);
    let settings = json!({"settings": {"oauth": {"access": "users"}}});
    api.patch(&server).json(settings).send().await.expect(200);
    let create_person = |name: &'static str| async move {
        let user = api.create("/users", json!({"name": name, "role": "owner"})).await;
        let key = api.create("/api-keys", json!({"name": name, "user_id": user["id"], "scopes": ["mcp"]})).await;
        (user, key)
    };
    let secret = |key: &Value| key["key"].as_str().unwrap().to_owned();

    let (_, key) = create_person("ada").await;
    let mcp = connect(&fixture, &secret(&key)).await;
    mcp.send("tools/list", json!({})).await.expect(200);
    delete(api, &format!("/api-keys/{}", key["id"])).await;
    assert_refused(&mcp, "the key of the sign-in is deleted").await;

    let (user, key) = create_person("bob").await;
    let mcp = connect(&fixture, &secret(&key)).await;
    mcp.send("tools/list", json!({})).await.expect(200);
    delete(api, &format!("/users/{}", user["id"])).await;
    assert_refused(&mcp, "the user is deleted").await;

    let (_, key) = create_person("eve").await;
    let mcp = connect(&fixture, &secret(&key)).await;
    mcp.send("tools/list", json!({})).await.expect(200);
    let settings = json!({"settings": {"oauth": {"access": "owner"}}});
    api.patch(&server).json(settings).send().await.expect(200);
    assert_refused(&mcp, "the person may no longer use the server").await;

    let mcp = connect(&fixture, &fixture.app.key()).await;
    mcp.send("tools/list", json!({})).await.expect(200);
    let streams = open_streams(&mcp).await;
    let clients = api.read("/oauth/clients").await;
    let client = format!("/oauth/clients/{}", clients[0]["id"]);
    api.patch(&client).json(json!({"status": "blocked"})).send().await.expect(200);
    assert_refused(&mcp, "the client is blocked").await;
    assert_ended(streams).await;
    api.patch(&client).json(json!({"status": "allowed"})).send().await.expect(200);
    assert_refused(&mcp, "the client is allowed again").await;

    let mcp = connect(&fixture, &fixture.app.key()).await;
    mcp.send("tools/list", json!({})).await.expect(200);
    for auth_type in ["none", "oauth"] {
        api.patch(&server).json(json!({"auth_type": auth_type})).send().await.expect(200);
    }
    assert_refused(&mcp, "the server did not require sign-in for a time").await;
}

async fn the_last_use_of_a_grant_is_shown(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let mcp = connect(&fixture, &fixture.app.key()).await;
    let path = grants_path(&fixture);
    assert_eq!(fixture.api.read(&path).await[0]["last_used_at"], Value::Null);
    mcp.send("tools/list", json!({})).await.expect(200);
    let grant = &fixture.api.read(&path).await[0];
    assert!(grant["last_used_at"].is_string(), "{grant}");
}
