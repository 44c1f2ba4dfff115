//! Sign-in through an OpenID provider: the redirects there and back, and callbacks that must be refused.

use serde_json::json;
use toolgate_testkit::page_form::encode;

use super::flow::OAuthFixture;
use super::openid_provider::{CLIENT_SECRET, OpenIdBrowser, TestProvider};
use crate::toolgate;

async fn start() -> (TestProvider, OAuthFixture) {
    let provider = TestProvider::start();
    let builder = provider.configure(toolgate().env("TOOLGATE_LOG", "trace"), "example.com");
    (provider, OAuthFixture::start(builder).await)
}

#[tokio::test]
async fn sign_in_leads_back_to_the_consent_page_which_still_asks() {
    let (provider, fixture) = start().await;
    let mut browser = OpenIdBrowser::new(&fixture);
    let request = fixture.authorize_path(&[("resource", None)]);
    let page = browser.web.get(&request).await.expect(200).text();
    assert!(page.contains("Sign in with <bdi>Example &lt;Inc.&gt;</bdi>"), "{page}");
    let link = page.split("href=\"").find(|part| part.starts_with("/signin/oidc?next=")).unwrap();
    let link = link.split('"').next().unwrap().replace("&amp;", "&");
    let callback = browser.start(&provider, &link).await;
    assert_eq!(callback.redirect_uri, format!("{}/signin/oidc/callback", fixture.app.origin()));
    let back =
        browser.follow(&callback.path(&[("code", "code-of-ada"), ("iss", &provider.issuer())])).await.expect(303);
    assert_eq!(back.header("location"), Some(format!("{}{request}", fixture.app.origin()).as_str()));
    let secrets = [CLIENT_SECRET, "code-of-ada", "token-of-ada", browser.web.cookie.as_deref().unwrap()];
    let logs = fixture.app.logs();
    assert!(secrets.iter().all(|secret| !logs.contains(secret)), "{logs}");
    // The new member may use no server yet: consent is a decision of this service.
    let refused = browser.web.get(&request).await;
    assert!(refused.header("location").is_none_or(|location| location.contains("access_denied")), "{refused:?}");
}

#[tokio::test]
async fn a_sign_in_belongs_to_one_browser_and_works_once() {
    let (provider, fixture) = start().await;
    let (mut browser, mut other) = (OpenIdBrowser::new(&fixture), OpenIdBrowser::new(&fixture));
    let callback = browser.start(&provider, "/signin/oidc").await;
    let foreign = other.start(&provider, "/signin/oidc").await;
    let code = [("code", "code-of-ada")];
    let without_state = callback.path(&code).replace(&callback.state, "");
    other.follow(&callback.path(&code)).await.expect(400);
    OpenIdBrowser::new(&fixture).follow(&callback.path(&code)).await.expect(400);
    let wrong_state = callback.path(&code).replace(&callback.state, "wrong");
    for path in [foreign.path(&code), wrong_state, without_state] {
        browser.follow(&path).await.expect(400);
    }
    assert_eq!((&browser.web.cookie, &other.web.cookie), (&None, &None));
    // None of these requests used up the sign-in.
    let done = browser.follow(&callback.path(&code)).await.expect(303);
    let is_replaced =
        done.headers.get_all("set-cookie").iter().any(|cookie| cookie.to_str().unwrap().starts_with("tg_oidc="));
    assert!(!is_replaced, "other sign-ins of this browser go on: {done:?}");
    browser.web.cookie = None;
    browser.follow(&callback.path(&code)).await.expect(400);
    assert_eq!(browser.web.cookie, None);
    assert_eq!(provider.upstream.request_count_for("/token"), 1);
}

#[tokio::test]
async fn two_sign_ins_of_one_browser_both_finish_in_any_order() {
    let (provider, fixture) = start().await;
    let code = [("code", "code-of-ada")];
    for is_first_finished_first in [true, false] {
        let mut browser = OpenIdBrowser::new(&fixture);
        let first = browser.start(&provider, "/signin/oidc?next=/servers").await;
        let cookie = browser.attempt_cookie.clone();
        let second = browser.start(&provider, "/signin/oidc?next=/calls").await;
        assert_eq!(browser.attempt_cookie, cookie, "the cookie is renewed, not replaced");
        assert_ne!(first.state, second.state);
        let mut ends = [(first, "/servers"), (second, "/calls")];
        if !is_first_finished_first {
            ends.reverse();
        }
        for (answer, end) in &ends {
            let done = browser.follow(&answer.path(&code)).await.expect(303);
            assert_eq!(done.header("location"), Some(format!("{}{end}", fixture.app.origin()).as_str()));
        }
        for (answer, _) in &ends {
            browser.follow(&answer.path(&code)).await.expect(400);
        }
    }
}

/// A page of another service on this host could set a short cookie.
#[tokio::test]
async fn a_cookie_that_the_service_cannot_have_set_is_replaced() {
    let (provider, fixture) = start().await;
    for value in ["x", "", &"x".repeat(42), &"x".repeat(44), &format!("{}=", "x".repeat(42))] {
        let mut browser = OpenIdBrowser::new(&fixture);
        browser.attempt_cookie = Some(format!("tg_oidc={value}"));
        browser.start(&provider, "/signin/oidc").await;
        assert_ne!(browser.attempt_cookie, Some(format!("tg_oidc={value}")));
    }
}

