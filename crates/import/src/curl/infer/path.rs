//! The path of an address, segment by segment.

use toolgate_domain::endpoint_url::URL_MAX;

/// Most segments that are told apart; an address with more is too long for a tool.
const SEGMENTS_MAX: usize = URL_MAX / 2;

/// An address without its query.
#[derive(Clone, Debug)]
pub(super) struct Path {
    /// Scheme, host and port, as typed.
    origin: String,
    pub(super) segments: Vec<String>,
}

impl Path {
    pub(super) fn of(base: &str) -> Self {
        let (scheme, rest) = base.split_once("://").unwrap_or(("http", base));
        let (authority, path) = rest.split_once('/').map_or((rest, None), |(host, path)| (host, Some(path)));
        let segments = path.into_iter().flat_map(|path| path.splitn(SEGMENTS_MAX, '/')).map(str::to_owned).collect();
        Self { origin: format!("{scheme}://{authority}"), segments }
    }

    /// The same with other segments.
    pub(super) fn with(&self, segments: Vec<String>) -> Self {
        Self { origin: self.origin.clone(), segments }
    }

    /// What is the same for all addresses of a host.
    pub(super) fn host_key(&self) -> String {
        let origin = self.origin.to_ascii_lowercase();
        let default_port = if origin.starts_with("https:") { ":443" } else { ":80" };
        origin.strip_suffix(default_port).unwrap_or(&origin).to_owned()
    }

    /// What is the same for all paths that differ only in ids.
    pub(super) fn key(&self) -> String {
        let segments: Vec<&str> =
            self.segments.iter().map(|segment| if is_id(segment) { "{}" } else { segment.as_str() }).collect();
        segments.join("/")
    }

    /// The host, without its port.
    pub(super) fn host(&self) -> &str {
        let authority = self.origin.split_once("://").map_or(self.origin.as_str(), |(_, authority)| authority);
        let port = authority.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
        port.map_or(authority, |(host, _)| host)
    }

    /// From the first slash.
    pub(super) fn text(&self) -> String {
        self.segments.iter().fold(String::new(), |text, segment| text + "/" + segment)
    }

    pub(super) fn base(&self) -> String {
        self.origin.clone() + &self.text()
    }
}

/// The name of a segment that is a placeholder and nothing else.
pub(super) fn placeholder(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}').filter(|name| !name.contains(['{', '}']))
}

/// Whether a segment tells which one of many: a number, a UUID, a digest or a placeholder.
pub(super) fn is_id(segment: &str) -> bool {
    let is_hex = segment.bytes().all(|b| b.is_ascii_hexdigit()) && segment.bytes().any(|b| b.is_ascii_digit());
    let is_number = !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit());
    is_number || (is_hex && segment.len() >= 8) || is_uuid(segment) || placeholder(segment).is_some()
}

/// Whether a segment says nothing about what is called: a version, or that this is an API.
pub(super) fn is_prefix(segment: &str) -> bool {
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
    fn an_address_falls_into_host_and_segments() {
        for (base, host, segments) in [
            ("https://Api.example.com:8443/v1/users/", "Api.example.com", vec!["v1", "users", ""]),
            ("http://a.example", "a.example", vec![]),
            ("http://a.example/", "a.example", vec![""]),
            ("http://[::1]:80/x", "[::1]", vec!["x"]),
            ("http://[::1]/x", "[::1]", vec!["x"]),
        ] {
            let path = Path::of(base);
            assert_eq!((path.host(), path.base().as_str()), (host, base));
            assert_eq!(path.segments, segments);
        }
        let key = |base: &str| Path::of(base).host_key();
        assert_eq!(key("HTTPS://A.example:443/x"), key("https://a.example"));
        assert_eq!(key("http://a.example:80/x"), key("http://a.example"));
        assert_ne!(key("http://a.example:443"), key("http://a.example"));
        assert_ne!(key("https://a.example"), key("http://a.example"));
    }

    #[test]
    fn ids_are_told_from_words() {
        for id in ["1", "0042", "deadbeef1", "1234567a", "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "{id}"] {
            assert!(is_id(id), "{id}");
        }
        for word in ["", "users", "deadbeef", "12ab", "v1", "a1b2-c3", "{id}.json", "{a}{b}", "1.5", "１"] {
            assert!(!is_id(word), "{word}");
        }
        for prefix in ["v1", "V2.1", "api", "REST"] {
            assert!(is_prefix(prefix), "{prefix}");
        }
        for word in ["v", "vx", "v1beta", "apis", ""] {
            assert!(!is_prefix(word), "{word}");
        }
        assert_eq!(Path::of("http://a/users/1/x/{id}").key(), "users/{}/x/{}");
    }
}
