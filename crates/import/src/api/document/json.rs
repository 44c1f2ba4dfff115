//! JSON documents, within the limits and with warnings about duplicate keys.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

use super::DocumentError;
use super::limits::{ExceededLimit, ParseState, WARNINGS_MAX};
use super::text::without_invisible;
use crate::api::pointer::Pointer;
use crate::api::problem::ApiWarning;

/// Parses a JSON document.
pub(super) fn parse(text: &str) -> Result<(Value, Vec<ApiWarning>), DocumentError> {
    let mut reader = JsonReader::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let result = ValueSeed(&mut reader).deserialize(&mut deserializer);
    match result.and_then(|value| deserializer.end().map(|()| value)) {
        Ok(value) => Ok((value, reader.into_warnings())),
        Err(error) => Err(reader.error(&error)),
    }
}

#[derive(Default)]
struct JsonReader {
    state: ParseState,
    exceeded: Option<ExceededLimit>,
    /// The keys from the value that exceeds a limit outwards to the root.
    path: Vec<String>,
    /// The first duplicate keys, each as the path from the key outwards to the root.
    duplicates: Vec<Vec<String>>,
}

impl JsonReader {
    fn error(&self, error: &serde_json::Error) -> DocumentError {
        match self.exceeded {
            Some(limit) => limit.at(&pointer(&self.path)),
            None => DocumentError::Syntax { message: error.to_string(), line: error.line(), column: error.column() },
        }
    }

    fn check<E: Error>(&mut self, result: Result<(), ExceededLimit>) -> Result<(), E> {
        result.map_err(|limit| {
            self.exceeded = Some(limit);
            E::custom("a limit is exceeded")
        })
    }

    fn text(&mut self, text: Cow<'_, str>) -> String {
        let (text, removed) = without_invisible(text);
        self.state.count_removed(removed);
        text
    }

    fn warn_duplicate_key(&mut self, key: &str) {
        if self.duplicates.len() < WARNINGS_MAX {
            self.duplicates.push(vec![key.to_owned()]);
        }
    }

    fn into_warnings(mut self) -> Vec<ApiWarning> {
        for path in std::mem::take(&mut self.duplicates) {
            self.state.warn_duplicate_key(pointer(&path));
        }
        self.state.into_warnings()
    }

    /// Adds `key` to the paths that were recorded within its value: the path of the exceeded limit, and those of all
    /// duplicates after the first `duplicates_before`.
    fn leave_member(&mut self, key: &str, duplicates_before: usize) {
        if self.exceeded.is_some() {
            self.path.push(key.to_owned());
        }
        for path in self.duplicates.iter_mut().skip(duplicates_before) {
            path.push(key.to_owned());
        }
    }
}

/// The pointer of a path that is stored from the value outwards.
fn pointer(path: &[String]) -> Pointer {
    path.iter().rev().fold(Pointer::root(), |pointer, key| pointer.member(key))
}

struct ValueSeed<'r>(&'r mut JsonReader);

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let counted = self.0.state.add_nodes(1);
        self.0.check(counted)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(self.0.text(Cow::Borrowed(text))))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(self.0.text(Cow::Owned(text))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let reader = self.0;
        let entered = reader.state.enter();
        reader.check(entered)?;
        let mut list = Vec::new();
        loop {
            let duplicates_before = reader.duplicates.len();
            let item = items.next_element_seed(ValueSeed(reader));
            if reader.exceeded.is_some() || reader.duplicates.len() > duplicates_before {
                reader.leave_member(&list.len().to_string(), duplicates_before);
            }
            let Some(item) = item? else { break };
            list.push(item);
        }
        reader.state.leave();
        list.shrink_to_fit();
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let reader = self.0;
        let entered = reader.state.enter();
        reader.check(entered)?;
        let mut map = Map::new();
        while let Some(key) = members.next_key::<Cow<'de, str>>()? {
            let key = reader.text(key);
            let duplicates_before = reader.duplicates.len();
            let value = members.next_value_seed(ValueSeed(reader));
            if reader.exceeded.is_some() || reader.duplicates.len() > duplicates_before {
                reader.leave_member(&key, duplicates_before);
            }
            match map.entry(key) {
                Entry::Vacant(entry) => {
                    entry.insert(value?);
                }
                Entry::Occupied(mut entry) => {
                    reader.warn_duplicate_key(entry.key());
                    entry.insert(value?);
                }
            }
        }
        reader.state.leave();
        Ok(Value::Object(map))
    }
}
