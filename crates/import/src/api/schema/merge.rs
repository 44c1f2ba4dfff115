//! Merges schemas that apply to the same value. Keywords that cannot be merged stay in `allOf`.

use std::collections::HashSet;

use serde_json::map::Entry;
use serde_json::{Number, Value, json};

use super::vocabulary::{KeywordKind, Keywords, is_annotation, kind, mark_widened};

/// Keywords that depend on each other: if both schemas have one of a group, the group stays together in `allOf`.
const GROUPS: [&[&str]; 4] = [
    &["if", "then", "else"],
    &["contains", "minContains", "maxContains"],
    &["prefixItems", "items"],
    &["unevaluatedItems"],
];

/// Maximum number of comparisons of two lists, each value with each; longer lists are not intersected.
const COMPARISONS_MAX: usize = 250_000;

/// Merges the branches of `allOf` with the schema that holds them. The annotations of that schema take precedence.
pub(super) fn all(branches: Vec<Keywords>, schema: Keywords) -> Keywords {
    let merged = branches.into_iter().reduce(both).unwrap_or_default();
    both(merged, schema)
}

/// A schema that accepts the values that both accept. The annotations of `second` take precedence.
fn both(first: Keywords, mut second: Keywords) -> Keywords {
    if first.is_empty() {
        return second;
    }
    let mut merged = first;
    let mut rest = Keywords::new();
    separate_groups(&merged, &mut second, &mut rest);
    if is_widened_by_merge(&merged, &second) {
        mark_widened(&mut merged);
    }
    for (keyword, value) in second {
        let Some(existing) = merged.get_mut(&keyword) else {
            merged.insert(keyword, value);
            continue;
        };
        if let Some(unmerged) = merge_keyword(&keyword, existing, value) {
            rest.insert(keyword, unmerged);
        }
    }
    if !rest.is_empty()
        && let Value::Array(list) = merged.entry("allOf").or_insert_with(|| json!([]))
    {
        list.push(Value::Object(rest));
    }
    merged
}

/// Moves the groups of `second` that `first` also has to `rest`.
fn separate_groups(first: &Keywords, second: &mut Keywords, rest: &mut Keywords) {
    for group in GROUPS {
        let has = |keywords: &Keywords| group.iter().any(|name| keywords.contains_key(*name));
        let is_plain_items =
            group.contains(&"items") && !first.contains_key("prefixItems") && !second.contains_key("prefixItems");
        let is_equal = group.iter().all(|name| first.get(*name) == second.get(*name));
        if has(first) && has(second) && !is_plain_items && !is_equal {
            rest.extend(group.iter().filter_map(|name| second.remove_entry(*name)));
        }
    }
}

/// Whether the merged schema accepts more values than the two schemas. `additionalProperties` of one schema refuses the
/// properties of the other one; after the merge it admits them.
fn is_widened_by_merge(first: &Keywords, second: &Keywords) -> bool {
    let closes = |keywords: &Keywords| {
        keywords.get("additionalProperties").is_some_and(|value| *value != Value::Bool(true))
            || keywords.contains_key("unevaluatedProperties")
            || keywords.contains_key("unevaluatedItems")
    };
    let is_other = |keyword: &str| first.get(keyword) != second.get(keyword);
    (closes(first) || closes(second)) && (is_other("properties") || is_other("patternProperties"))
}

/// Merges the value of a keyword that both schemas have. Returns the value if it cannot be merged.
fn merge_keyword(keyword: &str, existing: &mut Value, value: Value) -> Option<Value> {
    if *existing == value {
        return None;
    }
    let merged = match keyword {
        "type" => common_types(existing, &value),
        "enum" => common_values(existing, &value),
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            Some(bound(existing, &value, f64::gt))
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            Some(bound(existing, &value, f64::lt))
        }
        "uniqueItems" => Some(Value::Bool(true)),
        "required" | "allOf" => return extend_list(existing, value),
        "properties" | "patternProperties" | "dependentSchemas" => return merge_by_name(existing, value),
        "additionalProperties" | "items" | "propertyNames" | "unevaluatedProperties" => {
            Some(schema_of_both(std::mem::take(existing), value.clone()))
        }
        _ if is_annotation(keyword) => Some(value.clone()),
        _ => None,
    };
    match merged {
        Some(merged) => {
            *existing = merged;
            None
        }
        None => Some(value),
    }
}

