//! Any bytes are read as an API description or rejected, and every schema is self-contained and within the limits of a
//! tool.

use serde_json::Value;
use toolgate_import::api::inspection::inspect;
use toolgate_import::api::schema::SchemaDetail;

/// The limit of a tool's schema.
const SCHEMA_BYTES_MAX: usize = 256 * 1024;

/// Converts all schemas of a document with both levels of detail.
pub(crate) fn check(bytes: &[u8]) {
    for detail in [SchemaDetail::Compact, SchemaDetail::Full] {
        let Ok(inspection) = inspect(bytes, detail) else { return };
        for schema in inspection.schemas {
            assert!(schema.as_str().len() <= SCHEMA_BYTES_MAX, "the schema has {} bytes", schema.as_str().len());
            let schema = schema.to_value();
            assert_eq!(schema["type"], "object");
            check_references(&schema, &schema["$defs"]);
        }
    }
}

/// Every `$ref` leads to a definition. Values of `enum`, `const` and `examples` are not schemas.
fn check_references(value: &Value, definitions: &Value) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match (key.as_str(), member) {
                    ("$ref", Value::String(reference)) => {
                        let name = reference.strip_prefix("#/$defs/");
                        assert!(name.is_some_and(|name| definitions.get(name).is_some()), "{reference} leads nowhere");
                    }
                    ("enum" | "const" | "examples", Value::Array(_)) => {}
                    _ => check_references(member, definitions),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| check_references(item, definitions)),
        _ => {}
    }
}
