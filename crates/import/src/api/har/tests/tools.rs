use super::*;

#[test]
fn requests_for_one_endpoint_are_one_tool() {
    let post = |id: u32, name: &str| {
        let url = format!("https://api.example.com/v1/users/{id}/orders?notify=true&page={id}");
        let text = format!("{{\"item\": \"{name}\", \"unit\": \"box\"}}");
        with_body(entry("POST", &url), "application/json", &text)
    };
    let import = read(&[post(1, "tea"), entry("GET", "https://api.example.com/v1/users/me"), post(2, "milk")]);
    assert_eq!((import.format, import.version.as_str(), import.info.title.as_str()), ("har", "1.2", "Page"));
    assert_eq!(import.candidates.len(), 2);
    let tool = &import.candidates[0];
    assert_eq!(tool.name, "create_user_order");
    assert_eq!(tool.operation, "POST /v1/users/{user_id}/orders");
    assert_eq!(tool.endpoint_url, "https://api.example.com/v1/users/{user_id}/orders?notify=true");
    assert_eq!(tool.pointer.to_string(), "#/log/entries/0");
    assert_eq!((tool.body_type.as_str(), tool.body_required), ("json", true));
    assert_eq!(
        tool.parameter_mapping.to_value(),
        json!({
            "user_id": {"location": "path"},
            "page": {"location": "query"},
            "item": {"location": "body"},
            "unit": {"location": "body", "value": "box"},
        })
    );
    let other = &import.candidates[1];
    assert_eq!((other.body_required, other.operation.as_str()), (false, "GET /v1/users/me"));
    assert_eq!(other.annotations.to_value()["readOnlyHint"], true);
    assert!(tool.tags.is_empty());
}

#[test]
fn headers_of_browsers_are_left_out() {
    let headers = [
        (":authority", "api.example.com"),
        (":method", "GET"),
        ("sec-fetch-mode", "cors"),
        ("User-Agent", "Mozilla"),
        ("Referer", "https://example.com/s3cret"),
        ("Origin", "https://example.com"),
        ("Accept-Language", "de"),
        ("Accept-Encoding", "gzip"),
        ("Cache-Control", "no-cache"),
        ("Host", "api.example.com"),
        ("Content-Length", "3"),
        ("Accept", "*/*"),
        ("X-Requested-With", "XMLHttpRequest"),
        ("x-page", "1"),
        ("X-Page", "2"),
    ];
    let import = read(&[with_headers(entry("GET", "https://api.example.com/x"), &headers)]);
    let tool = &import.candidates[0];
    let sent: Vec<_> = tool.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(sent, ["X-Requested-With: XMLHttpRequest", "x-page: 1, 2"]);
    assert!(tool.warnings.is_empty(), "{:?}", tool.warnings);
    assert!(!serde_json::to_string(&import).unwrap().contains("s3cret"));
}

#[test]
fn the_headers_of_a_session_become_one_credential_with_a_warning() {
    let get = |path: &str, headers: &[(&str, &str)]| {
        with_headers(entry("GET", &format!("https://api.example.com/{path}")), headers)
    };
    let session = |value| [("Cookie", value), ("Authorization", "Bearer s3cret-token")];
    let import = read(&[
        get("a", &session("_ga=1; sid=s3cret-old")),
        get("b", &session("sid=s3cret-new")),
        get("c", &[("Authorization", "Bearer s3cret-token")]),
        get("d", &[("X-CSRF-Token", "s3cret-csrf")]),
        get("e", &[]),
        get("f", &[("Authorization", "Digest username=\"s3cret\"")]),
    ]);
    let text = serde_json::to_string(&import).unwrap();
    assert!(!text.contains("s3cret"), "{text}");
    let used: Vec<_> = import.candidates.iter().map(|tool| tool.credential.as_deref()).collect();
    let (first, second, third) = ("example_session", "example_session_2", "example_session_3");
    assert_eq!(used, [Some(first), Some(first), Some(second), Some(third), None, None]);
    let stored: Vec<_> = import.credentials.iter().map(|credential| credential.auth_credentials.to_value()).collect();
    assert_eq!(
        stored,
        [
            json!({"keys": [
                {"key_name": "Cookie", "key_location": "header", "key_value": "sid=s3cret-new"},
                {"key_name": "Authorization", "key_location": "header", "key_value": "Bearer s3cret-token"},
            ]}),
            json!({"token": "s3cret-token"}),
            json!({"key_name": "X-CSRF-Token", "key_location": "header", "key_value": "s3cret-csrf"}),
        ]
    );
    assert!(import.credentials.iter().all(|credential| credential.needs.is_empty()));
    assert_eq!(codes(&import.candidates[0]), ["session_credential"]);
    assert!(import.candidates[0].warnings[0].message.contains("Cookie, Authorization"));
    assert_eq!(codes(&import.candidates[5]), ["auth_unsupported"]);
    assert!(import.candidates.iter().all(|tool| tool.headers.is_empty()));
}

