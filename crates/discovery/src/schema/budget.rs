//! Limits the size of a schema that is derived from another: references can make it exponentially larger.

use serde_json::Value;

/// The most bytes of texts and values of a derived schema: above the largest schema that is stored.
const BYTES_MAX: usize = 2 * 1024 * 1024;
/// The approximate size of a value without its texts, in bytes.
const VALUE_BYTES: usize = 8;

/// What is left for one derived schema.
#[derive(Debug)]
pub(crate) struct WorkBudget {
    schemas: usize,
    bytes: usize,
}

impl WorkBudget {
    pub(crate) fn new(schemas_max: usize) -> Self {
        Self { schemas: schemas_max, bytes: BYTES_MAX }
    }

    /// Counts one schema; `false` if there is none left.
    pub(crate) fn take_schema(&mut self) -> bool {
        let has_left = self.schemas > 0;
        self.schemas = self.schemas.saturating_sub(1);
        has_left
    }

    /// Counts a copied value; `false` if it is too large for the rest.
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
