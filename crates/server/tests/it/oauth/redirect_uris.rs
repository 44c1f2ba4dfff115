//! Redirect URIs that differ from the registered one: the person gets a page and is not redirected.

use super::flow::OAuthFixture;
use crate::toolgate;

#[tokio::test]
async fn only_registered_addresses_get_a_redirect() {
    let mut fixture = OAuthFixture::start(toolgate()).await;
    let registered = ["https://client.example/cb?own=1", "http://127.0.0.1/cb", "http://localhost:8787/cb"];
    fixture.client_id = fixture.register("Client", &registered).await;
    let browser = fixture.administrator().await;
    for refused in [
        "https://evil.example/cb?own=1",
        "https://client.example/cb",
        "https://client.example/cb/below?own=1",
        "https://client.example/x/../cb?own=1",
        "https://client.example/CB?own=1",
        "https://client.example/cb?own=1&more=2",
        "https://client.example/cb?own=1#fragment",
        "https://user@client.example/cb?own=1",
        "https://client.example:443/cb?own=1",
        "https://client.example:8443/cb?own=1",
        "https://client.example./cb?own=1",
        "https://client.example%2fcb?own=1",
        "https://client.example\\cb?own=1",
        "https://client.example@evil.example/cb?own=1",
        "http://client.example/cb?own=1",
        "https://127.0.0.1/cb",
        "http://localhost/cb/",
        "http://127.0.0.1:8787/cb?x",
        "http://[::1]/cb",
        "http://127.0.0.1.evil.example/cb",
        "http://127.0.0.1:80@evil.example/cb",
        "http://localhost:8787@evil.example/cb",
        "//evil.example/cb",
        "javascript:alert(1)",
        "",
    ] {
        let path = fixture.authorize_path(&[("redirect_uri", Some(refused))]);
        let reply = browser.get(&path).await.expect(400);
        assert_eq!(reply.header("location"), None, "{refused}");
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"), "{refused}");
    }
    for accepted in [registered[0], "http://127.0.0.1:1234/cb", "http://127.0.0.1/cb", "http://localhost:1/cb"] {
        browser.get(&fixture.authorize_path(&[("redirect_uri", Some(accepted))])).await.expect(200);
    }
    let missing = browser.get(&fixture.authorize_path(&[("redirect_uri", None)])).await.expect(400);
    assert_eq!(missing.header("location"), None);
}

#[tokio::test]
async fn an_unknown_client_or_a_repeated_parameter_causes_no_redirect() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let twice = format!("{}&redirect_uri=https%3A%2F%2Fevil.example", fixture.authorize_path(&[]));
    let paths = [
        fixture.authorize_path(&[("client_id", Some("tgx_unknown"))]),
        fixture.authorize_path(&[("client_id", Some("tgx_\0"))]),
        fixture.authorize_path(&[("client_id", None)]),
        twice,
        format!("{}&state=s-1", fixture.authorize_path(&[])),
        format!("{}&resource=x", fixture.authorize_path(&[])),
    ];
    for browser in [fixture.visitor(), fixture.administrator().await] {
        for path in &paths {
            let reply = browser.get(path).await.expect(400);
            assert_eq!(reply.header("location"), None, "{path}");
        }
    }
}

#[tokio::test]
async fn a_blocked_client_causes_no_redirect() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let mut browser = fixture.administrator().await;
    let form = browser.consent(&fixture.authorize_path(&[])).await;
    let clients = fixture.api.read("/oauth/clients").await;
    let path = format!("/oauth/clients/{}", clients[0]["id"]);
    fixture.api.patch(&path).json(serde_json::json!({"status": "blocked"})).send().await.expect(200);
    let page = browser.get(&fixture.authorize_path(&[])).await.expect(400);
    assert_eq!(page.header("location"), None);
    let decision = browser.post("/authorize", &form.with(&[("decision", "allow")])).await.expect(400);
    assert_eq!(decision.header("location"), None);
}
