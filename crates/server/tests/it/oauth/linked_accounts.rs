//! Accounts at an OpenID provider that belong to a user: who sees and removes them, and what ends with them.

use serde_json::{Value, json};
use toolgate_testkit::page_form::PageForm;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{Client, ResponseGate, on_both_databases};

use super::console_tokens::token_of;
use super::flow::OAuthFixture;
use super::openid_provider::{OpenIdBrowser, TestProvider};
use super::sign_in::{set_password, user_with_password};
use crate::toolgate;

const REMOVE: &str = "/signin/accounts/remove";

on_both_databases!(
    an_administrator_sees_and_removes_the_accounts_of_a_user,
    a_member_sees_only_own_accounts_and_keeps_the_last_way_to_sign_in,
);

/// A person who signed in through the provider, and their client of the management API.
async fn sign_in(fixture: &OAuthFixture, provider: &TestProvider, subject: &str) -> (OpenIdBrowser, Client, Value) {
    provider.change(|behaviour| behaviour.claims = json!({"sub": subject}));
    let mut browser = OpenIdBrowser::new(fixture);
    browser.sign_in(provider).await.expect(303);
    let token = token_of(fixture, &browser.web).await;
    let client = Client::new(fixture.app.api_base(), token["access_token"].as_str());
    (browser, client, token["user_id"].clone())
}

async fn an_administrator_sees_and_removes_the_accounts_of_a_user(builder: &ServiceBuilder) {
    let provider = TestProvider::start();
    let fixture = OAuthFixture::start(provider.configure(builder.clone(), "example.com")).await;
    let (browser, of_ada, ada) = sign_in(&fixture, &provider, "ada").await;
    let (_, of_bob, bob) = sign_in(&fixture, &provider, "bob").await;
    let path = format!("/users/{ada}/identities");
    let reply = fixture.api.get(&format!("{path}?per_page=1")).send().await.expect(200);
    assert_eq!(reply.header("x-wp-total"), Some("1"));
    let account = reply.json()[0].clone();
    assert_eq!((&account["issuer"], &account["subject"]), (&json!(provider.issuer()), &json!("ada")), "{account:#}");
    assert!(account["created_at"].is_string(), "{account:#}");
    fixture.api.get("/users/999999/identities").send().await.expect(404);

    let one = format!("{path}/{}", account["id"]);
    for unknown in [format!("/users/{bob}/identities/{}", account["id"]), format!("{path}/999999")] {
        let refused = fixture.api.delete(&unknown).send().await.expect(404).json();
        assert_eq!(refused["code"], "rest_identity_invalid_id", "{unknown}");
    }
    for request in [of_bob.get(&path), of_bob.delete(&one), of_ada.delete(&one)] {
        request.send().await.expect(403);
    }
    let deleted = fixture.api.delete(&one).send().await.expect(200).json();
    assert_eq!((&deleted["deleted"], &deleted["previous"]), (&json!(true), &account));
    fixture.api.delete(&one).send().await.expect(404);
    assert_eq!(fixture.api.read(&path).await, json!([]));
    assert_eq!(fixture.api.read(&format!("/users/{ada}")).await["has_provider_account"], false);

    // The session that the account opened has ended, those of others have not.
    of_ada.get("/me").send().await.expect(401);
    assert!(browser.web.get("/signin").await.expect(200).text().contains("name=\"password\""));
    of_bob.get("/me").send().await.expect(200);
    let audit = fixture.api.read(&format!("/audit?object_kind=identity&object_id={ada}")).await;
    let entries: Vec<_> = audit.as_array().unwrap().iter().map(|entry| (&entry["action"], &entry["fields"])).collect();
    let fields = json!([format!("identity_id={}", account["id"])]);
    assert_eq!(entries, [(&json!("delete"), &fields), (&json!("create"), &fields)], "{audit:#}");
}