#[tokio::test]
async fn tokens_that_are_not_for_this_sign_in_are_refused() {
    let (provider, fixture) = start().await;
    for claims in [
        json!({"nonce": "other"}),
        json!({"nonce": null}),
        json!({"aud": "other"}),
        json!({"aud": ["gate", "other"]}),
        json!({"azp": "other"}),
        json!({"iss": "https://accounts.example.com"}),
        json!({"exp": 1_000}),
        json!({"exp": null}),
        json!({"iat": 99_999_999_999_i64}),
        json!({"sub": ""}),
        json!({"sub": "x".repeat(256)}),
    ] {
        provider.change(|behaviour| behaviour.claims = claims.clone());
        let mut browser = OpenIdBrowser::new(&fixture);
        browser.sign_in(&provider).await.expect(400);
        assert_eq!(browser.web.cookie, None, "{claims}");
    }
    provider.change(|behaviour| behaviour.claims = json!({}));
    for header in [json!({"alg": "none"}), json!({"alg": "NONE", "kid": "k-1"}), json!({"alg": "HS256", "kid": "k-1"})]
    {
        provider.change(|behaviour| behaviour.unsigned_header = Some(header.clone()));
        let mut browser = OpenIdBrowser::new(&fixture);
        browser.sign_in(&provider).await.expect(400);
        assert_eq!(browser.web.cookie, None, "{header}");
    }
    provider.change(|behaviour| {
        behaviour.unsigned_header = None;
        behaviour.signs_with_unpublished_key = true;
    });
    OpenIdBrowser::new(&fixture).sign_in(&provider).await.expect(400);
    provider.change(|behaviour| behaviour.signs_with_unpublished_key = false);
    OpenIdBrowser::new(&fixture).sign_in(&provider).await.expect(303);
}

#[tokio::test]
async fn callbacks_with_errors_or_of_another_issuer_lead_to_an_error_page() {
    let (provider, fixture) = start().await;
    let markup = format!("<script>alert(1)</script>{}", "x".repeat(500));
    let mut browser = OpenIdBrowser::new(&fixture);
    let callback = browser.start(&provider, "/signin/oidc").await;
    let error = [("error", "access_denied"), ("error_description", markup.as_str())];
    let page = browser.follow(&callback.path(&error)).await.expect(400).text();
    assert!(page.contains("&lt;script&gt;") && !page.contains("<script>"), "{page}");
    assert!(!page.contains(&"x".repeat(200)) && page.contains(&"x".repeat(100)), "{page}");

    for parameters in [
        &[("code", "code-of-ada"), ("iss", "https://accounts.example.com")][..],
        &[("code", "code-of-ada"), ("code", "code-of-ada")],
        &[("code", "")],
        &[],
    ] {
        let callback = browser.start(&provider, "/signin/oidc").await;
        browser.follow(&callback.path(parameters)).await.expect(400);
        assert_eq!(browser.web.cookie, None, "{parameters:?}");
    }
    assert_eq!(provider.upstream.request_count_for("/token"), 0);
}

#[tokio::test]
async fn an_announced_issuer_must_be_in_the_callback_and_a_secret_can_be_in_the_form() {
    let provider = TestProvider::start();
    provider.change(|behaviour| {
        behaviour.announces_issuer = true;
        behaviour.requires_secret_in_form = true;
    });
    let fixture = OAuthFixture::start(provider.configure(toolgate(), "example.com")).await;
    let mut browser = OpenIdBrowser::new(&fixture);
    browser.sign_in(&provider).await.expect(400);
    let callback = browser.start(&provider, "/signin/oidc").await;
    browser.follow(&callback.path(&[("code", "code-of-ada"), ("iss", &provider.issuer())])).await.expect(303);
}

#[tokio::test]
async fn a_provider_that_does_not_respond_is_named_on_a_page() {
    let provider = TestProvider::start();
    let builder = provider.configure(toolgate(), "example.com");
    drop(provider);
    let fixture = OAuthFixture::start(builder).await;
    let page = fixture.visitor().get("/signin/oidc").await.expect(502).text();
    assert!(page.contains("Example &lt;Inc.&gt; does not respond"), "{page}");
    let page = fixture.visitor().get("/signin").await.expect(200).text();
    assert!(
        page.contains("/signin/oidc") && page.contains("name=\"password\""),
        "the other ways to sign in remain: {page}"
    );
}

#[tokio::test]
async fn next_leads_only_to_this_service() {
    let (provider, fixture) = start().await;
    for (next, end) in
        [("/servers/3?tab=x", "/servers/3?tab=x"), ("https://evil.example/", "/"), ("//evil.example", "/")]
    {
        let mut browser = OpenIdBrowser::new(&fixture);
        let query = encode(&[("next", next)]);
        let callback = browser.start(&provider, &format!("/signin/oidc?{query}")).await;
        let done = browser.follow(&callback.path(&[("code", "code-of-ada")])).await.expect(303);
        assert_eq!(done.header("location"), Some(format!("{}{end}", fixture.app.origin()).as_str()), "{next}");
    }
}

#[tokio::test]
async fn without_a_provider_there_is_no_button_and_no_callback() {
    let fixture = OAuthFixture::start(toolgate()).await;
    assert!(!fixture.visitor().get("/signin").await.expect(200).text().contains("oidc"));
    for path in ["/signin/oidc", "/signin/oidc/callback?code=c&state=s"] {
        fixture.visitor().get(path).await.expect(404);
    }
}

#[tokio::test]
async fn a_partial_configuration_refuses_to_start() {
    let builder = toolgate().env("TOOLGATE_OIDC_ISSUER", "https://accounts.example.com");
    let refused = builder.try_start().unwrap_err().to_string();
    assert!(refused.contains("not set: TOOLGATE_OIDC_CLIENT_ID, TOOLGATE_OIDC_CLIENT_SECRET"), "{refused}");
}
