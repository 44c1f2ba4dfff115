//! The console's tokens of the management API, which a page gets for the session of its browser.

use secrecy::zeroize::Zeroizing;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use toolgate_auth::{CONSOLE_TOKEN_KEYS, ConsoleToken};
use toolgate_domain::api_key::KeyHash;
use toolgate_testkit::page_form::encode;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{Client, McpClient, TestResponse, on_both_databases};

use super::flow::{OAuthFixture, WebSession};
use super::sign_in::user_with_password;
use super::signed_tokens::{self, KEY_BYTE, now};
use crate::toolgate;

/// Asks for a token as a page of the console does.
async fn request_token(browser: &WebSession, headers: &[(&str, &str)]) -> TestResponse {
    let mut request = browser.client.post("/signin/token");
    for (name, value) in headers.iter().copied().chain(browser.cookie.as_deref().map(|cookie| ("cookie", cookie))) {
        request = request.header(name, value);
    }
    request.send().await
}

pub(super) async fn token_of(fixture: &OAuthFixture, browser: &WebSession) -> Value {
    request_token(browser, &[("origin", &fixture.app.origin())]).await.expect(200).json()
}

/// A client of the management API with a token or a key.
fn api_with(fixture: &OAuthFixture, token: &str) -> Client {
    Client::new(fixture.app.api_base(), Some(token))
}

async fn status_of_me(fixture: &OAuthFixture, token: &str) -> u16 {
    api_with(fixture, token).get("/me").send().await.status
}

/// Signs a token for the session of a browser, with the keys of an installation whose encryption key repeats this byte.
fn sign(browser: &WebSession, expires_in_ms: i64, key_byte: u8) -> String {
    let cookie = browser.cookie.as_deref().unwrap().split_once('=').unwrap().1;
    let session = KeyHash(Sha256::digest(cookie).into());
    let token = ConsoleToken { session, expires_at: now().plus_millis(expires_in_ms) };
    let keys: Vec<Zeroizing<[u8; 32]>> = signed_tokens::signing_keys(key_byte, CONSOLE_TOKEN_KEYS);
    token.sign(&keys).unwrap()
}

#[tokio::test]
async fn a_page_of_the_service_gets_a_token_for_its_session_and_others_get_none() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let (browser, origin) = (fixture.administrator().await, fixture.app.origin());
    for headers in [
        &[][..],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "https://evil.example"), ("sec-fetch-site", "same-origin")],
        &[("origin", origin.as_str()), ("sec-fetch-site", "cross-site")],
    ] {
        let reply = request_token(&browser, headers).await.expect(403);
        assert!(reply.header("access-control-allow-origin").is_none() && !reply.text().contains("tgb_"), "{headers:?}");
    }
    request_token(&fixture.visitor(), &[("origin", &origin)]).await.expect(204);
    browser.get("/signin/token").await.expect(405);
    let reply = request_token(&browser, &[("origin", &origin), ("sec-fetch-site", "same-origin")]).await.expect(200);
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let token = reply.json();
    assert!(token["access_token"].as_str().unwrap().starts_with("tgb_"), "{token}");
    assert_eq!(token["expires_in"], 600);
    // The management API does not accept the cookie itself.
    let cookie = browser.cookie.as_deref().unwrap();
    Client::new(fixture.app.api_base(), None).get("/me").header("cookie", cookie).send().await.expect(401);
}

#[tokio::test]
async fn a_token_is_for_the_management_api_only() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let browser = fixture.administrator().await;
    let token = token_of(&fixture, &browser).await["access_token"].as_str().unwrap().to_owned();
    let me = api_with(&fixture, &token).read("/me").await;
    assert_eq!((&me["signed_in_with"], &me["may_administer"]), (&json!("session"), &json!(true)), "{me:#}");
    assert_eq!(me["key"], fixture.api.read("/me").await["key"], "the session was opened with a key");
    assert_eq!(fixture.api.read("/me").await["signed_in_with"], "key");
    let mcp = McpClient::new(fixture.endpoint()).bearer(&token);
    assert_eq!(mcp.send("tools/list", json!({})).await.status, 401);
    let web = Client::new(&fixture.app.origin(), Some(&token));
    web.get("/metrics").send().await.expect(401);
    let fields = encode(&[("grant_type", "refresh_token"), ("refresh_token", &token)]);
    let form = web.post("/token").header("content-type", "application/x-www-form-urlencoded");
    assert!(form.body(fields).send().await.status >= 400);
}

on_both_databases!(sign_out_disabling_the_user_and_deleting_the_key_end_a_token_immediately);

