//! Reading a key from a request.

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName};

const KEY_HEADER: HeaderName = HeaderName::from_static("x-api-key");

/// Keys of one request that are looked at; each costs a hash.
const PRESENTED_MAX: usize = 4;

/// The token of `Authorization: Bearer <token>`. The scheme's case does not matter; two headers, or
/// anything that is not one token, is no key.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next()?.to_str().ok()?;
    if values.next().is_some() {
        return None;
    }
    let (scheme, token) = value.trim().split_once(' ')?;
    let token = token.trim_start();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() && !token.contains(' ')).then_some(token)
}

/// Every key that a request to an MCP endpoint presents: `Authorization: Bearer <key>`, `Authorization: ApiKey <key>`,
/// `X-API-Key: <key>`. A proxy may have added one of them, so any may be the right one.
pub fn presented_keys(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let authorization = headers.get_all(AUTHORIZATION).iter().filter_map(|value| {
        let (scheme, key) = value.to_str().ok()?.trim().split_once(' ')?;
        let is_ours = scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("apikey");
        is_ours.then(|| key.trim_start())
    });
    let own = headers.get_all(KEY_HEADER).iter().filter_map(|value| value.to_str().ok()).map(str::trim);
    authorization.chain(own).filter(|key| !key.is_empty() && !key.contains(' ')).take(PRESENTED_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_present_a_key_counts() {
        let mut headers = HeaderMap::new();
        headers.append(AUTHORIZATION, "Basic x".parse().unwrap());
        headers.append(AUTHORIZATION, "apikey one".parse().unwrap());
        headers.append("x-api-key", " two ".parse().unwrap());
        headers.append("x-api-key", "".parse().unwrap());
        assert_eq!(presented_keys(&headers).collect::<Vec<_>>(), ["one", "two"]);
    }

    #[test]
    fn only_one_well_formed_bearer_token_counts() {
        for (value, expected) in [
            ("Bearer abc", Some("abc")),
            ("bearer  abc", Some("abc")),
            ("BEARER abc ", Some("abc")),
            ("Bearer", None),
            ("Bearer ", None),
            ("Bearer a b", None),
            ("Basic abc", None),
            ("abc", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, value.parse().unwrap());
            assert_eq!(bearer(&headers), expected, "{value:?}");
            headers.append(AUTHORIZATION, "Bearer other".parse().unwrap());
            assert_eq!(bearer(&headers), None);
        }
    }
}
