//! Tests of settings from flags and the file. The precedence of the environment is tested in tests/it, because a test
//! must not change its own environment.

use std::io::Write;

use super::Settings;
use crate::cli::{Cli, CliError};

/// The settings of a service started with these flags.
pub(crate) fn from_flags(flags: &[&str]) -> Settings {
    read(flags).unwrap_or_else(|error| panic!("{flags:?}: {error:?}")).settings
}

fn read(flags: &[&str]) -> Result<Cli, CliError> {
    Cli::read(std::iter::once(&"toolgate").chain(flags).map(Into::into))
}

fn error_for(flags: &[&str]) -> String {
    match read(flags) {
        Err(CliError::Invalid(message)) => message,
        other => panic!("{flags:?} must be refused, but the result is {other:?}"),
    }
}

fn config_file(text: &str) -> (tempfile::NamedTempFile, String) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let flag = format!("--config={}", file.path().display());
    (file, flag)
}

#[test]
fn every_setting_has_a_default() {
    let settings = from_flags(&[]);
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.api_path(), "/wp-json/toolgate/v1");
    assert_eq!(settings.retention_days, 30);
    assert_eq!(settings.redis_timeout.as_millis(), 50);
    assert!(settings.trusted_proxies.is_empty() && settings.cors_origins.is_empty());
    assert!(settings.record_client_address);
}

#[test]
fn client_addresses_can_be_switched_off() {
    let (_file, config) = config_file("record_client_address = false");
    for flag in [config.as_str(), "--record-client-address=false", "--record-client-address=off"] {
        assert!(!from_flags(&[flag]).record_client_address, "{flag}");
    }
}

#[test]
fn the_share_of_traced_requests_may_be_a_number_in_the_file() {
    let (_file, config) = config_file("trace_sample = 0.25\ntrace_parent_rate = 5");
    let settings = from_flags(&[&config]);
    assert!((settings.trace_sample - 0.25).abs() < f64::EPSILON);
    assert_eq!(settings.trace_parent_rate, 5);
}

#[test]
fn flags_override_the_file_and_the_file_overrides_defaults() {
    let (_file, config) = config_file("listen = '127.0.0.1:1'\nretention_days = 7\ntrusted_proxies = ['10.0.0.1']");
    for flags in [[&config, "--listen=127.0.0.1:2", "serve"], ["serve", "--listen=127.0.0.1:2", &config]] {
        let settings = from_flags(&flags);
        assert_eq!(settings.listen.port(), 2);
        assert_eq!(settings.retention_days, 7);
        assert_eq!(settings.trusted_proxies.len(), 1);
        assert_eq!(settings.rest_prefix, "wp-json");
    }
}

#[test]
fn an_invalid_file_is_reported_with_its_path_and_problem() {
    for (text, expected) in [
        ("listen = [", "line 1 is not TOML"),
        ("lissten = 'x'", "unknown setting \"lissten\""),
        ("listen = 'x'", "--listen (TOOLGATE_LISTEN): \"x\" is not an IP address and a port"),
        ("listen = {}", "the setting \"listen\" must be a string"),
    ] {
        let (file, config) = config_file(text);
        let message = error_for(&[&config]);
        assert!(message.starts_with(&format!("{}: {expected}", file.path().display())), "{message}");
    }
    assert!(error_for(&["--config=/nowhere/x.toml"]).starts_with("/nowhere/x.toml: cannot read it"));
}

#[test]
fn errors_for_invalid_values_show_the_setting_and_never_the_secret() {
    for (flag, expected) in [
        ("--listen=localhost", "--listen (TOOLGATE_LISTEN): \"localhost\" is not an IP address and a port"),
        ("--base-url=example.com", "--base-url (TOOLGATE_BASE_URL): it is not an http:// or https:// address"),
        ("--upstream-allow=10.0.0.0/99", "--upstream-allow (TOOLGATE_UPSTREAM_ALLOW): \"10.0.0.0/99\" is not"),
        ("--log-format=xml", "invalid value 'xml' for '--log-format <FORMAT>' [possible values: text, json]"),
        ("--api-key=", "--api-key (TOOLGATE_API_KEY): the key must be"),
        ("--api-key=two words", "--api-key (TOOLGATE_API_KEY): the key must be"),
        ("--encryption-keys=two words", "--encryption-keys (TOOLGATE_ENCRYPTION_KEYS): encryption key number 1"),
        ("--nonsense", "unexpected argument '--nonsense' found; see `toolgate --help`"),
    ] {
        let message = error_for(&[flag]);
        assert!(message.starts_with(expected), "{message}");
        assert!(!message.contains("two words"), "{message}");
    }
    assert!(error_for(&["key", "create", "--scopes=all"]).starts_with("--scopes: \"all\" is not a scope"));
}

