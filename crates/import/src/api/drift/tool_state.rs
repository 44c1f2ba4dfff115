//! The fields of a tool that an import sets, in their JSON form.

use serde_json::{Map, Value, json};

use crate::api::candidate::Candidate;

/// The fields that an import sets.
pub(super) const FIELDS: [&str; 16] = [
    "name",
    "description",
    "endpoint_url",
    "http_method",
    "input_schema",
    "parameter_mapping",
    "body_type",
    "body_required",
    "headers",
    "auth_type",
    "credential",
    "output_schema",
    "annotations",
    "tags",
    "timeout",
    "status",
];

/// Timeout of a tool unless the overlay sets one, in seconds.
const TIMEOUT_DEFAULT_SECS: u64 = 30;

/// The fields of a tool that an import sets.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolState {
    operation: String,
    fields: Map<String, Value>,
}

impl ToolState {
    /// The fields of a stored tool, from its JSON form.
    pub fn from_tool(operation: &str, mut fields: Map<String, Value>) -> Self {
        fields.retain(|field, _| FIELDS.contains(&field.as_str()));
        Self { operation: operation.to_owned(), fields }
    }

    /// The fields that a candidate gives to a tool.
    pub fn from_candidate(candidate: &Candidate) -> Self {
        let mut fields = match serde_json::to_value(candidate) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        fields.entry("timeout").or_insert_with(|| json!(TIMEOUT_DEFAULT_SECS));
        Self::from_tool(&candidate.operation, fields)
    }

    /// The operation that it was imported from.
    pub(super) fn operation(&self) -> &str {
        &self.operation
    }

    /// A field; null if it has no value.
    pub fn field(&self, name: &str) -> &Value {
        self.fields.get(name).unwrap_or(&Value::Null)
    }
}

/// A member of a value; null if it has none.
pub(super) fn member<'v>(value: &'v Value, name: &str) -> &'v Value {
    value.get(name).unwrap_or(&Value::Null)
}
