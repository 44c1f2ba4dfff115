//! Credentials, in order of precedence.

use super::{assert_draft, draft, warnings};
use serde_json::json;

fn key(name: &str, value: &str, location: &str) -> serde_json::Value {
    json!({"key_name": name, "key_value": value, "key_location": location})
}

#[test]
fn each_kind_of_credential_is_detected_and_removed_from_the_headers() {
    let none = json!({});
    for (options, auth_type, credentials, headers) in [
        ("-H 'Authorization: Bearer t'", "bearer", json!({"token": "t"}), none.clone()),
        ("-H 'authorization: bEaReR  t '", "bearer", json!({"token": "t"}), none.clone()),
        ("-H 'Authorization: Basic dTpwOnE='", "basic", json!({"username": "u", "password": "p:q"}), none.clone()),
        ("-H 'Authorization: Basic dTpwOnE'", "basic", json!({"username": "u", "password": "p:q"}), none.clone()),
        ("-H 'Authorization: ApiKey k'", "api-key", key("Authorization", "ApiKey k", "header"), none.clone()),
        ("-H 'Authorization: Token token=k'", "api-key", key("Authorization", "Token token=k", "header"), none.clone()),
        ("-H 'Authorization: k'", "api-key", key("Authorization", "k", "header"), none.clone()),
        ("--oauth2-bearer t -u a:b", "bearer", json!({"token": "t"}), none.clone()),
        ("-u a:b:c", "basic", json!({"username": "a", "password": "b:c"}), none.clone()),
        ("-u a", "basic", json!({"username": "a", "password": ""}), none.clone()),
        ("-u :b", "basic", json!({"username": "", "password": "b"}), none.clone()),
        ("-u a:b -H 'Authorization: Bearer t'", "bearer", json!({"token": "t"}), none.clone()),
        ("-H 'X-API-Key: k'", "api-key", key("X-API-Key", "k", "header"), none.clone()),
        ("-H 'my-apikey: k'", "api-key", key("my-apikey", "k", "header"), none.clone()),
        ("-H 'X-API-Key: k' -u a:b", "basic", json!({"username": "a", "password": "b"}), json!({"X-API-Key": "k"})),
        ("-H 'X-API-Key;'", "none", none.clone(), json!({"X-API-Key": ""})),
        ("-H 'X-Auth-Token: k'", "none", none.clone(), json!({"X-Auth-Token": "k"})),
        ("-H 'Authorization: Basic ???'", "none", none.clone(), json!({"Authorization": "Basic ???"})),
        ("-H 'Authorization: Digest a=b'", "none", none.clone(), json!({"Authorization": "Digest a=b"})),
        (
            "-H 'Authorization: AWS4-HMAC-SHA256 C'",
            "none",
            none.clone(),
            json!({"Authorization": "AWS4-HMAC-SHA256 C"}),
        ),
        ("-H 'Authorization: Basic Og=='", "none", none.clone(), json!({"Authorization": "Basic Og=="})),
        ("-u :", "none", none.clone(), none.clone()),
        ("-u a:b --aws-sigv4 aws:amz", "none", none.clone(), none.clone()),
    ] {
        let expected = json!({"auth_type": auth_type, "auth_credentials": credentials, "headers": headers});
        assert_draft(&format!("curl https://e.example/ {options}"), &expected);
    }
}

#[test]
fn credentials_are_removed_from_the_url() {
    for (url, expected_url, auth_type, credentials) in [
        (
            "https://a%40b:p%3Aq@e.example/x",
            "https://e.example/x",
            "basic",
            json!({"username": "a@b", "password": "p:q"}),
        ),
        (
            "https://e.example/?a=1&api_key=k%20k&b=2",
            "https://e.example/?a=1&b=2",
            "api-key",
            key("api_key", "k k", "query"),
        ),
        ("https://:@e.example/x", "https://e.example/x", "none", json!({})),
        ("https://e.example/?ApiKey=k", "https://e.example/", "api-key", key("ApiKey", "k", "query")),
        ("https://e.example/?api_key=a&api_key=b", "https://e.example/?api_key=a&api_key=b", "none", json!({})),
        ("https://e.example/?api_key=%00", "https://e.example/?api_key=%00", "none", json!({})),
        ("https://e.example/?api-key=", "https://e.example/?api-key=", "none", json!({})),
    ] {
        let expected = json!({"endpoint_url": expected_url, "auth_type": auth_type, "auth_credentials": credentials});
        assert_draft(&format!("curl '{url}'"), &expected);
    }
    let with_two_credentials = draft("curl 'https://e.example/?api_key=k' -u a:b");
    assert_eq!(with_two_credentials["auth_type"], "basic");
    assert_eq!(with_two_credentials["endpoint_url"], "https://e.example/?api_key=k");
}

#[test]
fn unsupported_authentication_causes_a_warning() {
    for (options, word) in [
        ("--digest -u a:b", "Basic"),
        ("--ntlm -u a:b", "Basic"),
        ("--negotiate -u a:b", "Basic"),
        ("--anyauth -u a:b", "Basic"),
        ("--aws-sigv4 x -u a:b", "--aws-sigv4"),
        ("-H 'Authorization: Digest x'", "computed"),
        ("-H 'Authorization: OAuth a=b'", "computed"),
        ("-H 'Authorization: Hawk x'", "computed"),
        ("-H 'Authorization: SCRAM-SHA-256 x'", "computed"),
        ("-H 'Authorization: Basic ???'", "not valid Basic"),
        ("-H 'Authorization: Bearer'", "no credentials"),
        ("-H 'Authorization: Bearer <token>'", "placeholder"),
        ("-u '{{user}}:{{password}}'", "placeholder"),
        ("-H 'X-API-Key: YOUR_KEY'", "placeholder"),
    ] {
        let warnings = warnings(&format!("curl e.example {options}"));
        assert!(warnings.len() == 1 && warnings[0].contains(word), "{options}: {warnings:?}");
    }
    assert!(warnings("curl e.example -u a:b -H 'A: <x>'").is_empty());
}
