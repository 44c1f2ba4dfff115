//! Clients with a secret at `/token`, and the format of token requests.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use toolgate_testkit::TestResponse;
use toolgate_testkit::page_form::encode;

use super::flow::{CALLBACK, OAuthFixture, VERIFIER};
use super::token_requests::{assert_error, post_form, text};
use crate::toolgate;

const FORM: &str = "application/x-www-form-urlencoded";

/// Registers a client with this method, makes it the client of the fixture, and returns the reply.
async fn register(fixture: &mut OAuthFixture, method: &str) -> Value {
    let body = json!({"client_name": "C", "redirect_uris": [CALLBACK], "token_endpoint_auth_method": method});
    let client = fixture.program().post("/register").json(body).send().await.expect(201).json();
    assert!(text(&client, "client_secret").starts_with("tgs_"), "{client}");
    assert_eq!(
        (&client["client_secret_expires_at"], &client["token_endpoint_auth_method"]),
        (&json!(0), &json!(method))
    );
    fixture.client_id = text(&client, "client_id").to_owned();
    client
}

/// Uses a refresh token with HTTP Basic authentication: `pair` is `client_id:client_secret`.
async fn refresh_basic(fixture: &OAuthFixture, token: &str, pair: &str, more: &[(&str, &str)]) -> TestResponse {
    let fields = [&[("grant_type", "refresh_token"), ("refresh_token", token)], more].concat();
    let header = format!("Basic {}", BASE64_STANDARD.encode(pair));
    let request = fixture.program().post("/token").header("content-type", FORM).header("authorization", &header);
    request.body(encode(&fields)).send().await
}

/// The method that a client registered for does not matter: some clients use the other one.
#[tokio::test]
async fn a_secret_is_accepted_in_the_form_and_in_the_header() {
    let mut fixture = OAuthFixture::start(toolgate()).await;
    for method in ["client_secret_post", "client_secret_basic"] {
        let client = register(&mut fixture, method).await;
        let (id, secret) = (text(&client, "client_id"), text(&client, "client_secret"));
        let code = fixture.code().await;
        assert_error(&fixture.exchange_with(&code, &[]).await, 401, "invalid_client");
        let wrong = fixture.exchange_with(&code, &[("client_secret", Some("tgs_wrong"))]).await;
        assert_error(&wrong, 401, "invalid_client");
        let tokens = fixture.exchange_with(&code, &[("client_secret", Some(secret))]).await.expect(200).json();
        let token = text(&tokens, "refresh_token");
        assert_error(&fixture.refresh(token).await, 401, "invalid_client");
        let encoded = format!("{}:{}", id.replace('_', "%5F"), secret.replace('_', "%5F"));
        for pair in [format!("{id}:{secret}"), encoded] {
            refresh_basic(&fixture, token, &pair, &[]).await.expect(200);
            refresh_basic(&fixture, token, &pair, &[("client_id", id)]).await.expect(200);
        }
        for pair in [format!("{id}:"), format!("{id}:wrong"), format!("tgx_unknown:{secret}"), "x".to_owned()] {
            assert_error(&refresh_basic(&fixture, token, &pair, &[]).await, 401, "invalid_client");
        }
        let pair = format!("{id}:{secret}");
        assert_error(
            &refresh_basic(&fixture, token, &pair, &[("client_id", "tgx_other")]).await,
            401,
            "invalid_client",
        );
        let both = refresh_basic(&fixture, token, &pair, &[("client_secret", secret)]).await;
        assert_error(&both, 400, "invalid_request");
        // Without its secret, the client cannot revoke tokens either.
        post_form(&fixture.program(), "/revoke", &[("token", token)]).await.expect(200);
        refresh_basic(&fixture, token, &pair, &[]).await.expect(200);
    }
}

#[tokio::test]
async fn a_client_without_a_secret_must_not_send_one() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let code = fixture.code().await;
    let reply = fixture.exchange_with(&code, &[("client_secret", Some("tgs_x"))]).await;
    assert_error(&reply, 401, "invalid_client");
    fixture.exchange_with(&code, &[("client_secret", Some(""))]).await.expect(200);
}

#[tokio::test]
async fn a_blocked_client_gets_no_tokens() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let tokens = fixture.tokens().await;
    let clients = fixture.api.read("/oauth/clients").await;
    let path = format!("/oauth/clients/{}", clients[0]["id"]);
    fixture.api.patch(&path).json(json!({"status": "blocked"})).send().await.expect(200);
    assert_error(&fixture.refresh(text(&tokens, "refresh_token")).await, 401, "invalid_client");
    assert_eq!(fixture.status_at_endpoint(&tokens).await, 401);
}

#[tokio::test]
async fn token_requests_are_forms_of_at_most_16_kib_with_each_parameter_once() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let code = fixture.code().await;
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", &code),
        ("client_id", &fixture.client_id),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
    ];
    let post = async |content_type: &str, body: String| {
        fixture.program().post("/token").header("content-type", content_type).body(body).send().await
    };
    let as_json = json!(fields.into_iter().collect::<std::collections::BTreeMap<_, _>>()).to_string();
    assert_error(&post("application/json", as_json).await, 400, "invalid_request");
    assert_error(&post("text/plain", encode(&fields)).await, 400, "invalid_request");
    for (name, value) in fields {
        let twice = [&fields[..], &[(name, value)]].concat();
        assert_error(&post(FORM, encode(&twice)).await, 400, "invalid_request");
    }
    let large = format!("{}&x={}", encode(&fields), "a".repeat(16 * 1024));
    assert_error(&post(FORM, large).await, 413, "invalid_request");
    // Parameters in the query are ignored.
    let query = fixture.program().post(&format!("/token?{}", encode(&fields))).header("content-type", FORM);
    assert_error(&query.send().await, 400, "invalid_request");
    let with_charset = format!("{FORM}; charset=UTF-8");
    post(&with_charset, encode(&fields)).await.expect(200);
}

/// Browser-based clients, such as the Inspector, call these endpoints from pages of another origin.
#[tokio::test]
async fn web_pages_of_any_origin_may_call_the_endpoints() {
    let fixture = OAuthFixture::start(toolgate()).await;
    for path in ["/token", "/register", "/revoke"] {
        let request = fixture.program().options(path).header("origin", "https://inspector.example");
        let request = request.header("access-control-request-method", "POST");
        let reply = request.header("access-control-request-headers", "authorization,content-type").send().await;
        assert!(matches!(reply.status, 200 | 204), "{reply:?}");
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        assert_eq!(reply.header("access-control-allow-credentials"), None);
        assert!(reply.header("access-control-allow-methods").unwrap().contains("POST"));
        let headers = reply.header("access-control-allow-headers").unwrap().to_ascii_lowercase();
        assert!(headers.contains("authorization") && headers.contains("content-type"), "{headers}");
        let reply = fixture.program().get(path).send().await;
        assert_eq!((reply.status, reply.header("allow")), (405, Some("POST, OPTIONS")));
        let reply = fixture.program().post(path).header("origin", "https://inspector.example").send().await;
        assert_eq!((reply.status, reply.header("access-control-allow-origin")), (400, Some("*")));
    }
}
