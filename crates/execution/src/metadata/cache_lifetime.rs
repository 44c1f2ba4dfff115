//! How long a response may be cached, by its `Cache-Control`.

use std::time::Duration;

use http::HeaderMap;
use http::header::CACHE_CONTROL;

/// The `max-age` of a response; zero if the response must not be stored or must always be revalidated. `None` if
/// `Cache-Control` says nothing about it.
pub(super) fn max_age(headers: &HeaderMap) -> Option<Duration> {
    let values = headers.get_all(CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
    let directives: Vec<String> =
        values.flat_map(|value| value.split(',')).map(|text| text.trim().to_ascii_lowercase()).collect();
    if directives.iter().any(|directive| matches!(directive.as_str(), "no-store" | "no-cache")) {
        return Some(Duration::ZERO);
    }
    let seconds = directives.iter().find_map(|directive| directive.strip_prefix("max-age="))?;
    seconds.trim_matches('"').parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lifetime_is_read_from_any_notation() {
        for (value, expected) in [
            ("max-age=600", Some(600)),
            ("public, Max-Age=600, immutable", Some(600)),
            ("max-age=\"60\"", Some(60)),
            ("no-store", Some(0)),
            ("max-age=600, no-cache", Some(0)),
            ("public", None),
            ("max-age=-1", None),
            ("max-age=x", None),
            ("s-maxage=7", None),
        ] {
            let headers = HeaderMap::from_iter([(CACHE_CONTROL, value.parse().unwrap())]);
            assert_eq!(max_age(&headers), expected.map(Duration::from_secs), "{value}");
        }
        assert_eq!(max_age(&HeaderMap::new()), None);
    }
}
