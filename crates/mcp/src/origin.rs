//! Host and Origin checks against requests from foreign web pages. The Host check stops DNS rebinding, the Origin check
//! stops cross-origin requests. Both refuse with 403 before the body is read.

use std::net::Ipv4Addr;

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ALLOW, HOST, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use url::Url;

use crate::jsonrpc::error::RpcError;

/// The host names of the service.
#[derive(Clone, Debug)]
pub struct HostNames {
    base_url: Option<Url>,
    checks_host: bool,
}

impl HostNames {
    /// `base_url` is the public URL, if known. With `checks_host`, requests are refused unless their Host is that of
    /// `base_url` or a loopback name.
    pub fn new(base_url: Option<&str>, checks_host: bool) -> Self {
        Self { base_url: base_url.and_then(|url| Url::parse(url).ok()), checks_host }
    }

    /// Refuses a request for another host.
    pub(crate) fn check_host(&self, headers: &HeaderMap) -> Result<(), RpcError> {
        let host = headers.get(HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !self.checks_host || self.is_service_host_fast_path(host) || self.is_service_host(host) {
            return Ok(());
        }
        Err(RpcError::http(StatusCode::FORBIDDEN, "Forbidden: the Host header does not name this service"))
    }

    /// Whether a Host is that of the service, without parsing a URL. Accepts only what [`Self::is_service_host`]
    /// accepts, but not every spelling. Nearly every request is decided here.
    fn is_service_host_fast_path(&self, host: &str) -> bool {
        let (name, port) = host.split_once(':').unwrap_or((host, "0"));
        let is_port = port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
        let is_loopback = || name == "localhost" || name.parse::<Ipv4Addr>().is_ok_and(|name| name.is_loopback());
        let is_base = || self.base_url.as_ref().and_then(Url::host_str) == Some(name);
        is_port && (is_loopback() || is_base())
    }

    fn is_service_host(&self, host: &str) -> bool {
        let Ok(url) = Url::parse(&format!("http://{host}/")) else { return false };
        let is_plain = url.username().is_empty() && url.password().is_none() && url.path() == "/";
        is_plain && (is_loopback(&url) || self.base_url.as_ref().is_some_and(|base| base.host() == url.host()))
    }

    /// The Origin of a request, if it has one; an error if it is not allowed.
    pub(crate) fn check_origin(
        &self,
        headers: &HeaderMap,
        allowed: &[String],
    ) -> Result<Option<HeaderValue>, RpcError> {
        let mut origins = headers.get_all(ORIGIN).iter();
        let Some(origin) = origins.next() else { return Ok(None) };
        if origins.next().is_none() && origin.to_str().is_ok_and(|text| self.allows_origin(text, headers, allowed)) {
            return Ok(Some(origin.clone()));
        }
        let message = "Forbidden: this Origin is not allowed; add it to the server's settings.allowed_origins";
        Err(RpcError::http(StatusCode::FORBIDDEN, message))
    }

    fn allows_origin(&self, origin: &str, headers: &HeaderMap, allowed: &[String]) -> bool {
        if allowed.iter().any(|entry| entry.trim_end_matches('/').eq_ignore_ascii_case(origin)) {
            return true;
        }
        let Ok(url) = Url::parse(origin) else { return false };
        // Refuses a path, user information and opaque origins.
        if !matches!(url.scheme(), "http" | "https")
            || url.origin().ascii_serialization() != origin.to_ascii_lowercase()
        {
            return false;
        }
        match &self.base_url {
            _ if is_loopback(&url) => true,
            Some(base) => base.origin() == url.origin(),
            None => is_same_host(&url, headers),
        }
    }
}

/// Whether an origin has the host of the request: without a public URL, pages of this service are allowed.
fn is_same_host(origin: &Url, headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    Url::parse(&format!("{}://{host}/", origin.scheme())).is_ok_and(|service| service.origin() == origin.origin())
}

fn is_loopback(url: &Url) -> bool {
    url.host().is_some_and(|host| toolgate_domain::host::is_loopback(&host))
}

/// Lets pages of an allowed origin read the response.
pub(crate) fn add_cors_headers(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
    let Some(origin) = origin else { return };
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(VARY, HeaderValue::from_static("Origin"));
    let exposed = "Mcp-Session-Id, WWW-Authenticate, Retry-After, X-Request-Id";
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(exposed));
}

