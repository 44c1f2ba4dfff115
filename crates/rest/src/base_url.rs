//! The public URL of the service.

use http::HeaderMap;
use http::header::HOST;
use toolgate_auth::{PeerAddr, TrustedProxies};
use toolgate_domain::closed_set;
use toolgate_domain::host::is_loopback;
use url::Url;

/// Where the public URL comes from.
#[derive(Clone, Debug)]
pub enum BaseUrl {
    /// Configured by the operator, or the address the service listens on.
    Fixed(String),
    /// Taken from the `Host` header of each request: the service listens on every address and no URL is configured.
    FromRequest,
}

closed_set! {
    /// Why the service cannot issue tokens.
    pub(crate) enum IssuerProblem {
        /// The public URL depends on the request.
        NoBaseUrl = "no_base_url",
        /// The public URL is not https, and other machines can reach it.
        NotHttps = "not_https",
    }
}

impl BaseUrl {
    /// The issuer of this service, which is its public URL. It must not depend on a request, and must be https unless
    /// the host is loopback.
    pub(crate) fn issuer(&self) -> Result<&str, IssuerProblem> {
        let Self::Fixed(text) = self else { return Err(IssuerProblem::NoBaseUrl) };
        let url = Url::parse(text).map_err(|_| IssuerProblem::NoBaseUrl)?;
        match url.host() {
            Some(host) if url.scheme() == "https" || is_loopback(&host) => Ok(text.trim_end_matches('/')),
            _ => Err(IssuerProblem::NotHttps),
        }
    }

    /// The public URL, without a trailing slash. Forwarding headers are used only from trusted proxies.
    pub(crate) fn resolve(
        &self,
        headers: &HeaderMap,
        peer: Option<PeerAddr>,
        trusted_proxies: &TrustedProxies,
    ) -> String {
        match self {
            Self::Fixed(url) => url.trim_end_matches('/').to_owned(),
            Self::FromRequest => {
                let is_trusted_proxy = peer.is_some_and(|peer| trusted_proxies.contains(peer.0.ip()));
                let forwarded = |name| is_trusted_proxy.then(|| first_value(headers, name)).flatten();
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

/// Whether the text has only characters of a host with an optional port.
fn is_host(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:[]_".contains(&b))
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    fn resolve(host: &str, forwarded: &str, peer: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        headers.insert("x-forwarded-host", forwarded.parse().unwrap());
        headers.insert("x-forwarded-proto", "https".parse().unwrap());
        let peer = PeerAddr(SocketAddr::new(peer.parse().unwrap(), 1));
        let proxies = TrustedProxies::new(vec!["10.0.0.0/8".parse().unwrap()]);
        BaseUrl::FromRequest.resolve(&headers, Some(peer), &proxies)
    }

    #[test]
    fn forwarding_headers_are_used_only_from_trusted_proxies() {
        assert_eq!(resolve("a.example:8080", "b.example", "192.0.2.1"), "http://a.example:8080");
        assert_eq!(resolve("a.example:8080", "b.example", "10.1.2.3"), "https://b.example");
        assert_eq!(resolve("a/../evil", "x", "192.0.2.1"), "http://localhost");
    }
}
