//! `multipart/form-data` with parts that are texts, JSON or files.
//!
//! The boundary is a digest of the parts. Like a random boundary it cannot occur in a value, because the value would
//! have to contain its own digest. Unlike a random one it makes equal calls produce equal requests, which the response
//! cache relies on.

use std::fmt::Write as _;

use http::HeaderValue;
use indexmap::IndexMap;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use toolgate_domain::parameters::ParameterStyle;

use super::file::{ArgumentFile, FileContents};
use super::{BodyArgument, RequestBody};
use crate::arguments::violation::Violation;
use crate::tool::values;

pub(super) fn write(arguments: &[BodyArgument<'_>], files: FileContents) -> Result<RequestBody, Violation> {
    let boundary = boundary(arguments);
    let mut out = Vec::new();
    for argument in arguments {
        write_argument(&mut out, &boundary, argument, files)?;
    }
    out.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    let content_type = HeaderValue::try_from(format!("multipart/form-data; boundary={boundary}"));
    Ok(RequestBody {
        content: out.into(),
        content_type: content_type.unwrap_or_else(|_| HeaderValue::from_static("multipart/form-data")),
        has_given_type: false,
    })
}

/// The head of a part.
struct PartHead<'a> {
    name: &'a str,
    filename: Option<&'a str>,
    content_type: Option<&'a str>,
    headers: Option<&'a IndexMap<String, String>>,
}

/// Writes the parts of one argument: one for each item of a list, except for JSON.
fn write_argument(
    out: &mut Vec<u8>,
    boundary: &str,
    argument: &BodyArgument<'_>,
    files: FileContents,
) -> Result<(), Violation> {
    let BodyArgument { name, value, part, .. } = *argument;
    let content_type = part.and_then(|part| part.content_type.as_deref());
    let head = PartHead { name, filename: None, content_type, headers: part.map(|part| &part.headers) };
    if argument.is_file() {
        let single = || vec![value];
        let items = values::items(value).map_or_else(single, |items| items.into_iter().map(RawValue::get).collect());
        for item in items.into_iter().filter(|item| *item != "null") {
            write_file(out, boundary, &head, ArgumentFile::parse(argument.argument, item)?, files);
        }
    } else if argument.serialization.is_some_and(|one| one.style == ParameterStyle::Json) {
        if value != "null" {
            let content_type = content_type.or(Some("application/json"));
            write_part(out, boundary, &PartHead { content_type, ..head }, value.as_bytes());
        }
    } else {
        values::for_each_text(value, |text| write_part(out, boundary, &head, text.as_bytes()));
    }
    Ok(())
}

/// Servers recognise a file by its file name, so a file without one gets the name of its part.
fn write_file(out: &mut Vec<u8>, boundary: &str, head: &PartHead<'_>, file: ArgumentFile, files: FileContents) {
    let (filename, media_type) = (file.filename.clone(), file.media_type.clone());
    let head = PartHead {
        filename: Some(filename.as_deref().unwrap_or(head.name)),
        content_type: media_type.as_deref().or(head.content_type).or(Some(file.default_type)),
        ..*head
    };
    write_part(out, boundary, &head, &file.into_content(files));
}

fn write_part(out: &mut Vec<u8>, boundary: &str, head: &PartHead<'_>, content: &[u8]) {
    let mut text = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"");
    push_name(&mut text, head.name);
    if let Some(filename) = head.filename {
        text.push_str("\"; filename=\"");
        push_name(&mut text, filename);
    }
    text.push_str("\"\r\n");
    let content_type = head.content_type.map(|content_type| ("Content-Type", content_type));
    let headers = head.headers.into_iter().flatten().map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in content_type.into_iter().chain(headers) {
        text.extend([name, ": ", value, "\r\n"]);
    }
    text.push_str("\r\n");
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(content);
    out.extend_from_slice(b"\r\n");
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
        let body = write(&arguments, FileContents::Complete).unwrap();
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
