//! Tests of redirect URIs.

use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> Result<RedirectTarget, &'static str> {
    RedirectUri::parse(text, &["myapp".to_owned()]).map(|uri| uri.target().clone())
}

#[test]
fn redirect_uris_of_known_clients_can_be_registered() {
    let site = |host: &str| RedirectTarget::Site(host.to_owned());
    let loopback = |host: &str| RedirectTarget::Loopback(host.to_owned());
    let program = |scheme: &str| RedirectTarget::Program(scheme.to_owned());
    for (text, target) in [
        ("https://claude.ai/api/mcp/auth_callback", site("claude.ai")),
        ("https://chatgpt.com/connector/oauth/abc-1", site("chatgpt.com")),
        ("https://vscode.dev/redirect?a=1", site("vscode.dev")),
        ("https://tools.example:8443/cb", site("tools.example:8443")),
        ("http://localhost/callback", loopback("localhost")),
        ("http://localhost:8787/callback", loopback("localhost")),
        ("http://127.0.0.1", loopback("127.0.0.1")),
        ("http://127.0.0.1:33418/", loopback("127.0.0.1")),
        ("http://[::1]:80/x?y=z", loopback("[::1]")),
        ("cursor://anysphere.cursor-mcp/oauth/callback", program("cursor")),
        ("vscode-insiders://x/y", program("vscode-insiders")),
        ("com.example.app:/callback", program("com.example.app")),
        ("MyApp://callback", program("myapp")),
    ] {
        assert_eq!(parse(text), Ok(target), "{text}");
    }
}

#[test]
fn all_other_redirect_uris_are_refused() {
    for text in [
        "",
        "/callback",
        "example.com/callback",
        "javascript:alert(1)",
        "JavaScript://x/%0aalert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "blob:https://x.example/1",
        "ftp://x.example/",
        "other://callback",
        "urn:ietf:wg:oauth:2.0:oob",
        "https:evil.example/?a=://x",
        "https:/evil.example/?a=://x",
        "https:@evil.example/?a=://x",
        "http://evil.example/",
        "http://localhost.evil.example/",
        "http://127.0.0.2/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f.0.0.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://LOCALHOST/",
        "http://localhost./",
        "http://app.localhost/",
        "http://localhost:/x",
        "http://localhost:0/x",
        "http://localhost:65536/x",
        "http://localhost:+80/x",
        "http:localhost/x",
        "http:///localhost/x",
        "http://localhost@evil.example/",
        "http://@localhost/",
        "http://localhost:80@evil.example/",
        "http://localhost\\@evil.example/",
        "https://user@x.example/",
        "https://user:password@x.example/",
        "https://@x.example/",
        "https://:@x.example/",
        "cursor://user@x/y",
        "https:x.example/",
        "https:/x.example/",
        "https:///x.example/",
        "https://",
        "https://x.example/#fragment",
        "https://x.example/#",
        "cursor://x#",
        " https://x.example/",
        "https://x.example/ ",
        "https://x.exam\tple/",
        "https://x.example/\r\nSet-Cookie:a",
        "https://x.example/\u{0}",
        "https://x.example\\y",
        "https://ex\u{e4}mple.com/",
        "https://x.example/\u{202e}",
        "https://x.example/<script>",
        "https://x.example:99999/",
    ] {
        assert!(parse(text).is_err(), "{text:?}");
    }
    assert!(parse(&format!("https://x.example/{}", "a".repeat(2030))).is_ok());
    assert!(parse(&format!("https://x.example/{}", "a".repeat(2031))).is_err());
    assert!(RedirectUri::parse("myapp://callback", &[]).is_err());
}

/// The operator's list of schemes cannot allow http for hosts other than loopback.
#[test]
fn a_configured_scheme_does_not_change_the_rules_of_http() {
    assert!(RedirectUri::parse("http://evil.example/", &["http".to_owned()]).is_err());
    assert!(RedirectUri::parse("https:evil.example", &["https".to_owned()]).is_err());
}

#[test]
fn a_requested_uri_must_equal_the_registered_text() {
    let registered = "https://app.example/cb/one?a=1";
    assert!(matches(registered, registered));
    for requested in [
        "https://evil.example/cb/one?a=1",
        "https://app.example.evil.example/cb/one?a=1",
        "https://app.example./cb/one?a=1",
        "https://app.example/cb/one",
        "https://app.example/cb/one?a=1&b=2",
        "https://app.example/cb/one?a=1#",
        "https://app.example/cb/one?a=1#x",
        "https://app.example/cb/one/two?a=1",
        "https://app.example/cb/../cb/one?a=1",
        "https://app.example/cb/./one?a=1",
        "https://app.example/CB/one?a=1",
        "https://app.example/cb%2Fone?a=1",
        "https://app.example/cb\\one?a=1",
        "https://app.example/cb//one?a=1",
        "https://app.example:443/cb/one?a=1",
        "https://app.example:8443/cb/one?a=1",
        "https://user@app.example/cb/one?a=1",
        "HTTPS://app.example/cb/one?a=1",
        "https://APP.example/cb/one?a=1",
        "http://app.example/cb/one?a=1",
        " https://app.example/cb/one?a=1",
        "",
    ] {
        assert!(!matches(registered, requested), "{requested}");
    }
}

