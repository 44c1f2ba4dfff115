//! The check that every external JSON document must pass: it rejects documents on which parsers disagree, and those
//! whose memory use would far exceed their length.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::key_set::{KeySet, RESERVED_KEY};
use super::limits::{CONTAINER_COST, DEPTH_MAX, VALUES_MAX};
use super::scan::{ScannedDocument, validate};

/// Why a document is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line} column {column}")]
pub struct JsonFault {
    /// The kind.
    pub kind: JsonFaultKind,
    /// What is wrong.
    pub message: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

/// The kinds of fault in a JSON document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonFaultKind {
    /// The text is not JSON.
    Syntax,
    /// An object has a duplicate key.
    DuplicateKey,
    /// An object has a key that the JSON parser reserves.
    ReservedKey,
    /// The document is nested too deeply.
    TooDeep,
    /// The document contains too many values.
    TooManyValues,
}

impl From<serde_json::Error> for JsonFault {
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
        Self { kind: JsonFaultKind::Syntax, message: message.to_owned(), line: error.line(), column: error.column() }
    }
}

/// Checks a whole document: syntax, UTF-8, unique and unreserved keys, depth, number of values. Returns it without
/// surrounding space.
pub fn check(document: &[u8]) -> Result<&RawValue, JsonFault> {
    Ok(serde_json::from_str(scan_or_find_fault(document, validate)?)?)
}

/// Checks a whole document like [`check`], and returns its members too.
pub fn scan(document: &[u8]) -> Result<ScannedDocument<'_>, JsonFault> {
    scan_or_find_fault(document, ScannedDocument::parse)
}

/// Runs the fast scan; only if it rejects the document, a slower pass finds the fault.
fn scan_or_find_fault<'d, T>(document: &'d [u8], scan: impl FnOnce(&'d str) -> Option<T>) -> Result<T, JsonFault> {
    if let Some(scanned) = std::str::from_utf8(document).ok().and_then(scan) {
        return Ok(scanned);
    }
    find_fault(document)?;
    // Unreachable: `find_fault` rejects every document that the scan rejects.
    Err(<serde_json::Error as serde::de::Error>::custom("the document cannot be read").into())
}

/// Parses a document and returns its first fault.
pub(super) fn find_fault(document: &[u8]) -> Result<(), JsonFault> {
    let mut deserializer = serde_json::Deserializer::from_slice(document);
    let kind = Cell::new(JsonFaultKind::Syntax);
    let values_left = Cell::new(VALUES_MAX);
    let seed = StrictSeed { depth: 0, values_left: &values_left, kind: &kind };
    seed.deserialize(&mut deserializer).map_err(|error| JsonFault { kind: kind.get(), ..error.into() })?;
    Ok(deserializer.end()?)
}

/// Visits a value, checks it, and discards it.
#[derive(Clone, Copy)]
struct StrictSeed<'a> {
    depth: usize,
    /// How many more values are accepted.
    values_left: &'a Cell<usize>,
    /// The kind of the fault, passed here because an error of serde contains only text.
    kind: &'a Cell<JsonFaultKind>,
}

impl StrictSeed<'_> {
    fn nested<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == DEPTH_MAX {
            self.kind.set(JsonFaultKind::TooDeep);
            return Err(E::custom(format_args!("nested deeper than {DEPTH_MAX} levels")));
        }
        self.count(CONTAINER_COST)?;
        Ok(Self { depth: self.depth + 1, ..self })
    }

    fn count<E: serde::de::Error>(self, values: usize) -> Result<(), E> {
        let Some(values_left) = self.values_left.get().checked_sub(values) else {
            self.kind.set(JsonFaultKind::TooManyValues);
            return Err(E::custom(format_args!("more than {VALUES_MAX} values (a list or an object counts as five)")));
        };
        self.values_left.set(values_left);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for StrictSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.count(1)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StrictSeed<'_> {
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
        let inner = self.nested()?;
        while items.next_element_seed(inner)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let inner = self.nested()?;
        let mut keys = KeySet::default();
        while let Some(ObjectKey(key)) = members.next_key()? {
            if key == RESERVED_KEY {
                self.kind.set(JsonFaultKind::ReservedKey);
                return Err(serde::de::Error::custom(format_args!("the key {key:?} is reserved")));
            }
            if keys.contains(&key) {
                self.kind.set(JsonFaultKind::DuplicateKey);
                return Err(serde::de::Error::custom(format_args!("duplicate key {key:?}")));
            }
            keys.insert(key);
            members.next_value_seed(inner)?;
        }
        Ok(())
    }
}

