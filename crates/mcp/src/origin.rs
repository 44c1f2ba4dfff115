//! Who may talk to us from a browser, and under which name. A page that rebinds its name to our address is told by
//! the Host it sends; a page elsewhere by its Origin. Both are refused with 403 before anything is read.

use std::net::Ipv4Addr;

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HOST, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use url::Url;

use crate::jsonrpc::RpcError;

/// What the service is called.
#[derive(Clone, Debug)]
pub struct HostNames {
    base: Option<Url>,
    checks_host: bool,
}

impl HostNames {
    /// `base_url` is the public address, where one is known. With `checks_host`, requests under any other name than its
    /// and this machine's own are refused.
    pub fn new(base_url: Option<&str>, checks_host: bool) -> Self {
        Self { base: base_url.and_then(|url| Url::parse(url).ok()), checks_host }
    }

    /// Refuses a Host that is not ours.
    pub(crate) fn check_host(&self, headers: &HeaderMap) -> Result<(), RpcError> {
        let host = headers.get(HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !self.checks_host || self.is_own_fast_path(host) || self.is_own(host) {
            return Ok(());
        }
        Err(RpcError::http(StatusCode::FORBIDDEN, "Forbidden: this service does not answer to that Host"))
    }

    /// Whether a Host is one of our own in its commonest spelling: what [`Self::is_own`] says of it, at a fraction of
    /// the cost, for nearly every request asks.
    fn is_own_fast_path(&self, host: &str) -> bool {
        let (name, port) = host.split_once(':').unwrap_or((host, "0"));
        let is_port = port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
        let is_loopback = || name == "localhost" || name.parse::<Ipv4Addr>().is_ok_and(|name| name.is_loopback());
        let is_base = || self.base.as_ref().and_then(Url::host_str) == Some(name);
        is_port && (is_loopback() || is_base())
    }

    fn is_own(&self, host: &str) -> bool {
        let Ok(url) = Url::parse(&format!("http://{host}/")) else { return false };
        let is_plain = url.username().is_empty() && url.password().is_none() && url.path() == "/";
        is_plain && (is_loopback(&url) || self.base.as_ref().is_some_and(|base| base.host() == url.host()))
    }

    /// The Origin of a request, where it is allowed; `Err` for one that is not.
    pub(crate) fn check_origin(
        &self,
        headers: &HeaderMap,
        allowed: &[String],
    ) -> Result<Option<HeaderValue>, RpcError> {
        let mut origins = headers.get_all(ORIGIN).iter();
        let Some(origin) = origins.next() else { return Ok(None) };
        if origins.next().is_none() && origin.to_str().is_ok_and(|text| self.allows(text, headers, allowed)) {
            return Ok(Some(origin.clone()));
        }
        let remedy = "Forbidden: this Origin is not allowed; add it to the server's settings.allowed_origins";
        Err(RpcError::http(StatusCode::FORBIDDEN, remedy))
    }

    fn allows(&self, origin: &str, headers: &HeaderMap, allowed: &[String]) -> bool {
        if allowed.iter().any(|one| one.trim_end_matches('/').eq_ignore_ascii_case(origin)) {
            return true;
        }
        let Ok(url) = Url::parse(origin) else { return false };
        // An origin is all there is: no path, no user, no opaque scheme.
        if !matches!(url.scheme(), "http" | "https")
            || url.origin().ascii_serialization() != origin.to_ascii_lowercase()
        {
            return false;
        }
        match &self.base {
            _ if is_loopback(&url) => true,
            Some(base) => base.origin() == url.origin(),
            None => same_host(&url, headers),
        }
    }
}

/// Without a public address, the page that we served ourselves.
fn same_host(origin: &Url, headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    Url::parse(&format!("{}://{host}/", origin.scheme())).is_ok_and(|own| own.origin() == origin.origin())
}

fn is_loopback(url: &Url) -> bool {
    url.host().is_some_and(|host| toolgate_domain::host::is_loopback(&host))
}

/// Lets the page of an allowed origin read the answer.
pub(crate) fn add_cors_headers(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
    let Some(origin) = origin else { return };
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(VARY, HeaderValue::from_static("Origin"));
    let exposed = "Mcp-Session-Id, WWW-Authenticate, Retry-After, X-Request-Id";
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(exposed));
}

/// What a preflight asks for. Argument headers (`Mcp-Param-…`) have any name, so what is asked for is allowed.
pub(crate) fn add_preflight_headers(headers: &mut HeaderMap, requested: Option<&HeaderValue>) {
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE, OPTIONS"));
    let usual = "Authorization, Content-Type, Accept, X-API-Key, X-MCP-Client, Mcp-Session-Id, MCP-Protocol-Version, \
                 Mcp-Method, Mcp-Name, Last-Event-ID";
    let allowed = requested.cloned().unwrap_or(HeaderValue::from_static(usual));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("7200"));
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
    fn only_our_own_names_are_answered() {
        let local = HostNames::new(Some("http://127.0.0.1:8080"), true);
        for own in ["127.0.0.1:8080", "localhost:8080", "[::1]:80", "LOCALHOST", "x.localhost"] {
            assert!(local.check_host(&headers(own, None)).is_ok(), "{own}");
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
    fn what_is_plainly_our_own_is_our_own() {
        for base in [None, Some("http://127.0.0.1:8080"), Some("https://tools.example.com"), Some("http://[::1]:80")] {
            let names = HostNames::new(base, true);
            let hosts =
                ["127.0.0.1", "localhost", "127.9.9.9", "tools.example.com", "[::1]", "10.0.0.1", "a@localhost", ""];
            for (host, port) in
                hosts.iter().flat_map(|host| ["", ":1", ":65536", ":", ":x", ":+1", ":1/"].map(|port| (host, port)))
            {
                let host = format!("{host}{port}");
                assert!(!names.is_own_fast_path(&host) || names.is_own(&host), "{host} with {base:?}");
            }
            assert!(names.is_own_fast_path("127.0.0.1:8080"));
        }
        assert!(HostNames::new(Some("https://tools.example.com"), true).is_own_fast_path("tools.example.com"));
    }

    #[test]
    fn only_known_origins_pass() {
        let names = HostNames::new(Some("https://tools.example.com"), false);
        let allowed = ["https://app.example".to_owned()];
        let passes = |origin| names.check_origin(&headers("tools.example.com", Some(origin)), &allowed).is_ok();
        for good in ["https://tools.example.com", "http://localhost:6274", "https://app.example", "http://127.0.0.1:1"]
        {
            assert!(passes(good), "{good}");
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
            assert!(!passes(bad), "{bad}");
        }
        let unknown = HostNames::new(None, false);
        assert!(unknown.check_origin(&headers("h.example:8080", Some("http://h.example:8080")), &[]).is_ok());
        assert!(unknown.check_origin(&headers("h.example:8080", Some("http://h.example")), &[]).is_err());
        assert!(names.check_origin(&headers("x", None), &[]).is_ok());
    }
}
