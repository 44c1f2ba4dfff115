//! The body of a request: which kind it is, told from its text and its stated type.

use domain::json::{self, Members};
use indexmap::IndexMap;
use serde_json::value::RawValue;

/// The argument that is a whole body.
pub(super) const WHOLE: &str = "body";

/// A body by its kind.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// There is none, or it is empty.
    None,
    /// A JSON object; values keep the text they were written with.
    Json(Members),
    /// `application/x-www-form-urlencoded`, decoded.
    Form(Fields),
    /// `multipart/form-data`.
    Multipart(Fields),
    /// A JSON array.
    Array(Box<RawValue>),
    /// Anything else.
    Text(String),
}

/// Fields of a form by name, in order.
pub(super) type Fields = IndexMap<String, Field>;

/// One field of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Field {
    /// More than one if the name is repeated.
    pub(super) values: Vec<String>,
    /// Whether it is a list even with one value.
    pub(super) is_list: bool,
}

impl Body {
    /// The body as the arguments of a tool.
    pub(super) fn members(&self) -> Members {
        match self {
            Self::None => Members::new(),
            Self::Json(members) => members.clone(),
            Self::Form(fields) | Self::Multipart(fields) => {
                fields.iter().map(|(name, field)| (name.clone(), field.to_json())).collect()
            }
            Self::Array(array) => Members::from_iter([(WHOLE.to_owned(), array.clone())]),
            Self::Text(text) => Members::from_iter([(WHOLE.to_owned(), json::raw_string(text))]),
        }
    }

    /// The `body_type` of the tool.
    pub(super) fn body_type(&self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Json(_) => Some("json"),
            Self::Form(_) => Some("form"),
            Self::Multipart(_) => Some("multipart"),
            Self::Array(_) | Self::Text(_) => Some("raw"),
        }
    }
}

impl Field {
    /// A string, or a list of strings.
    pub(super) fn to_json(&self) -> Box<RawValue> {
        match self.values.as_slice() {
            [value] if !self.is_list => json::raw_string(value),
            values => json::raw(serde_json::json!(values).to_string()),
        }
    }
}
