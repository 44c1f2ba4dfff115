//! The Redis URL. It may contain a password, so neither errors nor `Debug` repeat it.

use redis::{Client, ConnectionAddr, IntoConnectionInfo as _};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

/// A valid Redis URL.
#[derive(Clone, Debug)]
pub struct RedisUrl(SecretString);

/// The URL is not valid or not supported.
#[derive(Debug, thiserror::Error)]
#[error(
    "it must be redis://USER:PASSWORD@HOST:PORT/NUMBER; only the host is required. Percent-encode characters such as \
     `/`, `@` and `#` in the password. rediss:// (TLS) is not supported"
)]
pub struct InvalidRedisUrl;

impl RedisUrl {
    /// Rejects URLs in which an unencoded password would become part of the host or path, which logs may show.
    pub fn parse(text: &str) -> Result<Self, InvalidRedisUrl> {
        let url = Url::parse(text).map_err(|_| InvalidRedisUrl)?;
        let has_redis_scheme = matches!(url.scheme(), "redis" | "valkey");
        let has_only_host_and_path = url.has_host() && url.fragment().is_none() && url.query().is_none();
        if !has_redis_scheme || !has_only_host_and_path || url.host_str() == Some("") {
            return Err(InvalidRedisUrl);
        }
        let url = Self(text.into());
        url.client().map(|_| url)
    }

    pub(super) fn client(&self) -> Result<Client, InvalidRedisUrl> {
        let info = self.0.expose_secret().into_connection_info().map_err(|_| InvalidRedisUrl)?;
        let is_tcp = matches!(info.addr(), ConnectionAddr::Tcp(..));
        if is_tcp { Client::open(info).map_err(|_| InvalidRedisUrl) } else { Err(InvalidRedisUrl) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_urls_are_refused_and_no_url_is_repeated() {
        for good in ["redis://h", "valkey://h:7000/3", "redis://:p%2Fw@127.0.0.1", "redis://u:p@[::1]:6379/0"] {
            assert!(RedisUrl::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "hidden",
            "redis://",
            "redis:///1",
            "redis:hidden@h",
            "rediss://:hidden@h",
            "unix:///hidden",
            "http://:hidden@h",
            "redis://:1/hidden@h",
            "redis://:a#hidden@h",
            "redis://:a?hidden@h",
            "redis://:hidden@h/x",
            "redis://:hidden@0.0.0.0",
        ] {
            let error = RedisUrl::parse(bad).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("hidden"), "{bad}");
        }
        assert!(!format!("{:?}", RedisUrl::parse("redis://:hidden@h").unwrap()).contains("hidden"));
    }
}
