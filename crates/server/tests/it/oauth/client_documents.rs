//! Clients whose id is the URL of a metadata document.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_testkit::page_form::encode;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{Client, free_address};

use super::document_host::{DocumentHost, HostReply};
use super::flow::{CALLBACK, OAuthFixture, callback_parameters};
use super::token_requests::text;
use crate::toolgate;

on_both_databases!(a_client_is_described_by_the_document_at_its_id);

/// Starts a service that trusts the certificate of the host.
async fn start_trusting(builder: ServiceBuilder, host: &DocumentHost) -> OAuthFixture {
    OAuthFixture::start(builder.env("SSL_CERT_FILE", host.certificate_file())).await
}

fn document(url: &str) -> Value {
    json!({"client_id": url, "client_name": "Document client", "redirect_uris": [CALLBACK]})
}

async fn a_client_is_described_by_the_document_at_its_id(builder: &ServiceBuilder) {
    let host = DocumentHost::start().await;
    let url = host.url("/oauth/client.json");
    let mut fixture = start_trusting(builder.clone(), &host).await;
    fixture.client_id.clone_from(&url);
    host.serve_document(&document(&url));
    // A visitor who is not signed in does not make the service fetch the document.
    fixture.visitor().get(&fixture.authorize_path(&[])).await.expect(200);
    let silent = fixture.authorize_path(&[("prompt", Some("none"))]);
    fixture.visitor().get(&silent).await.expect(400);
    assert_eq!(host.connection_count(), 0);
    let tokens = fixture.tokens().await;
    assert_eq!(callback_parameters(&fixture.visitor().get(&silent).await.expect(303))["error"], "login_required");
    assert_eq!(host.connection_count(), 1, "the document is fetched once for the page and the decision");
    // The copy is fresh for five minutes at least, and /token fetches nothing.
    fixture.refresh(text(&tokens, "refresh_token")).await.expect(200);
    fixture.tokens().await;
    assert_eq!(host.connection_count(), 1);
    let grants = fixture.api.read(&format!("/servers/{}/grants", fixture.server["id"])).await;
    assert_eq!(grants[0]["client_name"], "Document client", "{grants:#}");
    // A failed fetch after a restart uses the copy.
    host.respond("500 Internal Server Error", "", "");
    fixture.app.restart();
    let resource = format!("{}{}", fixture.app.origin(), fixture.endpoint_path());
    let browser = fixture.administrator().await;
    browser.get(&fixture.authorize_path(&[("resource", Some(&resource))])).await.expect(200);
    assert_eq!(host.connection_count(), 2);
}

#[tokio::test]
async fn ids_that_name_no_document_are_refused_before_a_person_signs_in() {
    let mut fixture = OAuthFixture::start(toolgate()).await;
    for id in ["http://c.example/client.json", "javascript:alert(1)", "https://c.example/", "https://a@c.example/c"] {
        id.clone_into(&mut fixture.client_id);
        let reply = fixture.visitor().get(&fixture.authorize_path(&[])).await.expect(400);
        assert_eq!(reply.header("location"), None, "{id}");
    }
}

#[tokio::test]
async fn parallel_requests_fetch_a_document_once_and_a_host_gets_at_most_ten_requests_a_minute() {
    let host = DocumentHost::start().await;
    let mut fixture = start_trusting(toolgate(), &host).await;
    let browser = fixture.administrator().await;
    let url = host.url("/client.json");
    fixture.client_id.clone_from(&url);
    host.serve_document(&document(&url));
    let path = fixture.authorize_path(&[]);
    let (one, other, third) = tokio::join!(browser.get(&path), browser.get(&path), browser.get(&path));
    assert_eq!([one.status, other.status, third.status], [200; 3]);
    assert_eq!(host.connection_count(), 1);
    for number in 0..20 {
        fixture.client_id = host.url(&format!("/unknown/{number}"));
        browser.get(&fixture.authorize_path(&[])).await.expect(400);
    }
    assert_eq!(host.connection_count(), 10);
    // A client whose document is known is still accepted.
    fixture.client_id = url;
    browser.get(&fixture.authorize_path(&[])).await.expect(200);
}

const JSON: &str = "content-type: application/json\r\n";

/// Asserts that each response (status, headers, body) of the host leads to an error page and no redirect, with one
/// request to the host, and that a valid document is accepted afterwards. A host gets at most ten requests a minute, so
/// there must be fewer than ten responses.
async fn assert_refused(host: &DocumentHost, responses: &[(&str, &str, String)]) {
    let mut fixture = start_trusting(toolgate(), host).await;
    let browser = fixture.administrator().await;
    fixture.client_id = host.url("/client.json");
    for (number, (status, headers, body)) in responses.iter().enumerate() {
        host.respond(status, headers, body);
        let reply = browser.get(&fixture.authorize_path(&[])).await.expect(400);
        assert_eq!(reply.header("location"), None, "response {number}");
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"), "response {number}");
    }
    assert_eq!(host.connection_count(), responses.len(), "no redirect was followed");
    host.serve_document(&document(&fixture.client_id));
    browser.get(&fixture.authorize_path(&[])).await.expect(200);
}

