//! Texts in the JSON of a collection.

use serde_json::Value;

/// A string, number or boolean as text.
pub(super) fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The description of an object: a text, or an object with its content.
pub(super) fn description(owner: &Value) -> String {
    let description = owner.get("description");
    let text =
        description.and_then(|description| description.as_str().or_else(|| description.get("content")?.as_str()));
    text.unwrap_or_default().to_owned()
}
