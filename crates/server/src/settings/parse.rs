//! Parses settings. Each error says what is valid, and none repeats a secret.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, ensure};
use ipnet::IpNet;
use secrecy::SecretString;
use toolgate_storage::{Keyring, KeyringError};
use tracing_subscriber::EnvFilter;
use url::Url;

use crate::route_segments;

/// The tools that have their own metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetricsTools {
    /// None.
    Off,
    /// This number of tools with most calls.
    Top(usize),
}

/// Trusted proxies. An alias, because clap treats a field of type `Vec` as a repeatable flag.
pub(crate) type Networks = Vec<IpNet>;
/// Allowed CORS origins.
pub(crate) type Origins = Vec<String>;
/// Allowed schemes of redirect URIs, in lower case.
pub(crate) type RedirectSchemes = Vec<String>;

/// Limits of the Redis timeout.
const REDIS_TIMEOUT_MS_MIN: u64 = 10;
const REDIS_TIMEOUT_MS_MAX: u64 = 10_000;
/// A hundred years.
const RETENTION_DAYS_MAX: u32 = 36_500;
/// Limits of the journal size setting.
const JOURNAL_MIB_MIN: u32 = 16;
const JOURNAL_MIB_MAX: u32 = 1_048_576;
/// Limit of the memory for complete responses whose results were shortened.
const RESPONSE_OVERFLOW_MIB_MAX: u32 = 64 * 1024;
/// Each named tool adds a few lines to every scrape.
const METRICS_TOOLS_MAX: usize = 1000;
/// Schemes that no program registers for itself: browsers run code or open files with them, or they have separate rules
/// (`http`, `https`).
const UNSAFE_SCHEMES: [&str; 11] =
    ["about", "blob", "data", "file", "filesystem", "ftp", "http", "https", "javascript", "vbscript", "view-source"];

pub(super) fn listen(text: &str) -> anyhow::Result<SocketAddr> {
    let address = text.parse().ok();
    address.with_context(|| {
        format!("{text:?} is not an IP address and a port; use a format like 127.0.0.1:8080 or [::]:8080")
    })
}

/// The key must be valid in a header, after `Bearer `.
pub(crate) fn api_key(text: &str) -> anyhow::Result<SecretString> {
    ensure!(
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()),
        "the key must be visible ASCII characters without spaces; unset it to have the service create one"
    );
    Ok(text.into())
}

/// In a URL with an unescaped slash in the password, a part of the password becomes the host or the path. Such a URL is
/// refused here, because later messages show host and path.
pub(super) fn database_url(text: &str) -> anyhow::Result<SecretString> {
    let is_file = text.strip_prefix("sqlite://").is_some_and(|path| !path.is_empty());
    let is_postgres = || {
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "postgres" | "postgresql"));
        url.is_some_and(|url| url.has_authority() && !url.path().contains('@') && url.fragment().is_none())
    };
    ensure!(
        is_file || is_postgres(),
        "it must be sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME, with characters such as `/`, `@` and `#` in the \
         password percent-encoded"
    );
    Ok(text.into())
}

/// Only validates the keys: the keyring is parsed again when the database is opened.
pub(super) fn encryption_keys(text: &str) -> Result<SecretString, KeyringError> {
    Keyring::parse(text)?;
    Ok(text.into())
}

pub(super) fn segment(text: &str) -> anyhow::Result<String> {
    ensure!(!route_segments::is_reserved(text), "{text:?} is reserved by the service; choose another value");
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    ensure!(
        is_plain && text.starts_with(|first: char| first.is_ascii_alphanumeric()),
        "{text:?} is not one path segment of letters, digits, `-`, `_` and `.`; use a value like `api`"
    );
    Ok(text.to_owned())
}

pub(super) fn networks(text: &str) -> anyhow::Result<Networks> {
    let network = |item: &str| {
        let address = item.parse::<IpAddr>().map(IpNet::from);
        let network = address.or_else(|_| item.parse()).ok();
        network
            .with_context(|| format!("{item:?} is not an address or network; use a format like 10.0.0.0/8,192.168.1.5"))
    };
    items(text).map(network).collect()
}

pub(super) fn origins(text: &str) -> anyhow::Result<Origins> {
    let origin = |item: &str| {
        parse_origin(item).with_context(|| {
            format!("{item:?} is not an origin; use scheme, host and port only, like https://console.example")
        })
    };
    items(text).map(origin).collect()
}

pub(super) fn redirect_schemes(text: &str) -> anyhow::Result<RedirectSchemes> {
    let scheme = |item: &str| {
        let scheme = item.to_ascii_lowercase();
        let is_scheme = scheme.starts_with(|first: char| first.is_ascii_lowercase())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        ensure!(
            is_scheme,
            "{item:?} is not a scheme; use letters, digits, `+`, `-` and `.` without a colon, like myapp"
        );
        ensure!(
            !UNSAFE_SCHEMES.contains(&scheme.as_str()),
            "{item:?} is not allowed; use only schemes that a program registers for itself, like myapp"
        );
        Ok(scheme)
    };
    items(text).map(scheme).collect()
}

/// The origin as browsers send it; `None` if the text contains more than an origin.
fn parse_origin(item: &str) -> Option<String> {
    let url = Url::parse(item).ok()?;
    let origin = url.origin();
    let is_only_origin = origin.is_tuple() && url.as_str().trim_end_matches('/') == origin.ascii_serialization();
    is_only_origin.then(|| origin.ascii_serialization())
}

