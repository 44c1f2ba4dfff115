//! The data of a request: the text that curl would send, put together from its options.

use std::borrow::Cow;

use crate::curl::form_data::encode;
use crate::curl::options::table::Effect;
use crate::curl::options::{Given, Options};
use crate::curl::stdin::Stdin;
use crate::curl::warnings::Warnings;

/// What `-d` and its kin make together.
#[derive(Default)]
pub(in crate::curl) struct Data {
    pub(in crate::curl) text: String,
    /// Whether a file would be part of it; its name is, in its place.
    pub(in crate::curl) has_file: bool,
    /// The fields whose value would be a file's; again its name is.
    pub(in crate::curl) file_fields: Vec<String>,
    /// Whether all of it was encoded, so that it is form data whatever it looks like.
    pub(in crate::curl) is_encoded: bool,
}

impl Data {
    /// `None` if the command has no data; an empty text is some.
    pub(super) fn read(options: &Options, stdin: &mut Stdin, warnings: &mut Warnings) -> Option<Self> {
        let mut data: Option<Self> = None;
        for given in &options.given {
            let Some(piece) = Piece::of(given, stdin) else { continue };
            let all = data.get_or_insert(Self { is_encoded: true, ..Self::default() });
            if !all.text.is_empty() && given.effect != Effect::Json {
                all.text.push('&');
            }
            all.text.push_str(&piece.text);
            all.is_encoded &= given.effect == Effect::DataUrlencode;
            piece.warn(warnings);
            match piece.file {
                None => {}
                Some(Place::Whole) => all.has_file = true,
                Some(Place::Field(name)) => all.file_fields.push(name),
            }
        }
        data
    }
}

/// What `--url-query` adds to the address.
pub(super) fn url_query(value: &str, stdin: &mut Stdin, warnings: &mut Warnings) -> String {
    if let Some(raw) = value.strip_prefix('+') {
        return raw.to_owned();
    }
    let piece = Piece::encoded(value, stdin);
    piece.warn(warnings);
    piece.text.into_owned()
}

/// What one option adds.
struct Piece<'a> {
    text: Cow<'a, str>,
    /// Where in it the name of a file stands for what it holds.
    file: Option<Place>,
}

enum Place {
    Whole,
    /// The value of the field of this name.
    Field(String),
}

impl<'a> Piece<'a> {
    fn of(given: &'a Given, stdin: &mut Stdin) -> Option<Self> {
        let text = |text| Self { text, file: None };
        let value = given.value.as_str();
        Some(match (given.effect, value.strip_prefix('@')) {
            (Effect::DataUrlencode, _) => Self::encoded(value, stdin),
            (Effect::DataRaw, _) | (Effect::Data | Effect::DataBinary | Effect::Json, None) => text(value.into()),
            (Effect::Data | Effect::DataBinary | Effect::Json, Some(file)) => match stdin.read(file) {
                // -d drops the ends of lines of what it reads
                Some(read) if given.effect == Effect::Data => text(read.replace(['\r', '\n', '\0'], "").into()),
                Some(read) => text(read.into()),
                None => Self { text: value.into(), file: Some(Place::Whole) },
            },
            _ => return None,
        })
    }

    /// `value`, `=value`, `name=value`, `@file` or `name@file`: what follows is encoded, the name is not.
    fn encoded(text: &'a str, stdin: &mut Stdin) -> Self {
        let at = text.find('=').or_else(|| text.find('@'));
        let (name, rest) = at.and_then(|at| text.split_at_checked(at)).unwrap_or(("", text));
        let named = |value: &str| if name.is_empty() { value.to_owned() } else { format!("{name}={value}") }.into();
        let Some(file) = rest.strip_prefix('@') else {
            return Self { text: named(&encode(rest.strip_prefix('=').unwrap_or(rest))), file: None };
        };
        match stdin.read(file) {
            Some(read) => Self { text: named(&encode(&read)), file: None },
            None if name.is_empty() => Self { text: rest.into(), file: Some(Place::Whole) },
            None => Self { text: named(rest), file: Some(Place::Field(name.to_owned())) },
        }
    }

    fn warn(&self, warnings: &mut Warnings) {
        if self.file.is_some() {
            warnings.add("The data of a file is not there: no file is read. Its name stands in its place.");
        }
    }
}