/// If members could remove it, each sign-in would create another user.
async fn a_member_sees_only_own_accounts_and_keeps_the_last_way_to_sign_in(builder: &ServiceBuilder) {
    let provider = TestProvider::start();
    let fixture = OAuthFixture::start(provider.configure(builder.clone(), "example.com")).await;
    let (mut browser, of_ada, ada) = sign_in(&fixture, &provider, "ada").await;
    let (_, of_bob, _) = sign_in(&fixture, &provider, "bob").await;
    let own = of_ada.read("/me/identities").await;
    assert_eq!((own.as_array().unwrap().len(), &own[0]["subject"]), (1, &json!("ada")), "{own:#}");
    let one = format!("/me/identities/{}", own[0]["id"]);
    assert_eq!(of_bob.delete(&one).send().await.expect(404).json()["code"], "rest_identity_invalid_id");
    let refused = of_ada.delete(&one).send().await.expect(409).json();
    assert_eq!(refused["code"], "rest_cannot_delete", "{refused}");
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("Ask an administrator for a sign-in link"), "{message}");
    let page = browser.web.get("/signin").await.expect(200).text();
    let form = PageForm::parse(&page, REMOVE);
    let page = browser.web.post(REMOVE, &form.with(&[])).await.expect(409).text();
    assert!(page.contains(message), "{page}");
    assert_eq!(of_ada.read("/me/identities").await, own, "the account and the session stay");

    set_password(&fixture, &ada, "correct horse").await;
    let (_, of_ada, same) = sign_in(&fixture, &provider, "ada").await;
    assert_eq!(same, ada);
    assert_eq!(of_ada.delete(&one).send().await.expect(200).json()["previous"], own[0]);
    of_ada.get("/me").send().await.expect(401);
    assert_eq!(of_bob.read("/me/identities").await[0]["subject"], "bob");
    // The account is free: the next sign-in with it creates another user.
    let (_, again, _) = sign_in(&fixture, &provider, "ada").await;
    assert_eq!(again.read("/me").await["user"]["name"], "Ada Lovelace 3");
}

/// The administrator of the first start links an account at the provider.
async fn link_account(fixture: &OAuthFixture, provider: &TestProvider) -> OpenIdBrowser {
    let mut browser = OpenIdBrowser::new(fixture);
    browser.web.sign_in_with_key(&fixture.app.key()).await.expect(303);
    let callback = browser.start_link(provider).await;
    browser.follow(&callback.path(&[("code", "code-of-ada")])).await.expect(303);
    browser
}

/// As for linking: the rights of the account are more than those of the key.
#[tokio::test]
async fn a_limited_key_removes_no_account() {
    let provider = TestProvider::start();
    let fixture = OAuthFixture::start(provider.configure(toolgate(), "")).await;
    let full = link_account(&fixture, &provider).await;
    let page = full.web.get("/signin").await.expect(200).text();
    let id = PageForm::parse(&page, REMOVE).value("id").to_owned();
    let own = fixture.api.read("/me").await["user"]["id"].clone();
    for key in [
        json!({"name": "limited", "scopes": ["read", "write", "mcp"]}),
        json!({"name": "short", "scopes": ["admin"], "expires_at": "2099-01-01T00:00:00"}),
    ] {
        let key = fixture.api.post("/api-keys").json(key).send().await.expect(201).json();
        let key = key["key"].as_str().unwrap();
        let mut browser = OpenIdBrowser::new(&fixture);
        browser.web.sign_in_with_key(key).await.expect(303);
        let token = token_of(&fixture, &browser.web).await;
        for credential in [key, token["access_token"].as_str().unwrap()] {
            let client = Client::new(fixture.app.api_base(), Some(credential));
            assert_eq!(client.read("/me/identities").await.as_array().map(Vec::len), Some(1));
            let refused = client.delete(&format!("/me/identities/{id}")).send().await.expect(403).json();
            assert!(refused["message"].as_str().unwrap().contains("limited key"), "{refused}");
            client.delete(&format!("/users/{own}/identities/{id}")).send().await.expect(403);
        }
        let page = browser.web.get("/signin").await.expect(200).text();
        assert!(page.contains("limited key") && !page.contains(REMOVE), "{page}");
        browser.web.post(REMOVE, &[("id", &id), ("csrf", "")]).await.expect(403);
    }
    assert_eq!(fixture.api.read("/me/identities").await.as_array().map(Vec::len), Some(1));
    fixture.api.delete(&format!("/users/{own}/identities/{id}")).send().await.expect(200);
}

/// Whether the key expires matters for its own user only: administrators remove accounts of all other users.
#[tokio::test]
async fn an_administrator_removes_accounts_of_others_with_a_key_that_expires() {
    let provider = TestProvider::start();
    let fixture = OAuthFixture::start(provider.configure(toolgate(), "example.com")).await;
    let (_, of_ada, ada) = sign_in(&fixture, &provider, "ada").await;
    let account = of_ada.read("/me/identities").await[0]["id"].clone();
    let fields = json!({"name": "short", "scopes": ["admin"], "expires_at": "2099-01-01T00:00:00"});
    let key = fixture.api.create("/api-keys", fields).await;
    let client = Client::new(fixture.app.api_base(), key["key"].as_str());
    client.delete(&format!("/users/{ada}/identities/{account}")).send().await.expect(200);
}

