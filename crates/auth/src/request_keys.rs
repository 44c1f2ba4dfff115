//! Reads keys from the headers of a request.

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::access_token::ACCESS_TOKEN_PREFIX;

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

/// An access token in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresentedToken<'a> {
    /// There is none.
    None,
    /// There is one, but not in a single header of exactly the form `Authorization: Bearer <token>`.
    Malformed,
    /// The token; it is not verified.
    Token(&'a str),
}

/// The access token of the built-in issuer in a request to an MCP endpoint. Unlike a key, it must be in the only
/// `Authorization` header.
pub fn presented_token(headers: &HeaderMap) -> PresentedToken<'_> {
    find_token(headers, |word| word.starts_with(ACCESS_TOKEN_PREFIX))
}

/// Like [`presented_token`], for a server that accepts signed tokens of another issuer. Such a token is recognized by
/// its dots, which keys do not contain.
pub fn presented_signed_token(headers: &HeaderMap) -> PresentedToken<'_> {
    find_token(headers, |word| word.starts_with(ACCESS_TOKEN_PREFIX) || word.split('.').count() > 2)
}

fn find_token(headers: &HeaderMap, is_token: impl Fn(&str) -> bool) -> PresentedToken<'_> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (first, is_single) = (values.next(), values.next().is_none());
    match first.filter(|_| is_single).and_then(bearer_word).filter(|word| is_token(word)) {
        Some(token) => PresentedToken::Token(token),
        None if headers.get_all(AUTHORIZATION).iter().any(|value| has_token(value, &is_token)) => {
            PresentedToken::Malformed
        }
        None => PresentedToken::None,
    }
}

/// The word in `Bearer <word>`, with exactly one space.
fn bearer_word(value: &HeaderValue) -> Option<&str> {
    let (scheme, word) = value.to_str().ok()?.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !word.contains([' ', '\t'])).then_some(word)
}

/// Whether a token is anywhere in a header.
fn has_token(value: &HeaderValue, is_token: impl Fn(&str) -> bool) -> bool {
    value.to_str().unwrap_or_default().split([' ', '\t', ',']).any(is_token)
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

    #[test]
    fn an_access_token_is_accepted_in_a_single_header_only() {
        for (values, expected) in [
            (&["Bearer tga_a.b"][..], PresentedToken::Token("tga_a.b")),
            (&["bearer tga_a.b"], PresentedToken::Token("tga_a.b")),
            (&["Bearer tga_a.b tga_a.b"], PresentedToken::Malformed),
            (&["Bearer tga_a .b"], PresentedToken::Malformed),
            (&["Bearer  tga_a.b"], PresentedToken::Malformed),
            (&["Bearer tga_a.b\tc"], PresentedToken::Malformed),
            (&["Bearer tga_a.b,Bearer tga_a.b"], PresentedToken::Malformed),
            (&["Basic tga_a.b"], PresentedToken::Malformed),
            (&["tga_a.b"], PresentedToken::Malformed),
            (&["Bearer tga_a.b", "Bearer tga_a.b"], PresentedToken::Malformed),
            (&["Bearer tg_key", "Bearer tga_a.b"], PresentedToken::Malformed),
            (&["Bearer tg_key"], PresentedToken::None),
            (&["Bearer tg_key", "Basic x"], PresentedToken::None),
            (&[], PresentedToken::None),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(AUTHORIZATION, value.parse().unwrap());
            }
            assert_eq!(presented_token(&headers), expected, "{values:?}");
        }
    }

    #[test]
    fn a_signed_token_is_accepted_in_a_single_header_only() {
        for (values, expected) in [
            (&["Bearer a.b.c"][..], PresentedToken::Token("a.b.c")),
            (&["Bearer a.b.c.d.e"], PresentedToken::Token("a.b.c.d.e")),
            (&["Bearer tga_a.b"], PresentedToken::Token("tga_a.b")),
            (&["Bearer a.b.c a.b.c"], PresentedToken::Malformed),
            (&["Bearer  a.b.c"], PresentedToken::Malformed),
            (&["Bearer tg_key", "Bearer a.b.c"], PresentedToken::Malformed),
            (&["Bearer tg_key"], PresentedToken::None),
            (&["Bearer opaque"], PresentedToken::None),
            (&[], PresentedToken::None),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(AUTHORIZATION, value.parse().unwrap());
            }
            assert_eq!(presented_signed_token(&headers), expected, "{values:?}");
        }
    }
}
