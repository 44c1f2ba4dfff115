//! Where a request goes, in the one spelling that is checked, dialled, put into Host and used to find a connection:
//! `0x7f.1`, `127.1` and `127.0.0.1` are one destination.

use std::net::Ipv4Addr;

use http::Uri;
use http::uri::{Authority, PathAndQuery};
use url::Host;

use super::error::EgressError;
use super::guard::{Blocked, EgressRule};

/// Scheme, host and port: an origin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Destination {
    pub(super) secure: bool,
    pub(super) host: Host<String>,
    pub(super) port: u16,
}

impl Destination {
    /// Reads an absolute http or https address without user name and password.
    pub(super) fn of(uri: &Uri) -> Result<Self, EgressError> {
        let secure = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            Some(other) => return Err(Blocked::Scheme { scheme: other.to_owned() }.into()),
            None => return Err(EgressError::BadAddress),
        };
        let authority = uri.authority().ok_or(Blocked::NoHost)?;
        if authority.as_str().contains('@') {
            return Err(Blocked::UserInfo.into());
        }
        let (text, port) = split(authority).ok_or(EgressError::BadAddress)?;
        let host = match plain_host(text) {
            Some(host) => host,
            None => Host::parse(text).map_err(|_| EgressError::BadAddress)?,
        };
        Ok(Self { secure, host, port: read_port(port, secure)? })
    }

    /// What can be refused before anything is resolved.
    pub(super) fn check(&self, rule: &EgressRule) -> Result<(), Blocked> {
        let host = match &self.host {
            Host::Domain(name) => Host::Domain(name.as_str()),
            Host::Ipv4(address) => Host::Ipv4(*address),
            Host::Ipv6(address) => Host::Ipv6(*address),
        };
        rule.check_host(&host, self.port)
    }

    /// The address with this destination in its one spelling.
    pub(super) fn canonical(&self, uri: &Uri) -> Result<Uri, EgressError> {
        if uri.authority().is_some_and(|written| self.is_spelt(written)) {
            return Ok(uri.clone());
        }
        let authority = self.authority();
        let path = uri.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
        let scheme = if self.secure { "https" } else { "http" };
        let uri = Uri::builder().scheme(scheme).authority(authority).path_and_query(path).build();
        uri.map_err(|_| EgressError::BadAddress)
    }

    /// Whether an authority is plainly the one spelling of this destination, as it nearly always is.
    fn is_spelt(&self, authority: &Authority) -> bool {
        let Some((text, port)) = split(authority) else { return false };
        let is_host = match &self.host {
            Host::Domain(name) => name == text,
            Host::Ipv4(address) => text.parse() == Ok(*address),
            Host::Ipv6(_) => false,
        };
        let is_port = match port {
            "" => self.port == default_port(self.secure),
            port => self.port != default_port(self.secure) && !port.starts_with(":0"),
        };
        is_host && is_port
    }

    fn authority(&self) -> String {
        match self.port {
            port if port == default_port(self.secure) => self.host.to_string(),
            port => format!("{}:{port}", self.host),
        }
    }
}

/// A host in its commonest spellings, without the way through IDNA: four numbers, or labels of lower-case letters,
/// digits and dashes that mean themselves.
fn plain_host(text: &str) -> Option<Host<String>> {
    if let Ok(address) = text.parse::<Ipv4Addr>() {
        return Some(Host::Ipv4(address));
    }
    let is_plain_label = |label: &str| {
        let is_plain = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        label.starts_with(|first: char| first.is_ascii_lowercase())
            && label.bytes().all(is_plain)
            && !label.contains("--")
    };
    let is_plain = text.len() <= 253 && text.split('.').all(|label| label.len() <= 63 && is_plain_label(label));
    is_plain.then(|| Host::Domain(text.to_owned()))
}

fn default_port(secure: bool) -> u16 {
    if secure { 443 } else { 80 }
}

/// Host, and port with its colon, of an authority without a user.
fn split(authority: &Authority) -> Option<(&str, &str)> {
    let host = authority.host();
    authority.as_str().strip_prefix(host).map(|port| (host, port))
}

/// `Authority::port` takes a port that is no number for none at all, and would lead to another one than is written.
fn read_port(port: &str, secure: bool) -> Result<u16, EgressError> {
    let digits = match port {
        "" | ":" => return Ok(default_port(secure)),
        port => port.strip_prefix(':').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit())),
    };
    digits.and_then(|digits| digits.parse().ok()).ok_or(EgressError::BadAddress)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> Result<String, EgressError> {
        let uri: Uri = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        Ok(Destination::of(&uri)?.canonical(&uri)?.to_string())
    }

    #[test]
    fn every_spelling_of_a_destination_becomes_one() {
        for written in ["http://127.1/a?b", "HTTP://0x7f.1:80/a?b", "http://2130706433/a?b", "http://127.0.0.1.:/a?b"] {
            assert_eq!(canonical(written).as_deref(), Ok("http://127.0.0.1/a?b"), "{written}");
        }
        assert_eq!(canonical("https://API.Example:443").as_deref(), Ok("https://api.example/"));
        assert_eq!(canonical("https://[0:0::1]:80/").as_deref(), Ok("https://[::1]:80/"));
        assert_eq!(canonical("http://h?x=%2F..").as_deref(), Ok("http://h/?x=%2F.."));
        assert_eq!(canonical("http://h/a/../%2e/b").as_deref(), Ok("http://h/a/../%2e/b"));
    }

    #[test]
    fn a_plain_host_is_what_any_reading_of_it_is() {
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
            if let Some(plain) = plain_host(host) {
                assert_eq!(Ok(plain), Host::parse(host), "{host}");
            }
        }
        assert!(plain_host("127.0.0.1").is_some() && plain_host("api.example-2.com").is_some());
    }

    #[test]
    fn a_destination_knows_its_one_spelling() {
        for (written, is_spelt) in [
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
            let destination = Destination::of(&uri).unwrap();
            assert_eq!(destination.is_spelt(uri.authority().unwrap()), is_spelt, "{written}");
            assert_eq!(uri.authority().unwrap().as_str() == destination.authority(), is_spelt, "{written}");
        }
    }

    #[test]
    fn what_is_no_destination_is_refused() {
        assert_eq!(canonical("ftp://h/"), Err(Blocked::Scheme { scheme: "ftp".into() }.into()));
        for userinfo in ["http://u:p@h/", "http://u@h/", "http://@h/"] {
            assert_eq!(canonical(userinfo), Err(Blocked::UserInfo.into()), "{userinfo}");
        }
        for bad in ["http://h:99999/", "http://1.2.3.4.5/", "http://256.1.1.1/", "/only/a/path"] {
            assert_eq!(canonical(bad), Err(EgressError::BadAddress), "{bad}");
        }
        for port in ["http://[::1]8080/", "http://[::1]x:8080/", "http://h:+8080/"] {
            let is_refused = port.parse::<Uri>().is_err() || canonical(port) == Err(EgressError::BadAddress);
            assert!(is_refused, "{port}");
        }
    }
}
