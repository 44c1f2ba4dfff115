//! The documents below `/.well-known`.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::{Client, TestResponse, free_address, free_port};

use super::flow::OAuthFixture;
use crate::toolgate;

const ISSUER: &str = "/.well-known/oauth-authorization-server";
const RESOURCE: &str = "/.well-known/oauth-protected-resource";

async fn read(client: &Client, path: &str) -> TestResponse {
    // A browser that opens the address must not get a page of the console either.
    client.get(path).header("accept", "text/html").send().await
}

fn assert_no_document(reply: &TestResponse) {
    assert_eq!((reply.status, reply.header("content-type")), (404, Some("application/json")), "{reply:?}");
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{reply:?}");
    assert_eq!(reply.json()["code"], "not_found");
}

#[tokio::test]
async fn the_issuer_has_a_document_while_a_server_uses_it() {
    let app = toolgate().start();
    let (api, web, base) = (app.client(), Client::new(&app.origin(), None), app.origin());
    assert_no_document(&read(&web, ISSUER).await);
    let server = api.create("/servers", json!({"name": "A", "auth_type": "oauth", "status": "draft"})).await;
    assert_no_document(&read(&web, ISSUER).await);
    let path = format!("/servers/{}", server["id"]);
    api.patch(&path).json(json!({"status": "active"})).send().await.expect(200);
    let reply = read(&web, ISSUER).await.expect(200);
    assert_eq!(reply.header("cache-control"), Some("max-age=300"));
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let expected = json!({
        "issuer": base, "authorization_endpoint": format!("{base}/authorize"), "token_endpoint": format!("{base}/token"),
        "registration_endpoint": format!("{base}/register"), "revocation_endpoint": format!("{base}/revoke"),
        "response_types_supported": ["code"], "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"], "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_post", "client_secret_basic"],
        "scopes_supported": ["mcp:read", "mcp:write", "offline_access"],
        "client_id_metadata_document_supported": true, "authorization_response_iss_parameter_supported": true,
    });
    assert_eq!(reply.json(), expected);
    api.patch(&path).json(json!({"auth_type": "api-key"})).send().await.expect(200);
    assert_no_document(&read(&web, ISSUER).await);
}

#[tokio::test]
async fn without_registration_the_document_names_no_address_for_it() {
    let app = toolgate().env("TOOLGATE_OAUTH_REGISTRATION", "off").start();
    app.client().create("/servers", json!({"name": "A", "auth_type": "oauth"})).await;
    let document = read(&Client::new(&app.origin(), None), ISSUER).await.expect(200).json();
    assert_eq!(document.get("registration_endpoint"), None, "{document:#}");
}

#[tokio::test]
async fn a_server_with_oauth_has_a_document_and_all_else_is_a_json_404() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let (web, path) = (fixture.visitor().client, fixture.endpoint_path());
    let expected = |resource: String| {
        json!({"resource": resource, "authorization_servers": [fixture.app.origin()],
            "scopes_supported": ["mcp:read", "mcp:write"], "bearer_methods_supported": ["header"],
            "resource_name": "Weather"})
    };
    let document = read(&web, &format!("{RESOURCE}{path}")).await.expect(200);
    assert_eq!(document.json(), expected(fixture.endpoint().to_owned()));
    assert_eq!(document.header("cache-control"), Some("max-age=300"));
    // Asked for the endpoint with a slash, the document names it with a slash.
    let slashed = read(&web, &format!("{RESOURCE}{path}/")).await.expect(200);
    assert_eq!(slashed.json(), expected(format!("{}/", fixture.endpoint())));
    let mut absent = vec![
        RESOURCE.to_owned(),
        format!("{RESOURCE}/"),
        format!("{RESOURCE}{path}//"),
        format!("{RESOURCE}{path}/x"),
        format!("{RESOURCE}{}", path.replace("/weather/", "/other/")),
        format!("{RESOURCE}/mcp/weather/{}", "0".repeat(32)),
        format!("{RESOURCE}/mcp"),
        format!("{ISSUER}/x"),
        format!("{ISSUER}{path}"),
        "/.well-known/openid-configuration".to_owned(),
        format!("/.well-known/openid-configuration{path}"),
        "/.well-known/security.txt".to_owned(),
        "/.well-known/".to_owned(),
        "/.well-known".to_owned(),
    ];
    for fields in [
        json!({"name": "Keyed", "auth_type": "api-key"}),
        json!({"name": "Open"}),
        json!({"name": "Draft", "auth_type": "oauth", "status": "draft"}),
    ] {
        let server: Value = fixture.api.create("/servers", fields).await;
        let endpoint = server["endpoint_url"].as_str().unwrap();
        absent.push(endpoint.replace(&fixture.app.origin(), &format!("{}{RESOURCE}", fixture.app.origin())));
    }
    for path in absent {
        assert_no_document(&read(&web, &path).await);
    }
}

#[tokio::test]
async fn browsers_of_other_sites_may_read_documents() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let web = fixture.visitor().client;
    let path = format!("{RESOURCE}{}", fixture.endpoint_path());
    for path in [path.as_str(), ISSUER, "/.well-known/openid-configuration"] {
        let preflight = web
            .options(path)
            .header("origin", "https://inspector.example")
            .header("access-control-request-method", "GET")
            .header("access-control-request-headers", "mcp-protocol-version")
            .send()
            .await
            .expect(204);
        assert_eq!(preflight.header("access-control-allow-origin"), Some("*"));
        assert_eq!(preflight.header("access-control-allow-methods"), Some("GET, HEAD, OPTIONS"));
        assert!(preflight.header("access-control-allow-headers").unwrap().starts_with('*'));
        let (get, head) = (read(&web, path).await, web.head(path).send().await);
        assert_eq!((head.status, head.header("content-type")), (get.status, Some("application/json")));
        assert!(head.body.is_empty());
        let posted = web.request(Method::POST, path).send().await.expect(405);
        assert_eq!(posted.header("allow"), Some("GET, HEAD, OPTIONS"));
    }
}

#[tokio::test]
async fn a_service_without_a_fixed_https_or_loopback_address_is_not_an_issuer() {
    let (any, loopback) = (free_port(), free_address());
    for (listen, base_url) in [(format!("0.0.0.0:{any}"), None), (loopback.to_string(), Some("http://tools.example"))] {
        let web = Client::new(&format!("http://{}", listen.replace("0.0.0.0", "127.0.0.1")), None);
        let service = toolgate().env("TOOLGATE_LISTEN", listen);
        let _app = match base_url {
            Some(url) => service.env("TOOLGATE_BASE_URL", url).start(),
            None => service.start(),
        };
        assert_no_document(&read(&web, ISSUER).await);
        for path in ["/authorize?client_id=x", "/signin"] {
            let page = web.get(path).send().await.expect(404).text();
            assert!(page.contains("TOOLGATE_BASE_URL"), "{page}");
        }
    }
}
