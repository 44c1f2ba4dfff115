//! The address of the client of a request, which a trusted proxy reports in `X-Forwarded-For`.

use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderName};
use ipnet::IpNet;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The remote address of a request; the listener stores it in the request's extensions.
#[derive(Clone, Copy, Debug)]
pub struct PeerAddr(pub SocketAddr);

/// The networks of the proxies whose `X-Forwarded-*` headers are trusted.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// The proxies in these networks.
    pub fn new(networks: Vec<IpNet>) -> Self {
        Self(networks)
    }

    /// Whether an address belongs to a trusted proxy.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The address of the client: that of the peer, unless the peer is a trusted proxy. Then it is the rightmost
    /// address in `X-Forwarded-For` that is not a trusted proxy; each proxy appends the address of its own peer.
    /// Addresses to the left of that one, or of a malformed entry, may be forged by the client and are ignored.
    ///
    /// `Forwarded` is not read: a client could send it through a proxy that maintains only `X-Forwarded-For`.
    pub fn client_address(&self, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.ip().to_canonical();
        if !self.contains(client) {
            return client;
        }
        // Several header lines are one list, in the order of the lines. A value that is not text is treated as
        // malformed.
        let lines = headers.get_all(FORWARDED_FOR).iter().rev().map(|line| line.to_str().unwrap_or("?"));
        let entries = lines.flat_map(|line| line.rsplit(',')).map(str::trim).filter(|entry| !entry.is_empty());
        for entry in entries {
            let Some(address) = parse_address(entry) else { break };
            client = address;
            if !self.contains(address) {
                break;
            }
        }
        client
    }
}

/// Parses an address with an optional port, which some proxies add; an IPv6 address may be in brackets.
fn parse_address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse().map(|address: SocketAddr| address.ip()));
    address.ok().map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The client of a request from `peer` with these lines of `X-Forwarded-For`.
    fn client(peer: &str, lines: &[&[u8]]) -> String {
        let proxies = TrustedProxies::new(vec!["10.0.0.0/8".parse().unwrap(), "2001:db8::/32".parse().unwrap()]);
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED_FOR, http::HeaderValue::from_bytes(line).unwrap());
        }
        headers.insert("forwarded", "for=192.0.2.99".parse().unwrap());
        proxies.client_address(SocketAddr::new(peer.parse().unwrap(), 4000), &headers).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_may_report_the_client() {
        assert_eq!(client("203.0.113.9", &[b"192.0.2.1"]), "203.0.113.9");
        assert_eq!(client("::ffff:203.0.113.9", &[b"192.0.2.1"]), "203.0.113.9");
        assert_eq!(client("10.0.0.1", &[]), "10.0.0.1");
        for peer in ["10.0.0.1", "::ffff:10.0.0.1", "2001:db8::7"] {
            assert_eq!(client(peer, &[b"192.0.2.1"]), "192.0.2.1");
        }
        let no_proxies = TrustedProxies::default();
        let headers = HeaderMap::from_iter([(FORWARDED_FOR, "192.0.2.1".parse().unwrap())]);
        assert_eq!(no_proxies.client_address("127.0.0.1:1".parse().unwrap(), &headers).to_string(), "127.0.0.1");
    }

    #[test]
    fn the_client_is_the_rightmost_address_that_is_not_a_trusted_proxy() {
        for (lines, expected) in [
            (&[b"6.6.6.6, 192.0.2.1, 10.1.1.1".as_slice()][..], "192.0.2.1"),
            (&[b"6.6.6.6, 192.0.2.1", b"10.1.1.1"], "192.0.2.1"),
            (&[b"192.0.2.1", b"6.6.6.6"], "6.6.6.6"),
            (&[b"10.2.2.2,10.1.1.1"], "10.2.2.2"),
            (&[b"192.0.2.1,, ,"], "192.0.2.1"),
        ] {
            assert_eq!(client("10.0.0.1", lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn a_malformed_entry_ends_the_list_at_the_last_proxy() {
        for malformed in ["unknown", "_hidden", "300.1.1.1", "fe80::1%eth0", "a:1", "[::1", "192.0.2.1 192.0.2.2"] {
            let line = format!("192.0.2.1, {malformed}, 10.3.3.3");
            assert_eq!(client("10.0.0.1", &[line.as_bytes()]), "10.3.3.3", "{malformed}");
            assert_eq!(client("10.0.0.1", &[malformed.as_bytes()]), "10.0.0.1", "{malformed}");
        }
        assert_eq!(client("10.0.0.1", &[b"192.0.2.1", b"\xff"]), "10.0.0.1");
    }

    #[test]
    fn ports_and_brackets_are_not_part_of_the_address() {
        for (entry, expected) in [
            ("192.0.2.1:8080", "192.0.2.1"),
            ("[2001:db9::1]:8080", "2001:db9::1"),
            ("[2001:db9::1]", "2001:db9::1"),
            ("2001:db9::1", "2001:db9::1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
        ] {
            assert_eq!(client("10.0.0.1", &[entry.as_bytes()]), expected);
        }
    }
}
