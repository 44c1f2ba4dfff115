//! Security schemes: one, several together, alternatives, optional.

use serde_json::{Value, json};

use super::{codes, document, import_with, mapping, swagger};
use crate::api::candidate::Candidate;
use crate::api::options::ImportOptions;
use crate::api::report::ApiImport;

fn schemes() -> Value {
    json!({
        "token": {"type": "http", "scheme": "Bearer"},
        "login": {"type": "http", "scheme": "basic"},
        "header_key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "query_key": {"type": "apiKey", "in": "query", "name": "key"},
        "cookie_key": {"type": "apiKey", "in": "cookie", "name": "sid"},
        "client": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "/oauth/token", "scopes": {}}}},
        "code": {"type": "oauth2", "flows": {"authorizationCode": {"authorizationUrl": "https://a", "tokenUrl": "https://b", "scopes": {}}}},
        "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://a"},
        "mtls": {"type": "mutualTLS"},
        "digest": {"type": "http", "scheme": "digest"},
        "My Key!": {"type": "apiKey", "in": "header", "name": "X-My"},
    })
}

fn read(root: &Value, operation: &Value, credentials: &[&str]) -> ApiImport {
    let mut document = document(&json!({"/x": {"get": {}}}));
    document["components"] = json!({"securitySchemes": schemes()});
    if !root.is_null() {
        document["security"] = root.clone();
    }
    if !operation.is_null() {
        document["paths"]["/x"]["get"]["security"] = operation.clone();
    }
    let credentials = credentials.iter().map(|&name| name.to_owned()).collect();
    import_with(&document, &ImportOptions { credentials, ..ImportOptions::default() }).unwrap()
}

fn auth(candidate: &Candidate) -> (&str, Option<&str>, Vec<&'static str>) {
    (candidate.auth_type.as_str(), candidate.credential.as_deref(), codes(candidate))
}

#[test]
fn each_scheme_has_a_type_of_authentication() {
    for (scheme, auth_type, warnings) in [
        ("token", "bearer", vec![]),
        ("login", "basic", vec![]),
        ("header_key", "api-key", vec![]),
        ("query_key", "api-key", vec![]),
        ("cookie_key", "api-key", vec![]),
        ("client", "oauth2", vec![]),
        ("code", "bearer", vec!["oauth2_flow"]),
        ("oidc", "bearer", vec!["oauth2_flow"]),
    ] {
        let import = read(&Value::Null, &json!([{scheme: []}]), &[]);
        assert_eq!(auth(&import.candidates[0]), (auth_type, Some(scheme), warnings), "{scheme}");
    }
    for scheme in ["mtls", "digest", "undefined"] {
        let import = read(&Value::Null, &json!([{scheme: []}]), &[]);
        assert_eq!(auth(&import.candidates[0]), ("none", None, vec!["auth_unsupported"]), "{scheme}");
    }
    let import = read(&Value::Null, &json!([{"My Key!": []}]), &[]);
    assert_eq!(auth(&import.candidates[0]).1, Some("My_Key"));
}

#[test]
fn the_reply_lists_the_members_that_each_credential_needs() {
    let import = read(&Value::Null, &json!([{"client": ["a", "b"]}]), &[]);
    let listed = |name: &str| json!(import.security_schemes.iter().find(|scheme| scheme.name == name).unwrap());
    assert_eq!(listed("token"), json!({"name": "token", "auth_type": "bearer", "needs": ["token"], "supported": true}));
    assert_eq!(
        listed("query_key"),
        json!({"name": "query_key", "auth_type": "api-key", "needs": ["key_value"], "supported": true,
            "auth_credentials": {"key_name": "key", "key_location": "query"}})
    );
    assert_eq!(
        listed("client"),
        json!({"name": "client", "auth_type": "oauth2", "needs": ["client_id", "client_secret"], "supported": true,
            "auth_credentials": {"token_url": "https://api.example.com/oauth/token", "scope": "a b"}})
    );
    assert_eq!(listed("mtls"), json!({"name": "mtls", "auth_type": "none", "needs": [], "supported": false}));
    assert_eq!(listed("My_Key")["schemes"], json!(["My Key!"]));
}

