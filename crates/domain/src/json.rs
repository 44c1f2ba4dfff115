//! JSON as text. What an owner wrote is what a client reads: key order, and numbers beyond 2^53,
//! survive because documents are checked once and then carried as they are.
//!
//! The check refuses what parsers disagree on: duplicate keys, and nesting deep enough to hurt.

mod check;
mod keys;
mod outline;

use std::fmt;

use indexmap::IndexMap;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

pub use check::{DEPTH_MAX, JsonFault, JsonFaultKind, VALUES_MAX, check, outline};
pub use outline::{Member, Outline};

/// The members of an object, in order, each still as text.
pub type Members = IndexMap<String, Box<RawValue>>;

/// A JSON object as text, checked and without insignificant white space. It may hold credentials on their way to being
/// sealed, so its `Debug` shows nothing of it.
#[derive(Clone)]
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

    /// From a value that [`check`] has passed; `None` unless it is an object.
    pub fn from_raw(value: &RawValue) -> Option<Self> {
        value.get().trim_start().starts_with('{').then(|| Self(raw(compact(value.get()))))
    }

    /// From its stored text; a damaged row reads as empty rather than as a panic.
    pub fn from_stored(text: String) -> Self {
        RawValue::from_string(text).map_or_else(|_| Self::empty(), Self)
    }

    /// From members that are JSON already.
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

    /// As a tree. Numbers beyond 64 bits become floats: for checks, not for storing.
    pub fn to_value(&self) -> Value {
        serde_json::from_str(self.as_str()).unwrap_or(Value::Null)
    }
}

impl PartialEq for JsonObject {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for JsonObject {}

impl Serialize for JsonObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// A JSON text as a raw value; only ever given text that is JSON.
pub fn raw(text: String) -> Box<RawValue> {
    RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// A string as a raw value.
pub fn raw_string(text: &str) -> Box<RawValue> {
    serde_json::value::to_raw_value(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// The members of an object that [`check`] has passed, each without insignificant white space; `None` unless it is an
/// object.
pub fn members(object: &str) -> Option<Members> {
    let mut members: Members = serde_json::from_str(object).ok()?;
    for member in members.values_mut() {
        if member.get().starts_with(['{', '[']) {
            *member = raw(compact(member.get()));
        }
    }
    Some(members)
}

/// The value of a raw JSON string; `None` when it is no string.
pub fn as_string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// Whether a raw value is `null`.
pub fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

/// Drops white space between tokens; what is inside strings stays.
fn compact(text: &str) -> String {
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
    fn objects_keep_digits_order_and_strings() {
        let text = "{ \"z\" : 123456789012345678901234 ,\n \"a\": \"x \\\" y\" }";
        let object = JsonObject::from_raw(check(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(object.as_str(), r#"{"z":123456789012345678901234,"a":"x \" y"}"#);
    }

    #[test]
    fn members_are_what_an_object_without_spaces_has() {
        for text in
            ["{}", r#"{"a" : "x  y" , "b":[ 1 , {"c" : " " } ],"d":12345678901234567890123 }"#, "{\n\"a\":\t{ } }"]
        {
            let document = check(text.as_bytes()).unwrap();
            let same = JsonObject::from_members(&members(document.get()).unwrap());
            assert_eq!(same, JsonObject::from_raw(document).unwrap(), "{text}");
        }
        assert!(["[]", "null", "\"{}\""].iter().all(|text| members(text).is_none()));
    }

    #[test]
    fn a_checked_text_comes_without_the_space_around_it() {
        assert_eq!(outline(b" \r\n\t{ \"a\": 1 } \n").unwrap().text, "{ \"a\": 1 }");
        for bad in [&b"\"\xff\""[..], b"\xff", b"\xc2\xa01", b"1\xe2\x80\x83", b"1\x0b", b""] {
            assert!(outline(bad).is_err(), "{bad:?}");
        }
    }
}
