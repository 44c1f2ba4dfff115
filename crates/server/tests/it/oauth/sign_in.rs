//! The ways to sign in (key, password, link), and the session that a sign-in starts.

use serde_json::{Value, json};
use toolgate_testkit::page_form::PageForm;

use super::flow::OAuthFixture;
use crate::toolgate;

/// Creates a user who sets this password through a link.
pub(super) async fn user_with_password(fixture: &OAuthFixture, name: &str, password: &str) -> Value {
    let user = fixture.api.create("/users", json!({"name": name, "role": "owner"})).await;
    set_password(fixture, &user["id"], password).await;
    user
}

/// A user sets a password with a link of the administrator.
pub(super) async fn set_password(fixture: &OAuthFixture, user_id: &Value, password: &str) {
    let link = fixture.api.create(&format!("/users/{user_id}/signin-links"), json!({})).await;
    let secret = secret_of(&link);
    fixture.visitor().post("/signin", &[("link", &secret), ("password", password)]).await.expect(303);
}

fn secret_of(link: &Value) -> String {
    link["url"].as_str().unwrap().split_once("/signin?link=").expect("the link leads to the sign-in page").1.to_owned()
}

#[tokio::test]
async fn a_link_works_once_and_opening_its_page_does_not_use_it_up() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let user = fixture.api.create("/users", json!({"name": "Ada", "role": "owner"})).await;
    let link = fixture.api.create(&format!("/users/{}/signin-links", user["id"]), json!({})).await;
    let (url, secret) = (link["url"].as_str().unwrap(), secret_of(&link));
    let mut browser = fixture.visitor();
    for _ in 0..2 {
        let page = browser.get(url).await.expect(200).text();
        assert!(page.contains("Ada") && page.contains("name=\"password\""), "{page}");
        assert_eq!(PageForm::parse(&page, "/signin").value("link"), secret);
    }
    let too_short = browser.post("/signin", &[("link", &secret), ("password", "123456789")]).await.expect(400).text();
    assert!(too_short.contains("10 to 256"), "{too_short}");
    browser.post("/signin", &[("link", &secret), ("password", "correct horse")]).await.expect(303);
    assert!(browser.get("/signin").await.text().contains("signed in as <strong><bdi>Ada"));
    let again = fixture.visitor().post("/signin", &[("link", &secret), ("password", "other horse!")]).await.expect(400);
    assert!(again.header("set-cookie").is_none());
    fixture.visitor().get(url).await.expect(400);
    let mut other = fixture.visitor();
    other.post("/signin", &[("user", "Ada"), ("password", "other horse!")]).await.expect(401);
    other.post("/signin", &[("user", "Ada"), ("password", "correct horse")]).await.expect(303);
}

#[tokio::test]
async fn a_person_signs_in_from_the_console_with_a_link() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let link = fixture.api.create("/me/signin-link", json!({})).await;
    let mut browser = fixture.visitor();
    let page = browser.get(link["url"].as_str().unwrap()).await.expect(200).text();
    assert!(!page.contains("name=\"password\""), "{page}");
    browser.post("/signin", &[("link", &secret_of(&link))]).await.expect(303);
    browser.get(&fixture.authorize_path(&[])).await.expect(200);
}

#[tokio::test]
async fn a_session_is_new_at_each_sign_in_and_ends_with_its_key() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let fields = json!({"name": "browser", "scopes": ["mcp"]});
    let key = fixture.api.create("/api-keys", fields).await;
    let mut browser = fixture.visitor();
    browser.cookie = Some("tg_session=chosen-by-someone-else".to_owned());
    let reply = browser.sign_in_with_key(key["key"].as_str().unwrap()).await.expect(303);
    let cookie = reply.header("set-cookie").unwrap().to_owned();
    assert!(cookie.starts_with("tg_session=") && cookie.len() > 80, "{cookie}");
    for attribute in ["Path=/", "HttpOnly", "SameSite=Lax"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    let first = browser.cookie.clone();
    browser.sign_in_with_key(key["key"].as_str().unwrap()).await.expect(303);
    assert_ne!(browser.cookie, first);
    let request = fixture.authorize_path(&[]);
    browser.consent(&request).await;
    fixture.api.delete(&format!("/api-keys/{}", key["id"])).send().await.expect(200);
    let page = browser.get(&request).await.expect(200).text();
    assert!(page.contains("name=\"key\""), "the sign-in page again: {page}");
}

#[tokio::test]
async fn another_person_can_continue_the_same_request() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let mut browser = fixture.administrator().await;
    let request = fixture.authorize_path(&[("state", Some("a&b"))]);
    let page = browser.get(&request).await.expect(200).text();
    let form = PageForm::parse(&page, "/signout");
    let target = browser.post("/signout", &form.with(&[])).await.expect(303);
    let target = target.header("location").unwrap().to_owned();
    let page = browser.get(&target).await.expect(200).text();
    let next = PageForm::parse(&page, "/signin").value("next").to_owned();
    let target = browser.post("/signin", &[("key", &fixture.app.key()), ("next", &next)]).await.expect(303);
    let callback = browser.allow(target.header("location").unwrap()).await;
    assert_eq!(callback["state"], "a&b");
    for elsewhere in ["https://evil.example/", "//evil.example/", "/authorize@evil.example"] {
        let mut browser = fixture.visitor();
        let reply = browser.post("/signin", &[("key", &fixture.app.key()), ("next", elsewhere)]).await.expect(303);
        assert_eq!(reply.header("location").unwrap(), format!("{}/", fixture.app.origin()));
    }
}
