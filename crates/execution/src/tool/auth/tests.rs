//! Tests of the credentials in requests, for each authentication type.

use toolgate_domain::secrets::Secrets;

use super::*;
use crate::egress::message::OutboundRequest;
use crate::tool::CompiledTool;
use crate::tool::tests::{TestTool, body_text, call};

const SECRET: &str = "s3cr3t&=/ é";
const SECRET_KEY: &str = "k3y/1";

fn tool() -> TestTool {
    TestTool::new("GET", "https://a.example/?api_key=old&b=1").arguments(&["api_key", "X-Api-Key"])
}

fn api_key(key_name: &str, key_location: KeyLocation) -> Credentials {
    Credentials::ApiKey { key_name: key_name.to_owned(), key_value: SECRET.into(), key_location }
}

fn every_credential_type() -> Vec<Credentials> {
    vec![
        Credentials::Bearer { token: SECRET.into() },
        Credentials::Basic { username: "user".to_owned(), password: SECRET.into() },
        api_key("X-Api-Key", KeyLocation::Header),
        api_key("api_key", KeyLocation::Query),
        Credentials::OAuth2 {
            token_url: "https://a.example/token".to_owned(),
            client_id: "client".to_owned(),
            client_secret: SECRET.into(),
            scope: None,
        },
    ]
}

/// Everything in a request, sensitive values included.
fn visible_text(request: &OutboundRequest) -> String {
    let headers =
        request.headers.iter().map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())));
    format!("{} {} {}", request.uri, headers.collect::<Vec<_>>().join("\n"), body_text(request))
}

