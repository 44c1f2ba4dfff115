//! Reads keys from the headers of a request.

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName};

const KEY_HEADER: HeaderName = HeaderName::from_static("x-api-key");

/// Maximum number of keys of one request that are checked; each check computes a hash.
const PRESENTED_MAX: usize = 4;

/// The token of `Authorization: Bearer <token>`; the scheme is case-insensitive. `None` if there are several such
/// headers, or the value is not a single token.
pub fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next()?.to_str().ok()?;
    if values.next().is_some() {
        return None;
    }
    let (scheme, token) = value.trim().split_once(' ')?;
    let token = token.trim_start();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() && !token.contains(' ')).then_some(token)
}

/// Every key in a request to an MCP endpoint: `Authorization: Bearer <key>`, `Authorization: ApiKey <key>`,
/// `X-API-Key: <key>`. A proxy may have added one of these headers, so that any of them may be the client's key.
pub fn presented_keys(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let authorization = headers.get_all(AUTHORIZATION).iter().filter_map(|value| {
        let (scheme, key) = value.to_str().ok()?.trim().split_once(' ')?;
        let is_supported = scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("apikey");
        is_supported.then(|| key.trim_start())
    });
    let api_keys = headers.get_all(KEY_HEADER).iter().filter_map(|value| value.to_str().ok()).map(str::trim);
    authorization.chain(api_keys).filter(|key| !key.is_empty() && !key.contains(' ')).take(PRESENTED_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_present_a_key_is_accepted() {
        let mut headers = HeaderMap::new();
        headers.append(AUTHORIZATION, "Basic x".parse().unwrap());
        headers.append(AUTHORIZATION, "apikey one".parse().unwrap());
        headers.append("x-api-key", " two ".parse().unwrap());
        headers.append("x-api-key", "".parse().unwrap());
        assert_eq!(presented_keys(&headers).collect::<Vec<_>>(), ["one", "two"]);
    }

    #[test]
    fn only_a_single_well_formed_bearer_token_is_accepted() {
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
            assert_eq!(bearer_token(&headers), expected, "{value:?}");
            headers.append(AUTHORIZATION, "Bearer other".parse().unwrap());
            assert_eq!(bearer_token(&headers), None);
        }
    }
}
