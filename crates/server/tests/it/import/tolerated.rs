//! Differences between what curl sends and what a tool sends that are right for every command.
//!
//! Each has a row in the guide (docs/import-curl.md, "Differences from curl"). What is right for one command only is
//! stated at that command.

use std::fmt::Write;

/// Headers that belong to a connection or frame a message: the service keeps its own connections, asks for the
/// encodings it can read and sends a body in one piece.
pub(super) const TRANSPORT_HEADERS: [&str; 10] = [
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "http2-settings",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The name of a header as it is compared; `None` where either side may say what it likes. Capitals and order mean
/// nothing in HTTP.
pub(super) fn normalized_name(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    (!TRANSPORT_HEADERS.contains(&name.as_str())).then_some(name)
}

/// The lines of one header as one: a list with commas is the same, and cookies have semicolons.
pub(super) fn joined(name: &str, lines: &[&str]) -> String {
    lines.join(if name == "cookie" { "; " } else { ", " })
}

/// Each says its own name where the command gives none.
pub(super) fn is_default_user_agent(curl: Option<&str>, tool: Option<&str>) -> bool {
    curl.is_some_and(|own| own.starts_with("curl/")) && tool.is_some_and(|own| own.starts_with("Toolgate/"))
}

/// A media type in small letters with its settings but for the boundary, which each sender chooses.
pub(super) fn media_type(value: &str) -> Vec<String> {
    let settings = value.split(';').map(|one| one.trim().to_ascii_lowercase());
    settings.filter(|one| !one.starts_with("boundary=") && !one.is_empty()).collect()
}

/// A path in one spelling: what may stand there unescaped does, anything else does not, and escapes are in capitals.
pub(super) fn path(path: &str) -> String {
    let (mut out, mut bytes) = (String::new(), path.as_bytes());
    while let Some((&first, rest)) = bytes.split_first() {
        let escape = if first == b'%' { rest.get(..2).and_then(unescaped) } else { None };
        bytes = if escape.is_some() { &rest[2..] } else { rest };
        let byte = escape.unwrap_or(first);
        let is_unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let is_sign = escape.is_none() && b"!$&'()*+,;=:@/".contains(&byte);
        if is_unreserved || is_sign {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

fn unescaped(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[test]
fn a_path_has_one_spelling() {
    for (typed, one) in [
        ("/a/%7e%41", "/a/~A"),
        ("/a%2fb%c3%a9", "/a%2Fb%C3%A9"),
        ("/é|%", "/%C3%A9%7C%25"),
        ("/!$&'()*+,;=:@", "/!$&'()*+,;=:@"),
    ] {
        assert_eq!(path(typed), one);
    }
    assert_ne!(path("/a%2Fb"), path("/a/b"), "an escaped slash separates nothing");
    assert_ne!(path("/a%2Bb"), path("/a+b"));
}

#[test]
fn a_type_is_compared_without_its_boundary() {
    assert_eq!(media_type("Text/Plain;Charset=UTF-8"), ["text/plain", "charset=utf-8"]);
    assert_eq!(media_type("multipart/form-data; boundary=X"), ["multipart/form-data"]);
}
