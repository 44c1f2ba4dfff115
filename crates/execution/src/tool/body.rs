//! The body of a request.

mod file;
mod multipart;

use bytes::Bytes;
use http::HeaderValue;
use indexmap::IndexMap;
use serde_json::value::RawValue;
use toolgate_domain::tool::BodyType;

use super::argument_text;
use super::destinations::BodyArgument;
use super::style;
use super::values;
use crate::arguments::violation::Violation;

use file::ArgumentFile;
pub(super) use file::FileContents;
pub(super) use file::summarise_files;

/// A body with its `Content-Type`.
#[derive(Debug)]
pub(super) struct RequestBody {
    pub(super) content: Bytes,
    pub(super) content_type: HeaderValue,
    /// Whether the call names the type, so that it replaces the one in the headers of the tool.
    pub(super) has_given_type: bool,
}

/// Writes the body. Without arguments there is none, unless it `is_expected` and its type is not raw.
pub(super) fn write(
    body_type: BodyType,
    arguments: &[BodyArgument<'_>],
    is_expected: bool,
    files: FileContents,
) -> Result<Option<RequestBody>, Violation> {
    if arguments.is_empty() && !is_expected {
        return Ok(None);
    }
    if let Some(whole) = arguments.iter().find(|one| one.is_whole) {
        return whole_body(body_type, whole, files).map(Some);
    }
    Ok(Some(match body_type {
        BodyType::Json => RequestBody::new(json_body(arguments), "application/json"),
        BodyType::Form => RequestBody::new(form_body(arguments), "application/x-www-form-urlencoded"),
        BodyType::Multipart => multipart::write(arguments, files)?,
        BodyType::Raw => return raw_body(arguments),
    }))
}

impl RequestBody {
    pub(super) fn new(content: impl Into<Bytes>, content_type: &'static str) -> Self {
        let content_type = HeaderValue::from_static(content_type);
        Self { content: content.into(), content_type, has_given_type: false }
    }

    /// A body that is a file.
    fn from_file(file: ArgumentFile, files: FileContents) -> Self {
        let given_type = file.media_type.as_deref().and_then(|media_type| HeaderValue::from_str(media_type).ok());
        Self {
            has_given_type: given_type.is_some(),
            content_type: given_type.unwrap_or(HeaderValue::from_static(file.default_type)),
            content: file.into_content(files).into(),
        }
    }
}

/// A JSON object of the arguments under their upstream names. If two arguments have the same name, the later one wins:
/// parsers disagree about duplicate keys.
fn json_body(arguments: &[BodyArgument<'_>]) -> Vec<u8> {
    if arguments.iter().any(|one| one.parent.is_some()) {
        return nested_json_body(arguments);
    }
    let members: IndexMap<&str, &str> = arguments.iter().map(|one| (one.name, one.value)).collect();
    argument_text::write_object(members)
}

/// A JSON object in which some arguments are members of another object, their parent.
fn nested_json_body(arguments: &[BodyArgument<'_>]) -> Vec<u8> {
    let mut children: IndexMap<&str, IndexMap<&str, &str>> = IndexMap::new();
    for one in arguments {
        if let Some(parent) = one.parent {
            children.entry(parent).or_default().insert(one.name, one.value);
        }
    }
    let parents: IndexMap<&str, String> = children
        .into_iter()
        .map(|(parent, members)| (parent, String::from_utf8(argument_text::write_object(members)).unwrap_or_default()))
        .collect();
    let members: IndexMap<&str, &str> = arguments
        .iter()
        .map(|one| {
            let name = one.parent.unwrap_or(one.name);
            (name, parents.get(name).map_or(one.value, String::as_str))
        })
        .collect();
    argument_text::write_object(members)
}

/// A body that is one argument. The members of that argument are the fields of a form.
fn whole_body(body_type: BodyType, whole: &BodyArgument<'_>, files: FileContents) -> Result<RequestBody, Violation> {
    if whole.is_file() {
        return ArgumentFile::parse(whole.argument, whole.value).map(|file| RequestBody::from_file(file, files));
    }
    match body_type {
        BodyType::Json => Ok(RequestBody::new(whole.value.to_owned(), "application/json")),
        BodyType::Raw => Ok(raw_value(whole.value)),
        BodyType::Form | BodyType::Multipart => {
            let members: Option<IndexMap<String, &RawValue>> =
                whole.value.starts_with('{').then(|| serde_json::from_str(whole.value).ok()).flatten();
            let members = members
                .ok_or_else(|| Violation::new(whole.argument, "must be an object: its members are sent as a form"))?;
            let arguments: Vec<BodyArgument<'_>> = members
                .iter()
                .map(|(name, value)| BodyArgument {
                    serialization: whole.serialization,
                    ..BodyArgument::new(whole.argument, name, value.get())
                })
                .collect();
            Ok(match body_type {
                BodyType::Multipart => multipart::write(&arguments, files)?,
                _ => RequestBody::new(form_body(&arguments), "application/x-www-form-urlencoded"),
            })
        }
    }
}

fn form_body(arguments: &[BodyArgument<'_>]) -> String {
    let mut form = form_urlencoded::Serializer::new(String::new());
    for BodyArgument { name, value, serialization, .. } in arguments {
        match serialization {
            None => values::for_each_text(value, |text| {
                form.append_pair(name, text);
            }),
            Some(serialization) => {
                // The form serializer encodes names and values.
                let encode = |out: &mut String, text: &str| out.push_str(text);
                style::for_each_pair(*serialization, name, value, encode, |name, value| {
                    form.append_pair(name, value);
                });
            }
        }
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
    Ok(Some(raw_value(one.value)))
}

/// A string as its text, any other value as JSON.
fn raw_value(value: &str) -> RequestBody {
    match values::scalar_text(value).filter(|_| value.starts_with('"')) {
        Some(string) => RequestBody::new(string.into_owned(), "text/plain; charset=utf-8"),
        None => RequestBody::new(value.to_owned(), "application/json"),
    }
}

fn single_argument_message(arguments: &[BodyArgument<'_>]) -> String {
    // At most ten names, which keeps the message short.
    let names: Vec<String> = arguments.iter().take(10).map(|one| format!("'{}'", one.argument)).collect();
    format!("give only one of {}: it is sent as the whole body", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(body_type: BodyType, members: &str, is_expected: bool) -> Result<Option<(String, String)>, Violation> {
        let members = toolgate_domain::json::JsonObject::from_stored(members.to_owned()).members();
        let arguments: Vec<BodyArgument<'_>> =
            members.iter().map(|(name, value)| BodyArgument::new(name, name, value.get())).collect();
        Ok(write(body_type, &arguments, is_expected, FileContents::Complete)?.map(|body| {
            let content = String::from_utf8(body.content.to_vec()).unwrap();
            (content, body.content_type.to_str().unwrap().to_owned())
        }))
    }

    #[test]
    fn each_body_type_has_its_encoding() {
        let json = "application/json";
        let form = "application/x-www-form-urlencoded";
        for (body_type, members, content, content_type) in [
            (BodyType::Json, r#"{"a":1.0,"b":[1,null],"c":null}"#, r#"{"a":1.0,"b":[1,null],"c":null}"#, json),
            (BodyType::Json, r#"{"n":123456789012345678901234}"#, r#"{"n":123456789012345678901234}"#, json),
            (BodyType::Json, r#"{"a\"\n":"é"}"#, r#"{"a\"\n":"é"}"#, json),
            (
                BodyType::Form,
                r#"{"a":"x y&=","b":[1,null,true],"c":null,"d":{"e":1}}"#,
                "a=x+y%26%3D&b=1&b=true&d=%7B%22e%22%3A1%7D",
                form,
            ),
            (BodyType::Form, r#"{"n":123456789012345678901234}"#, "n=123456789012345678901234", form),
            (BodyType::Raw, r#"{"a":"<x>\n"}"#, "<x>\n", "text/plain; charset=utf-8"),
            (BodyType::Raw, r#"{"a":{"b":[1.0]}}"#, r#"{"b":[1.0]}"#, json),
            (BodyType::Raw, r#"{"a":7}"#, "7", json),
            (BodyType::Raw, r#"{"a":1,"body":"b"}"#, "b", "text/plain; charset=utf-8"),
        ] {
            let expected = Some((content.to_owned(), content_type.to_owned()));
            assert_eq!(written(body_type, members, false), Ok(expected), "{body_type:?} {members}");
        }
    }

    #[test]
    fn without_arguments_there_is_a_body_only_if_the_tool_describes_one() {
        for body_type in [BodyType::Json, BodyType::Form, BodyType::Multipart, BodyType::Raw] {
            assert_eq!(written(body_type, "{}", false), Ok(None), "{body_type:?}");
        }
        assert_eq!(written(BodyType::Json, "{}", true).unwrap().unwrap().0, "{}");
        assert_eq!(written(BodyType::Form, "{}", true).unwrap().unwrap().0, "");
        assert_eq!(written(BodyType::Raw, "{}", true), Ok(None));
    }

    #[test]
    fn a_raw_body_is_one_argument() {
        let violation = written(BodyType::Raw, r#"{"a":1,"b":2}"#, false).unwrap_err();
        assert_eq!(violation.to_string(), "'a': give only one of 'a', 'b': it is sent as the whole body");
    }

    #[test]
    fn an_upstream_name_is_written_once() {
        let arguments = [("x", "1"), ("y", "2")].map(|(argument, value)| BodyArgument::new(argument, "n", value));
        assert_eq!(json_body(&arguments), br#"{"n":2}"#);
    }
}