#[tokio::test]
async fn the_page_of_the_service_removes_own_accounts_with_its_own_form() {
    let provider = TestProvider::start();
    let fixture = OAuthFixture::start(provider.configure(toolgate(), "example.com")).await;
    let (_, _, user) = sign_in(&fixture, &provider, "a<b>").await;
    set_password(&fixture, &user, "correct horse").await;
    let (mut browser, _, _) = sign_in(&fixture, &provider, "a<b>").await;
    let (mut other, of_other, _) = sign_in(&fixture, &provider, "other").await;
    let page = browser.web.get("/signin").await.expect(200).text();
    assert!(page.contains("<bdi>a&lt;b&gt;</bdi>") && !page.contains("a<b>"), "{page}");
    let form = PageForm::parse(&page, REMOVE);
    let sign_out = PageForm::parse(&page, "/signout").value("csrf").to_owned();
    let foreign = PageForm::parse(&other.web.get("/signin").await.expect(200).text(), REMOVE);

    for csrf in ["", sign_out.as_str(), foreign.value("csrf")] {
        browser.web.post(REMOVE, &form.with(&[("csrf", csrf)])).await.expect(403);
    }
    let evil = [("origin", "https://evil.example")];
    browser.web.post_with(REMOVE, &form.with(&[]), &evil).await.expect(403);
    browser.web.post(REMOVE, &form.with(&[("id", "x")])).await.expect(400);
    // The account of another person stays.
    browser.web.post(REMOVE, &form.with(&[("id", foreign.value("id"))])).await.expect(303);
    assert_eq!(of_other.read("/me/identities").await.as_array().map(Vec::len), Some(1));
    assert!(browser.web.get("/signin").await.text().contains("You are signed in"), "nothing was removed");

    let done = browser.web.post(REMOVE, &form.with(&[])).await.expect(303);
    assert_eq!(done.header("location"), Some(format!("{}/signin", fixture.app.origin()).as_str()));
    assert!(browser.web.get("/signin").await.expect(200).text().contains("name=\"password\""));
    assert!(other.web.get("/signin").await.text().contains("You are signed in"));
    // Without a session, there is nothing to remove.
    other.web.cookie = None;
    other.web.post(REMOVE, &foreign.with(&[])).await.expect(303);
    assert_eq!(of_other.read("/me/identities").await.as_array().map(Vec::len), Some(1));
}

/// A browser that lost its session, because its person removed an account elsewhere, links none afterwards.
#[tokio::test]
async fn a_removal_that_passes_while_the_provider_responds_prevents_the_link() {
    let provider = TestProvider::start();
    let fixture = OAuthFixture::start(provider.configure(toolgate(), "")).await;
    user_with_password(&fixture, "Ada", "correct horse").await;
    let mut browsers = [OpenIdBrowser::new(&fixture), OpenIdBrowser::new(&fixture)];
    for browser in &mut browsers {
        browser.web.post("/signin", &[("user", "Ada"), ("password", "correct horse")]).await.expect(303);
    }
    let [mut slow, mut quick] = browsers;
    let (slow_callback, quick_callback) = (slow.start_link(&provider).await, quick.start_link(&provider).await);
    let gate = ResponseGate::new();
    provider.change(|behaviour| behaviour.exchange_gate = Some(gate.clone()));
    let slow_path = slow_callback.path(&[("code", "code-of-ada")]);
    let remove_account = async {
        gate.wait_until_reached().await;
        provider.change(|behaviour| {
            behaviour.exchange_gate = None;
            behaviour.claims = json!({"sub": "other"});
        });
        quick.follow(&quick_callback.path(&[("code", "code-of-ada")])).await.expect(303);
        let page = quick.web.get("/signin").await.expect(200).text();
        quick.web.post(REMOVE, &PageForm::parse(&page, REMOVE).with(&[])).await.expect(303);
        gate.open();
    };
    let (refused, ()) = tokio::join!(slow.follow(&slow_path), remove_account);
    assert!(refused.expect(403).text().contains("no longer signed in"), "the session has ended");
    let users = fixture.api.read("/users").await;
    assert!(users.as_array().unwrap().iter().all(|user| user["has_provider_account"] == false), "{users:#}");
}
