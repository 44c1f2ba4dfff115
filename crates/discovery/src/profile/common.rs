//! Adapts schemas to the rules that most model APIs share: the root is an object without composition, and references
//! lead only to `$defs`.

use serde_json::Value;

use super::DEPTH_MAX;
use super::fold::{fold, is_composed};
use super::inline::{AllowedReferences, REFERENCE_KEYWORDS, has_own_id, inline, is_definition};
use crate::schema::for_each_subschema;

/// Whether clients accept the schema as it is.
pub(super) fn is_accepted(schema: &Value) -> bool {
    let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
    is_object && !is_composed(schema) && has_only_allowed_references(schema, schema, 0)
}

pub(super) fn adapt(schema: &Value) -> Value {
    let inlined = inline(schema, AllowedReferences::Definitions);
    let is_object = inlined.get("type").and_then(Value::as_str) == Some("object");
    if is_object && !is_composed(&inlined) { inlined } else { fold(&inlined) }
}

fn has_only_allowed_references(root: &Value, schema: &Value, depth: usize) -> bool {
    let Some(members) = schema.as_object() else { return true };
    let is_allowed = |keyword: &str| match members.get(keyword) {
        None => true,
        Some(reference) => keyword == "$ref" && reference.as_str().is_some_and(|text| is_definition(root, text)),
    };
    if depth > 3 * DEPTH_MAX || depth > 0 && has_own_id(members) || !REFERENCE_KEYWORDS.into_iter().all(is_allowed) {
        return false;
    }
    let mut has_only_allowed = true;
    for_each_subschema(schema, |subschema| {
        has_only_allowed = has_only_allowed && has_only_allowed_references(root, subschema, depth + 1);
    });
    has_only_allowed
}
