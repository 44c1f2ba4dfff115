//! The address clients know this service by.

use std::net::SocketAddr;

use http::HeaderMap;
use http::header::HOST;
use ipnet::IpNet;

/// Where the public address comes from.
#[derive(Clone, Debug)]
pub enum BaseUrl {
    /// It is known: set by the operator, or the address listened on.
    Fixed(String),
    /// It is whatever the client called us by: the service listens on every address and was told no name.
    FromRequest,
}

/// The address a request came from, put into its extensions by the listener.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

impl BaseUrl {
    /// The public address, without a slash at its end. Forwarding headers count only from trusted proxies.
    pub(crate) fn resolve(&self, headers: &HeaderMap, peer: Option<Peer>, trusted: &[IpNet]) -> String {
        match self {
            Self::Fixed(url) => url.trim_end_matches('/').to_owned(),
            Self::FromRequest => {
                let by_proxy =
                    peer.is_some_and(|peer| trusted.iter().any(|net| net.contains(&peer.0.ip().to_canonical())));
                let forwarded = |name| by_proxy.then(|| first_value(headers, name)).flatten();
                let scheme =
                    forwarded("x-forwarded-proto").filter(|s| matches!(*s, "http" | "https")).unwrap_or("http");
                let host = forwarded("x-forwarded-host").or_else(|| first_value(headers, HOST.as_str()));
                format!("{scheme}://{}", host.filter(|host| is_host(host)).unwrap_or("localhost"))
            }
        }
    }
}

fn first_value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()?.split(',').next().map(str::trim)
}

/// Whether a text can be a host with a port and nothing else.
fn is_host(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:[]_".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(host: &str, forwarded: &str, peer: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        headers.insert("x-forwarded-host", forwarded.parse().unwrap());
        headers.insert("x-forwarded-proto", "https".parse().unwrap());
        let peer = Peer(SocketAddr::new(peer.parse().unwrap(), 1));
        BaseUrl::FromRequest.resolve(&headers, Some(peer), &["10.0.0.0/8".parse().unwrap()])
    }

    #[test]
    fn forwarding_headers_count_only_from_trusted_proxies() {
        assert_eq!(resolve("a.example:8080", "b.example", "192.0.2.1"), "http://a.example:8080");
        assert_eq!(resolve("a.example:8080", "b.example", "10.1.2.3"), "https://b.example");
        assert_eq!(resolve("a/../evil", "x", "192.0.2.1"), "http://localhost");
    }
}
