//! JSON as text. What an owner wrote is what a client reads: key order, and numbers beyond 2^53,
//! survive because documents are checked once and then carried as they are.
//!
//! The check refuses what parsers disagree on: duplicate keys, and nesting deep enough to hurt.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use indexmap::IndexMap;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// Deepest nesting that is read.
pub const DEPTH_MAX: usize = 64;

/// The members of an object, in order, each still as text.
pub type Members = IndexMap<String, Box<RawValue>>;

/// Why a document is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line} column {column}")]
pub struct JsonFault {
    /// Of which kind.
    pub kind: JsonFaultKind,
    /// What is wrong.
    pub message: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

/// What kind of document is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonFaultKind {
    /// It is no JSON.
    Syntax,
    /// An object has a key twice.
    DuplicateKey,
    /// It is nested too deeply.
    TooDeep,
}

impl From<serde_json::Error> for JsonFault {
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
        Self { kind: JsonFaultKind::Syntax, message: message.to_owned(), line: error.line(), column: error.column() }
    }
}

/// Checks one whole document: syntax, UTF-8, unique keys, depth. Returns its text without surrounding space.
pub fn check(document: &[u8]) -> Result<&RawValue, JsonFault> {
    let mut deserializer = serde_json::Deserializer::from_slice(document);
    let kind = Cell::new(JsonFaultKind::Syntax);
    let strict = Strict { depth: 0, kind: &kind };
    strict.deserialize(&mut deserializer).map_err(|error| JsonFault { kind: kind.get(), ..error.into() })?;
    deserializer.end()?;
    Ok(serde_json::from_slice(document)?)
}

/// A seed that walks a value and keeps nothing.
#[derive(Clone, Copy)]
struct Strict<'a> {
    depth: usize,
    /// Where a refusal of its own leaves its kind: an error of serde carries only text.
    kind: &'a Cell<JsonFaultKind>,
}

impl Strict<'_> {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == DEPTH_MAX {
            self.kind.set(JsonFaultKind::TooDeep);
            return Err(E::custom(format_args!("nested deeper than {DEPTH_MAX} levels")));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let inner = self.deeper()?;
        while items.next_element_seed(inner)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let inner = self.deeper()?;
        let mut seen = HashSet::new();
        while let Some(key) = members.next_key::<String>()? {
            if seen.contains(&key) {
                self.kind.set(JsonFaultKind::DuplicateKey);
                return Err(serde::de::Error::custom(format_args!("duplicate key {key:?}")));
            }
            seen.insert(key);
            members.next_value_seed(inner)?;
        }
        Ok(())
    }
}

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
    fn duplicate_keys_and_depth_are_refused_with_their_place() {
        let fault = check(br#"{"a":1,"b":{"c":1,"c":2}}"#).unwrap_err();
        assert_eq!(fault.message, "duplicate key \"c\"");
        assert!(check(format!("{}{}", "[".repeat(64), "]".repeat(64)).as_bytes()).is_ok());
        assert!(check(format!("{}{}", "[".repeat(65), "]".repeat(65)).as_bytes()).is_err());
        assert!(check(&b"[".repeat(1_000_000)).is_err());
        assert!(check(b"{\"a\":\"\xff\"}").is_err());
        assert!(check(b"{} {}").is_err());
    }

    #[test]
    fn objects_keep_digits_order_and_strings() {
        let text = "{ \"z\" : 123456789012345678901234 ,\n \"a\": \"x \\\" y\" }";
        let object = JsonObject::from_raw(check(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(object.as_str(), r#"{"z":123456789012345678901234,"a":"x \" y"}"#);
    }
}
