//! JSON documents as text. Documents are checked once and then stored unparsed, so that key order and numbers beyond
//! 2^53 are preserved.
//!
//! The check rejects documents on which parsers disagree (duplicate keys) or that are nested too deeply.

mod check;
mod key_set;
mod limits;
mod scan;

use std::fmt;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

pub use check::{JsonFault, JsonFaultKind, check, scan};
pub use limits::{DEPTH_MAX, VALUES_MAX};
pub use scan::{Member, ScannedDocument};

/// The members of an object, in order, each still as text.
pub type Members = IndexMap<String, Box<RawValue>>;

/// A checked JSON object as text, without insignificant white space. It may contain credentials that are not sealed
/// yet, so its `Debug` output shows only its size.
#[derive(Clone, Serialize)]
pub struct JsonObject(Box<RawValue>);

impl fmt::Debug for JsonObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JsonObject({} bytes)", self.as_str().len())
    }
}

impl JsonObject {
    /// `{}`.
    pub fn empty() -> Self {
        Self(raw("{}".to_owned()))
    }

    /// From a value that [`check`] accepted; `None` unless it is an object.
    pub fn from_raw(value: &RawValue) -> Option<Self> {
        value.get().trim_start().starts_with('{').then(|| Self(raw(compact(value.get()))))
    }

    /// From its stored text; invalid text reads as an empty object.
    pub fn from_stored(text: String) -> Self {
        RawValue::from_string(text).map_or_else(|_| Self::empty(), Self)
    }

    /// From members whose values are JSON text.
    pub fn from_members(members: &Members) -> Self {
        Self(serde_json::value::to_raw_value(members).unwrap_or_else(|_| raw("{}".to_owned())))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// The members, each still as text.
    pub fn members(&self) -> Members {
        serde_json::from_str(self.as_str()).unwrap_or_default()
    }

    /// Parses the text. Numbers beyond 64 bits become floats, so use the result for checks, not for storage.
    pub fn to_value(&self) -> Value {
        serde_json::from_str(self.as_str()).unwrap_or(Value::Null)
    }

    /// The members as parsed values, with the rounding of [`JsonObject::to_value`].
    pub fn to_map(&self) -> Map<String, Value> {
        serde_json::from_str(self.as_str()).unwrap_or_default()
    }
}

impl PartialEq for JsonObject {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for JsonObject {}

/// A JSON text as a raw value; `null` if the text is not JSON.
pub fn raw(text: String) -> Box<RawValue> {
    RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// A string as a raw value.
pub fn raw_string(text: &str) -> Box<RawValue> {
    serde_json::value::to_raw_value(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// The value of a raw JSON string; `None` for other types.
pub fn as_string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// Whether a raw value is `null`.
pub fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

/// Removes white space between tokens; strings are unchanged.
pub fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in text.chars() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if matches!(c, ' ' | '\t' | '\n' | '\r') {
            continue;
        } else {
            in_string = c == '"';
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_preserve_digits_order_and_strings() {
        let text = "{ \"z\" : 123456789012345678901234 ,\n \"a\": \"x \\\" y\" }";
        let object = JsonObject::from_raw(check(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(object.as_str(), r#"{"z":123456789012345678901234,"a":"x \" y"}"#);
    }

    #[test]
    fn a_scanned_text_has_no_surrounding_space() {
        assert_eq!(scan(b" \r\n\t{ \"a\": 1 } \n").unwrap().text, "{ \"a\": 1 }");
        for bad in [&b"\"\xff\""[..], b"\xff", b"\xc2\xa01", b"1\xe2\x80\x83", b"1\x0b", b""] {
            assert!(scan(bad).is_err(), "{bad:?}");
        }
    }
}