#[test]
fn values_of_secret_headers_and_parameters_are_not_part_of_the_reply() {
    let names =
        ["X-Session-Id", "X-Auth", "X-JWT", "X-Bearer", "X-CSRF", "Sid", "X-Passphrase", "X-OTP", "X-Signature"];
    for name in names {
        let import = read(&[with_headers(entry("GET", "https://a.example/x"), &[(name, "s3cret"), ("X-Page", "1")])]);
        assert!(!serde_json::to_string(&import).unwrap().contains("s3cret"), "{name}");
        assert_eq!(
            import.credentials[0].auth_credentials.to_value(),
            json!({"key_name": name, "key_location": "header", "key_value": "s3cret"})
        );
        assert_eq!(import.candidates[0].headers.keys().collect::<Vec<_>>(), ["X-Page"]);
    }
    let tokens = [("X-Any", "ghp_s3cret"), ("X-Other", "Bearer eyJs3cret")];
    let with_tokens = with_headers(entry("GET", "https://a.example/x?page=1&ticket=s3cret"), &tokens);
    let import = read(&[with_tokens.clone(), with_tokens]);
    assert!(!serde_json::to_string(&import).unwrap().contains("s3cret"));
    assert_eq!(import.candidates[0].endpoint_url, "https://a.example/x?page=1");
    for parameter in ["code", "ticket", "hmac", "sig", "session_id"] {
        let request = entry("GET", &format!("https://a.example/x?{parameter}=s3cret"));
        for requests in [vec![request.clone()], vec![request.clone(), request.clone()]] {
            let text = serde_json::to_string(&read(&requests)).unwrap();
            assert!(!text.contains("s3cret"), "{parameter}: {text}");
        }
    }
}

#[test]
fn secret_headers_beyond_the_maximum_number_of_keys_are_left_out_with_a_warning() {
    let names: Vec<String> = (0..9).map(|index| format!("X-Token-{index}")).collect();
    let headers: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "s3cret")).collect();
    let import = read(&[with_headers(entry("GET", "https://a.example/x"), &headers)]);
    assert_eq!(codes(&import.candidates[0]), ["credential_left_out", "session_credential"]);
}

#[test]
fn basic_authentication_listed_cookies_and_keys_in_the_url_are_credentials() {
    let basic = with_headers(entry("GET", "https://a.example/x"), &[("authorization", "Basic dTpw")]);
    let mut cookies = entry("GET", "https://a.example/y");
    cookies["request"]["cookies"] = json!([{"name": "sid", "value": "1"}, {"name": "_ga", "value": "2"}]);
    let key = with_headers(entry("GET", "https://a.example/z?api_key=k1&q=a"), &[("Cookie", "sid=1")]);
    let import = read(&[basic, cookies, key]);
    let stored: Vec<_> = import.credentials.iter().map(|credential| credential.auth_credentials.to_value()).collect();
    assert_eq!(
        stored,
        [
            json!({"username": "u", "password": "p"}),
            json!({"key_name": "Cookie", "key_location": "header", "key_value": "sid=1"}),
            json!({"keys": [
                {"key_name": "Cookie", "key_location": "header", "key_value": "sid=1"},
                {"key_name": "api_key", "key_location": "query", "key_value": "k1"},
            ]}),
        ]
    );
    assert_eq!(import.candidates[2].parameter_mapping.to_value(), json!({"q": {"location": "query"}}));
}

#[test]
fn the_text_of_a_body_takes_precedence_over_its_parameters() {
    let mut both = with_body(entry("POST", "https://a.example/a"), "application/x-www-form-urlencoded", "x=1");
    both["request"]["postData"]["params"] = json!([{"name": "y", "value": "2"}]);
    let mut params = with_body(entry("POST", "https://a.example/b"), "application/x-www-form-urlencoded", "");
    params["request"]["postData"]["params"] = json!([{"name": "y", "value": "2"}, {"name": "y", "value": "3"}]);
    let mut multipart = with_body(entry("POST", "https://a.example/c"), "multipart/form-data; boundary=b", "");
    multipart["request"]["postData"]["params"] = json!([{"name": "z", "value": "2"}]);
    let import = read(&[both, params, multipart]);
    let found: Vec<_> = import
        .candidates
        .iter()
        .map(|tool| {
            let names: Vec<String> = tool.parameter_mapping.members().into_keys().collect();
            (tool.body_type.as_str(), names.join(","))
        })
        .collect();
    assert_eq!(found, [("form", "x".to_owned()), ("form", "y".to_owned()), ("multipart", "z".to_owned())]);
}

#[test]
fn secrets_in_bodies_and_queries_are_not_part_of_the_reply() {
    let login = with_body(
        entry("POST", "https://a.example/login?state=abcdefgh12345678"),
        "application/json",
        r#"{"user": "ann", "password": "s3cret", "otp": "123456s3cret"}"#,
    );
    let import = read(&[login.clone(), login]);
    let text = serde_json::to_string(&import).unwrap();
    assert!(!text.contains("s3cret"), "{text}");
}

#[test]
fn braces_in_a_url_are_literal() {
    let import = read(&[entry("GET", "https://a.example/x/{id}?f={a}")]);
    let tool = &import.candidates[0];
    assert!(tool.endpoint_url.starts_with("https://a.example/x/%7Bid%7D"), "{}", tool.endpoint_url);
}

#[test]
fn a_listed_query_string_and_the_option_base_url_are_used() {
    let mut apart = entry("GET", "https://a.example/x");
    apart["request"]["queryString"] = json!([{"name": "q", "value": "a b"}]);
    let log = json!({"log": {"entries": [apart]}});
    let options = ImportOptions { base_url: Some("https://b.example/v1/".to_owned()), ..ImportOptions::default() };
    let import = api::read(log.to_string().as_bytes(), &options).unwrap();
    assert_eq!(import.candidates[0].endpoint_url, "https://b.example/v1/x");
    assert_eq!(import.candidates[0].parameter_mapping.to_value(), json!({"q": {"location": "query"}}));
}
