//! Merges schemas that apply to the same value. Keywords that cannot be merged stay in `allOf`.

use serde_json::{Map, Number, Value, json};

use super::vocabulary::{KeywordKind, Keywords, is_annotation, kind, mark_widened};

/// Keywords that depend on each other: if both schemas have one of a group, the group stays together in `allOf`.
const GROUPS: [&[&str]; 4] = [
    &["if", "then", "else"],
    &["contains", "minContains", "maxContains"],
    &["prefixItems", "items"],
    &["unevaluatedItems"],
];

/// Merges the branches of `allOf` with the schema that holds them; its texts win.
pub(super) fn all(branches: Vec<Keywords>, schema: Keywords) -> Keywords {
    let merged = branches.into_iter().reduce(both).unwrap_or_default();
    both(merged, schema)
}

/// A schema that accepts what both accept; the annotations of `second` win.
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
        if *existing == value {
            continue;
        }
        match keyword_of_both(&keyword, existing, &value) {
            Some(both) => *existing = both,
            None => drop(rest.insert(keyword, value)),
        }
    }
    if !rest.is_empty()
        && let Value::Array(list) = merged.entry("allOf").or_insert_with(|| json!([]))
    {
        list.push(Value::Object(rest));
    }
    merged
}

/// Moves the groups of `second` that `first` has as well.
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

/// `additionalProperties` of one schema does not know the properties of the other. After the merge it does, so that the
/// result accepts more values.
fn is_widened_by_merge(first: &Keywords, second: &Keywords) -> bool {
    let closes = |keywords: &Keywords| {
        keywords.get("additionalProperties").is_some_and(|value| *value != Value::Bool(true))
            || keywords.contains_key("unevaluatedProperties")
            || keywords.contains_key("unevaluatedItems")
    };
    let names = |keywords: &Keywords| {
        let members = |name: &str| keywords.get(name).and_then(Value::as_object).map_or(0, Map::len);
        (members("properties"), members("patternProperties"))
    };
    let has_other_names = names(first) != names(second) || first.get("properties") != second.get("properties");
    (closes(first) || closes(second)) && has_other_names
}

/// The value of a keyword that both schemas have; `None` if it cannot be merged.
fn keyword_of_both(keyword: &str, first: &Value, second: &Value) -> Option<Value> {
    match keyword {
        "type" => common_types(first, second),
        "required" | "allOf" => Some(union(first, second)),
        "enum" => common_values(first, second),
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            Some(bound(first, second, f64::gt))
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            Some(bound(first, second, f64::lt))
        }
        "uniqueItems" => Some(Value::Bool(true)),
        "properties" | "patternProperties" | "dependentSchemas" => by_name(first, second),
        "additionalProperties" | "items" | "propertyNames" | "unevaluatedProperties" => {
            Some(schema_of_both(first, second))
        }
        _ if is_annotation(keyword) => Some(second.clone()),
        _ => None,
    }
}

/// A schema that accepts what both schemas accept.
fn schema_of_both(first: &Value, second: &Value) -> Value {
    match (first, second) {
        (Value::Bool(false), _) | (_, Value::Bool(false)) => Value::Bool(false),
        (Value::Bool(true), other) | (other, Value::Bool(true)) => other.clone(),
        (Value::Object(first), Value::Object(second)) => Value::Object(both(first.clone(), second.clone())),
        _ => json!({"allOf": [first, second]}),
    }
}

fn by_name(first: &Value, second: &Value) -> Option<Value> {
    let (first, second) = (first.as_object()?, second.as_object()?);
    let mut merged = first.clone();
    for (name, schema) in second {
        let both = merged.get(name).map_or_else(|| schema.clone(), |existing| schema_of_both(existing, schema));
        merged.insert(name.clone(), both);
    }
    Some(Value::Object(merged))
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
    let second = list(second);
    let common: Vec<Value> = list(first).into_iter().filter(|value| second.contains(value)).collect();
    if common.is_empty() { None } else { Some(Value::Array(common)) }
}

fn union(first: &Value, second: &Value) -> Value {
    let mut items = list(first);
    let others: Vec<Value> = list(second).into_iter().filter(|item| !items.contains(item)).collect();
    items.extend(others);
    Value::Array(items)
}

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

/// Puts annotations over those of a schema.
pub(super) fn annotate(schema: &mut Keywords, annotations: &Keywords) {
    let annotations = annotations.iter().filter(|(keyword, _)| is_annotation(keyword));
    schema.extend(annotations.map(|(keyword, value)| (keyword.clone(), value.clone())));
}

/// Whether a keyword holds schemas by name.
pub(super) fn is_map(keyword: &str) -> bool {
    kind(keyword) == KeywordKind::Map
}
