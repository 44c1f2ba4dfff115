use super::*;

/// For a request with this `auth`: the type of authentication, the missing members, the credentials, and the codes of
/// the warnings.
fn credential(auth: &Value) -> (String, Vec<&'static str>, Value, Vec<String>) {
    let import = read(&json!({
        "variable": [{"key": "known", "value": "v"}],
        "item": [{"name": "A", "request": {"url": "https://a.example/x", "auth": auth}}],
    }));
    let tool = &import.candidates[0];
    let codes = codes(tool).into_iter().map(str::to_owned).collect();
    assert_eq!(tool.credential.is_some(), !import.credentials.is_empty());
    let text = serde_json::to_string(&import).unwrap();
    assert!(!text.contains("s3cret"), "{text}");
    match import.credentials.first() {
        Some(credential) => {
            assert_eq!(tool.credential.as_ref(), Some(&credential.name));
            let auth_type = tool.auth_type.as_str().to_owned();
            (auth_type, credential.needs.clone(), credential.auth_credentials.to_value(), codes)
        }
        None => (tool.auth_type.as_str().to_owned(), Vec::new(), json!({}), codes),
    }
}

fn list(kind: &str, members: &[(&str, &str)]) -> Value {
    let members: Vec<Value> =
        members.iter().map(|(key, value)| json!({"key": key, "value": value, "type": "string"})).collect();
    json!({"type": kind, kind: members})
}

fn check(auth: &Value, auth_type: &str, needs: Vec<&'static str>, expected: Value, codes: Vec<&str>) {
    let codes: Vec<String> = codes.into_iter().map(str::to_owned).collect();
    assert_eq!(credential(auth), (auth_type.to_owned(), needs, expected, codes), "{auth}");
}

#[test]
fn each_kind_of_authentication_becomes_a_credential() {
    for (auth, auth_type, needs, expected, codes) in [
        (list("bearer", &[("token", "s3cret")]), "bearer", vec![], json!({"token": "s3cret"}), vec![]),
        (
            json!({"type": "bearer", "bearer": {"token": "s3cret"}}),
            "bearer",
            vec![],
            json!({"token": "s3cret"}),
            vec![],
        ),
        (list("bearer", &[("token", "{{known}}")]), "bearer", vec![], json!({"token": "v"}), vec![]),
        (list("bearer", &[("token", "{{none}}")]), "bearer", vec!["token"], json!({}), vec![]),
        (
            list("basic", &[("username", "u"), ("password", "s3cret")]),
            "basic",
            vec![],
            json!({"username": "u", "password": "s3cret"}),
            vec![],
        ),
        (list("basic", &[("username", "u")]), "basic", vec![], json!({"username": "u", "password": ""}), vec![]),
        (
            list("basic", &[("username", "u"), ("password", "{{none}}")]),
            "basic",
            vec!["password"],
            json!({"username": "u"}),
            vec![],
        ),
        (list("basic", &[]), "basic", vec!["username", "password"], json!({}), vec![]),
        (
            list("apikey", &[("key", "X-Key"), ("value", "s3cret"), ("in", "header")]),
            "api-key",
            vec![],
            json!({"key_name": "X-Key", "key_location": "header", "key_value": "s3cret"}),
            vec![],
        ),
        (
            list("apikey", &[("key", "k"), ("value", "{{none}}"), ("in", "query")]),
            "api-key",
            vec!["key_value"],
            json!({"key_name": "k", "key_location": "query"}),
            vec![],
        ),
    ] {
        check(&auth, auth_type, needs, expected, codes);
    }
}

