//! Measures a schema against the limits of a tool.

use std::io::{self, Write};

use serde_json::Value;
use toolgate_domain::tool::{DOCUMENT_MAX, SUBSCHEMAS_MAX};

use super::vocabulary::{relation, subschemas};

/// Maximum nesting of schemas that the validation of tools accepts.
const SCHEMA_DEPTH_MAX: usize = 32;
/// Maximum nesting of JSON values; the request that creates the tool adds further levels.
const JSON_DEPTH_MAX: usize = 62;
/// Maximum number of values; a list or an object counts as five, because it needs more memory.
const VALUES_MAX: usize = 100_000;

/// Whether a schema is within the limits of a tool.
pub(super) fn fits(schema: &Value) -> bool {
    bytes(schema) <= DOCUMENT_MAX
        && subschema_count(schema) <= SUBSCHEMAS_MAX
        && schema_depth(schema) <= SCHEMA_DEPTH_MAX
        && json_depth(schema) <= JSON_DEPTH_MAX
        && value_count(schema) <= VALUES_MAX
}

/// The length of a value as JSON text.
pub(super) fn bytes(value: &Value) -> usize {
    let mut counter = ByteCounter(0);
    // Writing to a counter cannot fail.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

struct ByteCounter(usize);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The direct subschemas of a schema.
fn children(schema: &Value) -> impl Iterator<Item = &Value> {
    let keywords = schema.as_object().into_iter().flatten();
    let with_schemas = keywords.filter(|(keyword, _)| relation(keyword).is_some());
    let nested = with_schemas.flat_map(|(keyword, value)| subschemas(keyword, value));
    let definitions = schema.get("$defs").and_then(Value::as_object).into_iter().flatten().map(|(_, value)| value);
    nested.chain(definitions)
}

pub(super) fn subschema_count(schema: &Value) -> usize {
    1 + children(schema).map(subschema_count).sum::<usize>()
}

pub(super) fn schema_depth(schema: &Value) -> usize {
    1 + children(schema).map(schema_depth).max().unwrap_or(0)
}

fn json_depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(json_depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(json_depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn value_count(value: &Value) -> usize {
    match value {
        Value::Array(items) => 5 + items.iter().map(value_count).sum::<usize>(),
        Value::Object(members) => 5 + members.values().map(value_count).sum::<usize>(),
        _ => 1,
    }
}
