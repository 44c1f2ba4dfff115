//! The path of a URL, split into segments.

use toolgate_domain::endpoint_url::URL_MAX;

/// Maximum number of segments; a URL with more is too long for a tool.
const SEGMENTS_MAX: usize = URL_MAX / 2;

/// Minimum length of a hexadecimal id. Shorter texts may be words or codes.
const HEX_ID_MIN: usize = 8;

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

    /// A key that is equal for all paths that differ only in ids.
    pub(crate) fn path_key(&self) -> String {
        let segments: Vec<&str> =
            self.segments.iter().map(|segment| if is_id(segment) { "{}" } else { segment.as_str() }).collect();
        segments.join("/")
    }

    /// The host, without its port.
    pub(crate) fn host(&self) -> &str {
        let authority = self.origin.split_once("://").map_or(self.origin.as_str(), |(_, authority)| authority);
        let port = authority.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
        port.map_or(authority, |(host, _)| host)
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

/// Whether a segment is an id: a number, a UUID, a hexadecimal digest or a placeholder.
pub(crate) fn is_id(segment: &str) -> bool {
    let is_hex = segment.bytes().all(|b| b.is_ascii_hexdigit()) && segment.bytes().any(|b| b.is_ascii_digit());
    let is_number = !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit());
    is_number || (is_hex && segment.len() >= HEX_ID_MIN) || is_uuid(segment) || placeholder_name(segment).is_some()
}

/// Whether a segment is a prefix without meaning for the name of a tool: a version, or a word such as `api`.
pub(crate) fn is_api_prefix(segment: &str) -> bool {
    let segment = segment.to_ascii_lowercase();
    let version = segment.strip_prefix('v').filter(|number| number.starts_with(|c: char| c.is_ascii_digit()));
    matches!(segment.as_str(), "api" | "rest" | "wp-json")
        || version.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

fn is_uuid(segment: &str) -> bool {
    let parts = segment.split('-').map(|part| part.bytes().all(|b| b.is_ascii_hexdigit()).then_some(part.len()));
    parts.eq([8, 4, 4, 4, 12].map(Some))
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
    fn ids_and_prefixes_are_distinguished_from_words() {
        for id in ["1", "0042", "deadbeef1", "1234567a", "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "{id}"] {
            assert!(is_id(id), "{id}");
        }
        for word in ["", "users", "deadbeef", "12ab", "v1", "a1b2-c3", "{id}.json", "{a}{b}", "1.5", "１"] {
            assert!(!is_id(word), "{word}");
        }
        for prefix in ["v1", "V2.1", "api", "REST"] {
            assert!(is_api_prefix(prefix), "{prefix}");
        }
        for word in ["v", "vx", "v1beta", "apis", ""] {
            assert!(!is_api_prefix(word), "{word}");
        }
        assert_eq!(UrlPath::parse("http://a/users/1/x/{id}").path_key(), "users/{}/x/{}");
    }
}
