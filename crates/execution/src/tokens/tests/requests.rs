//! Tests of the requests to an issuer and of its responses, and that no message contains a secret.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::*;

const TOKEN_REPLY: &str = r#"{"access_token":"t","token_type":"BEARER","expires_in":60}"#;

/// Fetches a token from an issuer with scripted responses. Returns the requests and the outcome.
async fn fetch_with(responses: &[(u16, &str)]) -> (Vec<OutboundRequest>, Result<SecretString, Failure>) {
    let sent = Mutex::new(Vec::new());
    let outcome = TokenCache::default()
        .token(&client(), async |request| {
            let mut sent = sent.lock().unwrap();
            sent.push(request);
            let (status, body) = responses[sent.len() - 1];
            Ok(response(status, body))
        })
        .await;
    (sent.into_inner().unwrap(), outcome)
}

fn body_text(request: &OutboundRequest) -> &str {
    std::str::from_utf8(&request.body).unwrap()
}

#[tokio::test]
async fn credentials_are_sent_form_encoded_in_the_header() {
    let (sent, outcome) = fetch_with(&[(200, TOKEN_REPLY)]).await;
    let [request] = &sent[..] else { panic!("{} requests were sent", sent.len()) };
    assert_eq!(outcome.unwrap().expose_secret(), "t");
    assert_eq!(request.method, "POST");
    assert_eq!(request.uri, "https://issuer.example/token?tenant=1");
    assert_eq!(body_text(request), "grant_type=client_credentials&scope=read+write");
    assert_eq!(request.headers["accept"], "application/json");
    assert_eq!(request.headers["content-type"], "application/x-www-form-urlencoded");
    let basic = &request.headers["authorization"];
    let expected = format!("Basic {}", BASE64_STANDARD.encode("id%3A1:s3cret%3A%2F%2B%C3%BC"));
    assert_eq!(basic.to_str().unwrap(), expected);
    assert!(basic.is_sensitive());
}

#[tokio::test]
async fn an_issuer_that_rejects_the_header_gets_the_credentials_in_the_body() {
    for refusal in [(401, ""), (401, r#"{"error":"invalid_request"}"#), (400, r#"{"error":"invalid_client"}"#)] {
        let (sent, outcome) = fetch_with(&[refusal, (200, TOKEN_REPLY)]).await;
        assert_eq!(outcome.unwrap().expose_secret(), "t");
        assert!(!sent[1].headers.contains_key("authorization"));
        let credentials = "client_id=id%3A1&client_secret=s3cret%3A%2F%2B%C3%BC";
        assert_eq!(body_text(&sent[1]), format!("grant_type=client_credentials&scope=read+write&{credentials}"));
    }
}

#[tokio::test]
async fn other_refusals_are_not_retried() {
    for (status, body) in [(400, r#"{"error":"invalid_scope"}"#), (403, ""), (404, ""), (500, ""), (429, "")] {
        let (sent, outcome) = fetch_with(&[(status, body)]).await;
        assert!(outcome.is_err());
        assert_eq!(sent.len(), 1, "HTTP {status}");
    }
}

#[tokio::test]
async fn a_refusal_names_the_settings_to_check() {
    let refused = failure(401, r#"{"error":"invalid_client","error_description":"no"}"#).await;
    assert_eq!(refused.reason, FailureReason::BadCredential);
    assert_eq!(
        refused.for_owner.full_text(),
        "The token endpoint refused the client credentials (HTTP 401, invalid_client). \
         Check client_id and client_secret in the tool's auth_credentials."
    );
    for (status, body, expected) in [
        (400, r#"{"error":"invalid_scope"}"#, "refused the scope (HTTP 400, invalid_scope). Check scope in"),
        (404, "<html>", "issued no token (HTTP 404). Check token_url in"),
        (200, r#"{"error":"access_denied"}"#, "refused the client credentials (HTTP 200, access_denied)"),
        (200, "<html>", "without a usable access_token. Check token_url"),
        (
            200,
            r#"{"access_token":{"$serde_json::private::RawValue":"\"t\""}}"#,
            "without a usable access_token. Check token_url",
        ),
        (200, r#"{"access_token":"t","token_type":"mac"}"#, "not a bearer token"),
    ] {
        let failure = failure(status, body).await;
        assert_eq!(failure.reason, FailureReason::BadCredential, "{body}");
        assert!(failure.for_owner.full_text().contains(expected), "{}", failure.for_owner.full_text());
    }
}

#[tokio::test]
async fn an_unavailable_issuer_is_not_a_bad_credential() {
    assert_eq!(failure(503, "").await.reason, FailureReason::Upstream5xx);
    assert_eq!(failure(429, "").await.reason, FailureReason::RateLimitedUpstream);
    let dns = Failure::new(FailureReason::Dns, "The name does not resolve.");
    let outcome = TokenCache::default().token(&client(), async |_| Err(dns.clone())).await;
    assert_eq!(outcome.unwrap_err(), dns);
}

#[tokio::test]
async fn unusable_tokens_are_refused() {
    for token in [r#""""#, r#""a\r\nX: y""#, r#""a\u0000""#, r#""ü""#, "7", "null", r#"["a"]"#] {
        let failure = failure(200, &format!(r#"{{"access_token":{token}}}"#)).await;
        assert_eq!(failure.reason, FailureReason::BadCredential, "{token}");
    }
    assert!(
        failure(200, &format!(r#"{{"access_token":"{}"}}"#, "a".repeat(20_000)))
            .await
            .for_owner
            .message
            .contains("usable")
    );
}

#[tokio::test]
async fn a_message_quotes_only_the_error_code_of_a_refusal() {
    for error in [SECRET, "Invalid Client", "a1", &"a".repeat(41), "no-dash", "", "tab\\t"] {
        let failure = failure(400, &format!(r#"{{"error":"{error}","error_description":"{SECRET}"}}"#)).await;
        assert!(failure.for_owner.message.ends_with("(HTTP 400)."), "{}", failure.for_owner.message);
    }
    // This secret has the form of an error code.
    let client = OAuth2Client { client_secret: "hunter_two".into(), ..client() };
    let echo = async |_| Ok(response(400, r#"{"error":"hunter_two"}"#));
    let failure = TokenCache::default().token(&client, echo).await.unwrap_err();
    assert!(failure.for_owner.message.ends_with("(HTTP 400)."), "{}", failure.for_owner.message);
}

#[tokio::test]
async fn an_invalid_token_url_is_reported_but_not_shown() {
    for token_url in ["", "nonsense?key=k3y", "ftp://a.example/k3y", "/token"] {
        let client = OAuth2Client { token_url: token_url.to_owned(), ..client() };
        let failure = TokenCache::default().token(&client, async |_| Ok(response(200, TOKEN_REPLY))).await.unwrap_err();
        assert_eq!(failure.reason, FailureReason::BadCredential);
        assert!(failure.for_owner.message.contains("token_url") && !failure.for_owner.full_text().contains("k3y"));
    }
}

#[test]
fn debug_shows_no_secret() {
    let shown = format!("{:?} {:?}", client(), TokenCache::default());
    assert!(shown.contains("id:1") && !shown.contains("s3cret") && !shown.contains("tenant"));
}
