//! The body of a request, classified by its text and its Content-Type.

mod multipart;

use indexmap::IndexMap;
use serde_json::value::{RawValue, to_raw_value};
use toolgate_domain::json::{self, JsonFaultKind, JsonObject, Members};
use toolgate_domain::tool::{BodyType, SUBSCHEMAS_MAX};

use super::urlencoded_form;
use crate::warnings::Warnings;

/// Name of the argument that holds the whole body.
pub(crate) const WHOLE_BODY_ARGUMENT: &str = "body";

/// Maximum number of fields that become arguments. Each argument needs at least one schema of the `input_schema`, and
/// a tenth of the schemas is reserved for the other arguments.
pub(crate) const FIELDS_MAX: usize = SUBSCHEMAS_MAX * 9 / 10;
/// Maximum nesting of a JSON body. A call wraps the body in a few more levels, and JSON deeper than
/// [`json::DEPTH_MAX`] is rejected.
const DEPTH_MAX: usize = json::DEPTH_MAX - 8;

/// The body of an imported request.
#[derive(Clone, Debug)]
pub(crate) enum ImportedBody {
    /// No body, or an empty one.
    None,
    /// A JSON object; values keep their original text.
    Json(Members),
    /// `application/x-www-form-urlencoded`, decoded.
    Form(Fields),
    /// `multipart/form-data`.
    Multipart(Fields),
    /// A JSON array.
    Array(Box<RawValue>),
    /// Any other text.
    Text(String),
    /// Text that contains file names in place of file contents.
    Files(String),
}

/// Form fields by name, in order.
pub(crate) type Fields = IndexMap<String, Field>;

/// One field of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Field {
    /// One value for each time that the name occurs.
    pub(crate) values: Vec<String>,
    /// Whether the field is a list, even with a single value.
    pub(crate) is_list: bool,
    /// Whether the value is a file name in place of the file's content.
    pub(crate) has_file: bool,
}

impl ImportedBody {
    /// Classifies a text; `content_type` is the value of the Content-Type header, if the request has one.
    pub(crate) fn from_text(text: String, content_type: Option<&str>, warnings: &mut Warnings) -> Self {
        if text.is_empty() {
            return Self::None;
        }
        let media_type = content_type.map(media_type);
        let is_multipart = match media_type.as_deref() {
            Some(media_type) => media_type == "multipart/form-data",
            None => text.starts_with("--") && text.contains("Content-Disposition: form-data"),
        };
        let classified = if is_multipart {
            multipart::parse_fields(&text, content_type.unwrap_or_default(), warnings).map(Self::Multipart)
        } else if text.trim_start().starts_with(['{', '[']) {
            parse_json(&text, warnings)
        } else if is_form(&text, media_type.as_deref()) {
            return Self::from_urlencoded_form(text);
        } else {
            None
        };
        classified.unwrap_or(Self::Text(text))
    }

    /// The body of an urlencoded form; [`Self::Text`] if a tool cannot send its fields.
    pub(crate) fn from_urlencoded_form(text: String) -> Self {
        parse_form(&text).map_or(Self::Text(text), Self::Form)
    }

    /// The body as the arguments of a tool.
    pub(crate) fn into_members(self) -> Members {
        match self {
            Self::None => Members::new(),
            Self::Json(members) => members,
            Self::Form(fields) | Self::Multipart(fields) => {
                fields.into_iter().map(|(name, field)| (name, field.to_json())).collect()
            }
            Self::Array(array) => Members::from_iter([(WHOLE_BODY_ARGUMENT.to_owned(), array)]),
            Self::Text(text) | Self::Files(text) => {
                Members::from_iter([(WHOLE_BODY_ARGUMENT.to_owned(), json::raw_string(&text))])
            }
        }
    }

    pub(crate) fn body_type(&self) -> Option<BodyType> {
        match self {
            Self::None => None,
            Self::Json(_) => Some(BodyType::Json),
            Self::Form(_) => Some(BodyType::Form),
            Self::Multipart(_) => Some(BodyType::Multipart),
            Self::Array(_) | Self::Text(_) | Self::Files(_) => Some(BodyType::Raw),
        }
    }
}

