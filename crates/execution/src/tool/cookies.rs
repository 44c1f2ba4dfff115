//! Cookies that arguments set.

use http::header::{COOKIE, HeaderMap, HeaderValue};
use toolgate_domain::parameters::{ParameterStyle, Serialization};

use super::style::{self, Encode};
use super::url::push_encoded;
use crate::arguments::violation::Violation;

/// The serialization of a rule without a style: the default of OpenAPI.
const DEFAULT: Serialization = Serialization { style: ParameterStyle::Form, explode: true, allow_reserved: false };

/// An argument that goes into a cookie.
pub(super) struct CookieArgument<'a> {
    pub(super) argument: &'a str,
    pub(super) name: &'a str,
    pub(super) value: &'a str,
    pub(super) serialization: Option<Serialization>,
}

/// Adds the cookies to the header `Cookie`. Constant cookies and API keys, which are set before, win over arguments of
/// the same name.
pub(super) fn add(headers: &mut HeaderMap, arguments: &[CookieArgument<'_>]) -> Result<(), Violation> {
    let Some(first) = arguments.first() else { return Ok(()) };
    let existing = headers.get(COOKIE);
    let is_sensitive = existing.is_some_and(HeaderValue::is_sensitive);
    let mut text = existing.map_or(Vec::new(), |value| value.as_bytes().to_vec());
    let fixed_names: Vec<Vec<u8>> = cookie_names(&text);
    for argument in arguments {
        let serialization = argument.serialization.unwrap_or(DEFAULT);
        let encode = encoding(serialization.style);
        let mut begins_another_cookie = false;
        style::for_each_pair(serialization, argument.name, argument.value, encode, |name, value| {
            begins_another_cookie |=
                value.contains(';') || name.contains([';', '=']) && serialization.style == ParameterStyle::Cookie;
            if !fixed_names.iter().any(|fixed| fixed == name.as_bytes()) {
                let mut pair = if text.is_empty() { String::new() } else { "; ".to_owned() };
                // The name is a member of an exploded object, which may contain any character.
                encode(&mut pair, name);
                pair.extend(["=", value]);
                text.extend_from_slice(pair.as_bytes());
            }
        });
        if begins_another_cookie {
            return Err(Violation::new(argument.argument, "must not contain ';': it would begin another cookie"));
        }
    }
    if text.is_empty() {
        return Ok(());
    }
    let mut value = HeaderValue::from_bytes(&text)
        .map_err(|_| Violation::new(first.argument, "must not contain control characters: it is sent as a cookie"))?;
    value.set_sensitive(is_sensitive);
    headers.insert(COOKIE, value);
    Ok(())
}

/// Values of the style `cookie` are sent as they are; escaping is left to the caller.
fn encoding(style: ParameterStyle) -> Encode {
    match style {
        ParameterStyle::Cookie => |out, text| out.push_str(text),
        _ => push_encoded,
    }
}

fn cookie_names(header: &[u8]) -> Vec<Vec<u8>> {
    let pairs = header.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
    pairs.filter_map(|pair| pair.split(|byte| *byte == b'=').next()).map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie(existing: Option<&'static str>, name: &str, value: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.extend(existing.map(|value| (COOKIE, HeaderValue::from_static(value))));
        let argument = CookieArgument { argument: "a", name, value, serialization: None };
        add(&mut headers, &[argument]).unwrap();
        headers.get(COOKIE).map(|value| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn cookies_are_added_to_the_constant_ones() {
        for (existing, value, expected) in [
            (None, "\"x\"", Some("p=x")),
            (None, r#""a; b=\n""#, Some("p=a%3B%20b%3D%0A")),
            (None, r#"["a","b"]"#, Some("p=a; p=b")),
            (None, r#"{"k":1,"m":2}"#, Some("k=1; m=2")),
            (None, r#"{"k; s=":1}"#, Some("k%3B%20s%3D=1")),
            (None, "null", None),
            (Some("s=1"), "\"x\"", Some("s=1; p=x")),
            (Some("s=1; p=2"), "\"x\"", Some("s=1; p=2")),
        ] {
            assert_eq!(cookie(existing, "p", value).as_deref(), expected, "{existing:?} {value}");
        }
    }

    #[test]
    fn the_style_cookie_is_not_encoded_and_stays_one_cookie() {
        let sent = |value: &str, explode: bool| {
            let mut headers = HeaderMap::new();
            let serialization = Some(Serialization { style: ParameterStyle::Cookie, explode, allow_reserved: false });
            let added = add(&mut headers, &[CookieArgument { argument: "a", name: "p", value, serialization }]);
            added.map(|()| headers.get(COOKIE).map(|value| String::from_utf8(value.as_bytes().to_vec()).unwrap()))
        };
        for (value, explode, expected) in [
            (r#""a b&c/d%e=é""#, true, "p=a b&c/d%e=é"),
            (r#"["a","b"]"#, true, "p=a; p=b"),
            (r#"["a","b"]"#, false, "p=a,b"),
            (r#"{"k":1,"m n":"x y"}"#, true, "k=1; m n=x y"),
            (r#"{"k":1,"m":2}"#, false, "p=k,1,m,2"),
        ] {
            assert_eq!(sent(value, explode).unwrap().as_deref(), Some(expected), "{value}");
        }
        for value in [r#""a; admin=1""#, r#"{"k;x":1}"#, r#"{"k=x":1}"#, r#"["a","b;c"]"#, r#""a\r\nX: 1""#] {
            assert!(sent(value, true).is_err(), "{value}");
        }
    }

    #[test]
    fn a_joined_header_stays_sensitive() {
        let mut headers = HeaderMap::new();
        let mut secret = HeaderValue::from_static("session=s3cret");
        secret.set_sensitive(true);
        headers.insert(COOKIE, secret);
        add(&mut headers, &[CookieArgument { argument: "a", name: "p", value: "1", serialization: None }]).unwrap();
        assert!(headers[COOKIE].is_sensitive());
    }
}
