//! Tests of the URLs and contents of metadata documents.

use serde_json::json;

use super::*;

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