/// A key, borrowed from the document unless it has escapes.
#[derive(Deserialize)]
struct ObjectKey<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicate_keys_and_deep_nesting_are_refused() {
        let fault = check(br#"{"a":1,"b":{"c":1,"c":2}}"#).unwrap_err();
        assert_eq!(fault.message, "duplicate key \"c\"");
        assert!(check(format!("{}{}", "[".repeat(64), "]".repeat(64)).as_bytes()).is_ok());
        assert!(check(format!("{}{}", "[".repeat(65), "]".repeat(65)).as_bytes()).is_err());
        assert!(check(&b"[".repeat(1_000_000)).is_err());
        assert!(check(b"{\"a\":\"\xff\"}").is_err());
        assert!(check(b"{} {}").is_err());
    }

    #[test]
    fn a_duplicate_key_is_found_among_many_and_in_any_spelling() {
        for count in [2, 8, 9, 10, 500] {
            let keys: Vec<String> = (0..count).map(|number| format!("\"k{number}\":0")).collect();
            assert!(check(format!("{{{}}}", keys.join(",")).as_bytes()).is_ok());
            for repeated in [0, 1, 7, 8, count - 1].into_iter().filter(|repeated| *repeated < count) {
                let text = format!("{{{},\"\\u006b{repeated}\":0}}", keys.join(","));
                assert_eq!(
                    check(text.as_bytes()).unwrap_err().kind,
                    JsonFaultKind::DuplicateKey,
                    "{repeated} of {count}"
                );
            }
        }
    }

    #[test]
    fn the_reserved_key_is_refused() {
        for key in [RESERVED_KEY, "\\u0024serde_json::private::RawValue"] {
            for text in [format!("{{\"{key}\":\"[1]\"}}"), format!("[{{\"a\":{{\"b\":1,\"{key}\":1}}}}]")] {
                let fault = check(text.as_bytes()).unwrap_err();
                assert_eq!(fault.kind, JsonFaultKind::ReservedKey, "{text}");
                assert_eq!(fault.message, "the key \"$serde_json::private::RawValue\" is reserved");
            }
        }
        assert!(
            check(format!("[\"{RESERVED_KEY}\"]").as_bytes()).is_ok(),
            "as a value the reserved key is an ordinary string"
        );
    }

    #[test]
    fn an_empty_key_is_accepted_once_and_refused_twice() {
        for keys in ["", "\"a\":0,", "\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,\"g\":0,\"h\":0,"] {
            assert!(check(format!("{{{keys}\"\":0}}").as_bytes()).is_ok());
            let twice = format!("{{\"\":0,{keys}\"\":0}}");
            assert_eq!(check(twice.as_bytes()).unwrap_err().kind, JsonFaultKind::DuplicateKey, "{keys}");
        }
    }

    #[test]
    fn the_first_of_two_faults_is_reported() {
        assert_eq!(check(b"{\"a\":0,\"a\":\"\xff\"}").unwrap_err().kind, JsonFaultKind::DuplicateKey);
        let fault = check(b"{\"a\":\"\xff\",\"b\":0,\"b\":0}").unwrap_err();
        assert_eq!((fault.kind, fault.line), (JsonFaultKind::Syntax, 1));
    }

    #[test]
    fn the_number_of_values_is_limited_and_lists_count_for_more() {
        let many = |value: &str, count: usize| {
            check(format!("[{value}{}]", format!(",{value}").repeat(count - 1)).as_bytes()).map(|_| ())
        };
        // The list that contains the values counts as five.
        assert_eq!(many("0", VALUES_MAX - 5), Ok(()));
        assert_eq!(many("0", VALUES_MAX - 4).unwrap_err().kind, JsonFaultKind::TooManyValues);
        for container in ["[]", "{}"] {
            assert_eq!(many(container, VALUES_MAX / 5 - 1), Ok(()));
            assert_eq!(many(container, VALUES_MAX / 5).unwrap_err().kind, JsonFaultKind::TooManyValues);
        }
        assert_eq!(many("{\"a\":0}", VALUES_MAX / 6).unwrap_err().kind, JsonFaultKind::TooManyValues);
    }
}
