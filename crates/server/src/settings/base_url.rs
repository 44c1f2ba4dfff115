//! The public address of the service, which is part of endpoint URLs.

use std::str::FromStr;

use toolgate_domain::host::is_loopback;
use url::Url;

/// An `http` or `https` URL without a trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PublicUrl {
    text: String,
    is_loopback: bool,
}

const MALFORMED: &str = "it is not an http:// or https:// address; use a format like https://tools.example.com";
const UNSUPPORTED_PARTS: &str =
    "it must not contain a user name, query or fragment; use a format like https://tools.example.com";

impl PublicUrl {
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether only this machine can reach it.
    pub(crate) fn is_loopback(&self) -> bool {
        self.is_loopback
    }
}

impl FromStr for PublicUrl {
    /// What is wrong with the text.
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https")).ok_or(MALFORMED)?;
        let host = url.host().ok_or(MALFORMED)?;
        let has_user = !url.username().is_empty() || url.password().is_some();
        if has_user || url.query().is_some() || url.fragment().is_some() {
            return Err(UNSUPPORTED_PARTS);
        }
        Ok(Self { is_loopback: is_loopback(&host), text: url.as_str().trim_end_matches('/').to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lose_their_trailing_slash_and_loopback_is_detected() {
        for (text, expected, is_loopback) in [
            ("https://tools.example.com", "https://tools.example.com", false),
            ("https://tools.example.com/gate/", "https://tools.example.com/gate", false),
            ("http://LOCALHOST:8080/", "http://localhost:8080", true),
            ("http://127.0.0.1:9000", "http://127.0.0.1:9000", true),
            ("http://[::1]:9000", "http://[::1]:9000", true),
            ("http://10.0.0.1", "http://10.0.0.1", false),
            ("https://localhost.example", "https://localhost.example", false),
        ] {
            let url: PublicUrl = text.parse().unwrap();
            assert_eq!((url.as_str(), url.is_loopback()), (expected, is_loopback));
        }
    }

    #[test]
    fn malformed_addresses_and_unsupported_parts_are_refused() {
        for text in ["", "tools.example.com", "ftp://x", "file:///x", "http://"] {
            assert_eq!(text.parse::<PublicUrl>(), Err(MALFORMED), "{text}");
        }
        for text in ["https://u:p@x", "https://x?a=b", "https://x#y"] {
            assert_eq!(text.parse::<PublicUrl>(), Err(UNSUPPORTED_PARTS), "{text}");
        }
    }
}
