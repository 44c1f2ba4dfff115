//! The structure of JSON Schema: which members are subschemas, and where references lead.

mod budget;
mod pointer;

use serde_json::Value;

pub(crate) use budget::WorkBudget;
pub(crate) use pointer::{LocalRef, resolve};

/// Keywords whose value is a schema.
pub(crate) const SCHEMA_KEYWORDS: [&str; 13] = [
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "extends",
];
/// Keywords whose value is an array of schemas.
pub(crate) const SCHEMA_LIST_KEYWORDS: [&str; 5] = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];
/// Keywords whose value is an object of schemas.
pub(crate) const SCHEMA_MAP_KEYWORDS: [&str; 6] =
    ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

/// What the value of a keyword is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeywordKind {
    Schema,
    SchemaList,
    SchemaMap,
    /// Not a schema: its value must not be searched for keywords.
    Other,
}

/// The kind of a keyword with this value.
pub(crate) fn keyword_kind(keyword: &str, value: &Value) -> KeywordKind {
    match value {
        Value::Array(_) if SCHEMA_LIST_KEYWORDS.contains(&keyword) => KeywordKind::SchemaList,
        Value::Object(_) if SCHEMA_MAP_KEYWORDS.contains(&keyword) => KeywordKind::SchemaMap,
        Value::Object(_) | Value::Bool(_) if SCHEMA_KEYWORDS.contains(&keyword) => KeywordKind::Schema,
        _ => KeywordKind::Other,
    }
}

/// Calls `visit` with every direct subschema.
pub(crate) fn for_each_subschema<'a>(schema: &'a Value, mut visit: impl FnMut(&'a Value)) {
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        match keyword_kind(keyword, value) {
            KeywordKind::Schema => visit(value),
            KeywordKind::SchemaList => value.as_array().into_iter().flatten().for_each(&mut visit),
            KeywordKind::SchemaMap => value.as_object().into_iter().flat_map(|map| map.values()).for_each(&mut visit),
            KeywordKind::Other => {}
        }
    }
}
