//! Tests of the URLs and contents of metadata documents.

use std::sync::Arc;

use serde_json::json;
use toolgate_auth::TrustedProxies;
use toolgate_domain::audit::Actor;
use toolgate_domain::time::{DAY_MS, SystemClock};
use toolgate_storage::{EncryptionKey, KeySource, Keyring, KeyringError, OAuthClientStore as _, SqlStorage};

use super::*;
use crate::context::IssuerConfig;

const URL: &str = "https://app.example/oauth/client.json";

#[test]
fn only_canonical_https_urls_with_a_path_are_ids() {
    for good in [URL, "https://app.example:8443/c", "https://127.0.0.1/c", "https://app.example/a%20b/"] {
        assert!(check_url(good).is_ok(), "{good}");
    }
    for bad in [
        "http://app.example/c",
        "https://app.example",
        "https://app.example/",
        "https://app.example/c?",
        "https://app.example/c?a=1",
        "https://app.example/c#",
        "https://app.example/c#x",
        "https://user@app.example/c",
        "https://user:password@app.example/c",
        "https://@app.example/c",
        "https://app.example/a/../c",
        "https://app.example/./c",
        "https://app.example/a/%2e%2e/c",
        "https://app.example/%2E/c",
        "https://app.example:443/c",
        "https://APP.example/c",
        "HTTPS://app.example/c",
        "https:/app.example/c",
        "https:app.example/c",
        "https://app.example\\c",
        " https://app.example/c",
        "https://app.example/c\n",
        "https://app.example/a b",
        "https://0x7f000001/c",
        "https://127.1/c",
        "ftp://app.example/c",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "",
    ] {
        assert!(check_url(bad).is_err(), "{bad}");
    }
    assert!(check_url(&format!("https://app.example/{}", "a".repeat(2048))).is_err());
}

#[test]
fn ids_that_are_urls_are_distinguished_from_registered_ones() {
    assert!(is_document_id(URL) && is_document_id("http://x") && !is_document_id("tgx_AbC-_1"));
}

#[test]
fn a_document_describes_a_client_without_a_secret() {
    let document = json!({
        "client_id": URL,
        "client_name": "App",
        "redirect_uris": ["http://localhost/callback"],
        "token_endpoint_auth_method": "none",
        "logo_uri": "http://169.254.169.254/",
    });
    let client = parse(document.to_string().as_bytes(), URL, &[]).unwrap();
    assert_eq!((client.client_id.as_str(), client.kind), (URL, ClientKind::MetadataDocument));
    assert_eq!((client.name.as_str(), client.auth_method), ("App", ClientAuthMethod::None));
    assert!(client.secret_hash.is_none());
}

#[test]
fn documents_that_describe_another_client_or_none_are_refused() {
    let good = json!({"client_id": URL, "client_name": "App", "redirect_uris": ["https://app.example/cb"]});
    assert!(parse(good.to_string().as_bytes(), URL, &[]).is_ok());
    for (name, value) in [
        ("client_id", json!("https://app.example/oauth/other.json")),
        ("client_id", json!("https://app.example/oauth/client.json/")),
        ("client_id", json!("HTTPS://app.example/oauth/client.json")),
        ("client_id", Value::Null),
        ("client_name", Value::Null),
        ("client_name", json!("")),
        ("client_name", json!("x".repeat(10_000))),
        ("client_name", json!("a\u{202e}b")),
        ("redirect_uris", json!([])),
        ("redirect_uris", json!(["javascript:alert(1)"])),
        ("redirect_uris", Value::Null),
        ("client_secret", json!("x")),
        ("client_secret_expires_at", json!(0)),
        ("token_endpoint_auth_method", json!("client_secret_post")),
        ("token_endpoint_auth_method", json!("private_key_jwt")),
        ("token_endpoint_auth_method", json!(1)),
    ] {
        let mut document = good.clone();
        document[name] = value.clone();
        assert!(parse(document.to_string().as_bytes(), URL, &[]).is_err(), "{name}: {value}");
    }
    for body in ["", "[]", "\"x\"", "{", "<html>"] {
        assert!(parse(body.as_bytes(), URL, &[]).is_err(), "{body}");
    }
}

#[derive(Debug)]
struct FixedKey;

impl KeySource for FixedKey {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(&EncryptionKey::new([1; 32]).to_text())
    }
}

/// A host that does not respond: port 1 of loopback is closed.
#[tokio::test]
async fn the_stored_copy_is_used_for_seven_days_if_the_document_cannot_be_fetched() {
    const CLOSED: &str = "https://127.0.0.1:1/client.json";
    let now = Timestamp::from_millis(1_790_000_000_000);
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
    let storage = Arc::new(SqlStorage::open(&url, Arc::new(FixedKey), now).await.unwrap());
    let config = IssuerConfig {
        issuer: Some("http://127.0.0.1:8080".to_owned()),
        is_loopback: true,
        is_registration_open: true,
        redirect_schemes: Vec::new(),
        trusted_proxies: TrustedProxies::default(),
        openid: None,
    };
    let context = IssuerContext::new(config, Arc::<SqlStorage>::clone(&storage), Arc::new(SystemClock));
    let unknown = resolve(&context, CLOSED, now).await;
    assert!(matches!(unknown, Err(ClientDocumentError::Fetch(_))), "{unknown:?}");
    let document = json!({"client_id": CLOSED, "client_name": "App", "redirect_uris": ["https://app.example/cb"]});
    let client = parse(document.to_string().as_bytes(), CLOSED, &[]).unwrap();
    let stored = storage.save_client_document(client, now).await.unwrap();
    for (age_ms, is_used) in [(0, true), (7 * DAY_MS - 1, true), (7 * DAY_MS, false)] {
        let resolved = resolve(&context, CLOSED, now.plus_millis(age_ms)).await;
        assert_eq!(resolved.is_ok_and(|client| client.id == stored.id), is_used, "{age_ms}");
    }
    // A blocked client needs no document to be refused.
    storage.set_client_status(&Actor::service(now), stored.id, ClientStatus::Blocked).await.unwrap();
    let blocked = resolve(&context, CLOSED, now.plus_millis(30 * DAY_MS)).await.unwrap();
    assert_eq!(blocked.status, ClientStatus::Blocked);
}
