//! JSON Schema of the values that replies contain.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value, json};
use toolgate_domain::call::FailureReason;
use toolgate_domain::json::JsonObject;
use toolgate_domain::prompt::{Messages, PromptArgument};
use toolgate_domain::time::Timestamp;

/// A schema with a name in the OpenAPI document.
#[derive(Clone, Debug)]
pub(crate) struct NamedSchema {
    pub(crate) name: String,
    pub(crate) schema: Value,
}

impl NamedSchema {
    pub(crate) fn new(name: impl Into<String>, schema: Value) -> Self {
        Self { name: name.into(), schema }
    }
}

/// A value in replies.
pub(crate) trait ReplyValue: Serialize {
    /// Whether every reply contains a field of this type.
    const IS_REQUIRED: bool = true;

    /// JSON Schema of the serialised form.
    fn schema() -> Value;

    /// Whether a reply leaves out a field with this value.
    fn is_omitted(&self) -> bool {
        false
    }
}

/// An object in replies, defined by `reply_object!`.
pub(crate) trait ReplyObject: ReplyValue {
    /// The name in the OpenAPI document: that of the type, without `Out`.
    fn name() -> &'static str;
}

/// Implements [`ReplyValue`] for types with a fixed schema.
macro_rules! reply_values {
    ($($($type:ty),+ => $schema:tt,)+) => {$($(
        impl $crate::schema::ReplyValue for $type {
            fn schema() -> serde_json::Value {
                serde_json::json!($schema)
            }
        }
    )+)+};
}
pub(crate) use reply_values;

reply_values! {
    bool => {"type": "boolean"},
    i64 => {"type": "integer", "format": "int64"},
    u16, u32 => {"type": "integer", "format": "int32", "minimum": 0},
    u64 => {"type": "integer", "format": "int64", "minimum": 0},
    usize => {"type": "integer", "minimum": 0},
    f64 => {"type": "number", "format": "double"},
    str, String, Timestamp => {"type": "string"},
    FailureReason => {"type": "string", "enum": FailureReason::NAMES},
    JsonObject, PromptArgument => {"type": "object"},
    Value => {},
    Messages => {"type": "array", "items": {"type": "object"}},
    IndexMap<String, String> => {"type": "object", "additionalProperties": {"type": "string"}},
}

impl<T: ReplyValue + ?Sized> ReplyValue for &T {
    fn schema() -> Value {
        T::schema()
    }
}

impl<T: ReplyValue> ReplyValue for [T] {
    fn schema() -> Value {
        json!({"type": "array", "items": T::schema()})
    }
}

impl<T: ReplyValue> ReplyValue for Vec<T> {
    fn schema() -> Value {
        <[T]>::schema()
    }
}

impl<T: ReplyValue> ReplyValue for Option<T> {
    fn schema() -> Value {
        let mut schema = T::schema();
        schema["type"] = json!([schema["type"], "null"]);
        schema
    }
}

/// A field that a reply leaves out if there is no value.
#[derive(Serialize)]
pub(crate) struct Omittable<T>(pub(crate) Option<T>);

impl<T: ReplyValue> ReplyValue for Omittable<T> {
    const IS_REQUIRED: bool = false;

    fn schema() -> Value {
        T::schema()
    }

    fn is_omitted(&self) -> bool {
        self.0.is_none()
    }
}

/// The schema of an object while its fields are added.
pub(crate) struct ObjectSchema {
    description: String,
    required: Vec<Value>,
    properties: Map<String, Value>,
}

impl ObjectSchema {
    pub(crate) fn new(doc: &[&str]) -> Self {
        Self { description: description(doc), required: Vec::new(), properties: Map::new() }
    }

    /// Adds a field with the lines of its documentation, if any.
    pub(crate) fn field<T: ReplyValue>(mut self, name: &str, doc: &[&str]) -> Self {
        let mut schema = T::schema();
        if !doc.is_empty() {
            schema["description"] = description(doc).into();
        }
        if T::IS_REQUIRED {
            self.required.push(name.into());
        }
        self.properties.insert(name.to_owned(), schema);
        self
    }

    /// Adds the fields of another object.
    pub(crate) fn fields_of<T: ReplyObject>(mut self) -> Self {
        let mut schema = T::schema();
        self.required.extend(schema["required"].as_array().cloned().unwrap_or_default());
        self.properties.extend(schema["properties"].as_object_mut().map(std::mem::take).unwrap_or_default());
        self
    }

    pub(crate) fn finish(self) -> Value {
        let Self { description, required, properties } = self;
        json!({"type": "object", "description": description, "required": required, "properties": properties})
    }
}

/// The text of a doc comment on one line.
fn description(doc: &[&str]) -> String {
    doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}
