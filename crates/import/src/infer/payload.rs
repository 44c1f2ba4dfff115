//! The body of a request as fields that can become arguments.

use toolgate_domain::json::{self, Members};
use toolgate_domain::tool::BodyType;

use crate::request::body::{Fields, ImportedBody, WHOLE_BODY_ARGUMENT};
use crate::shape;
use crate::warnings::Warnings;

/// The fields of a body.
#[derive(Debug)]
pub(super) struct Payload {
    pub(super) kind: PayloadKind,
    /// The fields with JSON values, by name; empty if the values are text.
    pub(super) json: Members,
    /// The fields with text values, by name; empty if the values are JSON.
    pub(super) texts: Fields,
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

impl Payload {
    /// Splits a body into fields. A field with an empty name cannot be an argument.
    pub(super) fn from_body(body: ImportedBody, warnings: &mut Warnings) -> Self {
        let with_json = |kind, json| Self { kind, json, texts: Fields::new() };
        let whole_body = |kind, value| with_json(kind, Members::from_iter([(WHOLE_BODY_ARGUMENT.to_owned(), value)]));
        let with_texts = |kind, texts| Self { kind, json: Members::new(), texts };
        match body {
            ImportedBody::None => with_json(PayloadKind::None, Members::new()),
            ImportedBody::Json(members) if members.is_empty() => {
                whole_body(PayloadKind::EmptyObject, json::raw("{}".to_owned()))
            }
            ImportedBody::Json(members) if members.contains_key("") => {
                whole_body(PayloadKind::Object, shape::to_raw_object(&members))
            }
            ImportedBody::Json(members) => with_json(PayloadKind::Json, members),
            ImportedBody::Form(fields) => with_texts(PayloadKind::Form, fields),
            ImportedBody::Multipart(mut fields) => {
                if fields.shift_remove("").is_some() {
                    warnings.add("A form field without a name was left out.");
                }
                with_texts(PayloadKind::Multipart, fields)
            }
            ImportedBody::Array(array) => whole_body(PayloadKind::Array, array),
            ImportedBody::Text(text) => whole_body(PayloadKind::Text, json::raw_string(&text)),
            ImportedBody::Files(text) => whole_body(PayloadKind::Files, json::raw_string(&text)),
        }
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
