//! The pages of the issuer: their texts and headers, and hostile names on them.

use serde_json::json;
use toolgate_testkit::page_form::encode;

use super::flow::{CALLBACK, OAuthFixture};
use crate::toolgate;

const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

#[tokio::test]
async fn every_page_refuses_frames_scripts_and_caches() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let (visitor, browser) = (fixture.visitor(), fixture.administrator().await);
    let request = fixture.authorize_path(&[]);
    let unknown = fixture.authorize_path(&[("client_id", Some("x"))]);
    let pages = [
        (visitor.get("/signin").await.expect(200), true),
        (visitor.get(&request).await.expect(200), true),
        (visitor.get("/signin?link=tgl_x").await.expect(400), true),
        (visitor.get(&unknown).await.expect(400), true),
        (browser.get("/signin").await.expect(200), true),
        // The redirects after consent lead to other sites and programs.
        (browser.get(&request).await.expect(200), false),
    ];
    for (page, restricts_forms) in pages {
        let policy = page.header("content-security-policy").unwrap();
        let expected = if restricts_forms { format!("{POLICY}; form-action 'self'") } else { POLICY.to_owned() };
        assert_eq!(policy, expected, "{page:?}");
        for (name, value) in [
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cache-control", "no-store"),
            ("cross-origin-opener-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(page.header(name), Some(value), "{page:?}");
        }
        assert!(!page.text().contains("<script") && !page.text().contains("style="), "{page:?}");
    }
    let style = visitor.get("/signin.css").await.expect(200);
    assert_eq!(style.header("content-type"), Some("text/css; charset=utf-8"));
    assert!(style.text().contains("prefers-color-scheme: dark"), "{style:?}");
}

#[tokio::test]
async fn the_page_of_a_signed_in_person_names_what_its_link_leads_to() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let browser = fixture.administrator().await;
    let request = fixture.authorize_path(&[]);
    for (next, link) in
        [("/servers", "href=\"/servers\">console</a>"), (request.as_str(), ">decide about its request</a>")]
    {
        let page = browser.get(&format!("/signin?{}", encode(&[("next", next)]))).await.expect(200).text();
        assert!(page.contains(link), "{page}");
        assert_eq!(page.contains("console"), next != request, "{page}");
    }
}

#[tokio::test]
async fn the_consent_page_names_the_client_the_server_and_the_target_of_the_redirect() {
    let mut fixture = OAuthFixture::start(toolgate()).await;
    let browser = fixture.administrator().await;
    let callbacks = [CALLBACK, "http://localhost:8787/cb", "cursor://anysphere.cursor-mcp/oauth/callback"];
    fixture.client_id = fixture.register("Cursor", &callbacks).await;
    for (callback, target) in callbacks.into_iter().zip(["client.example", "a program on this computer", "cursor:"]) {
        let page = browser.get(&fixture.authorize_path(&[("redirect_uri", Some(callback))])).await.expect(200).text();
        for part in
            ["“<bdi>Cursor</bdi>”", "<bdi>Weather</bdi>", "<bdi>admin</bdi>", "Not you?", "registered itself", target]
        {
            assert!(page.contains(part), "{part} is missing: {page}");
        }
        assert_eq!(page.contains("class=\"note warn\""), callback.starts_with("http://"), "{page}");
    }
}

#[tokio::test]
async fn hostile_names_are_text() {
    let mut fixture = OAuthFixture::start(toolgate()).await;
    let browser = fixture.administrator().await;
    let hostile = "\"><img src=x onerror=alert(1)></title>{tx}";
    let settings = json!({"name": hostile});
    fixture.api.patch(&format!("/servers/{}", fixture.server["id"])).json(settings).send().await.expect(200);
    fixture.client_id = fixture.register(hostile, &[CALLBACK]).await;
    let state = "\"><script>alert(1)</script>";
    for browser in [&fixture.visitor(), &browser] {
        let page = browser.get(&fixture.authorize_path(&[("state", Some(state))])).await.expect(200).text();
        assert!(!page.contains("<img") && !page.contains("<script"), "{page}");
    }
    let web = fixture.visitor().client;
    for name in ["x".repeat(10_000), "abc\u{202e}cba".to_owned(), "a\nb".to_owned()] {
        let body = json!({"client_name": name, "redirect_uris": [CALLBACK]});
        let refused = web.post("/register").json(body).send().await.expect(400).json();
        assert_eq!(refused["error"], "invalid_client_metadata", "{refused:#}");
    }
}