#[test]
fn only_the_port_of_a_loopback_uri_may_differ() {
    for registered in ["http://127.0.0.1/cb?a=1", "http://127.0.0.1:9000/cb?a=1"] {
        for requested in ["http://127.0.0.1:33418/cb?a=1", "http://127.0.0.1/cb?a=1", "http://127.0.0.1:1/cb?a=1"] {
            assert!(matches(registered, requested), "{registered} {requested}");
        }
        for requested in [
            "http://localhost:33418/cb?a=1",
            "http://[::1]:33418/cb?a=1",
            "http://127.0.0.2:33418/cb?a=1",
            "https://127.0.0.1:33418/cb?a=1",
            "http://127.0.0.1:33418/cb",
            "http://127.0.0.1:33418/cb?a=2",
            "http://127.0.0.1:33418/cb/x?a=1",
            "http://127.0.0.1:33418/CB?a=1",
            "http://127.0.0.1:33418/cb?a=1#x",
            "http://127.0.0.1:33418@evil.example/cb?a=1",
            "http://127.0.0.1:@evil.example/cb?a=1",
            "http://127.0.0.1.evil.example:1/cb?a=1",
            "http://127.0.0.1:0/cb?a=1",
            "http://127.0.0.1:65536/cb?a=1",
            "http://127.0.0.1:/cb?a=1",
            "http://127.0.0.1:+1/cb?a=1",
            "http://user@127.0.0.1:1/cb?a=1",
        ] {
            assert!(!matches(registered, requested), "{registered} {requested}");
        }
    }
    assert!(!matches("http://127.0.0.1", "http://127.0.0.1:1/"));
    assert!(matches("http://127.0.0.1", "http://127.0.0.1:1"));
}

#[test]
fn parameters_are_added_to_the_query_of_the_uri() {
    let parameters = [("code", "a b"), ("state", "&#=")];
    for (text, expected) in [
        ("https://a.example/cb", "https://a.example/cb?code=a+b&state=%26%23%3D"),
        ("https://a.example/cb?x=1", "https://a.example/cb?x=1&code=a+b&state=%26%23%3D"),
        ("https://a.example/cb?", "https://a.example/cb?code=a+b&state=%26%23%3D"),
        ("https://a.example/cb?x&", "https://a.example/cb?x&code=a+b&state=%26%23%3D"),
        ("com.example.app:/cb", "com.example.app:/cb?code=a+b&state=%26%23%3D"),
    ] {
        assert_eq!(RedirectUri::parse(text, &[]).unwrap().with_parameters(parameters), expected);
    }
}

proptest! {
    /// A request that matches leads to the same host as the registered URI, and differs from it only by its port.
    #[test]
    fn a_matching_request_leads_to_the_registered_host(
        registered in r"https?://(localhost|127\.0\.0\.1|\[::1\]|a\.example)(:[0-9]{1,5})?(/[a-c.%]{0,4}){0,2}",
        requested in r"https?://(localhost|127\.0\.0\.1|\[::1\]|a\.example)?[:@0-9a.\\]{0,6}(/[a-c.%@]{0,4}){0,2}",
    ) {
        if matches(&registered, &requested) {
            let (mut registered, mut requested) = (Url::parse(&registered).unwrap(), Url::parse(&requested).unwrap());
            if registered.scheme() == "http" {
                registered.set_port(None).unwrap();
                requested.set_port(None).unwrap();
            }
            prop_assert_eq!(registered.as_str(), requested.as_str());
        }
    }

    /// A program may register without a port and request any port.
    #[test]
    fn every_port_of_a_registered_loopback_uri_matches(port in 1u16.., path in "(/[a-z]{0,5}){0,3}") {
        for host in ["localhost", "127.0.0.1", "[::1]"] {
            let (registered, requested) = (format!("http://{host}{path}"), format!("http://{host}:{port}{path}"));
            prop_assert!(RedirectUri::parse(&registered, &[]).is_ok());
            prop_assert!(matches(&registered, &requested));
        }
    }
}
