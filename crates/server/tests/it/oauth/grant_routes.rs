//! The routes of grants: who sees and ends them.

use serde_json::{Value, json};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{Client, TestResponse};

use super::flow::{OAuthFixture, WebSession};

on_both_databases!(
    the_owner_sees_and_ends_the_access_of_programs,
    a_member_sees_and_ends_only_own_access,
    grants_of_other_servers_are_not_found,
    the_link_of_a_disabled_user_is_refused,
);

/// A person with a key, whose browser is signed in.
struct Person {
    id: i64,
    client: Client,
    browser: WebSession,
}

impl Person {
    async fn create(fixture: &OAuthFixture, name: &str, role: &str, scopes: &[&str]) -> Self {
        let id = fixture.api.create_user(name, role).await;
        let key = fixture.api.create("/api-keys", json!({"name": "k", "user_id": id, "scopes": scopes})).await;
        let key = key["key"].as_str().unwrap();
        let mut browser = fixture.visitor();
        browser.sign_in_with_key(key).await.expect(303);
        Self { id, client: fixture.app.client_with_key(Some(key)), browser }
    }

    /// Allows the client of the fixture access, and returns its tokens.
    async fn connect(&mut self, fixture: &OAuthFixture) -> Value {
        let callback = self.browser.allow(&fixture.authorize_path(&[])).await;
        fixture.exchange(&callback["code"]).await.expect(200).json()
    }
}

async fn call(fixture: &OAuthFixture, token: &Value) -> TestResponse {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let client = fixture.app.client_with_key(token["access_token"].as_str());
    client.post(fixture.endpoint()).header("accept", "application/json, text/event-stream").json(body).send().await
}

async fn set_access(fixture: &OAuthFixture, access: &str) {
    let path = format!("/servers/{}", fixture.server["id"]);
    fixture.api.patch(&path).json(json!({"settings": {"oauth": {"access": access}}})).send().await.expect(200);
}

async fn the_owner_sees_and_ends_the_access_of_programs(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    set_access(&fixture, "users").await;
    let mut bob = Person::create(&fixture, "bob", "owner", &["read", "write", "mcp"]).await;
    let token = bob.connect(&fixture).await;
    call(&fixture, &token).await.expect(200);
    let path = format!("/servers/{}/grants", fixture.server["id"]);
    let grants = fixture.api.read(&path).await;
    let grant = &grants[0];
    for (name, expected) in [
        ("server_id", fixture.server["id"].clone()),
        ("server_name", json!("Weather")),
        ("user_id", json!(bob.id)),
        ("user_name", json!("bob")),
        ("client_id", json!(fixture.client_id)),
        ("client_name", json!("Test client")),
        ("client_kind", json!("registered")),
        ("redirect_host", json!("client.example")),
        ("scopes", json!(["mcp:read", "mcp:write"])),
    ] {
        assert_eq!(grant[name], expected, "{name} of {grants:#}");
    }
    assert!(grant["created_at"].is_string() && grant["expires_at"].is_string() && grant["last_used_at"].is_string());
    let one = format!("{path}/{}", grant["id"]);
    assert_eq!(fixture.api.read(&one).await["id"], grant["id"]);
    let deleted = fixture.api.delete(&one).send().await.expect(200).json();
    assert_eq!((&deleted["deleted"], &deleted["previous"]["id"]), (&json!(true), &grant["id"]));
    call(&fixture, &token).await.expect(401);
    assert_eq!(fixture.api.get(&one).send().await.expect(404).json()["code"], "rest_grant_invalid_id");
    fixture.api.delete(&one).send().await.expect(404);
    let audit = fixture.api.read("/audit?object_kind=grant").await;
    let actions: Vec<&Value> = audit.as_array().unwrap().iter().map(|entry| &entry["action"]).collect();
    assert_eq!(actions, ["delete", "consent"], "{audit:#}");
    assert_eq!((&audit[1]["user_name"], &audit[1]["object_name"]), (&json!("bob"), &json!("Test client")));
    for secret in ["access_token", "refresh_token"].map(|name| token[name].as_str().unwrap()) {
        assert!(!audit.to_string().contains(secret) && !grants.to_string().contains(secret));
    }
}

async fn a_member_sees_and_ends_only_own_access(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    set_access(&fixture, "users").await;
    let mut mia = Person::create(&fixture, "mia", "member", &["mcp"]).await;
    let mut bob = Person::create(&fixture, "bob", "viewer", &["read", "mcp"]).await;
    let (of_mia, of_bob) = (mia.connect(&fixture).await, bob.connect(&fixture).await);
    let own = mia.client.read("/me/grants").await;
    assert_eq!((own.as_array().unwrap().len(), &own[0]["user_name"]), (1, &json!("mia")), "{own:#}");
    let foreign = bob.client.read("/me/grants").await[0]["id"].clone();
    mia.client.get(&format!("/me/grants/{foreign}")).send().await.expect(404);
    mia.client.delete(&format!("/me/grants/{foreign}")).send().await.expect(404);
    mia.client.get(&format!("/servers/{}/grants", fixture.server["id"])).send().await.expect(403);
    mia.client.delete(&format!("/me/grants/{}", own[0]["id"])).send().await.expect(200);
    call(&fixture, &of_mia).await.expect(401);
    call(&fixture, &of_bob).await.expect(200);
    bob.client.delete(&format!("/me/grants/{foreign}")).send().await.expect(200);
    assert_eq!(fixture.grant_count().await, 0);
}

async fn grants_of_other_servers_are_not_found(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    set_access(&fixture, "users").await;
    let mut bob = Person::create(&fixture, "bob", "owner", &["read", "write", "mcp"]).await;
    bob.connect(&fixture).await;
    let id = bob.client.read("/me/grants").await[0]["id"].clone();
    let server = fixture.server["id"].clone();
    let one = format!("/servers/{server}/grants/{id}");
    for request in [bob.client.get(&one), bob.client.delete(&one), bob.client.get(&format!("/servers/{server}/grants"))]
    {
        assert_eq!(request.send().await.expect(404).json()["code"], "rest_server_invalid_id");
    }
    let own_server = bob.client.create("/servers", json!({"name": "Own"})).await;
    let elsewhere = format!("/servers/{}/grants/{id}", own_server["id"]);
    assert_eq!(bob.client.delete(&elsewhere).send().await.expect(404).json()["code"], "rest_grant_invalid_id");
    let member = json!({"user_id": bob.id, "role": "editor"});
    fixture.api.create(&format!("/servers/{server}/members"), member).await;
    let reply = bob.client.get(&one).send().await.expect(403);
    assert!(reply.json()["message"].as_str().unwrap().contains("see who connected"), "{reply:?}");
    assert_eq!(fixture.grant_count().await, 1);
}

/// An invitation is invalid once the user is disabled.
async fn the_link_of_a_disabled_user_is_refused(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    set_access(&fixture, "users").await;
    let mia = fixture.api.create_user("mia", "member").await;
    let link = fixture.api.post(&format!("/users/{mia}/signin-links")).send().await.expect(201).json();
    let url = link["url"].as_str().unwrap().to_owned();
    assert!(url.starts_with(&format!("{}/signin?link=", fixture.app.origin())), "{url}");
    let browser = fixture.visitor();
    browser.get(&url).await.expect(200);
    // Opening the page does not use up the link, but disabling the user makes it invalid.
    fixture.api.patch(&format!("/users/{mia}")).json(json!({"disabled": true})).send().await.expect(200);
    let page = browser.get(&url).await;
    assert!(page.status >= 400, "{page:?}");
}