/// A schema that accepts the values that both schemas accept.
fn schema_of_both(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Bool(false), _) | (_, Value::Bool(false)) => Value::Bool(false),
        (Value::Bool(true), other) | (other, Value::Bool(true)) => other,
        (Value::Object(first), Value::Object(second)) => Value::Object(both(first, second)),
        (first, second) => json!({"allOf": [first, second]}),
    }
}

fn merge_by_name(existing: &mut Value, value: Value) -> Option<Value> {
    let (Value::Object(first), Value::Object(second)) = (existing, value) else { return None };
    for (name, schema) in second {
        match first.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(schema);
            }
            Entry::Occupied(mut entry) => {
                let previous = std::mem::take(entry.get_mut());
                entry.insert(schema_of_both(previous, schema));
            }
        }
    }
    None
}

fn list(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.clone(),
        other => vec![other.clone()],
    }
}

fn common_types(first: &Value, second: &Value) -> Option<Value> {
    let (first, second) = (list(first), list(second));
    let has = |names: &[Value], name: &Value| {
        names.contains(name) || name == "integer" && names.iter().any(|other| other == "number")
    };
    let mut common: Vec<Value> = first.iter().filter(|name| has(&second, name)).cloned().collect();
    common.extend(second.iter().filter(|name| has(&first, name) && !first.contains(name)).cloned());
    match common.len() {
        0 => None,
        1 => common.pop(),
        _ => Some(Value::Array(common)),
    }
}

fn common_values(first: &Value, second: &Value) -> Option<Value> {
    let (first, second) = (list(first), list(second));
    if first.len().saturating_mul(second.len()) > COMPARISONS_MAX {
        return None;
    }
    let common: Vec<Value> = first.into_iter().filter(|value| second.contains(value)).collect();
    if common.is_empty() { None } else { Some(Value::Array(common)) }
}

/// Adds the items of the other list that are missing.
fn extend_list(existing: &mut Value, value: Value) -> Option<Value> {
    let (Value::Array(items), Value::Array(others)) = (existing, value) else { return None };
    let is_long = items.len().saturating_mul(others.len()) > COMPARISONS_MAX;
    let known: HashSet<String> = if is_long { items.iter().map(Value::to_string).collect() } else { HashSet::new() };
    for item in others {
        let is_known = if is_long { known.contains(&item.to_string()) } else { items.contains(&item) };
        if !is_known {
            items.push(item);
        }
    }
    None
}

/// The tighter one of two bounds.
fn bound(first: &Value, second: &Value, is_tighter: fn(&f64, &f64) -> bool) -> Value {
    let number = |value: &Value| value.as_number().and_then(Number::as_f64);
    match (number(first), number(second)) {
        (Some(one), Some(other)) if is_tighter(&other, &one) => second.clone(),
        _ => first.clone(),
    }
}

/// Whether a schema has nothing but annotations next to its reference.
pub(super) fn is_bare_reference(keywords: &Keywords) -> bool {
    keywords.keys().all(|keyword| keyword == "$ref" || is_annotation(keyword))
}

/// Replaces the annotations of a schema by those of `annotations`.
pub(super) fn annotate(schema: &mut Keywords, annotations: &Keywords) {
    let annotations = annotations.iter().filter(|(keyword, _)| is_annotation(keyword));
    schema.extend(annotations.map(|(keyword, value)| (keyword.clone(), value.clone())));
}

/// Whether a keyword holds schemas by name.
pub(super) fn is_map(keyword: &str) -> bool {
    kind(keyword) == KeywordKind::Map
}
