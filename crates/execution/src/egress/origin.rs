//! The origin of a request in canonical form. The same form is checked, dialled, sent as Host and used as the pool key:
//! `0x7f.1`, `127.1` and `127.0.0.1` are one origin.

use std::net::Ipv4Addr;

use http::Uri;
use http::uri::{Authority, PathAndQuery};
use url::Host;

use super::error::EgressError;
use super::guard::Blocked;
use super::guard::rule::EgressRule;

/// Scheme, host and port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct UpstreamOrigin {
    pub(super) is_secure: bool,
    pub(super) host: Host<String>,
    pub(super) port: u16,
}

impl UpstreamOrigin {
    /// Parses an absolute http or https URI without user name and password.
    pub(super) fn from_uri(uri: &Uri) -> Result<Self, EgressError> {
        let is_secure = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            Some(other) => return Err(Blocked::Scheme { scheme: other.to_owned() }.into()),
            None => return Err(EgressError::BadAddress),
        };
        let authority = uri.authority().ok_or(Blocked::NoHost)?;
        if authority.as_str().contains('@') {
            return Err(Blocked::UserInfo.into());
        }
        let (text, port) = split_authority(authority).ok_or(EgressError::BadAddress)?;
        let host = match parse_plain_host(text) {
            Some(host) => host,
            None => Host::parse(text).map_err(|_| EgressError::BadAddress)?,
        };
        Ok(Self { is_secure, host, port: parse_port(port, is_secure)? })
    }

    /// Checks the parts of the rule that need no DNS lookup.
    pub(super) fn check(&self, rule: &EgressRule) -> Result<(), Blocked> {
        rule.check_host(&self.host, self.port)
    }

    /// `uri` with the canonical spelling of this origin.
    pub(super) fn canonical_uri(&self, uri: &Uri) -> Result<Uri, EgressError> {
        if uri.authority().is_some_and(|authority| self.is_canonical(authority)) {
            return Ok(uri.clone());
        }
        let authority = self.authority();
        let path = uri.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
        let scheme = if self.is_secure { "https" } else { "http" };
        let uri = Uri::builder().scheme(scheme).authority(authority).path_and_query(path).build();
        uri.map_err(|_| EgressError::BadAddress)
    }

    /// Whether an authority is the canonical spelling of this origin, which is the common case. Always false for IPv6
    /// addresses, which are not compared.
    fn is_canonical(&self, authority: &Authority) -> bool {
        let Some((text, port)) = split_authority(authority) else { return false };
        let has_same_host = match &self.host {
            Host::Domain(name) => name == text,
            Host::Ipv4(address) => text.parse() == Ok(*address),
            Host::Ipv6(_) => false,
        };
        let has_canonical_port = match port {
            "" => self.port == default_port(self.is_secure),
            port => self.port != default_port(self.is_secure) && !port.starts_with(":0"),
        };
        has_same_host && has_canonical_port
    }

    fn authority(&self) -> String {
        match self.port {
            port if port == default_port(self.is_secure) => self.host.to_string(),
            port => format!("{}:{port}", self.host),
        }
    }
}

/// Fast path without IDNA processing for the most common spellings: dotted-decimal IPv4, or labels of lower-case
/// letters, digits and dashes, whose canonical form is identical.
fn parse_plain_host(text: &str) -> Option<Host<String>> {
    if let Ok(address) = text.parse::<Ipv4Addr>() {
        return Some(Host::Ipv4(address));
    }
    let is_plain_label = |label: &str| {
        let is_plain = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        label.starts_with(|first: char| first.is_ascii_lowercase())
            && label.bytes().all(is_plain)
            && !label.contains("--")
    };
    // DNS limits a name to 253 bytes and a label to 63.
    let is_plain = text.len() <= 253 && text.split('.').all(|label| label.len() <= 63 && is_plain_label(label));
    is_plain.then(|| Host::Domain(text.to_owned()))
}

fn default_port(is_secure: bool) -> u16 {
    if is_secure { 443 } else { 80 }
}

/// The host, and the port with its colon, of an authority without user information.
fn split_authority(authority: &Authority) -> Option<(&str, &str)> {
    let host = authority.host();
    authority.as_str().strip_prefix(host).map(|port| (host, port))
}