/// The response headers of a preflight. All requested headers are allowed, because `Mcp-Param-…` headers can have any
/// name.
pub(crate) fn add_preflight_headers(headers: &mut HeaderMap, requested: Option<&HeaderValue>) {
    let methods = HeaderValue::from_static("GET, POST, DELETE, OPTIONS");
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods.clone());
    let default = "Authorization, Content-Type, Accept, X-API-Key, X-MCP-Client, Mcp-Session-Id, MCP-Protocol-Version, \
                 Mcp-Method, Mcp-Name, Last-Event-ID";
    let allowed = requested.cloned().unwrap_or(HeaderValue::from_static(default));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    // Two hours, the longest time that Chromium accepts.
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("7200"));
    headers.insert(ALLOW, methods);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_hosts_of_the_service_are_accepted() {
        let local = HostNames::new(Some("http://127.0.0.1:8080"), true);
        for host in ["127.0.0.1:8080", "localhost:8080", "[::1]:80", "LOCALHOST", "x.localhost"] {
            assert!(local.check_host(&headers(host, None)).is_ok(), "{host}");
        }
        for foreign in
            ["evil.example.com", "evil.example:8080", "", "localhost.evil.example", "a@localhost", "10.0.0.1"]
        {
            assert!(local.check_host(&headers(foreign, None)).is_err(), "{foreign}");
        }
        let public = HostNames::new(Some("https://tools.example.com"), true);
        assert!(public.check_host(&headers("tools.example.com", None)).is_ok());
        assert!(public.check_host(&headers("other.example.com", None)).is_err());
        assert!(HostNames::new(None, false).check_host(&headers("anything", None)).is_ok());
    }

    #[test]
    fn the_fast_path_accepts_only_hosts_of_the_service() {
        for base in [None, Some("http://127.0.0.1:8080"), Some("https://tools.example.com"), Some("http://[::1]:80")] {
            let names = HostNames::new(base, true);
            let hosts =
                ["127.0.0.1", "localhost", "127.9.9.9", "tools.example.com", "[::1]", "10.0.0.1", "a@localhost", ""];
            for (host, port) in
                hosts.iter().flat_map(|host| ["", ":1", ":65536", ":", ":x", ":+1", ":1/"].map(|port| (host, port)))
            {
                let host = format!("{host}{port}");
                assert!(
                    !names.is_service_host_fast_path(&host) || names.is_service_host(&host),
                    "{host} with {base:?}"
                );
            }
            assert!(names.is_service_host_fast_path("127.0.0.1:8080"));
        }
        assert!(HostNames::new(Some("https://tools.example.com"), true).is_service_host_fast_path("tools.example.com"));
    }

    #[test]
    fn only_allowed_origins_are_accepted() {
        let names = HostNames::new(Some("https://tools.example.com"), false);
        let allowed = ["https://app.example".to_owned()];
        let is_accepted = |origin| names.check_origin(&headers("tools.example.com", Some(origin)), &allowed).is_ok();
        for good in ["https://tools.example.com", "http://localhost:6274", "https://app.example", "http://127.0.0.1:1"]
        {
            assert!(is_accepted(good), "{good}");
        }
        for bad in [
            "null",
            "https://evil.example",
            "http://tools.example.com",
            "https://app.example:444",
            "x",
            "https://localhost.evil.example",
            "file://",
            "http://localhost:1/path",
        ] {
            assert!(!is_accepted(bad), "{bad}");
        }
        let without_base = HostNames::new(None, false);
        assert!(without_base.check_origin(&headers("h.example:8080", Some("http://h.example:8080")), &[]).is_ok());
        assert!(without_base.check_origin(&headers("h.example:8080", Some("http://h.example")), &[]).is_err());
        assert!(names.check_origin(&headers("x", None), &[]).is_ok());
    }
}
