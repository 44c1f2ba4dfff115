//! Forgery: forms of other sites and other sessions, changed forms, and cookies where they must be ignored.

use toolgate_testkit::page_form::{PageForm, encode};

use super::flow::OAuthFixture;
use crate::toolgate;

#[tokio::test]
async fn a_decision_is_accepted_only_from_the_page_of_the_same_session() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let (mut browser, other) = (fixture.administrator().await, fixture.administrator().await);
    let path = fixture.authorize_path(&[]);
    let (form, foreign) = (browser.consent(&path).await, other.consent(&path).await);
    let own = fixture.app.origin();
    let allow = form.with(&[("decision", "allow")]);
    let without_csrf: Vec<_> = allow.iter().copied().filter(|(name, _)| *name != "csrf").collect();
    let origin = [("origin", own.as_str())];
    for (fields, status) in [
        (without_csrf, 403),
        (form.with(&[("decision", "allow"), ("csrf", "")]), 403),
        (form.with(&[("decision", "allow"), ("csrf", foreign.value("csrf"))]), 403),
        (form.with(&[("decision", "allow"), ("csrf", form.value("tx"))]), 403),
        (form.with(&[("decision", "allow"), ("tx", foreign.value("tx"))]), 400),
        (form.with(&[("decision", "allow"), ("tx", form.value("csrf"))]), 400),
        (form.with(&[("decision", "allow"), ("tx", "")]), 400),
    ] {
        let reply = browser.post_with("/authorize", &fields, &origin).await.expect(status);
        assert_eq!(reply.header("location"), None, "{fields:?}");
    }
    for headers in [
        &[][..],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "https://evil.example"), ("sec-fetch-site", "same-origin")],
        &[("origin", own.as_str()), ("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "none")],
    ] {
        let reply = browser.post_with("/authorize", &allow, headers).await.expect(403);
        assert_eq!(reply.header("location"), None, "{headers:?}");
    }
    assert_eq!(fixture.grant_count().await, 0);
    // Two open tabs do not disturb each other, and browsers send `Origin: null` because pages have no referrer.
    let second_tab = browser.consent(&path).await;
    let headers = [("origin", "null"), ("sec-fetch-site", "same-origin")];
    for form in [form, second_tab] {
        browser.post_with("/authorize", &form.with(&[("decision", "allow")]), &headers).await.expect(303);
    }
    assert_eq!(fixture.grant_count().await, 2);
}

#[tokio::test]
async fn a_form_is_valid_for_its_purpose_and_its_server_only() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let other = fixture.api.create("/servers", serde_json::json!({"name": "Other", "auth_type": "oauth"})).await;
    let mut browser = fixture.administrator().await;
    let page = browser.get(&fixture.authorize_path(&[])).await.expect(200).text();
    let consent = PageForm::parse(&page, "/authorize");
    let sign_out = PageForm::parse(&browser.get("/signin").await.expect(200).text(), "/signout");
    let swapped = consent.with(&[("decision", "allow"), ("csrf", sign_out.value("csrf"))]);
    assert_eq!(browser.post("/authorize", &swapped).await.expect(403).header("location"), None);
    // The server is the one that the person saw.
    let chosen = consent.with(&[("decision", "allow"), ("resource", other["endpoint_url"].as_str().unwrap())]);
    browser.post("/authorize", &chosen).await.expect(303);
    assert_eq!(fixture.grant_count().await, 1);
    let elsewhere = fixture.api.read(&format!("/servers/{}/grants", other["id"])).await;
    assert_eq!(elsewhere, serde_json::json!([]));
    // The consent page has one signature, also for its button that signs out.
    let sign_out = PageForm::parse(&page, "/signout");
    assert_eq!(sign_out.value("csrf"), consent.value("csrf"));
    browser.post("/signout", &sign_out.with(&[])).await.expect(303);
    let page = browser.get(&fixture.authorize_path(&[])).await.expect(200).text();
    assert!(page.contains("Sign in") && !page.contains("Allow access?"), "{page}");
}

#[tokio::test]
async fn every_changed_byte_of_the_request_is_noticed() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let mut browser = fixture.administrator().await;
    let form = browser.consent(&fixture.authorize_path(&[])).await;
    let tx = form.value("tx").to_owned();
    for index in (0..tx.len()).step_by(29).chain([tx.len() - 2]) {
        let mut changed = tx.clone().into_bytes();
        changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).unwrap();
        let reply =
            browser.post("/authorize", &form.with(&[("decision", "allow"), ("tx", &changed)])).await.expect(400);
        assert_eq!(reply.header("location"), None, "byte {index}");
    }
    assert_eq!(fixture.grant_count().await, 0);
}

#[tokio::test]
async fn the_cookie_is_accepted_by_pages_only() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let browser = fixture.administrator().await;
    let cookie = browser.cookie.clone().unwrap();
    let rest = fixture.app.client_with_key(None).get("/servers").header("cookie", &cookie).send().await;
    assert_eq!(rest.status, 401, "{rest:?}");
    let form = encode(&[("grant_type", "authorization_code"), ("code", "tgc_x"), ("client_id", &fixture.client_id)]);
    let token = browser.client.post("/token").header("content-type", "application/x-www-form-urlencoded").body(form);
    let (with, without) = (token.clone().header("cookie", &cookie).send().await, token.send().await);
    assert_eq!((with.status, with.text()), (without.status, without.text()));
    let call = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let mcp = browser.client.post(fixture.endpoint_path()).header("accept", "application/json, text/event-stream");
    let mcp = mcp.header("cookie", &cookie).json(call).send().await;
    assert_eq!(mcp.status, 401, "{mcp:?}");
}

#[tokio::test]
async fn a_page_of_another_site_cannot_sign_anyone_in_or_out() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let mut visitor = fixture.visitor();
    let key = fixture.app.key();
    for headers in [&[][..], &[("origin", "https://evil.example")], &[("sec-fetch-site", "cross-site")]] {
        visitor.post_with("/signin", &[("key", &key)], headers).await.expect(403);
        assert_eq!(visitor.cookie, None);
    }
    let mut browser = fixture.administrator().await;
    let page = browser.get("/signin").await.expect(200).text();
    let form = PageForm::parse(&page, "/signout");
    let own = fixture.app.origin();
    browser.post_with("/signout", &form.with(&[]), &[("origin", "https://evil.example")]).await.expect(403);
    browser.post_with("/signout", &[], &[("origin", own.as_str())]).await.expect(403);
    let signed_in = browser.cookie.clone();
    browser.post("/signout", &form.with(&[("next", "https://evil.example/")])).await.expect(303);
    browser.cookie = signed_in;
    let page = browser.get("/signin").await.expect(200).text();
    assert!(page.contains("name=\"key\""), "the session has ended, not only the cookie: {page}");
}