/// The media type without its parameters, in lower case.
fn media_type(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Parses a JSON object or array that a tool can send. Returns `None` for anything else, which is sent as text.
fn parse_json(text: &str, warnings: &mut Warnings) -> Option<ImportedBody> {
    let text = text.trim();
    // JSON copied from a web page may be indented with no-break spaces, which JSON does not allow. If there are none,
    // the second check is skipped by giving it an empty text, which is not valid JSON.
    let with_spaces = if text.contains(NBSP) { text.replace(NBSP, " ") } else { String::new() };
    let checked = json::check(text.as_bytes()).or_else(|fault| json::check(with_spaces.as_bytes()).map_err(|_| fault));
    let value = match checked {
        Ok(value) => value,
        Err(fault) => {
            warnings.add(match fault.kind {
                JsonFaultKind::DuplicateKey => "The JSON body has a duplicate key. It is sent as text.",
                JsonFaultKind::ReservedKey => "The JSON body has a reserved key. It is sent as text.",
                JsonFaultKind::TooDeep => TOO_DEEP_WARNING,
                JsonFaultKind::TooManyValues => "The JSON body has too many values. It is sent as text.",
                JsonFaultKind::Syntax => "The body looks like JSON but is not valid. It is sent as text.",
            });
            return None;
        }
    };
    if depth(value.get()) > DEPTH_MAX {
        warnings.add(TOO_DEEP_WARNING);
        return None;
    }
    let Some(object) = JsonObject::from_raw(value) else { return Some(ImportedBody::Array(value.to_owned())) };
    let members = object.members();
    if members.len() > FIELDS_MAX {
        warnings.add("The JSON body has more members than a tool can have arguments. It is sent as text.");
        return None;
    }
    Some(ImportedBody::Json(members))
}

const NBSP: char = '\u{A0}';
const TOO_DEEP_WARNING: &str = "The JSON body is nested too deeply for arguments. It is sent as text.";

/// The nesting depth of valid JSON.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut is_in_string, mut is_escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_in_string,
            b'"' => is_in_string = !is_in_string,
            b'{' | b'[' if !is_in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !is_in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Whether a text is form data: `name=value&…`.
fn is_form(text: &str, media_type: Option<&str>) -> bool {
    let is_form_type = media_type.is_none_or(|media_type| media_type == urlencoded_form::MEDIA_TYPE);
    is_form_type && text.contains('=') && !text.trim_start().starts_with(['<', '"'])
}

/// Decodes the fields of a form. Returns `None` if a tool cannot send them: too many fields, a field without a name, or
/// text that is not UTF-8.
fn parse_form(text: &str) -> Option<Fields> {
    let mut fields = Fields::new();
    for pair in text.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = urlencoded_form::decode(name).ok().filter(|name| !name.is_empty())?;
        let value = urlencoded_form::decode(value).ok()?.into_owned();
        match fields.get_mut(name.as_ref()) {
            Some(field) => field.add(&name, value),
            None => fields.entry(name.clone().into_owned()).or_default().add(&name, value),
        }
        if fields.len() > FIELDS_MAX {
            return None;
        }
    }
    (!fields.is_empty()).then_some(fields)
}

impl Field {
    /// Adds a value. The field is a list if `name`, its name, ends in `[]`, or if it has several values.
    pub(crate) fn add(&mut self, name: &str, value: String) {
        self.values.push(value);
        self.is_list |= name.ends_with("[]") || self.values.len() > 1;
    }

    /// A JSON string, or an array of strings for a list.
    pub(crate) fn to_json(&self) -> Box<RawValue> {
        match self.values.as_slice() {
            [value] if !self.is_list => json::raw_string(value),
            values => to_raw_value(values).unwrap_or_else(|_| RawValue::NULL.to_owned()),
        }
    }
}
