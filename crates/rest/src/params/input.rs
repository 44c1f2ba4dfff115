//! A value of a request before validation.

use serde_json::value::RawValue;

/// An unvalidated value.
#[derive(Clone)]
pub(crate) enum Input {
    Json(Box<RawValue>),
    Text(String),
}