#[test]
fn credentials_are_placed_according_to_their_type() {
    let header = |credentials, name: &str| {
        let request = tool().credentials(credentials).call("{}").unwrap();
        assert_eq!(request.uri, "https://a.example/?api_key=old&b=1");
        assert!(request.headers[name].is_sensitive());
        assert_eq!(request.headers.len(), 1);
        String::from_utf8(request.headers[name].as_bytes().to_vec()).unwrap()
    };
    assert_eq!(header(Credentials::Bearer { token: "t".into() }, "authorization"), "Bearer t");
    let basic = Credentials::Basic { username: "Aladdin".to_owned(), password: "open sesame".into() };
    assert_eq!(header(basic, "authorization"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    let no_user = Credentials::Basic { username: String::new(), password: "TOKEN".into() };
    assert_eq!(header(no_user, "authorization"), "Basic OlRPS0VO");
    assert_eq!(header(api_key("X-Api-Key", KeyLocation::Header), "x-api-key"), SECRET);
    assert_eq!(header(api_key("Authorization", KeyLocation::Header), "authorization"), SECRET);
}

#[test]
fn an_api_key_in_the_query_replaces_pairs_of_its_name() {
    let keyed = tool().credentials(api_key("api_key", KeyLocation::Query));
    for arguments in ["{}", r#"{"api_key":"mine"}"#] {
        let request = keyed.call(arguments).unwrap();
        assert_eq!(request.uri, "https://a.example/?b=1&api_key=s3cr3t%26%3D%2F%20%C3%A9");
    }
}

#[test]
fn keys_are_sent_together_with_the_other_credentials() {
    let keys = || {
        [
            ("X-App", KeyLocation::Header),
            ("b", KeyLocation::Query),
            ("key", KeyLocation::Path),
            ("sid", KeyLocation::Cookie),
        ]
        .map(|(name, location)| UpstreamKey { name: name.to_owned(), value: SECRET_KEY.into(), location })
        .into()
    };
    let token = SecretString::from("fetched");
    for main in every_credential_type() {
        if main.auth_type() == AuthType::ApiKey {
            continue;
        }
        let is_oauth2 = main.auth_type() == AuthType::OAuth2;
        let credentials = Credentials::WithKeys { main: Box::new(main.clone()), keys: keys() };
        let tool = TestTool::new("GET", "https://a.example/{key}").credentials(credentials).compile();
        let request = call(&tool, "{}", CredentialUse::Token(&token)).unwrap();
        let alone = call(&self::tool().credentials(main).compile(), "{}", CredentialUse::Token(&token)).unwrap();
        assert_eq!(request.headers["authorization"], alone.headers["authorization"]);
        assert_eq!(request.uri, "https://a.example/k3y%2F1?b=k3y%2F1");
        assert_eq!(
            (&request.headers["x-app"], &request.headers["cookie"]),
            (&SECRET_KEY.parse().unwrap(), &"sid=k3y/1".parse().unwrap())
        );
        assert!(request.headers.values().all(HeaderValue::is_sensitive));
        let shown = visible_text(&call(&tool, "{}", CredentialUse::Masked).unwrap());
        assert!(!shown.contains("k3y") && !shown.contains("s3cr3t"), "{shown}");
        assert_eq!(call(&tool, "{}", CredentialUse::Stored).is_err(), is_oauth2, "no token, no request");
    }
}

#[test]
fn a_token_is_used_only_by_oauth2_tools() {
    let token = SecretString::from("fetched");
    for credentials in every_credential_type() {
        let is_oauth2 = credentials.auth_type() == AuthType::OAuth2;
        let tool = tool().credentials(credentials).compile();
        let request = call(&tool, "{}", CredentialUse::Token(&token)).unwrap();
        assert_eq!(visible_text(&request).contains("Bearer fetched"), is_oauth2);
        assert_eq!(call(&tool, "{}", CredentialUse::Stored).is_ok(), !is_oauth2);
        assert_eq!(matches!(tool.auth, Auth::OAuth2 { .. }), is_oauth2);
    }
    let without_auth = tool().compile();
    assert!(matches!(without_auth.auth, Auth::None));
    assert!(!visible_text(&call(&without_auth, "{}", CredentialUse::Token(&token)).unwrap()).contains("fetched"));
    let oauth2 = tool().credentials(every_credential_type().pop().unwrap()).compile();
    let broken = SecretString::from("a\r\nb");
    assert_eq!(call(&oauth2, "{}", CredentialUse::Token(&broken)).unwrap_err(), credential_unavailable());
}

#[test]
fn a_tool_without_its_credential_sends_nothing() {
    let assert_unavailable = |tool: &CompiledTool| {
        assert!(matches!(tool.auth, Auth::Unavailable));
        for credential in [CredentialUse::Stored, CredentialUse::Token(&"t".into()), CredentialUse::Masked] {
            let failure = call(tool, "{}", credential).unwrap_err();
            assert_eq!(failure.reason, FailureReason::BadCredential);
            assert!(failure.for_owner.message.starts_with("Credential unavailable"));
        }
    };
    for auth_type in [AuthType::Bearer, AuthType::Basic, AuthType::ApiKey, AuthType::OAuth2] {
        let mut tool = tool();
        tool.spec.auth_type = auth_type;
        assert_unavailable(&tool.compile());
        tool = tool.credentials(Credentials::Bearer { token: "t".into() });
        tool.spec.auth_type = if auth_type == AuthType::Bearer { AuthType::Basic } else { auth_type };
        assert_unavailable(&tool.compile());
    }
    assert_unavailable(&CompiledTool::compile(&tool().tool(), Err(CredentialUnavailable)).unwrap());
    assert_unavailable(&tool().header("Cookie", MASK).compile());
    assert_unavailable(&tool().credentials(api_key("Host", KeyLocation::Header)).compile());
    assert_unavailable(&tool().credentials(Credentials::Bearer { token: "a\nb".into() }).compile());
}

#[test]
fn a_masked_request_shows_everything_except_secrets() {
    let secret_parts = ["s3cr3t", "czNjcjN0", "sid=5"];
    for credentials in every_credential_type() {
        let tool = tool().secret_header("Cookie", "sid=5").credentials(credentials).compile();
        let shown = visible_text(&call(&tool, "{}", CredentialUse::Masked).unwrap());
        assert!(shown.contains(&format!("cookie: {MASK}")), "{shown}");
        assert_eq!(shown.matches(MASK).count(), 2, "{shown}");
        assert!(secret_parts.iter().all(|secret| !shown.contains(secret)), "{shown}");
        let debugged = format!("{tool:?}");
        assert!(secret_parts.iter().all(|secret| !debugged.contains(secret)), "{debugged}");
    }
    let basic = tool().credentials(every_credential_type().remove(1)).compile();
    assert!(
        visible_text(&call(&basic, "{}", CredentialUse::Masked).unwrap()).contains("authorization: Basic ********")
    );
    let query = tool().credentials(api_key("k y", KeyLocation::Query)).compile();
    let shown = call(&query, "{}", CredentialUse::Masked).unwrap();
    assert_eq!(shown.uri, "https://a.example/?api_key=old&b=1&k%20y=********");
}

#[test]
fn the_oauth2_client_is_available_from_the_tool() {
    let tool = tool().credentials(every_credential_type().pop().unwrap()).compile();
    let Auth::OAuth2 { client, .. } = &tool.auth else { panic!("the tool has no OAuth 2 client: {:?}", tool.auth) };
    assert_eq!((client.token_url.as_str(), client.client_id.as_str()), ("https://a.example/token", "client"));
    assert_eq!(client.client_secret.expose_secret(), SECRET);
    assert_eq!(client.scope, None);
    assert!(Secrets::default().is_empty());
}

#[test]
fn several_keys_are_sent_together_and_masked_together() {
    let key = |name: &str, location| UpstreamKey { name: name.to_owned(), value: SECRET_KEY.into(), location };
    let keys = vec![
        key("X-Key", KeyLocation::Header),
        key("api_key", KeyLocation::Query),
        key("q2", KeyLocation::Query),
        key("token", KeyLocation::Path),
        key("sid", KeyLocation::Cookie),
        key("theme", KeyLocation::Cookie),
    ];
    let tool = TestTool::new("GET", "https://a.example/bot{token}/{id}?api_key=old&b=1")
        .arguments(&["id"])
        .secret_header("Cookie", "theme=light; lang=en")
        .credentials(Credentials::ApiKeys(keys))
        .compile();
    let request = call(&tool, r#"{"id":5,"token":"mine"}"#, CredentialUse::Stored).unwrap();
    assert_eq!(request.uri, "https://a.example/botk3y%2F1/5?b=1&api_key=k3y%2F1&q2=k3y%2F1");
    assert_eq!(request.headers["x-key"], SECRET_KEY);
    assert_eq!(request.headers["cookie"], "lang=en; sid=k3y/1; theme=k3y/1");
    assert!(request.headers.values().all(HeaderValue::is_sensitive));
    let masked = call(&tool, r#"{"id":5}"#, CredentialUse::Masked).unwrap();
    assert_eq!(masked.uri, "https://a.example/bot********/5?b=1&api_key=********&q2=********");
    assert!(masked.headers.values().all(|value| value == MASK));
    assert!(!format!("{tool:?}").contains(SECRET_KEY));
    let repeated = format!("/bot{0}/5 {SECRET_KEY}", SECRET_KEY.replace('/', "%2F"));
    assert_eq!(tool.mask_stored_secrets(&repeated, &[]), "/bot********/5 ********");
}

#[test]
fn a_key_without_its_placeholder_in_the_path_is_unavailable() {
    for url in ["https://a.example/x", "https://a.example/?t={token}", "https://a.example/{token}/../x"] {
        let tool = TestTool::new("GET", url).credentials(api_key("token", KeyLocation::Path)).compile();
        assert!(matches!(tool.auth, Auth::Unavailable), "{url}");
    }
    let dots = Credentials::ApiKey { key_name: "t".into(), key_value: "..".into(), key_location: KeyLocation::Path };
    let tool = TestTool::new("GET", "https://a.example/{t}").credentials(dots).compile();
    assert!(matches!(tool.auth, Auth::Unavailable));
}
