//! Files in arguments: `{"text" or "base64": …, "filename"?, "media_type"?}`.

use std::borrow::Cow;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use indexmap::IndexMap;
use serde_json::value::RawValue;
use toolgate_domain::json;
use toolgate_domain::media_type::is_media_type;

use crate::arguments::violation::Violation;

/// Base64 with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Maximum length of a file name, in characters.
const FILENAME_MAX: usize = 255;
/// Longer contents are not displayed.
const DISPLAYED_BYTES_MAX: usize = 1024;

const NOT_A_FILE: &str = "must be a file: an object with text or base64, and optionally filename and media_type";

/// Whether a request contains the files, or is only displayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tool) enum FileContents {
    /// As they are sent.
    Complete,
    /// Contents that are binary or long are replaced by their size.
    Summarised,
}

/// A file of one call.
#[derive(Debug)]
pub(super) struct ArgumentFile {
    pub(super) content: Vec<u8>,
    pub(super) filename: Option<String>,
    pub(super) media_type: Option<String>,
    /// The type of the content if nothing else names one.
    pub(super) default_type: &'static str,
}

impl ArgumentFile {
    /// Reads the file in a value of `argument`.
    pub(super) fn parse(argument: &str, value: &str) -> Result<Self, Violation> {
        let refuse = |message: &str| Err(Violation::new(argument, message));
        let Some(members) = members(value) else { return refuse(NOT_A_FILE) };
        let (mut text, mut encoded, mut filename, mut media_type) = (None, None, None, None);
        for (name, value) in members.iter().filter(|(_, value)| !json::is_null(value)) {
            let member = match name.as_str() {
                "text" => &mut text,
                "base64" => &mut encoded,
                "filename" => &mut filename,
                "media_type" => &mut media_type,
                _ => return refuse(NOT_A_FILE),
            };
            let Some(string) = json::as_string(value) else {
                return refuse(&format!("{name} of the file must be a string"));
            };
            *member = Some(string);
        }
        let (content, default_type) = match (text, encoded) {
            (Some(text), None) => (text.into_bytes(), "text/plain; charset=utf-8"),
            (None, Some(encoded)) => match BASE64.decode(encoded) {
                Ok(content) => (content, "application/octet-stream"),
                Err(_) => return refuse("base64 of the file is invalid; it has the letters A-Z, a-z, 0-9, + and /"),
            },
            (Some(_), Some(_)) => return refuse("the file has both text and base64; give one of them"),
            (None, None) => return refuse("the file has neither text nor base64; give one of them"),
        };
        let file = Self { content, filename, media_type, default_type };
        match file.name_problem() {
            Some(problem) => refuse(problem),
            None => Ok(file),
        }
    }

    /// What is wrong with the name or the type, which become part of headers.
    fn name_problem(&self) -> Option<&'static str> {
        if self.filename.as_deref().is_some_and(|name| !is_filename(name)) {
            return Some("filename of the file must have 1 to 255 characters, no control characters and no backslash");
        }
        let is_invalid_type = self.media_type.as_deref().is_some_and(|media_type| !is_media_type(media_type));
        is_invalid_type.then_some("media_type of the file must be a media type such as image/png")
    }

    /// The content as it is sent or displayed.
    pub(super) fn into_content(self, contents: FileContents) -> Vec<u8> {
        let is_short_text = self.content.len() <= DISPLAYED_BYTES_MAX && std::str::from_utf8(&self.content).is_ok();
        match contents {
            FileContents::Summarised if !is_short_text => size_text(self.content.len()).into_bytes(),
            _ => self.content,
        }
    }
}

fn members(value: &str) -> Option<IndexMap<String, &RawValue>> {
    value.starts_with('{').then(|| serde_json::from_str(value).ok())?
}

fn is_filename(name: &str) -> bool {
    // Programs disagree on whether a backslash escapes the quote that ends the name.
    !name.is_empty() && name.chars().count() <= FILENAME_MAX && !name.chars().any(|c| c.is_control() || c == '\\')
}

/// The text that replaces a content that is not shown.
fn size_text(bytes: usize) -> String {
    format!("[{bytes} bytes]")
}

/// The arguments of a call, as JSON, in which long Base64 texts of files are replaced by their size.
pub(in crate::tool) fn summarise_files<'a>(arguments: &'a str, file_arguments: &[String]) -> Cow<'a, str> {
    if file_arguments.is_empty() || arguments.len() <= DISPLAYED_BYTES_MAX {
        return Cow::Borrowed(arguments);
    }
    let Some(mut members) = serde_json::from_str::<IndexMap<String, Box<RawValue>>>(arguments).ok() else {
        return Cow::Borrowed(arguments);
    };
    for name in file_arguments {
        if let Some(value) = members.get_mut(name) {
            *value = json::raw(summarise_value(value.get()));
        }
    }
    let texts = members.iter().map(|(name, value)| (name.as_str(), value.get()));
    String::from_utf8(crate::tool::argument_text::write_object(texts)).unwrap_or_default().into()
}