#[test]
fn oauth2_becomes_client_credentials_or_a_token() {
    let oauth2 = |more: &[(&str, &str)]| list("oauth2", &[&[("accessToken", "s3cret")], more].concat());
    for (auth, auth_type, needs, expected, codes) in [
        (list("apikey", &[("value", "s3cret")]), "none", vec![], json!({}), vec!["auth_unsupported"]),
        (
            list(
                "oauth2",
                &[
                    ("grant_type", "client_credentials"),
                    ("accessTokenUrl", "https://a.example/token"),
                    ("clientId", "id"),
                    ("clientSecret", "s3cret"),
                    ("scope", "read"),
                ],
            ),
            "oauth2",
            vec![],
            json!({"token_url": "https://a.example/token", "client_id": "id", "client_secret": "s3cret", "scope": "read"}),
            vec![],
        ),
        (
            list("oauth2", &[("grant_type", "client_credentials")]),
            "oauth2",
            vec!["token_url", "client_id", "client_secret"],
            json!({}),
            vec![],
        ),
        (
            oauth2(&[("grant_type", "authorization_code")]),
            "bearer",
            vec![],
            json!({"token": "s3cret"}),
            vec!["oauth2_flow"],
        ),
        (
            oauth2(&[("addTokenTo", "queryParams")]),
            "api-key",
            vec![],
            json!({"key_name": "access_token", "key_location": "query", "key_value": "s3cret"}),
            vec!["oauth2_flow"],
        ),
        (
            oauth2(&[("headerPrefix", "Token")]),
            "api-key",
            vec![],
            json!({"key_name": "Authorization", "key_location": "header", "key_value": "Token s3cret"}),
            vec!["oauth2_flow"],
        ),
        (json!({"type": "noauth"}), "none", vec![], json!({}), vec![]),
    ] {
        check(&auth, auth_type, needs, expected, codes);
    }
}

#[test]
fn other_kinds_of_authentication_are_not_supported() {
    for kind in ["digest", "awsv4", "hawk", "ntlm", "edgegrid", "oauth1", "jwt", "asap"] {
        let (auth_type, _, _, codes) = credential(&list(kind, &[("secret", "s3cret")]));
        assert_eq!((auth_type.as_str(), codes.as_slice()), ("none", &["auth_unsupported".to_owned()][..]), "{kind}");
    }
}

#[test]
fn authentication_is_inherited_from_the_nearest_folder() {
    let bearer = |token: &str| list("bearer", &[("token", token)]);
    let item = |name: &str, auth: Value| json!({"name": name, "request": {"url": "https://a.example/x", "auth": auth}});
    let import = read(&json!({"auth": bearer("all"), "item": [
        item("collection", Value::Null),
        {"name": "F", "auth": bearer("folder"), "item": [item("folder", Value::Null), item("own", bearer("own"))]},
        {"name": "G", "auth": {"type": "noauth"}, "item": [item("none", Value::Null)]},
        {"name": "H", "item": [item("again", Value::Null), item("off", json!({"type": "noauth"}))]},
    ]}));
    let names: Vec<_> = import.candidates.iter().map(|tool| tool.credential.as_deref()).collect();
    assert_eq!(names, [Some("bearer"), Some("bearer_2"), Some("bearer_3"), None, Some("bearer"), None]);
    let tokens: Vec<_> =
        import.credentials.iter().map(|credential| credential.auth_credentials.to_value()["token"].clone()).collect();
    assert_eq!(tokens, ["all", "folder", "own"]);
    assert_eq!(import.security_schemes.len(), 3);
}

#[test]
fn the_authentication_replaces_a_header_of_the_same_name() {
    let tool = tool(json!({
        "url": "https://a.example/x",
        "auth": list("bearer", &[("token", "t")]),
        "header": [{"key": "authorization", "value": "other"}],
    }));
    assert_eq!((tool.auth_type.as_str(), tool.headers.len()), ("bearer", 0));
}

#[test]
fn user_and_password_in_the_url_are_a_credential() {
    let tool = tool(json!({"url": "https://u:p@a.example/x"}));
    assert_eq!((tool.auth_type.as_str(), tool.endpoint_url.as_str()), ("basic", "https://a.example/x"));
}

#[test]
fn a_credential_that_cannot_be_combined_is_left_out_with_a_warning() {
    let tool = tool(json!({
        "url": "https://a.example/x",
        "auth": list("oauth2", &[("grant_type", "client_credentials")]),
        "header": [{"key": "X-Api-Key", "value": "s3cret"}],
    }));
    assert_eq!((tool.auth_type.as_str(), codes(&tool)), ("oauth2", vec!["credential_left_out"]));
    assert!(!tool.warnings[0].message.contains("s3cret"));
}
