use toolgate_domain::secrets::Secrets;

use super::*;
use crate::egress::OutboundRequest;
use crate::tool::CompiledTool;
use crate::tool::tests::{Sketch, call, text};

const SECRET: &str = "s3cr3t&=/ é";

fn sketch() -> Sketch {
    Sketch::new("GET", "https://a.example/?api_key=old&b=1").arguments(&["api_key", "X-Api-Key"])
}

fn api_key(key_name: &str, key_location: KeyLocation) -> Credentials {
    Credentials::ApiKey { key_name: key_name.to_owned(), key_value: SECRET.into(), key_location }
}

fn every_kind() -> Vec<Credentials> {
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

/// Everything about a request that can be seen, sensitive values included.
fn seen(request: &OutboundRequest) -> String {
    let headers =
        request.headers.iter().map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())));
    format!("{} {} {}", request.uri, headers.collect::<Vec<_>>().join("\n"), text(request))
}

#[test]
fn credentials_are_put_where_their_kind_says() {
    let header = |credentials, name: &str| {
        let request = sketch().credentials(credentials).call("{}").unwrap();
        assert_eq!(request.uri, "https://a.example/?api_key=old&b=1");
        assert!(request.headers[name].is_sensitive());
        assert_eq!(request.headers.len(), 1);
        String::from_utf8(request.headers[name].as_bytes().to_vec()).unwrap()
    };
    assert_eq!(header(Credentials::Bearer { token: "t".into() }, "authorization"), "Bearer t");
    let basic = Credentials::Basic { username: "Aladdin".to_owned(), password: "open sesame".into() };
    assert_eq!(header(basic, "authorization"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    let nobody = Credentials::Basic { username: String::new(), password: "TOKEN".into() };
    assert_eq!(header(nobody, "authorization"), "Basic OlRPS0VO");
    assert_eq!(header(api_key("X-Api-Key", KeyLocation::Header), "x-api-key"), SECRET);
    assert_eq!(header(api_key("Authorization", KeyLocation::Header), "authorization"), SECRET);
}

#[test]
fn a_key_in_the_query_replaces_what_has_its_name() {
    let keyed = sketch().credentials(api_key("api_key", KeyLocation::Query));
    for arguments in ["{}", r#"{"api_key":"mine"}"#] {
        let request = keyed.call(arguments).unwrap();
        assert_eq!(request.uri, "https://a.example/?b=1&api_key=s3cr3t%26%3D%2F%20%C3%A9");
    }
}

#[test]
fn a_token_is_used_only_where_one_is_asked_for() {
    let token = SecretString::from("fetched");
    for credentials in every_kind() {
        let is_oauth2 = credentials.auth_type() == AuthType::OAuth2;
        let tool = sketch().credentials(credentials).compile();
        let request = call(&tool, "{}", Injected::Token(&token)).unwrap();
        assert_eq!(seen(&request).contains("Bearer fetched"), is_oauth2);
        assert_eq!(call(&tool, "{}", Injected::Own).is_ok(), !is_oauth2);
        assert_eq!(matches!(tool.auth(), Auth::OAuth2(_)), is_oauth2);
    }
    let open = sketch().compile();
    assert!(matches!(open.auth(), Auth::None));
    assert!(!seen(&call(&open, "{}", Injected::Token(&token)).unwrap()).contains("fetched"));
    let oauth2 = sketch().credentials(every_kind().pop().unwrap()).compile();
    let broken = SecretString::from("a\r\nb");
    assert_eq!(call(&oauth2, "{}", Injected::Token(&broken)).unwrap_err(), unavailable());
}

#[test]
fn without_its_credential_nothing_is_sent() {
    let is_unavailable = |tool: &CompiledTool| {
        assert!(matches!(tool.auth(), Auth::Unavailable));
        for injected in [Injected::Own, Injected::Token(&"t".into()), Injected::Masked] {
            let failure = call(tool, "{}", injected).unwrap_err();
            assert_eq!(failure.reason, FailureReason::BadCredential);
            assert!(failure.message.starts_with("Credential unavailable"));
        }
    };
    for auth_type in [AuthType::Bearer, AuthType::Basic, AuthType::ApiKey, AuthType::OAuth2] {
        let mut sketch = sketch();
        sketch.spec.auth_type = auth_type;
        is_unavailable(&sketch.compile());
        sketch = sketch.credentials(Credentials::Bearer { token: "t".into() });
        sketch.spec.auth_type = if auth_type == AuthType::Bearer { AuthType::Basic } else { auth_type };
        is_unavailable(&sketch.compile());
    }
    is_unavailable(&CompiledTool::compile(&sketch().tool(), Err(CredentialUnavailable)).unwrap());
    is_unavailable(&sketch().header("Cookie", MASK).compile());
    is_unavailable(&sketch().credentials(api_key("Host", KeyLocation::Header)).compile());
    is_unavailable(&sketch().credentials(Credentials::Bearer { token: "a\nb".into() }).compile());
}

#[test]
fn a_masked_request_shows_everything_but_secrets() {
    let encoded = ["s3cr3t", "czNjcjN0", "sid=5"];
    for credentials in every_kind() {
        let tool = sketch().secret_header("Cookie", "sid=5").credentials(credentials).compile();
        let shown = seen(&call(&tool, "{}", Injected::Masked).unwrap());
        assert!(shown.contains(&format!("cookie: {MASK}")), "{shown}");
        assert_eq!(shown.matches(MASK).count(), 2, "{shown}");
        assert!(encoded.iter().all(|secret| !shown.contains(secret)), "{shown}");
        let debugged = format!("{tool:?}");
        assert!(encoded.iter().all(|secret| !debugged.contains(secret)), "{debugged}");
    }
    let basic = sketch().credentials(every_kind().remove(1)).compile();
    assert!(seen(&call(&basic, "{}", Injected::Masked).unwrap()).contains("authorization: Basic ********"));
    let query = sketch().credentials(api_key("k y", KeyLocation::Query)).compile();
    let shown = call(&query, "{}", Injected::Masked).unwrap();
    assert_eq!(shown.uri, "https://a.example/?api_key=old&b=1&k%20y=********");
}

#[test]
fn what_a_token_is_asked_for_with_is_at_hand() {
    let tool = sketch().credentials(every_kind().pop().unwrap()).compile();
    let Auth::OAuth2(client) = tool.auth() else { panic!("{:?}", tool.auth()) };
    assert_eq!((client.token_url.as_str(), client.client_id.as_str()), ("https://a.example/token", "client"));
    assert_eq!(client.client_secret.expose_secret(), SECRET);
    assert_eq!(client.scope, None);
    assert!(Secrets::default().is_empty());
}
