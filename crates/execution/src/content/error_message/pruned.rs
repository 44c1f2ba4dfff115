//! JSON of any size without its bulk: long texts are shortened, and only the first elements of arrays and members of
//! objects are kept. The message of an error body is found even after megabytes of other data, unless [`MEMBERS_MAX`]
//! other members precede it.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The longest text that is kept, in bytes.
const TEXT_BYTES_MAX: usize = 2048;
/// How many elements of an array are kept.
const ELEMENTS_MAX: usize = 16;
/// How many members of an object are kept.
const MEMBERS_MAX: usize = 64;

/// A value without its bulk.
pub(super) struct PrunedValue(pub(super) Value);

impl<'de> Deserialize<'de> for PrunedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PruningVisitor).map(Self)
    }
}

struct PruningVisitor;

impl<'de> Visitor<'de> for PruningVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.split_at(text.floor_char_boundary(TEXT_BYTES_MAX)).0.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        while elements.len() < ELEMENTS_MAX {
            match access.next_element::<PrunedValue>()? {
                Some(PrunedValue(element)) => elements.push(element),
                None => return Ok(elements.into()),
            }
        }
        while access.next_element::<IgnoredAny>()?.is_some() {}
        Ok(elements.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(name) = access.next_key::<String>()? {
            if members.len() < MEMBERS_MAX {
                members.insert(name, access.next_value::<PrunedValue>()?.0);
            } else {
                access.next_value::<IgnoredAny>()?;
            }
        }
        Ok(members.into())
    }
}