pub(super) fn redis_timeout(text: &str) -> anyhow::Result<Duration> {
    let timeout_ms = text.parse().ok().filter(|ms| (REDIS_TIMEOUT_MS_MIN..=REDIS_TIMEOUT_MS_MAX).contains(ms));
    timeout_ms.map(Duration::from_millis).with_context(|| {
        format!("{text:?} is not a number of milliseconds from {REDIS_TIMEOUT_MS_MIN} to {REDIS_TIMEOUT_MS_MAX}")
    })
}

pub(super) fn retention_days(text: &str) -> anyhow::Result<u32> {
    let days = text.parse().ok().filter(|days| (1..=RETENTION_DAYS_MAX).contains(days));
    days.with_context(|| format!("{text:?} is not a number of days from 1 to {RETENTION_DAYS_MAX}"))
}

pub(super) fn journal_max_mib(text: &str) -> anyhow::Result<u32> {
    let mebibytes = text.parse().ok().filter(|mebibytes| (JOURNAL_MIB_MIN..=JOURNAL_MIB_MAX).contains(mebibytes));
    mebibytes
        .with_context(|| format!("{text:?} is not a number of mebibytes from {JOURNAL_MIB_MIN} to {JOURNAL_MIB_MAX}"))
}

/// The memory for complete responses of tools whose results are shortened.
pub(super) fn response_overflow_mib(text: &str) -> anyhow::Result<u32> {
    let mebibytes = text.parse().ok().filter(|mebibytes| (0..=RESPONSE_OVERFLOW_MIB_MAX).contains(mebibytes));
    mebibytes.with_context(|| format!("{text:?} is not a number of mebibytes from 0 to {RESPONSE_OVERFLOW_MIB_MAX}"))
}

pub(super) fn metrics_tools(text: &str) -> anyhow::Result<MetricsTools> {
    let number = || text.strip_prefix("top")?.parse().ok().filter(|number| (1..=METRICS_TOOLS_MAX).contains(number));
    match number() {
        Some(number) => Ok(MetricsTools::Top(number)),
        None if text == "off" => Ok(MetricsTools::Off),
        None => {
            anyhow::bail!("{text:?} is not `off` or `top` and a number from 1 to {METRICS_TOOLS_MAX}, like `top100`")
        }
    }
}

pub(super) fn log_filter(text: &str) -> anyhow::Result<String> {
    ensure!(
        EnvFilter::try_new(text).is_ok(),
        "{text:?} is not a log filter; use a level (error, warn, info, debug, trace) or module=level"
    );
    Ok(text.to_owned())
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_must_be_valid_in_headers() {
        for bad in ["", "with space", "tab\t", "schlüssel", "line\n"] {
            let error = api_key(bad).unwrap_err().to_string();
            assert!(!error.contains(bad) || bad.is_empty(), "{error}");
        }
        assert!(api_key("tg_abc~!").is_ok());
    }

    #[test]
    fn databases_are_files_or_postgresql_and_errors_hide_passwords() {
        for good in [
            "sqlite://./a%b?.db",
            "postgres://u:p%2Fw@db:5432/x?sslmode=require",
            "postgresql://db/x",
            "postgres:///x?host=/run/pg",
        ] {
            assert!(database_url(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "sqlite://",
            "sqlite:x",
            "mysql://u:hidden@db/x",
            "postgres:u:hidden@db",
            "postgres://u:a/hidden@db/x",
            "postgres://u:1/hidden@db/x",
            "postgres://u:1#hidden@db/x",
        ] {
            assert!(!database_url(bad).unwrap_err().to_string().contains("hidden"), "{bad}");
        }
    }

    #[test]
    fn path_segments_are_plain_words() {
        for bad in ["", "a/b", ".hidden", "..", "a b", "ä", "healthz", "mcp", "metrics", "welcome.css", "{x}", "-a"] {
            assert!(segment(bad).is_err(), "{bad}");
        }
        assert_eq!(segment("wp-json").unwrap(), "wp-json");
    }

    #[test]
    fn proxies_are_parsed_as_addresses_and_networks() {
        let parsed = networks(" 10.0.0.1, 192.168.0.0/16,fd00::/8 ,").unwrap();
        assert_eq!(
            parsed.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["10.0.0.1/32", "192.168.0.0/16", "fd00::/8"]
        );
        assert!(networks("").unwrap().is_empty());
        assert!(networks("proxy.example").is_err());
    }

    #[test]
    fn origins_are_written_as_browsers_send_them() {
        assert_eq!(
            origins("https://A.example:443/,http://localhost:5173").unwrap(),
            ["https://a.example", "http://localhost:5173"]
        );
        for bad in ["*", "a.example", "https://a.example/x", "null", "https://u@a.example", "data:x"] {
            assert!(origins(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn timeouts_days_journal_sizes_and_filters_out_of_range_are_refused() {
        assert!(redis_timeout("9").is_err() && redis_timeout("10001").is_err() && redis_timeout("50 ms").is_err());
        assert_eq!(redis_timeout("10").unwrap(), Duration::from_millis(10));
        assert!(retention_days("0").is_err() && retention_days("36501").is_err() && retention_days("x").is_err());
        assert_eq!(retention_days("7").unwrap(), 7);
        assert!(
            journal_max_mib("15").is_err() && journal_max_mib("1048577").is_err() && journal_max_mib("1 GiB").is_err()
        );
        assert_eq!(journal_max_mib("16").unwrap(), 16);
        for bad in ["-1", "65537", "1 GiB"] {
            assert!(response_overflow_mib(bad).is_err(), "{bad}");
        }
        assert_eq!(response_overflow_mib("0").unwrap(), 0);
        assert!(log_filter("info,toolgate=verbose").is_err());
        assert!(log_filter("warn,sqlx=debug").is_ok());
    }
}
