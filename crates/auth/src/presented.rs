//! Reading a key from a request.

use http::HeaderMap;
use http::header::AUTHORIZATION;

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

#[cfg(test)]
mod tests {
    use super::*;

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