#[test]
fn secrets_are_not_in_debug_output() {
    let key = "07".repeat(32);
    let keys = format!("--encryption-keys={key}");
    let settings = from_flags(&["--api-key=tg_secret", "--database-url=postgres://u:hidden@db/x", &keys]);
    let shown = format!("{settings:?}");
    for secret in ["tg_secret", "hidden", key.as_str()] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[test]
fn tools_may_call_non_public_addresses_only_if_no_other_machine_can_reach_the_service() {
    for (listen, base_url, expected) in [
        ("127.0.0.1:8080", None, "loopback,private"),
        ("[::1]:8080", None, "loopback,private"),
        ("[::ffff:127.0.0.1]:8080", None, "loopback,private"),
        ("127.0.0.1:8080", Some("http://localhost:8080"), "loopback,private"),
        ("127.0.0.1:8080", Some("http://[::1]:8080"), "loopback,private"),
        ("127.0.0.1:8080", Some("https://tools.example.com"), ""),
        ("0.0.0.0:8080", None, ""),
        ("[::]:8080", None, ""),
        ("192.168.1.5:8080", None, ""),
        ("0.0.0.0:8080", Some("http://127.0.0.1:8080"), ""),
        ("0.0.0.0:8080", Some("https://tools.example.com"), ""),
    ] {
        let listen = format!("--listen={listen}");
        let base_url = base_url.map(|url| format!("--base-url={url}"));
        let flags: Vec<&str> = std::iter::once(listen.as_str()).chain(base_url.as_deref()).collect();
        assert_eq!(from_flags(&flags).egress_rule().to_string(), expected, "{flags:?}");
        for explicit in ["", "private"] {
            let allow = format!("--upstream-allow={explicit}");
            let flags: Vec<&str> = flags.iter().copied().chain([allow.as_str()]).collect();
            assert_eq!(from_flags(&flags).egress_rule().to_string(), explicit, "{flags:?}");
        }
    }
}

#[test]
fn the_base_url_is_the_configured_one_or_the_bound_address() {
    let banner_base_url = |flags: &[&str], bound: &str| from_flags(flags).banner_base_url(bound.parse().unwrap());
    assert_eq!(banner_base_url(&[], "127.0.0.1:41234"), "http://127.0.0.1:41234");
    assert_eq!(banner_base_url(&[], "0.0.0.0:8080"), "http://127.0.0.1:8080");
    assert_eq!(banner_base_url(&[], "[::]:8080"), "http://[::1]:8080");
    assert_eq!(banner_base_url(&["--base-url=https://x.example/"], "0.0.0.0:8080"), "https://x.example");
    let link_base_url = |bound: &str| from_flags(&[]).effective_base_url(bound.parse().unwrap());
    assert!(matches!(link_base_url("0.0.0.0:8080"), toolgate_rest::BaseUrl::FromRequest));
    assert!(matches!(link_base_url("10.0.0.1:80"), toolgate_rest::BaseUrl::Fixed(url) if url == "http://10.0.0.1:80"));
}

#[test]
fn the_issuer_is_a_fixed_address_with_https_or_on_loopback() {
    let issuer = |flags: &[&str], bound: &str| from_flags(flags).issuer(bound.parse().unwrap());
    assert_eq!(issuer(&[], "127.0.0.1:8080").as_deref(), Some("http://127.0.0.1:8080"));
    assert_eq!(issuer(&[], "0.0.0.0:8080"), None);
    assert_eq!(issuer(&[], "10.0.0.5:8080"), None);
    assert_eq!(issuer(&["--base-url=http://tools.example"], "127.0.0.1:8080"), None);
    let gate = ["--base-url=https://tools.example/gate/", "--listen=0.0.0.0:8080"];
    assert_eq!(issuer(&gate, "0.0.0.0:8080").as_deref(), Some("https://tools.example/gate"));
    let path = from_flags(&gate).issuer_path("0.0.0.0:8080".parse().unwrap());
    assert_eq!(path.as_deref(), Some("/.well-known/oauth-authorization-server/gate"));
    assert_eq!(from_flags(&[]).issuer_path("127.0.0.1:8080".parse().unwrap()), None);
}

#[test]
fn unsafe_and_malformed_redirect_schemes_are_refused() {
    let (_file, config) = config_file("oauth_redirect_schemes = ['MyApp', 'x-app+1']\noauth_registration = 'off'");
    let settings = from_flags(&[&config]);
    assert_eq!(settings.oauth_redirect_schemes, ["myapp", "x-app+1"]);
    assert_eq!(settings.oauth_registration, super::OAuthRegistration::Off);
    for bad in ["javascript", "DATA", "https", "my app", "1x", "myapp:", "file"] {
        let error = error_for(&[&format!("--oauth-redirect-schemes={bad}")]);
        assert!(error.contains("TOOLGATE_OAUTH_REDIRECT_SCHEMES") || error.contains("scheme"), "{error}");
    }
}