/// A file, or a list of files.
fn summarise_value(value: &str) -> String {
    if let Some(items) = crate::tool::values::items(value) {
        let items: Vec<String> = items.into_iter().map(|item| summarise_value(item.get())).collect();
        return format!("[{}]", items.join(","));
    }
    let Some(members) = members(value) else { return value.to_owned() };
    let texts: Vec<(&str, Cow<'_, str>)> = members
        .iter()
        .map(|(name, member)| {
            let is_long = name == "base64" && member.get().len() > DISPLAYED_BYTES_MAX;
            let text = if is_long { summary(member).into() } else { Cow::Borrowed(member.get()) };
            (name.as_str(), text)
        })
        .collect();
    let object = crate::tool::argument_text::write_object(texts.iter().map(|(name, text)| (*name, text.as_ref())));
    String::from_utf8(object).unwrap_or_default()
}

/// The size of an encoded content, as a JSON string.
fn summary(encoded: &RawValue) -> String {
    let letters = encoded.get().trim_matches('"').trim_end_matches('=').len();
    format!("\"{}\"", size_text(letters / 4 * 3 + (letters % 4).saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_text_or_base64() {
        for (value, content, default_type) in [
            (r#"{"text":"é\n"}"#, "é\n".as_bytes(), "text/plain; charset=utf-8"),
            (r#"{"text":""}"#, b"", "text/plain; charset=utf-8"),
            (r#"{"base64":"AP8="}"#, &[0, 255], "application/octet-stream"),
            (r#"{"base64":"AP8","text":null}"#, &[0, 255], "application/octet-stream"),
            (r#"{"base64":""}"#, b"", "application/octet-stream"),
        ] {
            let file = ArgumentFile::parse("f", value).unwrap();
            assert_eq!((file.content.as_slice(), file.default_type), (content, default_type), "{value}");
        }
        let named = r#"{"text":"x","filename":"a \"b\".txt","media_type":"text/csv; charset=utf-8"}"#;
        let named = ArgumentFile::parse("f", named).unwrap();
        assert_eq!(named.filename.as_deref(), Some("a \"b\".txt"));
        assert_eq!(named.media_type.as_deref(), Some("text/csv; charset=utf-8"));
    }

    #[test]
    fn other_values_are_refused_without_repeating_them() {
        let long = format!(r#"{{"text":"","filename":"{}"}}"#, "x".repeat(FILENAME_MAX + 1));
        for (value, message) in [
            (r#""s3cret""#, "must be a file"),
            ("[]", "must be a file"),
            ("7", "must be a file"),
            (r#"{"text":"x","s3cret":1}"#, "must be a file"),
            ("{}", "neither text nor base64"),
            (r#"{"filename":"s3cret"}"#, "neither text nor base64"),
            (r#"{"text":"s3cret","base64":""}"#, "both text and base64"),
            (r#"{"text":1}"#, "text of the file must be a string"),
            (r#"{"base64":"s3cret!"}"#, "base64 of the file is invalid"),
            (r#"{"base64":"AP8_"}"#, "base64 of the file is invalid"),
            (r#"{"base64":"AP\n8="}"#, "base64 of the file is invalid"),
            (r#"{"text":"","filename":""}"#, "filename"),
            (r#"{"text":"","filename":"s3cret\r\nX: 1"}"#, "filename"),
            (r#"{"text":"","filename":"s3cret\\"}"#, "filename"),
            (long.as_str(), "filename"),
            (r#"{"text":"","media_type":"s3cret"}"#, "media_type"),
            (r#"{"text":"","media_type":"a/b\r\nX: 1"}"#, "media_type"),
            (r#"{"text":"","media_type":"a/b\"; name=\"x"}"#, "media_type"),
        ] {
            let violation = ArgumentFile::parse("f", value).unwrap_err();
            assert_eq!(violation.argument, "f");
            assert!(violation.message.contains(message), "{value}: {}", violation.message);
            assert!(!violation.message.contains("s3cret"), "{}", violation.message);
        }
    }

    #[test]
    fn long_base64_is_summarised() {
        let encoded = BASE64.encode([7; 2000]);
        let names = ["f".to_owned(), "gone".to_owned()];
        let arguments = format!(r#"{{"f":{{"base64":"{encoded}","filename":"a"}},"g":"{encoded}"}}"#);
        let expected = format!(r#"{{"f":{{"base64":"[2000 bytes]","filename":"a"}},"g":"{encoded}"}}"#);
        assert_eq!(summarise_files(&arguments, &names), expected);
        let list = format!(r#"{{"f":[{{"base64":"{encoded}"}},null,{{"text":"x"}}]}}"#);
        assert_eq!(summarise_files(&list, &names), r#"{"f":[{"base64":"[2000 bytes]"},null,{"text":"x"}]}"#);
        let short = r#"{"f":{"base64":"AP8="}}"#;
        assert_eq!(summarise_files(short, &names), short);
        assert_eq!(summarise_files(&arguments, &[]), arguments);
    }
}
