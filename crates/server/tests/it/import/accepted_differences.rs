//! Differences between the requests of curl and of a tool that are accepted for every command.
//!
//! Each has a row in the guide (docs/import-curl.md, "Differences from curl"). A difference that is accepted for one
//! command only is declared with that command.

use std::fmt::Write;

/// Headers of the connection or of message framing: the service manages its own connections, requests the encodings
/// that it supports and sends a body with its length.
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

/// Headers of browsers that inference leaves out, apart from those that begin with `sec-`.
const NOISE_HEADERS: [&str; 6] =
    ["accept-language", "dnt", "origin", "priority", "referer", "upgrade-insecure-requests"];

/// Whether inference leaves out a header that curl sends. A tool sends its own user agent.
pub(super) fn is_noise(name: &str, curl: Option<&str>, tool: Option<&str>) -> bool {
    curl.is_some()
        && match tool {
            None => NOISE_HEADERS.contains(&name) || name.starts_with("sec-"),
            Some(value) => name == "user-agent" && value.starts_with("Toolgate/"),
        }
}

/// The name of a header in lower case; `None` if the header is not compared.
pub(super) fn normalized_name(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    (!TRANSPORT_HEADERS.contains(&name.as_str())).then_some(name)
}

/// Joins repeated lines of a header into the equivalent single line.
pub(super) fn join_lines(name: &str, lines: &[&str]) -> String {
    lines.join(if name == "cookie" { "; " } else { ", " })
}

/// A media type in lower case with its parameters, except the boundary, which each sender chooses.
pub(super) fn media_type(value: &str) -> Vec<String> {
    let parts = value.split(';').map(|part| part.trim().to_ascii_lowercase());
    parts.filter(|part| !part.starts_with("boundary=") && !part.is_empty()).collect()
}

/// A normalized path: unreserved characters are unescaped, characters that must be escaped are escaped, and escapes are
/// in upper case.
pub(super) fn normalized_path(path: &str) -> String {
    let (mut out, mut bytes) = (String::new(), path.as_bytes());
    while let Some((&first, rest)) = bytes.split_first() {
        let escape = if first == b'%' { rest.get(..2).and_then(parse_hex_byte) } else { None };
        bytes = if escape.is_some() { &rest[2..] } else { rest };
        let byte = escape.unwrap_or(first);
        let is_unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let is_unescaped_delimiter = escape.is_none() && b"!$&'()*+,;=:@/".contains(&byte);
        if is_unreserved || is_unescaped_delimiter {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// A path with all escapes decoded.
pub(super) fn decoded_path(path: &str) -> Vec<u8> {
    let (mut out, mut bytes) = (Vec::new(), path.as_bytes());
    while let Some((&first, rest)) = bytes.split_first() {
        let escape = if first == b'%' { rest.get(..2).and_then(parse_hex_byte) } else { None };
        bytes = if escape.is_some() { &rest[2..] } else { rest };
        out.push(escape.unwrap_or(first));
    }
    out
}

fn parse_hex_byte(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[test]
fn a_path_is_normalized() {
    for (original, normalized) in [
        ("/a/%7e%41", "/a/~A"),
        ("/a%2fb%c3%a9", "/a%2Fb%C3%A9"),
        ("/é|%", "/%C3%A9%7C%25"),
        ("/!$&'()*+,;=:@", "/!$&'()*+,;=:@"),
    ] {
        assert_eq!(normalized_path(original), normalized);
    }
    assert_eq!(decoded_path("/a%3ab%"), b"/a:b%");
    assert_ne!(normalized_path("/a%2Fb"), normalized_path("/a/b"), "an escaped slash is not a separator");
    assert_ne!(normalized_path("/a%2Bb"), normalized_path("/a+b"));
}

#[test]
fn a_media_type_is_compared_without_its_boundary() {
    assert_eq!(media_type("Text/Plain;Charset=UTF-8"), ["text/plain", "charset=utf-8"]);
    assert_eq!(media_type("multipart/form-data; boundary=X"), ["multipart/form-data"]);
}
