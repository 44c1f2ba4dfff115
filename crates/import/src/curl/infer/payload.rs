//! The body of a command, as fields that can be arguments.

use serde_json::value::RawValue;
use toolgate_domain::json::{self, Members};

use super::shape;
use crate::curl::body::{Body, BodyType, Field, Fields, WHOLE};
use crate::curl::form_data;
use crate::curl::warnings::Warnings;

const JSON: &str = "application/json";

/// The fields of a body.
#[derive(Debug)]
pub(super) struct Payload {
    pub(super) kind: Kind,
    pub(super) content: Content,
}

/// How a body is made of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// There is none.
    None,
    /// They are the members of an object.
    Json,
    Form,
    Multipart,
    /// The only one is the whole body, an object with nothing in it: a tool without arguments would send none.
    Nothing,
    /// The only one is the whole body, an object whose members cannot be arguments.
    Object,
    /// The only one is the whole body, a list.
    Array,
    /// The only one is the whole body, a text.
    Text,
    /// The same, with the names of files that were not read in it.
    Files,
}

/// The fields, by name.
#[derive(Debug)]
pub(super) enum Content {
    Json(Members),
    Texts(Fields),
}

impl Payload {
    /// Takes a body apart. No argument can have an empty name upstream.
    pub(super) fn of(body: Body, warnings: &mut Warnings) -> Self {
        let (kind, content) = match body {
            Body::None => (Kind::None, Content::Json(Members::new())),
            Body::Json(members) if members.is_empty() => (Kind::Nothing, whole(json::raw("{}".to_owned()))),
            Body::Json(members) if members.contains_key("") => (Kind::Object, whole(shape::object(&members))),
            Body::Json(members) => (Kind::Json, Content::Json(members)),
            Body::Form(fields) => (Kind::Form, Content::Texts(fields)),
            Body::Multipart(mut fields) => {
                if fields.shift_remove("").is_some() {
                    warnings.add("A field of the form has no name; it was left out.");
                }
                (Kind::Multipart, Content::Texts(fields))
            }
            Body::Array(array) => (Kind::Array, whole(array)),
            Body::Text(text) => (Kind::Text, whole(json::raw_string(&text))),
            Body::Files(text) => (Kind::Files, whole(json::raw_string(&text))),
        };
        Self { kind, content }
    }

    /// Fields that are JSON.
    pub(super) fn members(&self) -> impl Iterator<Item = (&str, &Box<RawValue>)> {
        let members = if let Content::Json(members) = &self.content { Some(members) } else { None };
        members.into_iter().flatten().map(|(name, value)| (name.as_str(), value))
    }

    /// Fields that are text.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, &Field)> {
        let fields = if let Content::Texts(fields) = &self.content { Some(fields) } else { None };
        fields.into_iter().flatten().map(|(name, field)| (name.as_str(), field))
    }
}

impl Kind {
    pub(super) fn body_type(self) -> Option<BodyType> {
        match self {
            Self::None => None,
            Self::Json => Some(BodyType::Json),
            Self::Form => Some(BodyType::Form),
            Self::Multipart => Some(BodyType::Multipart),
            Self::Nothing | Self::Object | Self::Array | Self::Text | Self::Files => Some(BodyType::Raw),
        }
    }

    /// Whether its one field is the whole body.
    pub(super) fn is_whole(self) -> bool {
        self.body_type() == Some(BodyType::Raw)
    }

    /// Whether what is sent is JSON that a tool would call so.
    pub(super) fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::Nothing | Self::Object | Self::Array)
    }

    /// The Content-Type header that a tool needs to send what curl sends, given what curl adds by itself.
    pub(super) fn stated_content_type(self, implied: Option<&'static str>) -> Option<&'static str> {
        let own = match self {
            Self::None | Self::Text | Self::Files => None,
            Self::Json | Self::Nothing | Self::Object | Self::Array => Some(JSON),
            Self::Form => Some(form_data::MEDIA_TYPE),
            // nobody else knows its boundary
            Self::Multipart => return None,
        };
        implied.filter(|_| implied != own)
    }
}

fn whole(value: Box<RawValue>) -> Content {
    Content::Json(Members::from_iter([(WHOLE.to_owned(), value)]))
}