#[tokio::test]
async fn unusable_documents_lead_to_an_error_page_and_no_redirect() {
    let host = DocumentHost::start().await;
    let changed = |name: &str, value: Value| {
        let mut document = document(&host.url("/client.json"));
        document[name] = value;
        ("200 OK", JSON, document.to_string())
    };
    let documents = [
        changed("client_id", json!("https://other.example/c")),
        changed("client_secret", json!("x")),
        changed("token_endpoint_auth_method", json!("client_secret_post")),
        changed("client_name", json!("a\u{202e}b")),
        changed("client_name", Value::Null),
        changed("redirect_uris", json!(["javascript:alert(1)"])),
        ("200 OK", JSON, "{".to_owned()),
    ];
    assert_refused(&host, &documents).await;
}

#[tokio::test]
async fn responses_that_are_not_documents_lead_to_an_error_page_and_no_redirect() {
    let host = DocumentHost::start().await;
    let good = document(&host.url("/client.json")).to_string();
    // To the same host, so that a redirect that is followed would be counted.
    let redirect = format!("{JSON}location: {}\r\n", host.url("/other.json"));
    let responses = [
        ("200 OK", JSON, good.clone() + &" ".repeat(1024 * 1024)),
        ("200 OK", "content-type: text/html\r\n", good.clone()),
        ("404 Not Found", JSON, good.clone()),
        ("302 Found", &redirect, good),
    ];
    assert_refused(&host, &responses).await;
}

#[tokio::test]
async fn the_page_says_that_a_document_is_redirected() {
    let host = DocumentHost::start().await;
    let mut fixture = start_trusting(toolgate(), &host).await;
    let browser = fixture.administrator().await;
    fixture.client_id = host.url("/client.json");
    host.respond("302 Found", &format!("location: {}\r\n", host.url("/other.json")), "");
    let page = browser.get(&fixture.authorize_path(&[])).await.expect(400).text();
    assert!(page.contains("The host of the document redirected the request"), "{page}");
}

#[tokio::test]
async fn a_slow_document_is_given_up_after_five_seconds() {
    let host = DocumentHost::start().await;
    let mut fixture = start_trusting(toolgate(), &host).await;
    let browser = fixture.administrator().await;
    fixture.client_id = host.url("/client.json");
    host.set(HostReply::Silence);
    let started = Instant::now();
    browser.get(&fixture.authorize_path(&[])).await.expect(400);
    assert!(started.elapsed() < Duration::from_secs(6), "{:?}", started.elapsed());
}

#[tokio::test]
async fn ids_that_are_not_urls_of_documents_are_refused_without_a_fetch() {
    let host = DocumentHost::start().await;
    let mut fixture = start_trusting(toolgate(), &host).await;
    let browser = fixture.administrator().await;
    let good = host.url("/client.json");
    for bad in [
        good.replace("https", "http"),
        host.url(""),
        host.url("/"),
        host.url("/client.json?a=1"),
        host.url("/client.json#x"),
        host.url("/a/../client.json"),
        host.url("/a/%2e%2e/client.json"),
        good.replace("https://", "https://user@"),
        good.replace("https://", "HTTPS://"),
        good.replace("127.0.0.1", "127.1"),
        "javascript:alert(1)".to_owned(),
        "file:///etc/passwd".to_owned(),
        // The egress guard never allows these, not even on a service that only this machine can reach.
        "https://169.254.169.254/latest/meta-data".to_owned(),
        "https://10.0.0.1/client.json".to_owned(),
        "https://192.168.0.1/client.json".to_owned(),
        "https://[fd00::1]/client.json".to_owned(),
    ] {
        fixture.client_id = bad.clone();
        let started = Instant::now();
        let reply = browser.get(&fixture.authorize_path(&[])).await.expect(400);
        assert_eq!(reply.header("location"), None, "{bad}");
        assert!(started.elapsed() < Duration::from_secs(3), "{bad}: nothing was dialled");
    }
    assert_eq!(host.connection_count(), 0);
}

/// `TOOLGATE_UPSTREAM_ALLOW` applies to tools only: strangers choose the URLs of documents.
#[tokio::test]
async fn a_service_that_others_can_reach_dials_no_loopback_address() {
    const BASE: &str = "https://tools.example";
    let (host, address) = (DocumentHost::start().await, free_address());
    let builder = toolgate().env("TOOLGATE_LISTEN", address.to_string()).env("TOOLGATE_BASE_URL", BASE);
    let builder = builder.env("TOOLGATE_UPSTREAM_ALLOW", "loopback,private");
    let app = builder.env("SSL_CERT_FILE", host.certificate_file()).start();
    let web = Client::new(&format!("http://{address}"), None);
    let form = web.post("/signin").header("content-type", "application/x-www-form-urlencoded");
    let reply = form.header("origin", BASE).body(encode(&[("key", &app.key())])).send().await.expect(303);
    let cookie = reply.header("set-cookie").unwrap().split(';').next().unwrap();
    let url = host.url("/client.json");
    host.serve_document(&document(&url));
    let request = encode(&[("client_id", &url), ("redirect_uri", CALLBACK), ("response_type", "code")]);
    let page = web.get(&format!("/authorize?{request}")).header("cookie", cookie).send().await.expect(400).text();
    assert!(page.contains("loopback address"), "{page}");
    assert_eq!(host.connection_count(), 0);
}
