//! The path of a URL, split into segments.

use toolgate_domain::endpoint_url::URL_MAX;

use crate::spelling;
use crate::tables::PLATFORM_DOMAINS;

/// Maximum number of segments; a URL with more is too long for a tool.
const SEGMENTS_MAX: usize = URL_MAX / 2;

/// A URL without its query, with its path split into segments.
#[derive(Clone, Debug)]
pub(crate) struct UrlPath {
    /// Scheme, host and port, as typed.
    origin: String,
    pub(crate) segments: Vec<String>,
}

impl UrlPath {
    pub(crate) fn parse(base: &str) -> Self {
        let (scheme, rest) = base.split_once("://").unwrap_or(("http", base));
        let (authority, path) = rest.split_once('/').map_or((rest, None), |(host, path)| (host, Some(path)));
        let segments = path.into_iter().flat_map(|path| path.splitn(SEGMENTS_MAX, '/')).map(str::to_owned).collect();
        Self { origin: format!("{scheme}://{authority}"), segments }
    }

    /// The same origin with other segments.
    pub(crate) fn with_segments(&self, segments: Vec<String>) -> Self {
        Self { origin: self.origin.clone(), segments }
    }

    /// A key that is equal for all URLs of one origin.
    pub(crate) fn origin_key(&self) -> String {
        let origin = self.origin.to_ascii_lowercase();
        let default_port = if origin.starts_with("https:") { ":443" } else { ":80" };
        origin.strip_suffix(default_port).unwrap_or(&origin).to_owned()
    }

    /// The host, without its port.
    pub(crate) fn host(&self) -> &str {
        self.host_and_port().0
    }

    /// The port, if the URL has one.
    pub(crate) fn port(&self) -> Option<&str> {
        self.host_and_port().1
    }

    fn host_and_port(&self) -> (&str, Option<&str>) {
        let authority = self.origin.split_once("://").map_or(self.origin.as_str(), |(_, authority)| authority);
        let port = authority.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
        port.map_or((authority, None), |(host, port)| (host, Some(port)))
    }

    /// The label of the host that names the product or company, in snake case: `example` of `api.example.co.uk`. On the
    /// domain of a platform it is the first label. Empty for an IP address and for localhost.
    pub(crate) fn domain_label(&self) -> String {
        let host = self.host();
        let is_address = host.starts_with('[') || host.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if is_address || host == "localhost" {
            return String::new();
        }
        let mut labels: Vec<&str> = host.split('.').filter(|label| !label.is_empty()).collect();
        if labels.len() > 1 {
            labels.pop();
        }
        // A short label before the last one is part of the suffix, as in `co.uk`.
        if labels.len() > 1 && labels.last().is_some_and(|label| label.len() <= 3) {
            labels.pop();
        }
        let is_platform = labels.last().is_some_and(|label| PLATFORM_DOMAINS.contains(label));
        let label = if is_platform { labels.first() } else { labels.last() };
        label.map(|label| spelling::to_snake_case(label)).unwrap_or_default()
    }

    /// The path with its leading slash; empty without segments.
    pub(crate) fn path_text(&self) -> String {
        self.segments.iter().fold(String::new(), |text, segment| text + "/" + segment)
    }

    /// The URL without its query.
    pub(crate) fn base(&self) -> String {
        self.origin.clone() + &self.path_text()
    }
}

/// The name of the placeholder, if the segment consists of one placeholder.
pub(crate) fn placeholder_name(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}').filter(|name| !name.contains(['{', '}']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_split_into_host_and_segments() {
        for (base, host, segments) in [
            ("https://Api.example.com:8443/v1/users/", "Api.example.com", vec!["v1", "users", ""]),
            ("http://a.example", "a.example", vec![]),
            ("http://a.example/", "a.example", vec![""]),
            ("http://[::1]:80/x", "[::1]", vec!["x"]),
            ("http://[::1]/x", "[::1]", vec!["x"]),
        ] {
            let path = UrlPath::parse(base);
            assert_eq!((path.host(), path.base().as_str()), (host, base));
            assert_eq!(path.segments, segments);
        }
        let key = |base: &str| UrlPath::parse(base).origin_key();
        assert_eq!(key("HTTPS://A.example:443/x"), key("https://a.example"));
        assert_eq!(key("http://a.example:80/x"), key("http://a.example"));
        assert_ne!(key("http://a.example:443"), key("http://a.example"));
        assert_ne!(key("https://a.example"), key("http://a.example"));
    }

    #[test]
    fn the_domain_label_is_the_registered_name_of_the_host() {
        for (base, label) in [
            ("https://api.example.com/x", "example"),
            ("https://www.example.co.uk", "example"),
            ("http://my-host/x", "my_host"),
            ("https://youtube.googleapis.com/", "youtube"),
            ("http://localhost:8080/", ""),
            ("http://127.0.0.1", ""),
            ("http://[::1]/", ""),
        ] {
            assert_eq!(UrlPath::parse(base).domain_label(), label, "{base}");
        }
        assert_eq!(UrlPath::parse("http://a.example:5984/x").port(), Some("5984"));
    }
}
