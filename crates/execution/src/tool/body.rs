//! The body of a request.

mod multipart;

use bytes::Bytes;
use http::HeaderValue;
use indexmap::IndexMap;

use super::argument_text;
use super::destinations::BodyArgument;
use super::values;
use crate::arguments::violation::Violation;

/// The encoding of a request body (`body_type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyEncoding {
    /// A JSON object of the arguments.
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `multipart/form-data`.
    Multipart,
    /// One argument is the whole body.
    Raw,
}

/// A body with its `Content-Type`.
#[derive(Debug)]
pub(super) struct RequestBody {
    pub(super) content: Bytes,
    pub(super) content_type: HeaderValue,
}

impl BodyEncoding {
    /// Parses a `body_type`. Unknown names cannot be saved and count as JSON.
    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "form" => Self::Form,
            "multipart" => Self::Multipart,
            "raw" => Self::Raw,
            _ => Self::Json,
        }
    }

    /// Writes the body. Without arguments the result is `None`, unless a body `is_expected`; a raw body without
    /// arguments is always `None`.
    pub(super) fn write(
        self,
        arguments: &[BodyArgument<'_>],
        is_expected: bool,
    ) -> Result<Option<RequestBody>, Violation> {
        if self == Self::Raw {
            return raw_body(arguments);
        }
        if arguments.is_empty() && !is_expected {
            return Ok(None);
        }
        Ok(Some(match self {
            Self::Form => RequestBody::new(form_body(arguments), "application/x-www-form-urlencoded"),
            Self::Multipart => multipart::write(arguments),
            Self::Json | Self::Raw => RequestBody::new(json_body(arguments), "application/json"),
        }))
    }
}

impl RequestBody {
    pub(super) fn new(content: impl Into<Bytes>, content_type: &'static str) -> Self {
        Self { content: content.into(), content_type: HeaderValue::from_static(content_type) }
    }
}

/// A JSON object of the arguments under their upstream names. If two arguments have the same name, the later one wins:
/// parsers disagree about duplicate keys.
fn json_body(arguments: &[BodyArgument<'_>]) -> Vec<u8> {
    let members: IndexMap<&str, &str> = arguments.iter().map(|one| (one.name, one.value)).collect();
    argument_text::write_object(members)
}

fn form_body(arguments: &[BodyArgument<'_>]) -> String {
    let mut form = form_urlencoded::Serializer::new(String::new());
    for BodyArgument { name, value, .. } in arguments {
        values::for_each_text(value, |text| {
            form.append_pair(name, text);
        });
    }
    form.finish()
}

/// A string is sent as text, any other value as JSON. Of several arguments the one named `body` is sent.
fn raw_body(arguments: &[BodyArgument<'_>]) -> Result<Option<RequestBody>, Violation> {
    let one = match arguments {
        [] => return Ok(None),
        [one] => one,
        [first, ..] => arguments
            .iter()
            .find(|one| one.name == "body" || one.argument == "body")
            .ok_or_else(|| Violation::new(first.argument, &single_argument_message(arguments)))?,
    };
    let text = one.value;
    Ok(Some(match values::scalar_text(text).filter(|_| text.starts_with('"')) {
        Some(string) => RequestBody::new(string.into_owned(), "text/plain; charset=utf-8"),
        None => RequestBody::new(text.to_owned(), "application/json"),
    }))
}

fn single_argument_message(arguments: &[BodyArgument<'_>]) -> String {
    // At most ten names, which keeps the message short.
    let names: Vec<String> = arguments.iter().take(10).map(|one| format!("'{}'", one.argument)).collect();
    format!("give only one of {}: it is sent as the whole body", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(body_type: &str, members: &str, is_expected: bool) -> Result<Option<(String, String)>, Violation> {
        let members = toolgate_domain::json::JsonObject::from_stored(members.to_owned()).members();
        let arguments: Vec<BodyArgument<'_>> =
            members.iter().map(|(name, value)| BodyArgument { argument: name, name, value: value.get() }).collect();
        Ok(BodyEncoding::from_name(body_type).write(&arguments, is_expected)?.map(|body| {
            let content = String::from_utf8(body.content.to_vec()).unwrap();
            (content, body.content_type.to_str().unwrap().to_owned())
        }))
    }

    #[test]
    fn each_body_type_has_its_encoding() {
        let json = "application/json";
        let form = "application/x-www-form-urlencoded";
        for (body_type, members, content, content_type) in [
            ("json", r#"{"a":1.0,"b":[1,null],"c":null}"#, r#"{"a":1.0,"b":[1,null],"c":null}"#, json),
            ("json", r#"{"n":123456789012345678901234}"#, r#"{"n":123456789012345678901234}"#, json),
            ("json", r#"{"a\"\n":"é"}"#, r#"{"a\"\n":"é"}"#, json),
            (
                "form",
                r#"{"a":"x y&=","b":[1,null,true],"c":null,"d":{"e":1}}"#,
                "a=x+y%26%3D&b=1&b=true&d=%7B%22e%22%3A1%7D",
                form,
            ),
            ("form", r#"{"n":123456789012345678901234}"#, "n=123456789012345678901234", form),
            ("raw", r#"{"a":"<x>\n"}"#, "<x>\n", "text/plain; charset=utf-8"),
            ("raw", r#"{"a":{"b":[1.0]}}"#, r#"{"b":[1.0]}"#, json),
            ("raw", r#"{"a":7}"#, "7", json),
            ("raw", r#"{"a":1,"body":"b"}"#, "b", "text/plain; charset=utf-8"),
        ] {
            let expected = Some((content.to_owned(), content_type.to_owned()));
            assert_eq!(write(body_type, members, false), Ok(expected), "{body_type} {members}");
        }
    }

    #[test]
    fn without_arguments_there_is_a_body_only_if_the_tool_describes_one() {
        for body_type in ["json", "form", "multipart", "raw"] {
            assert_eq!(write(body_type, "{}", false), Ok(None), "{body_type}");
        }
        assert_eq!(write("json", "{}", true).unwrap().unwrap().0, "{}");
        assert_eq!(write("form", "{}", true).unwrap().unwrap().0, "");
        assert_eq!(write("raw", "{}", true), Ok(None));
    }

    #[test]
    fn a_raw_body_is_one_argument() {
        let violation = write("raw", r#"{"a":1,"b":2}"#, false).unwrap_err();
        assert_eq!(violation.to_string(), "'a': give only one of 'a', 'b': it is sent as the whole body");
    }

    #[test]
    fn an_upstream_name_is_written_once() {
        let arguments = [("x", "1"), ("y", "2")].map(|(argument, value)| BodyArgument { argument, name: "n", value });
        assert_eq!(json_body(&arguments), br#"{"n":2}"#);
    }
}
