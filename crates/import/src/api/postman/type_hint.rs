//! Type names in place of values: Postman writes `<integer>` if the OpenAPI document has no example.

use serde_json::{Value, json};

use crate::shape::Shape;

/// The type that a text names.
pub(super) fn from_text(text: &str) -> Option<Shape> {
    let name = text.strip_prefix('<')?.strip_suffix('>')?;
    Some(match name {
        "integer" | "long" | "int32" | "int64" => Shape::Integer,
        "number" | "float" | "double" => Shape::Number,
        "boolean" => Shape::Boolean,
        "date" => Shape::String(Some("date")),
        "dateTime" | "date-time" => Shape::String(Some("date-time")),
        "string" | "uuid" | "email" | "uri" | "url" | "byte" | "binary" | "password" | "hostname" | "ipv4" | "ipv6" => {
            Shape::String(None)
        }
        _ => return None,
    })
}

/// Replaces each type name in a JSON value by a sample value of that type.
pub(super) fn fill(value: &Value) -> Value {
    match value {
        Value::String(text) => match from_text(text) {
            Some(Shape::Integer) => json!(0),
            Some(Shape::Number) => json!(0.5),
            Some(Shape::Boolean) => json!(true),
            Some(Shape::String(Some("date"))) => json!("2000-01-01"),
            Some(Shape::String(Some(_))) => json!("2000-01-01T00:00:00Z"),
            Some(_) => json!(""),
            None => value.clone(),
        },
        Value::Array(items) => items.iter().map(fill).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), fill(value))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}