/// Parses the port, because `Authority::port` treats a port that is not a number as absent, and the default port would
/// be dialled instead.
fn parse_port(port: &str, is_secure: bool) -> Result<u16, EgressError> {
    let digits = match port {
        "" | ":" => return Ok(default_port(is_secure)),
        port => port.strip_prefix(':').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit())),
    };
    digits.and_then(|digits| digits.parse().ok()).ok_or(EgressError::BadAddress)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical_uri(text: &str) -> Result<String, EgressError> {
        let uri: Uri = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        Ok(UpstreamOrigin::from_uri(&uri)?.canonical_uri(&uri)?.to_string())
    }

    #[test]
    fn every_spelling_of_an_origin_becomes_the_canonical_one() {
        for written in ["http://127.1/a?b", "HTTP://0x7f.1:80/a?b", "http://2130706433/a?b", "http://127.0.0.1.:/a?b"] {
            assert_eq!(canonical_uri(written).as_deref(), Ok("http://127.0.0.1/a?b"), "{written}");
        }
        assert_eq!(canonical_uri("https://API.Example:443").as_deref(), Ok("https://api.example/"));
        assert_eq!(canonical_uri("https://[0:0::1]:80/").as_deref(), Ok("https://[::1]:80/"));
        assert_eq!(canonical_uri("http://h?x=%2F..").as_deref(), Ok("http://h/?x=%2F.."));
        assert_eq!(canonical_uri("http://h/a/../%2e/b").as_deref(), Ok("http://h/a/../%2e/b"));
    }

    #[test]
    fn the_fast_path_for_hosts_agrees_with_the_full_parser() {
        let hosts = [
            "127.0.0.1",
            "127.0.0.01",
            "1.2.3",
            "api.example",
            "a-b.c",
            "-a.b",
            "a-.b",
            "xn--a",
            "a..b",
            "a.",
            "A.b",
            "0x7f.1",
        ];
        for host in hosts.into_iter().chain(["a.1", "1.a", "localhost", "ü.example", "a%2eb", "[::1]", "a_b", ""]) {
            if let Some(plain) = parse_plain_host(host) {
                assert_eq!(Ok(plain), Host::parse(host), "{host}");
            }
        }
        assert!(parse_plain_host("127.0.0.1").is_some() && parse_plain_host("api.example-2.com").is_some());
    }

    #[test]
    fn only_the_canonical_spelling_is_recognised_as_canonical() {
        for (written, is_canonical) in [
            ("http://127.0.0.1/", true),
            ("http://127.0.0.1:80/", false),
            ("http://127.0.0.1:8080/", true),
            ("http://127.0.0.1:08080/", false),
            ("http://127.0.0.1:/", false),
            ("http://127.1/", false),
            ("https://a.b:443/", false),
            ("https://a.b:80/", true),
            ("http://A.b/", false),
        ] {
            let uri: Uri = written.parse().unwrap();
            let origin = UpstreamOrigin::from_uri(&uri).unwrap();
            assert_eq!(origin.is_canonical(uri.authority().unwrap()), is_canonical, "{written}");
            assert_eq!(uri.authority().unwrap().as_str() == origin.authority(), is_canonical, "{written}");
        }
    }

    #[test]
    fn an_invalid_origin_is_refused() {
        assert_eq!(canonical_uri("ftp://h/"), Err(Blocked::Scheme { scheme: "ftp".into() }.into()));
        for userinfo in ["http://u:p@h/", "http://u@h/", "http://@h/"] {
            assert_eq!(canonical_uri(userinfo), Err(Blocked::UserInfo.into()), "{userinfo}");
        }
        for bad in ["http://h:99999/", "http://1.2.3.4.5/", "http://256.1.1.1/", "/only/a/path"] {
            assert_eq!(canonical_uri(bad), Err(EgressError::BadAddress), "{bad}");
        }
        for bad_port in ["http://[::1]8080/", "http://[::1]x:8080/", "http://h:+8080/"] {
            let is_refused =
                bad_port.parse::<Uri>().is_err() || canonical_uri(bad_port) == Err(EgressError::BadAddress);
            assert!(is_refused, "{bad_port}");
        }
    }
}
