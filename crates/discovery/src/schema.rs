//! The structure of JSON Schema: which members are subschemas, and where references lead.

pub(crate) mod budget;
pub(crate) mod pointer;

use serde_json::Value;

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

/// The kind of value that a keyword has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SubschemaKind {
    Schema,
    SchemaList,
    SchemaMap,
    /// Not a schema. The value must not be searched for keywords.
    Other,
}

/// The kind of a keyword with this value.
pub(crate) fn keyword_kind(keyword: &str, value: &Value) -> SubschemaKind {
    match value {
        Value::Array(_) if SCHEMA_LIST_KEYWORDS.contains(&keyword) => SubschemaKind::SchemaList,
        Value::Object(_) if SCHEMA_MAP_KEYWORDS.contains(&keyword) => SubschemaKind::SchemaMap,
        Value::Object(_) | Value::Bool(_) if SCHEMA_KEYWORDS.contains(&keyword) => SubschemaKind::Schema,
        _ => SubschemaKind::Other,
    }
}

/// Calls `visit` with every direct subschema.
pub(crate) fn for_each_subschema<'a>(schema: &'a Value, mut visit: impl FnMut(&'a Value)) {
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        match keyword_kind(keyword, value) {
            SubschemaKind::Schema => visit(value),
            SubschemaKind::SchemaList => value.as_array().into_iter().flatten().for_each(&mut visit),
            SubschemaKind::SchemaMap => value.as_object().into_iter().flat_map(|map| map.values()).for_each(&mut visit),
            SubschemaKind::Other => {}
        }
    }
}
