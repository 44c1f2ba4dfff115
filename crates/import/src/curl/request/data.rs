//! The data of a request: the text that curl assembles from `-d` and similar options.

use std::borrow::Cow;

use crate::curl::options::table::Effect;
use crate::curl::options::{GivenOption, Options};
use crate::curl::stdin::Stdin;
use crate::request::body::ImportedBody;
use crate::request::urlencoded_form::encode;
use crate::warnings::Warnings;

/// The combined data of `-d` and similar options.
#[derive(Default)]
pub(super) struct Data {
    pub(super) text: String,
    /// Whether the text, or a part of it that is not a field, is a file name in place of the file's content.
    pub(super) has_file: bool,
    /// The fields whose value is a file name in place of the file's content.
    pub(super) file_fields: Vec<String>,
    /// Whether all of the text was encoded by `--data-urlencode`; then it is always form data.
    pub(super) is_encoded: bool,
}

impl Data {
    /// `None` if the command has no data option. Empty data is not `None`.
    pub(super) fn from_options(options: &Options, stdin: &mut Stdin, warnings: &mut Warnings) -> Option<Self> {
        let mut data: Option<Self> = None;
        for given in &options.given {
            let Some(piece) = DataPiece::from_option(given, stdin) else { continue };
            let data = data.get_or_insert(Self { is_encoded: true, ..Self::default() });
            if !data.text.is_empty() && given.effect != Effect::Json {
                data.text.push('&');
            }
            data.text.push_str(&piece.text);
            data.is_encoded &= given.effect == Effect::DataUrlencode;
            piece.warn_of_file(warnings);
            match piece.file {
                None => {}
                Some(FilePosition::WholeText) => data.has_file = true,
                Some(FilePosition::Field(name)) => data.file_fields.push(name),
            }
        }
        data
    }

    /// Classifies the data; `content_type` is the value of the Content-Type header, if the command sets one.
    pub(super) fn into_body(self, content_type: Option<&str>, warnings: &mut Warnings) -> ImportedBody {
        let mut body = match self {
            Self { text, .. } if text.is_empty() => ImportedBody::None,
            Self { text, has_file: true, .. } => ImportedBody::Files(text),
            Self { text, is_encoded: true, .. } => ImportedBody::from_urlencoded_form(text),
            Self { text, .. } => ImportedBody::from_text(text, content_type, warnings),
        };
        if let ImportedBody::Form(fields) = &mut body {
            for name in &self.file_fields {
                if let Some(field) = fields.get_mut(name) {
                    field.has_file = true;
                }
            }
        }
        body
    }
}

/// The text that `--url-query` adds to the query.
pub(super) fn url_query(value: &str, stdin: &mut Stdin, warnings: &mut Warnings) -> String {
    if let Some(raw) = value.strip_prefix('+') {
        return raw.to_owned();
    }
    let piece = DataPiece::parse_urlencode(value, stdin);
    piece.warn_of_file(warnings);
    piece.text.into_owned()
}

/// The data of one option.
struct DataPiece<'a> {
    text: Cow<'a, str>,
    /// Which part is a file name in place of the file's content.
    file: Option<FilePosition>,
}

enum FilePosition {
    WholeText,
    /// The value of the field with this name.
    Field(String),
}

impl<'a> DataPiece<'a> {
    fn from_option(given: &'a GivenOption, stdin: &mut Stdin) -> Option<Self> {
        let without_file = |text| Self { text, file: None };
        let value = given.value.as_str();
        Some(match (given.effect, value.strip_prefix('@')) {
            (Effect::DataUrlencode, _) => Self::parse_urlencode(value, stdin),
            (Effect::DataRaw, _) | (Effect::Data | Effect::DataBinary | Effect::Json, None) => {
                without_file(value.into())
            }
            (Effect::Data | Effect::DataBinary | Effect::Json, Some(file)) => match stdin.read(file) {
                // `-d` removes line breaks and NUL bytes from a file.
                Some(input) if given.effect == Effect::Data => {
                    without_file(input.replace(['\r', '\n', '\0'], "").into())
                }
                Some(input) => without_file(input.into()),
                None => Self { text: value.into(), file: Some(FilePosition::WholeText) },
            },
            _ => return None,
        })
    }

    /// Parses and encodes the value of `--data-urlencode`: `value`, `=value`, `name=value`, `@file` or `name@file`. The
    /// name is not encoded.
    fn parse_urlencode(text: &'a str, stdin: &mut Stdin) -> Self {
        let separator = text.find('=').or_else(|| text.find('@'));
        let (name, rest) = separator.and_then(|offset| text.split_at_checked(offset)).unwrap_or(("", text));
        let with_name = |value: &str| if name.is_empty() { value.to_owned() } else { format!("{name}={value}") }.into();
        let Some(file) = rest.strip_prefix('@') else {
            return Self { text: with_name(&encode(rest.strip_prefix('=').unwrap_or(rest))), file: None };
        };
        match stdin.read(file) {
            Some(input) => Self { text: with_name(&encode(&input)), file: None },
            None if name.is_empty() => Self { text: rest.into(), file: Some(FilePosition::WholeText) },
            None => Self { text: with_name(rest), file: Some(FilePosition::Field(name.to_owned())) },
        }
    }

    fn warn_of_file(&self, warnings: &mut Warnings) {
        if self.file.is_some() {
            warnings.add("The content of a file was not imported: no file is read. Its name is used instead.");
        }
    }
}
