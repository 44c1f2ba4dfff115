//! `multipart/form-data` with text parts.
//!
//! The boundary is a digest of the parts. Like a random boundary it cannot occur in a value, because the value would
//! have to contain its own digest. Unlike a random one it makes equal calls produce equal requests, which the response
//! cache relies on.

use std::fmt::Write as _;

use http::HeaderValue;
use sha2::{Digest, Sha256};

use super::{BodyArgument, RequestBody};
use crate::tool::values;

pub(super) fn write(arguments: &[BodyArgument<'_>]) -> RequestBody {
    let boundary = boundary(arguments);
    let mut out = String::new();
    for BodyArgument { name, value, .. } in arguments {
        values::for_each_text(value, |text| {
            out.extend(["--", &boundary, "\r\nContent-Disposition: form-data; name=\""]);
            push_name(&mut out, name);
            out.extend(["\"\r\n\r\n", text, "\r\n"]);
        });
    }
    out.extend(["--", &boundary, "--\r\n"]);
    let content_type = HeaderValue::try_from(format!("multipart/form-data; boundary={boundary}"));
    RequestBody {
        content: out.into(),
        content_type: content_type.unwrap_or_else(|_| HeaderValue::from_static("multipart/form-data")),
    }
}

/// Escapes quotes and line breaks as browsers do.
fn push_name(out: &mut String, name: &str) {
    for c in name.chars() {
        match c {
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            '"' => out.push_str("%22"),
            c => out.push(c),
        }
    }
}

fn boundary(arguments: &[BodyArgument<'_>]) -> String {
    let mut digest = Sha256::new();
    for BodyArgument { name, value, .. } in arguments {
        for text in [name, value] {
            digest.update(text.len().to_le_bytes());
            digest.update(text);
        }
    }
    // 160 bits are enough to make a collision infeasible.
    digest.finalize().iter().take(20).fold("toolgate-".to_owned(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_body(members: &str) -> (String, String) {
        let members = toolgate_domain::json::JsonObject::from_stored(members.to_owned()).members();
        let arguments: Vec<BodyArgument<'_>> =
            members.iter().map(|(name, value)| BodyArgument::new(name, name, value.get())).collect();
        let body = write(&arguments);
        let content_type = body.content_type.to_str().unwrap();
        let boundary = content_type.strip_prefix("multipart/form-data; boundary=").unwrap().to_owned();
        (String::from_utf8(body.content.to_vec()).unwrap(), boundary)
    }

    #[test]
    fn parts_are_framed_by_the_boundary() {
        let (content, boundary) = write_body(r#"{"a":"x\ny","b":[1,{"c":2}],"d":null}"#);
        let part = |name: &str, text: &str| {
            format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
        };
        let parts = [part("a", "x\ny"), part("b", "1"), part("b", r#"{"c":2}"#), format!("--{boundary}--\r\n")];
        assert_eq!(content, parts.concat());
        assert!(boundary.len() <= 70, "RFC 2046 allows at most 70 characters");
    }

    #[test]
    fn names_cannot_add_headers_or_parts() {
        let (content, _) = write_body(r#"{"a\"\r\nX-B: 1\r\n\r\n--":"v"}"#);
        assert!(content.contains("name=\"a%22%0D%0AX-B: 1%0D%0A%0D%0A--\"\r\n\r\nv\r\n"), "{content}");
    }

    #[test]
    fn equal_calls_have_equal_bodies_and_different_calls_have_different_boundaries() {
        assert_eq!(write_body(r#"{"a":"x"}"#), write_body(r#"{"a":"x"}"#));
        let (_, first) = write_body(r#"{"a":"x"}"#);
        let guessed = format!(r#"{{"a":"--{first}--"}}"#);
        let (content, second) = write_body(&guessed);
        assert_ne!(first, second);
        assert_eq!(content.matches(&second).count(), 2);
    }
}
