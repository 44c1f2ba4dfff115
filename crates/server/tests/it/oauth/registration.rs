//! Clients that register themselves at `/register`.

use serde_json::{Value, json};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{Client, RunningService, TestResponse};

use super::flow::CALLBACK;
use super::token_requests::{assert_error, text};
use crate::toolgate;

/// Starts a service with a server that uses the issuer.
async fn start(builder: ServiceBuilder) -> RunningService {
    let app = builder.start();
    app.client().create("/servers", json!({"name": "Weather", "auth_type": "oauth"})).await;
    app
}

async fn register(client: &Client, body: Value) -> TestResponse {
    client.post("/register").json(body).send().await
}

/// Registers from this address. A test with many refused requests uses several addresses, because each has a limit.
async fn register_from(client: &Client, address: &str, body: Value) -> TestResponse {
    client.post("/register").header("x-forwarded-for", address).json(body).send().await
}

#[tokio::test]
async fn the_reply_to_a_registration_has_all_members_that_clients_need() {
    let app = start(toolgate()).await;
    let program = Client::new(&app.origin(), None);
    let uris = [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
    ];
    let unknown = json!({"client_name": "Cursor", "redirect_uris": uris, "software_id": 5, "scope": "x",
        "logo_uri": "http://169.254.169.254/", "jwks_uri": "http://127.0.0.1:1/", "grant_types": ["implicit"]});
    let reply = register(&program, unknown).await.expect(201);
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let client = reply.json();
    assert!(text(&client, "client_id").starts_with("tgx_"), "{client}");
    assert!(client["client_id_issued_at"].as_i64().unwrap() > 1_700_000_000, "{client}");
    assert_eq!(client["redirect_uris"], json!(uris));
    assert_eq!(client["client_name"], "Cursor");
    assert_eq!(client["grant_types"], json!(["authorization_code", "refresh_token"]));
    assert_eq!(client["response_types"], json!(["code"]));
    assert_eq!(client["token_endpoint_auth_method"], "none");
    assert!(client.get("client_secret").is_none() && client.get("client_secret_expires_at").is_none(), "{client}");
    // An invalid redirect URI does not prevent the registration of the others.
    let mixed = register(&program, json!({"redirect_uris": ["unknown://x", CALLBACK]})).await.expect(201).json();
    assert_eq!(mixed["redirect_uris"], json!([CALLBACK]));
}

#[tokio::test]
async fn invalid_registrations_are_refused() {
    let app = start(toolgate().env("TOOLGATE_TRUSTED_PROXIES", "127.0.0.1/32")).await;
    let program = Client::new(&app.origin(), None);
    let uris = |uris: &[&str]| json!({"redirect_uris": uris});
    let long = format!("https://client.example/{}", "a".repeat(2048));
    for (index, uri) in [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "http://evil.example/",
        "http://localhost.evil.example/",
        "http://10.0.0.1/",
        "http://localhost@evil.example/",
        "https://user:password@client.example/",
        "https://client.example/#fragment",
        "https://client.example/\r\nx",
        "unlisted://callback",
        "/callback",
        "",
        &long,
    ]
    .iter()
    .enumerate()
    {
        let address = format!("192.0.2.{}", index / 10);
        assert_error(&register_from(&program, &address, uris(&[*uri])).await, 400, "invalid_redirect_uri");
    }
    for (body, error) in [
        (uris(&[]), "invalid_redirect_uri"),
        (json!({}), "invalid_redirect_uri"),
        (uris(&[CALLBACK; 11]), "invalid_redirect_uri"),
        (json!({"redirect_uris": [CALLBACK], "client_name": "x".repeat(101)}), "invalid_client_metadata"),
        (json!({"redirect_uris": [CALLBACK], "client_name": ""}), "invalid_client_metadata"),
        (json!({"redirect_uris": [CALLBACK], "client_name": "a\u{202e}b"}), "invalid_client_metadata"),
        (json!({"redirect_uris": [CALLBACK], "client_name": "a\nb"}), "invalid_client_metadata"),
        (json!({"redirect_uris": [CALLBACK], "token_endpoint_auth_method": "x"}), "invalid_client_metadata"),
        (json!([]), "invalid_client_metadata"),
    ] {
        assert_error(&register_from(&program, "192.0.2.50", body).await, 400, error);
    }
    let send = async |content_type: &str, body: Vec<u8>| {
        let request = program.post("/register").header("content-type", content_type);
        request.header("x-forwarded-for", "192.0.2.60").body(body).send().await
    };
    assert_error(&send("application/json", b"{".to_vec()).await, 400, "invalid_client_metadata");
    assert_error(&send("text/plain", uris(&[CALLBACK]).to_string().into()).await, 400, "invalid_client_metadata");
    assert_error(&send("application/json", vec![b' '; 17 * 1024]).await, 413, "invalid_client_metadata");
    assert_error(&send("application/json", vec![b' '; 1024 * 1024]).await, 413, "invalid_client_metadata");
    let clients = app.client().read("/oauth/clients").await;
    assert_eq!(clients.as_array().unwrap().len(), 0, "{clients}");
}

#[tokio::test]
async fn a_configured_scheme_can_be_registered() {
    let app = start(toolgate().env("TOOLGATE_OAUTH_REDIRECT_SCHEMES", "myapp")).await;
    let program = Client::new(&app.origin(), None);
    register(&program, json!({"redirect_uris": ["myapp://callback"]})).await.expect(201);
    let other = register(&program, json!({"redirect_uris": ["yourapp://callback"]})).await;
    assert_error(&other, 400, "invalid_redirect_uri");
}

#[tokio::test]
async fn one_address_may_register_30_clients_a_minute_and_other_addresses_are_not_affected() {
    let app = start(toolgate().env("TOOLGATE_TRUSTED_PROXIES", "127.0.0.1/32")).await;
    let program = Client::new(&app.origin(), None);
    let body = || json!({"redirect_uris": [CALLBACK]});
    let mut replies = Vec::new();
    for _ in 0..200 {
        replies.push(register_from(&program, "192.0.2.1", body()).await);
    }
    assert!(replies.iter().take(30).all(|reply| reply.status == 201));
    for reply in replies.iter().skip(30) {
        assert_error(reply, 429, "temporarily_unavailable");
        let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
    }
    register_from(&program, "192.0.2.2", body()).await.expect(201);
    // Requests that are refused have their own limit.
    for _ in 0..30 {
        register_from(&program, "192.0.2.2", json!({})).await.expect(400);
    }
    register_from(&program, "192.0.2.2", json!({})).await.expect(429);
    register_from(&program, "192.0.2.2", body()).await.expect(201);
}

/// The header is ignored unless a trusted proxy sends it: otherwise each request could name another address.
#[tokio::test]
async fn an_invented_address_does_not_bypass_the_limit() {
    let app = start(toolgate()).await;
    let program = Client::new(&app.origin(), None);
    for number in 0..30 {
        let body = json!({"redirect_uris": [CALLBACK]});
        register_from(&program, &format!("192.0.2.{number}"), body).await.expect(201);
    }
    let refused = register_from(&program, "192.0.2.99", json!({"redirect_uris": [CALLBACK]})).await;
    assert_error(&refused, 429, "temporarily_unavailable");
}

#[tokio::test]
async fn registration_can_be_switched_off() {
    let app = start(toolgate().env("TOOLGATE_OAUTH_REGISTRATION", "off")).await;
    let program = Client::new(&app.origin(), None);
    register(&program, json!({"redirect_uris": [CALLBACK]})).await.expect(404);
}
