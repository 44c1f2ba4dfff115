//! Limits the size of a schema that is derived from another one. Without a limit, references could make it
//! exponentially larger.

use serde_json::Value;

/// Maximum size of the texts and values of a derived schema, in bytes. It exceeds the largest stored schema.
const BYTES_MAX: usize = 2 * 1024 * 1024;
/// The approximate size of a value without its texts, in bytes.
const VALUE_BYTES: usize = 8;

/// The remaining number of schemas and bytes for one derived schema.
#[derive(Debug)]
pub(crate) struct WorkBudget {
    schemas: usize,
    bytes: usize,
}

impl WorkBudget {
    pub(crate) fn new(schemas_max: usize) -> Self {
        Self { schemas: schemas_max, bytes: BYTES_MAX }
    }

    /// Counts one schema. Returns `false` if the budget is used up.
    pub(crate) fn take_schema(&mut self) -> bool {
        let has_left = self.schemas > 0;
        self.schemas = self.schemas.saturating_sub(1);
        has_left
    }

    /// Counts a copied value. Returns `false` if the value exceeds the budget.
    pub(crate) fn take_value(&mut self, value: &Value) -> bool {
        let size = size(value);
        let has_left = size <= self.bytes;
        self.bytes = self.bytes.saturating_sub(size);
        has_left
    }
}

/// The approximate size of a value, in bytes.
fn size(value: &Value) -> usize {
    VALUE_BYTES
        + match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(size).sum(),
            Value::Object(members) => members.iter().map(|(name, value)| name.len() + size(value)).sum(),
            _ => 0,
        }
}
