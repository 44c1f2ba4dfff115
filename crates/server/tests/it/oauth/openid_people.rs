//! Who may sign in through an OpenID provider, and as whom.

use serde_json::{Value, json};
use toolgate_testkit::on_both_databases;
use toolgate_testkit::page_form::PageForm;
use toolgate_testkit::running_service::ServiceBuilder;

use super::console_tokens::token_of;
use super::flow::OAuthFixture;
use super::openid_provider::{OpenIdBrowser, TestProvider};
use super::sign_in::user_with_password;
use crate::toolgate;

async fn users(fixture: &OAuthFixture) -> Vec<Value> {
    fixture.api.read("/users").await.as_array().unwrap().clone()
}

on_both_databases!(
    an_allowed_person_becomes_a_member_and_is_known_by_the_subject_from_then_on,
    a_disabled_user_is_refused_and_a_deleted_one_gets_a_new_account,
    a_person_who_is_signed_in_links_an_account,
);

async fn an_allowed_person_becomes_a_member_and_is_known_by_the_subject_from_then_on(builder: &ServiceBuilder) {
    let provider = TestProvider::start();
    let fixture = OAuthFixture::start(provider.configure(builder.clone(), "Example.com")).await;
    fixture.api.create("/users", json!({"name": "Ada Lovelace", "role": "owner"})).await;
    let mut browser = OpenIdBrowser::new(&fixture);
    let done = browser.sign_in(&provider).await.expect(303);
    assert_eq!(done.header("location"), Some(format!("{}/", fixture.app.origin()).as_str()));
    let created = users(&fixture).await.pop().unwrap();
    assert_eq!((&created["name"], &created["role"]), (&json!("Ada Lovelace 2"), &json!("member")), "{created:#}");
    assert_eq!(created["has_provider_account"], true, "{created:#}");

    // The address and the name may change; the account stays.
    provider.change(|behaviour| {
        behaviour.claims = json!({"email": "ada@elsewhere.example", "email_verified": false, "name": "A. King"});
    });
    let mut browser = OpenIdBrowser::new(&fixture);
    browser.sign_in(&provider).await.expect(303);
    assert_eq!(users(&fixture).await.pop(), Some(created.clone()));
    let token = token_of(&fixture, &browser.web).await;
    assert_eq!(token["user_id"], created["id"]);

    // Another subject with the same address is another person.
    provider.change(|behaviour| behaviour.claims = json!({"sub": "2"}));
    OpenIdBrowser::new(&fixture).sign_in(&provider).await.expect(303);
    assert_eq!(users(&fixture).await.pop().unwrap()["name"], "Ada Lovelace 3");

    let audit = fixture.api.read("/audit").await;
    let has = |action: &str, kind: &str| {
        audit.as_array().unwrap().iter().any(|entry| {
            entry["action"] == action && entry["object_kind"] == kind && entry["object_name"] == "Ada Lovelace 2"
        })
    };
    assert!(has("create", "user") && has("sign_in", "session"), "{audit:#}");
}

async fn a_disabled_user_is_refused_and_a_deleted_one_gets_a_new_account(builder: &ServiceBuilder) {
    let provider = TestProvider::start();
    let fixture = OAuthFixture::start(provider.configure(builder.clone(), "example.com")).await;
    OpenIdBrowser::new(&fixture).sign_in(&provider).await.expect(303);
    let path = format!("/users/{}", users(&fixture).await.pop().unwrap()["id"]);
    fixture.api.patch(&path).json(json!({"disabled": true})).send().await.expect(200);
    let mut browser = OpenIdBrowser::new(&fixture);
    let refused = browser.sign_in(&provider).await.expect(403).text();
    assert!(refused.contains("disabled") && browser.web.cookie.is_none(), "{refused}");
    fixture.api.delete(&path).send().await.expect(200);
    OpenIdBrowser::new(&fixture).sign_in(&provider).await.expect(303);
    assert_eq!(users(&fixture).await.pop().unwrap()["name"], "Ada Lovelace");
}

