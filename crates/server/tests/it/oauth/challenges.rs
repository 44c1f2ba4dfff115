//! The reply to a client without access, and which servers can require sign-in.

use std::net::SocketAddr;

use http::Method;
use serde_json::json;
use toolgate_testkit::{Client, McpClient, RunningService, ServiceFixture, TestResponse, Upstream, free_address};

use super::signed_tokens::{client_with, service, start_server, token_for};
use crate::toolgate;

/// A service with this public URL, the address on which it listens, and a client of its management API there.
fn start_at(base_url: &str) -> (RunningService, SocketAddr, Client) {
    let address = free_address();
    let app = service().env("TOOLGATE_LISTEN", address.to_string()).env("TOOLGATE_BASE_URL", base_url).start();
    let api = Client::new(&format!("http://{address}/wp-json/toolgate/v1"), Some(&app.key()));
    (app, address, api)
}

/// The URL of the server's metadata document.
fn metadata_url(fixture: &ServiceFixture) -> String {
    format!("{}/.well-known/oauth-protected-resource{}", fixture.app.origin(), fixture.endpoint_path())
}

fn missing_token(metadata_url: &str) -> String {
    format!(r#"Bearer realm="toolgate", resource_metadata="{metadata_url}", scope="mcp:read mcp:write""#)
}

fn invalid_token(metadata_url: &str) -> String {
    let description = "The access token is invalid, expired or revoked";
    format!(
        r#"Bearer realm="toolgate", error="invalid_token", error_description="{description}", resource_metadata="{metadata_url}", scope="mcp:read mcp:write""#
    )
}

/// Asserts a 401 in JSON-RPC with exactly one challenge.
#[track_caller]
fn assert_challenge(reply: &TestResponse, challenge: &str) {
    assert_eq!(reply.status, 401, "{reply:?}");
    assert_eq!(reply.json()["error"]["code"], 401, "{reply:?}");
    let challenges: Vec<&str> =
        reply.headers.get_all("www-authenticate").iter().map(|value| value.to_str().unwrap()).collect();
    assert_eq!(challenges, [challenge]);
}

#[tokio::test]
async fn without_a_token_every_method_names_the_metadata_document() {
    let fixture = start_server(Upstream::builder().start(), json!({})).await;
    let expected = missing_token(&metadata_url(&fixture));
    for method in [Method::POST, Method::GET, Method::DELETE, Method::PUT] {
        let reply = McpClient::new(fixture.url()).raw_request(method).send().await;
        assert_challenge(&reply, &expected);
    }
    let initialize =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    for (method, params) in [("initialize", initialize), ("tools/list", json!({})), ("ping", json!({}))] {
        assert_challenge(&McpClient::new(fixture.url()).send(method, params.clone()).await, &expected);
        assert_challenge(&McpClient::new(fixture.url()).modern().send(method, params).await, &expected);
    }
    let other_scheme = McpClient::new(fixture.url()).header("authorization", "Basic dXNlcjpwYXNz");
    assert_challenge(&other_scheme.send("tools/list", json!({})).await, &expected);
}

#[tokio::test]
async fn the_challenge_at_the_url_with_a_slash_names_the_document_with_a_slash() {
    let fixture = start_server(Upstream::builder().start(), json!({})).await;
    let (url, metadata) = (format!("{}/", fixture.url()), format!("{}/", metadata_url(&fixture)));
    assert_challenge(&McpClient::new(&url).send("tools/list", json!({})).await, &missing_token(&metadata));
    let invalid = McpClient::new(&url).bearer("tga_x");
    assert_challenge(&invalid.send("tools/list", json!({})).await, &invalid_token(&metadata));
    let token = token_for(&fixture.server);
    McpClient::new(&url).bearer(&super::signed_tokens::sign(&token)).send("tools/list", json!({})).await.expect(200);
}

#[tokio::test]
async fn the_document_is_below_the_public_url() {
    let (_app, address, api) = start_at("https://x.example/gate/");
    let server = api.create("/servers", json!({"name": "Shop", "auth_type": "oauth"})).await;
    let url = server["endpoint_url"].as_str().unwrap();
    let path = url.strip_prefix("https://x.example/gate").unwrap();
    let mcp = McpClient::new(&format!("http://{address}{path}")).header("host", "x.example");
    let metadata = format!("https://x.example/gate/.well-known/oauth-protected-resource{path}");
    assert_challenge(&mcp.send("tools/list", json!({})).await, &missing_token(&metadata));
}

#[tokio::test]
async fn every_invalid_credential_gets_the_same_response() {
    let fixture = start_server(Upstream::builder().start(), json!({})).await;
    let expected = invalid_token(&metadata_url(&fixture));
    let mut expired = token_for(&fixture.server);
    expired.expires_at = super::signed_tokens::now();
    let replies = [
        client_with(&fixture, &expired).send("tools/list", json!({})).await,
        McpClient::new(fixture.url()).bearer("tga_unreadable").send("tools/list", json!({})).await,
        McpClient::new(fixture.url()).bearer("tg_unknown").send("tools/list", json!({})).await,
        McpClient::new(fixture.url()).bearer("eyJhbGciOiJub25lIn0.e30.").send("tools/list", json!({})).await,
        McpClient::new(fixture.url()).header("x-api-key", "unknown").send("tools/list", json!({})).await,
    ];
    for reply in &replies {
        assert_challenge(reply, &expected);
        assert_eq!(reply.json()["error"], replies[0].json()["error"]);
    }
}

#[tokio::test]
async fn a_page_of_an_allowed_origin_can_read_the_challenge() {
    let settings = json!({"allowed_origins": ["https://app.example"]});
    let fixture = start_server(Upstream::builder().start(), json!({"settings": settings})).await;
    let mcp = McpClient::new(fixture.url()).header("origin", "https://app.example");
    let reply = mcp.send("tools/list", json!({})).await.expect(401);
    assert_eq!(reply.header("access-control-allow-origin"), Some("https://app.example"));
    assert!(reply.header("access-control-expose-headers").unwrap().contains("WWW-Authenticate"), "{reply:?}");
}

#[tokio::test]
async fn keys_are_accepted_unless_the_settings_refuse_them() {
    let fixture = start_server(Upstream::builder().start(), json!({})).await;
    let key = fixture.create_key().await;
    let clients = [
        McpClient::new(fixture.url()).bearer(&key),
        McpClient::new(fixture.url()).header("x-api-key", &key),
        McpClient::new(fixture.url()).bearer(&fixture.app.key()),
    ];
    for mcp in &clients {
        mcp.send("tools/list", json!({})).await.expect(200);
    }
    let settings = json!({"settings": {"oauth": {"keys": false}}});
    fixture.api.patch(&fixture.path("")).json(settings).send().await.expect(200);
    for mcp in &clients {
        let reply = mcp.send("tools/list", json!({})).await;
        assert_challenge(&reply, &invalid_token(&metadata_url(&fixture)));
    }
    client_with(&fixture, &token_for(&fixture.server)).send("tools/list", json!({})).await.expect(200);
}

#[tokio::test]
async fn sign_in_needs_a_public_url_that_does_not_depend_on_requests() {
    for (base_url, status) in
        [("http://tools.example.com", 400), ("https://tools.example.com", 201), ("http://localhost:8080", 201)]
    {
        let (_app, _, api) = start_at(base_url);
        assert_creation_status(&api, status).await;
    }
    for (listen, status) in [("0.0.0.0:0", 400), ("127.0.0.1:0", 201)] {
        let app = toolgate().env("TOOLGATE_LISTEN", listen).start();
        assert_creation_status(&app.client(), status).await;
    }
}

/// Asserts the status of creating a server that requires sign-in, which `/oauth/issuer` predicts. If the creation is
/// refused, changing another server to require sign-in must be refused, too.
async fn assert_creation_status(api: &Client, status: u16) {
    let issuer = api.read("/oauth/issuer").await;
    assert_eq!((issuer["issuer"].is_null(), issuer["problem"].is_null()), (status == 400, status != 400), "{issuer}");
    let reply = api.post("/servers").json(json!({"name": "S", "auth_type": "oauth"})).send().await.expect(status);
    if status == 400 {
        let message = reply.json()["data"]["params"]["auth_type"].as_str().unwrap().to_owned();
        assert!(message.contains("TOOLGATE_BASE_URL"), "{message}");
        let server = api.create("/servers", json!({"name": "S"})).await;
        let change = api.patch(&format!("/servers/{}", server["id"])).json(json!({"auth_type": "oauth"}));
        change.send().await.expect(400);
    }
}
