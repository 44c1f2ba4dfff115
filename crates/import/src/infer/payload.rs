//! The body of a request as fields that can become arguments.

use serde_json::value::RawValue;
use toolgate_domain::json::{self, Members};
use toolgate_domain::tool::BodyType;

use crate::request::body::{Field, Fields, ImportedBody, WHOLE_BODY_ARGUMENT};
use crate::shape;
use crate::warnings::Warnings;

/// The fields of a body.
#[derive(Debug)]
pub(super) struct Payload {
    pub(super) kind: PayloadKind,
    pub(super) content: PayloadContent,
}

/// How a body is built from its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PayloadKind {
    /// No body.
    None,
    /// The fields are the members of a JSON object.
    Json,
    Form,
    Multipart,
    /// The only field is the whole body, an empty object. A tool without arguments would send no body at all.
    EmptyObject,
    /// The only field is the whole body, an object whose members cannot be arguments.
    Object,
    /// The only field is the whole body, an array.
    Array,
    /// The only field is the whole body, a text.
    Text,
    /// The only field is the whole body, a text that contains names of files that were not read.
    Files,
}

/// The fields, by name.
#[derive(Debug)]
pub(super) enum PayloadContent {
    Json(Members),
    Texts(Fields),
}

impl Payload {
    /// Splits a body into fields. A field with an empty name cannot be an argument.
    pub(super) fn from_body(body: ImportedBody, warnings: &mut Warnings) -> Self {
        let (kind, content) = match body {
            ImportedBody::None => (PayloadKind::None, PayloadContent::Json(Members::new())),
            ImportedBody::Json(members) if members.is_empty() => {
                (PayloadKind::EmptyObject, whole_body(json::raw("{}".to_owned())))
            }
            ImportedBody::Json(members) if members.contains_key("") => {
                (PayloadKind::Object, whole_body(shape::to_raw_object(&members)))
            }
            ImportedBody::Json(members) => (PayloadKind::Json, PayloadContent::Json(members)),
            ImportedBody::Form(fields) => (PayloadKind::Form, PayloadContent::Texts(fields)),
            ImportedBody::Multipart(mut fields) => {
                if fields.shift_remove("").is_some() {
                    warnings.add("A form field without a name was left out.");
                }
                (PayloadKind::Multipart, PayloadContent::Texts(fields))
            }
            ImportedBody::Array(array) => (PayloadKind::Array, whole_body(array)),
            ImportedBody::Text(text) => (PayloadKind::Text, whole_body(json::raw_string(&text))),
            ImportedBody::Files(text) => (PayloadKind::Files, whole_body(json::raw_string(&text))),
        };
        Self { kind, content }
    }

    /// The fields with JSON values; empty if the values are text.
    pub(super) fn json_fields(&self) -> impl Iterator<Item = (&str, &Box<RawValue>)> {
        let members = if let PayloadContent::Json(members) = &self.content { Some(members) } else { None };
        members.into_iter().flatten().map(|(name, value)| (name.as_str(), value))
    }

    /// The fields with text values; empty if the values are JSON.
    pub(super) fn text_fields(&self) -> impl Iterator<Item = (&str, &Field)> {
        let fields = if let PayloadContent::Texts(fields) = &self.content { Some(fields) } else { None };
        fields.into_iter().flatten().map(|(name, field)| (name.as_str(), field))
    }
}

impl PayloadKind {
    pub(super) fn body_type(self) -> Option<BodyType> {
        match self {
            Self::None => None,
            Self::Json => Some(BodyType::Json),
            Self::Form => Some(BodyType::Form),
            Self::Multipart => Some(BodyType::Multipart),
            Self::EmptyObject | Self::Object | Self::Array | Self::Text | Self::Files => Some(BodyType::Raw),
        }
    }

    /// Whether the only field is the whole body.
    pub(super) fn is_whole_body(self) -> bool {
        self.body_type() == Some(BodyType::Raw)
    }
}

/// The content of a body whose only field is the whole body.
fn whole_body(value: Box<RawValue>) -> PayloadContent {
    PayloadContent::Json(Members::from_iter([(WHOLE_BODY_ARGUMENT.to_owned(), value)]))
}