#[test]
fn the_operation_replaces_the_security_of_the_document() {
    let root = json!([{"token": []}]);
    for (operation, expected) in
        [(Value::Null, Some("token")), (json!([{"login": []}]), Some("login")), (json!([]), None), (json!([{}]), None)]
    {
        let import = read(&root, &operation, &[]);
        assert_eq!(import.candidates[0].credential.as_deref(), expected, "{operation}");
    }
}

#[test]
fn the_first_supported_alternative_is_used_unless_the_owner_has_credentials_for_another() {
    for (security, available, expected, warnings) in [
        (json!([{"token": []}, {"login": []}]), &[][..], Some("token"), vec![]),
        (json!([{"mtls": []}, {"login": []}]), &[], Some("login"), vec![]),
        (json!([{"mtls": [], "token": []}, {"login": []}]), &[], Some("login"), vec![]),
        (json!([{"mtls": [], "token": []}]), &[], Some("token"), vec!["auth_unsupported"]),
        (json!([{"token": []}, {"login": []}]), &["login"], Some("login"), vec![]),
        (json!([{}, {"login": []}]), &[], None, vec![]),
        (json!([{"login": []}, {}]), &[], None, vec![]),
        (json!([{}, {"login": []}]), &["login"], Some("login"), vec![]),
        (json!([{"token": [], "header_key": []}, {"login": []}]), &["token"], Some("token_and_header_key"), vec![]),
    ] {
        let import = read(&Value::Null, &security, available);
        let candidate = &import.candidates[0];
        assert_eq!(
            (candidate.credential.as_deref(), codes(candidate)),
            (expected, warnings),
            "{security} {available:?}"
        );
    }
}

#[test]
fn schemes_that_are_used_together_are_keys_of_one_credential() {
    let import = read(&Value::Null, &json!([{"header_key": [], "query_key": []}]), &[]);
    assert_eq!(auth(&import.candidates[0]), ("api-key", Some("header_key_and_query_key"), vec![]));
    let combined = import.security_schemes.last().unwrap();
    assert_eq!(
        json!(combined),
        json!({
            "name": "header_key_and_query_key", "auth_type": "api-key", "needs": ["keys"], "supported": true,
            "auth_credentials": {"keys": [
                {"key_name": "X-Key", "key_location": "header"}, {"key_name": "key", "key_location": "query"},
            ]},
            "schemes": ["header_key", "query_key"],
        })
    );
    for (security, expected) in [
        (json!([{"token": [], "header_key": []}]), ("api-key", Some("token_and_header_key"), vec![])),
        (json!([{"client": [], "header_key": []}]), ("api-key", Some("client_and_header_key"), vec!["oauth2_flow"])),
        (json!([{"token": [], "login": []}]), ("bearer", Some("token"), vec!["auth_unsupported"])),
        (json!([{"code": [], "oidc": []}]), ("bearer", Some("code"), vec!["oauth2_flow"])),
        (json!([{"code": [], "client": []}]), ("oauth2", Some("client"), vec![])),
    ] {
        let import = read(&Value::Null, &security, &[]);
        assert_eq!(auth(&import.candidates[0]), expected, "{security}");
    }
}

#[test]
fn parameters_that_the_credential_sends_are_not_arguments() {
    let mut document = document(&json!({"/x": {"get": {
        "security": [{"query_key": []}],
        "parameters": [
            {"name": "key", "in": "query", "required": true, "schema": {"type": "string"}},
            {"name": "key", "in": "header", "schema": {"type": "string"}},
        ],
    }}}));
    document["components"] = json!({"securitySchemes": schemes()});
    let candidate = super::only_candidate(&document);
    assert_eq!(mapping(&candidate), json!({"key": {"location": "header"}}));
    assert_eq!(codes(&candidate), ["credential_parameter"]);
}

#[test]
fn swagger_has_its_own_schemes() {
    for (scheme, auth_type) in [
        (json!({"type": "basic"}), "basic"),
        (json!({"type": "apiKey", "in": "header", "name": "X"}), "api-key"),
        (json!({"type": "oauth2", "flow": "application", "tokenUrl": "https://a.example/t"}), "oauth2"),
        (json!({"type": "oauth2", "flow": "implicit", "authorizationUrl": "https://a.example/t"}), "bearer"),
    ] {
        let mut document = swagger(&json!({"/x": {"get": {"security": [{"s": []}]}}}));
        document["securityDefinitions"] = json!({"s": scheme});
        assert_eq!(super::only_candidate(&document).auth_type.as_str(), auth_type, "{scheme}");
    }
}
