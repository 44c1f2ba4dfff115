//! The authorization response, which a redirect takes to the client: `state`, `iss`, and errors.

use super::flow::{CALLBACK, OAuthFixture, callback_parameters};
use crate::toolgate;

#[tokio::test]
async fn the_state_is_returned_unchanged_and_the_issuer_is_named() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let mut browser = fixture.administrator().await;
    let long = "x".repeat(4096);
    for state in [Some("a&b=c"), Some("#"), Some("a b+c%20"), Some("é\"<"), Some(&long), None] {
        let good = browser.allow(&fixture.authorize_path(&[("state", state)])).await;
        assert_eq!(good.get("state").map(String::as_str), state);
        assert_eq!(good["iss"], fixture.app.origin());
        assert!(good["code"].starts_with("tgc_") && good["code"].len() == 47, "{good:?}");
        let bad = browser.get(&fixture.authorize_path(&[("state", state), ("response_type", Some("token"))])).await;
        let bad = callback_parameters(&bad.expect(303));
        assert_eq!(bad.get("state").map(String::as_str), state);
        assert_eq!((bad["iss"].as_str(), bad["error"].as_str()), (&*fixture.app.origin(), "unsupported_response_type"));
    }
    let too_long = browser.get(&fixture.authorize_path(&[("state", Some(&format!("{long}x")))])).await.expect(303);
    assert_eq!(callback_parameters(&too_long)["error"], "invalid_request");
    assert_eq!(callback_parameters(&too_long).get("state"), None);
}

#[tokio::test]
async fn wrong_parameters_are_reported_to_the_redirect_uri() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let open = fixture.api.create("/servers", serde_json::json!({"name": "Open"})).await;
    let endpoint = fixture.endpoint();
    let (with_query, twice_slashed) = (format!("{endpoint}?x"), format!("{endpoint}//"));
    let other_slug = endpoint.replace("/weather/", "/other/");
    for (name, value, error) in [
        ("response_type", None, "unsupported_response_type"),
        ("response_type", Some("token"), "unsupported_response_type"),
        ("code_challenge", None, "invalid_request"),
        ("code_challenge", Some("short"), "invalid_request"),
        ("code_challenge", Some("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c="), "invalid_request"),
        ("code_challenge_method", None, "invalid_request"),
        ("code_challenge_method", Some("plain"), "invalid_request"),
        ("resource", Some("https://evil.example/mcp"), "invalid_target"),
        ("resource", Some(&with_query), "invalid_target"),
        ("resource", Some(&twice_slashed), "invalid_target"),
        ("resource", Some(&other_slug), "invalid_target"),
        ("resource", open["endpoint_url"].as_str(), "invalid_target"),
        ("request", Some("x"), "request_not_supported"),
        ("request_uri", Some("https://evil.example/"), "request_not_supported"),
    ] {
        let reply = fixture.visitor().get(&fixture.authorize_path(&[(name, value)])).await.expect(303);
        assert!(reply.header("location").unwrap().starts_with(CALLBACK), "{reply:?}");
        assert_eq!(callback_parameters(&reply)["error"], error, "{name}={value:?}");
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    let browser = fixture.administrator().await;
    let upper_case = endpoint.replace("http://", "HTTP://");
    for resource in [&upper_case, &format!("{endpoint}/")] {
        browser.get(&fixture.authorize_path(&[("resource", Some(resource))])).await.expect(200);
    }
}

#[tokio::test]
async fn a_request_that_allows_no_page_gets_an_error() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let silent = fixture.authorize_path(&[("prompt", Some("none"))]);
    assert_eq!(callback_parameters(&fixture.visitor().get(&silent).await.expect(303))["error"], "login_required");
    let browser = fixture.administrator().await;
    assert_eq!(callback_parameters(&browser.get(&silent).await.expect(303))["error"], "consent_required");
    for other in ["login", "consent", "select_account"] {
        browser.get(&fixture.authorize_path(&[("prompt", Some(other))])).await.expect(200);
    }
}

#[tokio::test]
async fn no_code_is_issued_if_the_person_denies_or_may_not_use_the_server() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let mut browser = fixture.administrator().await;
    let path = fixture.authorize_path(&[]);
    let form = browser.consent(&path).await;
    let denied = browser.post("/authorize", &form.with(&[("decision", "deny")])).await.expect(303);
    let denied = callback_parameters(&denied);
    assert_eq!((denied["error"].as_str(), denied["state"].as_str()), ("access_denied", "s-1"));
    assert_eq!((denied.get("code"), fixture.grant_count().await), (None, 0));
    let without_server = browser.consent(&fixture.authorize_path(&[("resource", None)])).await;
    browser.post("/authorize", &without_server.with(&[("decision", "deny")])).await.expect(303);
    let audit = fixture.api.read("/audit?action=deny").await;
    assert_eq!((audit[0]["server_id"].as_i64(), &audit[1]["server_id"]), (None, &fixture.server["id"]), "{audit:#}");
    let neither = browser.post("/authorize", &form.with(&[("decision", "maybe")])).await.expect(400);
    assert_eq!(neither.header("location"), None);
    let user = fixture.api.create("/users", serde_json::json!({"name": "Bob", "role": "owner"})).await;
    let fields = serde_json::json!({"name": "bob", "user_id": user["id"], "scopes": ["mcp"]});
    let key = fixture.api.create("/api-keys", fields).await;
    let mut bob = fixture.visitor();
    bob.sign_in_with_key(key["key"].as_str().unwrap()).await.expect(303);
    assert_eq!(callback_parameters(&bob.get(&path).await.expect(303))["error"], "access_denied");
    // After a form of the sign-in page, the browser would not follow a redirect to another site.
    let request = bob.client.get(&path).header("sec-fetch-site", "same-origin").header("sec-fetch-mode", "navigate");
    let page = request.header("cookie", bob.cookie.as_deref().unwrap()).send().await.expect(403).text();
    assert!(page.contains("client.example") && page.contains("error=access_denied"), "{page}");
}
