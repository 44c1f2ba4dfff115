//! Browser clients: `Origin` and `Host` checks, and CORS preflight.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::{McpClient, RunningService, ServiceFixture, TestResponse};

use super::management::{self, assert_refused, bare_client};
use crate::toolgate;

async fn start_with_origins(origins: Value) -> ServiceFixture {
    management::start_server(json!({"settings": {"allowed_origins": origins}})).await
}

async fn send_from(fixture: &ServiceFixture, origin: &str) -> TestResponse {
    bare_client(fixture).header("origin", origin).send("tools/list", json!({})).await
}

#[tokio::test]
async fn local_and_allowed_origins_are_accepted() {
    let fixture = start_with_origins(json!(["https://app.example", "https://other.example:8443"])).await;
    let service_origin = fixture.app.origin();
    for origin in [
        "https://app.example",
        "https://other.example:8443",
        "http://localhost:6274",
        "http://127.0.0.1:3000",
        "http://[::1]:3000",
        service_origin.as_str(),
    ] {
        let reply = send_from(&fixture, origin).await.expect(200);
        assert_eq!(reply.header("access-control-allow-origin"), Some(origin));
        assert!(reply.header("vary").is_some_and(|vary| vary.contains("Origin")));
        assert!(reply.header("access-control-expose-headers").unwrap().contains("Mcp-Session-Id"));
        assert_eq!(reply.header("access-control-allow-credentials"), None);
    }
}

#[tokio::test]
async fn other_origins_are_refused() {
    let fixture = start_with_origins(json!(["https://app.example"])).await;
    for origin in [
        "https://evil.example",
        "http://app.example",
        "https://app.example:8443",
        "https://app.example.evil.example",
        "https://xapp.example",
        "https://localhost.evil.example",
        "null",
        "file://",
        "chrome-extension://abc",
        "",
    ] {
        let reply = send_from(&fixture, origin).await;
        assert_refused(&reply, 403, 403);
        assert_eq!(reply.header("access-control-allow-origin"), None, "{origin}");
    }
    let request = bare_client(&fixture).request("tools/list", json!({}));
    let two_origins =
        request.append_header("origin", "https://app.example").append_header("origin", "https://evil.example");
    assert_refused(&two_origins.send().await, 403, 403);
    // Clients other than browsers send no Origin.
    bare_client(&fixture).send("tools/list", json!({})).await.expect(200);
}

#[tokio::test]
async fn an_origin_is_allowed_for_its_server_only() {
    let fixture = start_with_origins(json!(["https://app.example"])).await;
    let other = management::create_another_server(&fixture, json!({"name": "Other"})).await;
    let mcp = McpClient::new(other["endpoint_url"].as_str().unwrap()).header("origin", "https://app.example");
    assert_refused(&mcp.send("tools/list", json!({})).await, 403, 403);
}

#[tokio::test]
async fn a_preflight_needs_no_key_and_lists_what_is_allowed() {
    let fixture = management::start_server(
        json!({"auth_type": "api-key", "settings": {"allowed_origins": ["https://app.example"]}}),
    )
    .await;
    let preflight = |origin: &str| {
        let request = bare_client(&fixture).raw_request(Method::OPTIONS).header("origin", origin);
        let request = request.header("access-control-request-method", "POST");
        request.header("access-control-request-headers", "authorization,mcp-session-id,mcp-param-region").send()
    };
    let reply = preflight("https://app.example").await.expect(204);
    assert_eq!(reply.header("access-control-allow-origin"), Some("https://app.example"));
    assert_eq!(reply.header("access-control-allow-methods"), Some("GET, POST, DELETE, OPTIONS"));
    let allowed = reply.header("access-control-allow-headers").unwrap();
    for name in ["authorization", "mcp-session-id", "mcp-param-region"] {
        assert!(allowed.contains(name), "{allowed}");
    }
    assert!(reply.header("access-control-max-age").is_some());
    assert_refused(&preflight("https://evil.example").await, 403, 403);
    // A page of an allowed origin can read the error.
    let refused = send_from(&fixture, "https://app.example").await.expect(401);
    assert_eq!(refused.header("access-control-allow-origin"), Some("https://app.example"));
}

#[tokio::test]
async fn an_unknown_host_name_is_refused() {
    let fixture = management::start_server(json!({})).await;
    let client_with_host = |host: &str| bare_client(&fixture).header("host", host);
    for host in ["localhost", "localhost:1", "127.0.0.1", "[::1]:80", fixture.app.address()] {
        client_with_host(host).send("tools/list", json!({})).await.expect(200);
    }
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "10.0.0.1"] {
        let reply = client_with_host(host).send("tools/list", json!({})).await;
        assert_refused(&reply, 403, 403);
        // A page that uses DNS rebinding sends the same host in both headers.
        let origin = format!("http://{host}");
        assert_refused(&client_with_host(host).header("origin", &origin).send("tools/list", json!({})).await, 403, 403);
        assert_refused(
            &client_with_host(host).raw_request(Method::OPTIONS).header("origin", &origin).send().await,
            403,
            403,
        );
    }
}

#[tokio::test]
async fn with_a_public_url_its_host_and_origin_are_accepted() {
    let builder = toolgate();
    let app = builder.env("TOOLGATE_BASE_URL", "https://tools.example.com").start();
    let api = toolgate_testkit::Client::new(&format!("{}/wp-json/toolgate/v1", local_url(&app)), Some(&app.key()));
    let server = api.create("/servers", json!({"name": "Shop"})).await;
    let public_url = server["endpoint_url"].as_str().unwrap();
    assert!(public_url.starts_with("https://tools.example.com/mcp/shop/"), "{public_url}");
    let url = public_url.replace("https://tools.example.com", &local_url(&app));
    let request = |host: &str, origin: &str| {
        McpClient::new(&url).header("host", host).header("origin", origin).request("tools/list", json!({})).send()
    };
    request("tools.example.com", "https://tools.example.com").await.expect(200);
    request("localhost", "http://localhost:6274").await.expect(200);
    for (host, origin) in [
        ("other.example.com", "https://tools.example.com"),
        ("tools.example.com", "http://tools.example.com"),
        ("tools.example.com", "https://tools.example.com:8443"),
        ("tools.example.com", "https://other.example.com"),
    ] {
        assert_refused(&request(host, origin).await, 403, 403);
    }
}

/// The local URL of a service with a public URL, from its log.
fn local_url(app: &RunningService) -> String {
    app.wait_for_log("listening", std::time::Duration::from_secs(30));
    let log = app.logs();
    let line = log.lines().find(|line| line.contains("listening")).unwrap();
    let (_, port) = line.split_once("127.0.0.1:").unwrap();
    let port: String = port.chars().take_while(char::is_ascii_digit).collect();
    format!("http://127.0.0.1:{port}")
}