async fn a_person_who_is_signed_in_links_an_account(builder: &ServiceBuilder) {
    let provider = TestProvider::start();
    let fixture = OAuthFixture::start(provider.configure(builder.clone(), "")).await;
    let user = user_with_password(&fixture, "Ada", "correct horse").await;
    let mut browser = OpenIdBrowser::new(&fixture);
    let refused = browser.sign_in(&provider).await.expect(403).text();
    assert!(refused.contains("may not sign in here"), "{refused}");
    browser.web.post("/signin", &[("user", "Ada"), ("password", "correct horse")]).await.expect(303);
    let page = browser.web.get("/signin").await.expect(200).text();
    let csrf = PageForm::parse(&page, "/signin/oidc").value("csrf").to_owned();

    // A form of another site, and one without the signature of this session.
    let own = browser.web.cookie.clone();
    for (csrf, origin) in [(csrf.as_str(), "https://evil.example"), ("", &fixture.app.origin())] {
        browser.web.post_with("/signin/oidc", &[("csrf", csrf)], &[("origin", origin)]).await.expect(403);
        browser.web.cookie.clone_from(&own);
    }
    let start = browser.web.post("/signin/oidc", &[("csrf", &csrf)]).await.expect(303);
    browser.web.cookie = own;
    browser.store_attempt_cookie(&start);
    let callback = provider.callback_for(&start);
    let done = browser.follow(&callback.path(&[("code", "code-of-ada")])).await.expect(303);
    assert_eq!(done.header("location"), Some(format!("{}/signin", fixture.app.origin()).as_str()));
    assert!(browser.web.get("/signin").await.text().contains("an account is linked"));

    let mut elsewhere = OpenIdBrowser::new(&fixture);
    elsewhere.sign_in(&provider).await.expect(303);
    assert_eq!(token_of(&fixture, &elsewhere.web).await["user_id"], user["id"]);

    // The same account cannot belong to a second user.
    let mut administrator = OpenIdBrowser::new(&fixture);
    administrator.web.sign_in_with_key(&fixture.app.key()).await.expect(303);
    let callback = administrator.start_link(&provider).await;
    let refused = administrator.follow(&callback.path(&[("code", "code-of-ada")])).await.expect(403).text();
    assert!(refused.contains("belongs to another user"), "{refused}");
}

/// A linked account would have all rights of the role, and work after the key is deleted.
#[tokio::test]
async fn a_limited_key_cannot_link_an_account() {
    let provider = TestProvider::start();
    let fixture = OAuthFixture::start(provider.configure(toolgate(), "")).await;
    for key in [
        json!({"name": "limited", "scopes": ["mcp"]}),
        json!({"name": "short", "scopes": ["admin"], "expires_at": "2099-01-01T00:00:00"}),
    ] {
        let key = fixture.api.post("/api-keys").json(key).send().await.expect(201).json();
        let mut browser = OpenIdBrowser::new(&fixture);
        browser.web.sign_in_with_key(key["key"].as_str().unwrap()).await.expect(303);
        let page = browser.web.get("/signin").await.expect(200).text();
        let csrf = PageForm::parse(&page, "/signin/oidc").value("csrf").to_owned();
        let refused = browser.web.post("/signin/oidc", &[("csrf", &csrf)]).await.expect(403).text();
        assert!(refused.contains("limited key"), "{refused}");
    }
}

#[tokio::test]
async fn only_verified_addresses_of_allowed_domains_and_listed_subjects_are_allowed() {
    let provider = TestProvider::start();
    let fixture = OAuthFixture::start(provider.configure(toolgate(), "example.com,sub:known")).await;
    let count = users(&fixture).await.len();
    for claims in [
        json!({"email_verified": false}),
        json!({"email_verified": null}),
        json!({"email": "ada@example.com.evil"}),
        json!({"email": "ada@evil-example.com"}),
        json!({"email": "ada@sub.example.com"}),
        json!({"email": "ada@example.com@evil.example"}),
        json!({"email": "ada@evil.example"}),
        json!({"email": null}),
        json!({"sub": "unknown", "email": null}),
    ] {
        provider.change(|behaviour| behaviour.claims = claims.clone());
        let mut browser = OpenIdBrowser::new(&fixture);
        browser.sign_in(&provider).await.expect(403);
        assert_eq!(browser.web.cookie, None, "{claims}");
    }
    assert_eq!(users(&fixture).await.len(), count);
    for claims in [json!({"email": "Ada@EXAMPLE.com", "sub": "1"}), json!({"sub": "known", "email": null})] {
        provider.change(|behaviour| behaviour.claims = claims);
        OpenIdBrowser::new(&fixture).sign_in(&provider).await.expect(303);
    }
    // The address may be at the userinfo endpoint, of the same subject only.
    for (user_claims, status) in [
        (json!({"sub": "other", "email": "a@example.com", "email_verified": true}), 403),
        (json!({"sub": "3", "email": "a@example.com", "email_verified": true, "name": "Three"}), 303),
    ] {
        provider.change(|behaviour| {
            behaviour.claims = json!({"sub": "3", "email": null, "email_verified": null});
            behaviour.user_claims = user_claims;
        });
        OpenIdBrowser::new(&fixture).sign_in(&provider).await.expect(status);
    }
    assert_eq!(users(&fixture).await.pop().unwrap()["name"], "Three");
}
