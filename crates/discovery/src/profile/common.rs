//! The rules that most model APIs share: an object at the top, no composition there, and only references to `$defs`.

use serde_json::Value;

use super::DEPTH_MAX;
use super::fold::{fold, is_composed};
use super::inline::{KeptReferences, REFERENCE_KEYWORDS, has_own_id, inline, is_definition};
use crate::schema::for_each_subschema;

/// Whether clients accept the schema as it is.
pub(super) fn is_accepted(schema: &Value) -> bool {
    let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
    is_object && !is_composed(schema) && has_only_kept_references(schema, schema, 0)
}

pub(super) fn adapt(schema: &Value) -> Value {
    let inlined = inline(schema, KeptReferences::Definitions);
    let is_object = inlined.get("type").and_then(Value::as_str) == Some("object");
    if is_object && !is_composed(&inlined) { inlined } else { fold(&inlined) }
}

fn has_only_kept_references(root: &Value, schema: &Value, depth: usize) -> bool {
    let Some(members) = schema.as_object() else { return true };
    let is_kept = |keyword: &str| match members.get(keyword) {
        None => true,
        Some(reference) => keyword == "$ref" && reference.as_str().is_some_and(|text| is_definition(root, text)),
    };
    if depth > 3 * DEPTH_MAX || depth > 0 && has_own_id(members) || !REFERENCE_KEYWORDS.into_iter().all(is_kept) {
        return false;
    }
    let mut has_only_kept = true;
    for_each_subschema(schema, |subschema| {
        has_only_kept = has_only_kept && has_only_kept_references(root, subschema, depth + 1);
    });
    has_only_kept
}
