//! Looking up the server of a URL, and what an unauthenticated caller can find out.

use http::Method;
use serde_json::json;
use toolgate_testkit::mcp::MODERN;
use toolgate_testkit::{McpClient, ServiceFixture};

use super::management::{self, assert_refused, bare_client, change_server};

/// The slug and the id in a server's URL.
fn slug_and_id(fixture: &ServiceFixture) -> (String, String) {
    let path = fixture.url().strip_prefix(&format!("{}/mcp/", fixture.app.origin())).unwrap();
    let (slug, id) = path.split_once('/').unwrap();
    (slug.to_owned(), id.to_owned())
}

#[tokio::test]
async fn drafts_wrong_slugs_and_unknown_servers_look_the_same() {
    let fixture = management::start_server(json!({})).await;
    let draft = management::create_another_server(&fixture, json!({"name": "Draft", "status": "draft"})).await;
    let other = management::create_another_server(&fixture, json!({"name": "Other"})).await;
    let (slug, id) = slug_and_id(&fixture);
    let other_id = other["server_id"].as_str().unwrap();
    let url_of = |path: String| format!("{}/mcp/{path}", fixture.app.origin());
    let mut bodies = Vec::new();
    for url in [
        draft["endpoint_url"].as_str().unwrap().to_owned(),
        url_of(format!("wrong/{id}")),
        url_of(format!("{}/{id}", slug.to_uppercase())),
        url_of(format!("{slug}/{}", id.to_uppercase().replace(char::is_numeric, "A"))),
        url_of(format!("{slug}/{other_id}")),
        url_of(format!("{slug}/{}", "0".repeat(32))),
        url_of(format!("{slug}/1")),
        url_of(format!("{slug}/%00")),
    ] {
        let reply = McpClient::new(&url).send("tools/list", json!({})).await;
        assert_refused(&reply, 404, 404);
        assert_eq!(reply.header("www-authenticate"), None);
        bodies.push(reply.text());
    }
    bodies.dedup();
    assert_eq!(bodies, [r#"{"jsonrpc":"2.0","id":null,"error":{"code":404,"message":"Server not found"}}"#]);
    // The modern revision omits a null id.
    let mcp = McpClient::new(&url_of(format!("wrong/{id}"))).header("mcp-protocol-version", MODERN);
    let reply = mcp.send("tools/list", json!({})).await;
    assert_eq!(reply.text(), r#"{"jsonrpc":"2.0","error":{"code":404,"message":"Server not found"}}"#);
}

#[tokio::test]
async fn a_paused_server_replies_503() {
    let fixture = management::start_server(json!({"status": "paused"})).await;
    let legacy_headers = bare_client(&fixture).header("mcp-protocol-version", "2025-11-25");
    for mcp in [bare_client(&fixture), bare_client(&fixture).modern(), legacy_headers] {
        let reply = mcp.send("initialize", json!({"protocolVersion": "2025-11-25"})).await;
        assert_refused(&reply, 503, 503);
        assert_eq!(reply.json()["error"]["message"], "Server is paused");
        assert_eq!(reply.header("retry-after"), None, "the end of the pause is unknown");
    }
}

#[tokio::test]
async fn checks_run_in_the_order_existence_key_pause_body() {
    let fixture = management::start_server(json!({"auth_type": "api-key", "status": "draft"})).await;
    let key = fixture.create_key().await;
    let anonymous = || bare_client(&fixture).raw_request(Method::POST).body("not JSON");
    let caller = || anonymous().header("x-api-key", &key);
    assert_refused(&anonymous().send().await, 404, 404);
    assert_refused(&caller().send().await, 404, 404);
    change_server(&fixture, json!({"status": "paused"})).await;
    assert_refused(&anonymous().send().await, 401, 401);
    assert_refused(&caller().send().await, 503, 503);
    let bad_version = |request: toolgate_testkit::http::TestRequest| request.header("mcp-protocol-version", "x").send();
    assert_refused(&bad_version(caller()).await, 503, 503);
    change_server(&fixture, json!({"status": "active"})).await;
    assert_refused(&bad_version(anonymous()).await, 401, 401);
    assert_refused(&bad_version(caller()).await, 415, 415);
    assert_refused(&caller().send().await, 415, 415);
    assert_refused(&caller().header("content-type", "application/json").send().await, 400, -32700);
}

#[tokio::test]
async fn toggling_a_draft_activates_it() {
    let fixture = management::start_server(json!({"status": "draft"})).await;
    let mcp = bare_client(&fixture);
    mcp.send("tools/list", json!({})).await.expect(404);
    management::change(&fixture, &fixture.path("/toggle"), json!({})).await;
    mcp.send("tools/list", json!({})).await.expect(200);
}

#[tokio::test]
async fn oauth_discovery_gets_a_json_404() {
    let fixture = management::start_server(json!({"auth_type": "api-key"})).await;
    let (slug, id) = slug_and_id(&fixture);
    let client = fixture.app.client_with_key(None);
    for path in [
        "/.well-known/oauth-protected-resource".to_owned(),
        format!("/.well-known/oauth-protected-resource/mcp/{slug}/{id}"),
        "/.well-known/oauth-authorization-server".to_owned(),
        format!("/.well-known/oauth-authorization-server/mcp/{slug}/{id}"),
        "/.well-known/openid-configuration".to_owned(),
        format!("/mcp/{slug}/{id}/.well-known/openid-configuration"),
        "/mcp".to_owned(),
        format!("/mcp/{slug}"),
    ] {
        let reply = client.get(&format!("{}{path}", fixture.app.origin())).send().await.expect(404);
        assert_eq!(reply.header("content-type"), Some("application/json"), "{path}");
        assert!(reply.json().is_object(), "{path}");
    }
    // Some clients register without having read a document.
    let registration = client.post(&format!("{}/register", fixture.app.origin())).json(json!({})).send().await;
    assert_eq!(registration.expect(404).json()["error"], "invalid_request");
}