async fn sign_out_disabling_the_user_and_deleting_the_key_end_a_token_immediately(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let user = user_with_password(&fixture, "Ada", "correct horse").await;
    let signed_in = async || {
        let mut browser = fixture.visitor();
        browser.post("/signin", &[("user", "Ada"), ("password", "correct horse")]).await.expect(303);
        let token = token_of(&fixture, &browser).await;
        assert_eq!(status_of_me(&fixture, token["access_token"].as_str().unwrap()).await, 200);
        (browser, token)
    };

    let (mut browser, token) = signed_in().await;
    let access_token = token["access_token"].as_str().unwrap();
    let me = api_with(&fixture, access_token).read("/me").await;
    assert_eq!((&me["key"], &me["user"]["name"]), (&Value::Null, &json!("Ada")), "{me:#}");
    browser.post("/signout", &[("csrf", "")]).await.expect(403);
    assert_eq!(status_of_me(&fixture, access_token).await, 200);
    browser.post("/signout", &[("csrf", token["csrf"].as_str().unwrap())]).await.expect(303);
    assert_eq!(status_of_me(&fixture, access_token).await, 401);

    let (_, token) = signed_in().await;
    let path = format!("/users/{}", user["id"]);
    fixture.api.patch(&path).json(json!({"disabled": true})).send().await.expect(200);
    assert_eq!(status_of_me(&fixture, token["access_token"].as_str().unwrap()).await, 401);

    let key = fixture.api.create("/api-keys", json!({"name": "Short-lived", "scopes": ["admin"]})).await;
    let mut browser = fixture.visitor();
    browser.sign_in_with_key(key["key"].as_str().unwrap()).await.expect(303);
    let token = token_of(&fixture, &browser).await;
    fixture.api.delete(&format!("/api-keys/{}", key["id"])).send().await.expect(200);
    assert_eq!(status_of_me(&fixture, token["access_token"].as_str().unwrap()).await, 401);
}

#[tokio::test]
async fn expired_changed_and_foreign_tokens_are_refused() {
    let fixture = OAuthFixture::start(signed_tokens::service()).await;
    let browser = fixture.administrator().await;
    let valid = sign(&browser, 60_000, KEY_BYTE);
    assert_eq!(status_of_me(&fixture, &valid).await, 200);
    let expired = api_with(&fixture, &sign(&browser, -1, KEY_BYTE)).get("/me").send().await.expect(401);
    assert!(expired.header("www-authenticate").is_some_and(|text| text.contains("has expired")), "{expired:?}");
    assert_eq!(status_of_me(&fixture, &sign(&browser, 60_000, KEY_BYTE + 1)).await, 401);
    for index in (4..valid.len()).step_by(17) {
        let mut changed = valid.clone().into_bytes();
        changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
        assert_eq!(status_of_me(&fixture, &String::from_utf8(changed).unwrap()).await, 401, "byte {index} is changed");
    }
    for text in ["tgb_", "tgb_.", "tgb_a.b"] {
        assert_eq!(status_of_me(&fixture, text).await, 401, "{text}");
    }
}

#[tokio::test]
async fn a_session_has_at_most_the_scopes_of_its_key_and_the_rights_of_its_user() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let key = fixture.api.create("/api-keys", json!({"name": "Use only", "scopes": ["mcp"]})).await;
    let mut browser = fixture.visitor();
    browser.sign_in_with_key(key["key"].as_str().unwrap()).await.expect(303);
    let token = token_of(&fixture, &browser).await["access_token"].as_str().unwrap().to_owned();
    let api = api_with(&fixture, &token);
    api.get("/servers").send().await.expect(403);
    api.post("/servers").json(json!({"name": "No"})).send().await.expect(403);
    api.post("/users").json(json!({"name": "No", "role": "admin"})).send().await.expect(403);

    user_with_password(&fixture, "Ada", "correct horse").await;
    let mut browser = fixture.visitor();
    browser.post("/signin", &[("user", "Ada"), ("password", "correct horse")]).await.expect(303);
    let token = token_of(&fixture, &browser).await["access_token"].as_str().unwrap().to_owned();
    let api = api_with(&fixture, &token);
    api.create("/servers", json!({"name": "Hers"})).await;
    api.get("/users").send().await.expect(403);
    let entries = fixture.api.read("/audit").await;
    let created = entries.as_array().unwrap().iter().find(|entry| entry["object_name"] == "Hers").cloned();
    let created = created.unwrap_or_else(|| panic!("{entries:#}"));
    assert_eq!((&created["user_name"], &created["key_id"]), (&json!("Ada"), &Value::Null), "{created:#}");
}

#[tokio::test]
async fn a_service_without_a_fixed_address_says_why_there_is_no_sign_in() {
    let app = toolgate().env("TOOLGATE_LISTEN", "0.0.0.0:0").start();
    let web = Client::new(&app.origin(), None);
    let reply = web.post("/signin/token").header("origin", &app.origin()).send().await.expect(404);
    assert!(reply.text().contains("TOOLGATE_BASE_URL"), "{reply:?}");
}
