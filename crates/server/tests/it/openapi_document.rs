//! The OpenAPI document without references, for tests that read its operations.

use serde_json::Value;

/// A copy of the document in which each `$ref` is replaced by its target.
pub(crate) fn without_references(document: &Value) -> Value {
    resolve(document, document)
}

fn resolve(document: &Value, part: &Value) -> Value {
    match part {
        Value::Array(items) => items.iter().map(|item| resolve(document, item)).collect(),
        Value::Object(members) => match members.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let target = reference.strip_prefix('#').and_then(|pointer| document.pointer(pointer));
                resolve(document, target.unwrap_or_else(|| panic!("{reference} does not exist")))
            }
            None => members.iter().map(|(name, member)| (name.clone(), resolve(document, member))).collect(),
        },
        other => other.clone(),
    }
}
