//! Converts schemas to the subset of OpenAPI schemas that Gemini accepts. Other keywords are dropped; values and
//! formats that the subset cannot express are added to the description.

mod keywords;

use serde_json::{Map, Value, json};

use super::DEPTH_MAX;
use super::fold::{COMPOSITIONS, fold, is_composed};
use super::inline::{AllowedReferences, inline};
use super::merge::any_of;
use keywords::{copy_annotations, copy_limits, copy_values};

pub(super) fn adapt(schema: &Value) -> Value {
    let inlined = inline(schema, AllowedReferences::None);
    let folded = if is_composed(&inlined) { fold(&inlined) } else { inlined };
    let mut root = if let Value::Object(members) = folded { members } else { Map::new() };
    root.insert("type".to_owned(), "object".into());
    // Arguments are always an object, never null or one of a set of values.
    for keyword in ["const", "enum", "nullable"] {
        root.shift_remove(keyword);
    }
    convert(&root.into(), 0).unwrap_or_default().into()
}

/// The schema in the subset; `None` if it accepts no value.
fn convert(schema: &Value, depth: usize) -> Option<Map<String, Value>> {
    let members = match schema {
        Value::Bool(false) => return None,
        Value::Object(members) if depth <= DEPTH_MAX => members,
        _ => return Some(Map::new()),
    };
    if is_composed(schema) {
        if !is_object_like(members) {
            return convert_composed(schema, depth);
        }
        let mut converted = convert(&fold(schema), depth + 1)?;
        if types(members).1 {
            converted.insert("nullable".to_owned(), true.into());
        }
        return Some(converted);
    }
    let (types, is_nullable) = types(members);
    if types.len() > 1 {
        return Some(convert_types(members, &types, is_nullable, depth));
    }
    let mut converted = Map::new();
    let values_type = copy_values(members, &mut converted);
    let has_keyword = |keyword: &str| members.contains_key(keyword);
    let inferred = match types.first() {
        Some(kind) => Some(*kind),
        None if has_keyword("properties") => Some("object"),
        None if has_keyword("items") || has_keyword("prefixItems") => Some("array"),
        None => values_type,
    };
    if let Some(kind) = inferred {
        converted.insert("type".to_owned(), kind.into());
    }
    if is_nullable || members.get("nullable") == Some(&Value::Bool(true)) || converted.contains_key("nullable") {
        converted.insert("nullable".to_owned(), true.into());
    }
    copy_annotations(members, inferred, &mut converted);
    copy_limits(members, inferred, &mut converted);
    match inferred {
        Some("object") => copy_properties(members, depth, &mut converted),
        Some("array") => drop(converted.insert("items".to_owned(), convert_items(members, depth).into())),
        _ => {}
    }
    Some(converted)
}

fn is_object_like(members: &Map<String, Value>) -> bool {
    members.contains_key("properties") || members.get("type").is_some_and(|kind| kind == "object")
}

/// The types of a schema other than `null`, and whether `null` is one of them.
fn types(members: &Map<String, Value>) -> (Vec<&str>, bool) {
    const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];
    let names: Vec<&str> = match members.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let known = TYPES.into_iter().filter(|known| names.contains(known)).collect();
    (known, names.contains(&"null"))
}

/// One alternative for each type.
fn convert_types(members: &Map<String, Value>, types: &[&str], is_nullable: bool, depth: usize) -> Map<String, Value> {
    let alternatives = types.iter().filter_map(|kind| {
        let mut single = members.clone();
        single.insert("type".to_owned(), (*kind).into());
        for keyword in ["description", "title", "default", "nullable"] {
            single.shift_remove(keyword);
        }
        convert(&single.into(), depth + 1)
    });
    combine(alternatives.collect(), is_nullable, members)
}

/// A schema that is not an object, with compositions: `allOf` parts are merged, variants become `anyOf`.
fn convert_composed(schema: &Value, depth: usize) -> Option<Map<String, Value>> {
    let list = |keyword: &str| schema.get(keyword).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut own = schema.as_object().cloned().unwrap_or_default();
    for keyword in COMPOSITIONS.iter().chain(&["$ref"]) {
        own.shift_remove(*keyword);
    }
    for part in list("allOf") {
        merge_part(&mut own, part);
    }
    if COMPOSITIONS.iter().any(|keyword| own.contains_key(*keyword)) || is_object_like(&own) && depth < DEPTH_MAX {
        // A part of `allOf` contains a composition, or makes the schema an object.
        own.entry("anyOf").or_insert_with(|| list("oneOf").iter().chain(list("anyOf")).cloned().collect());
        return convert(&own.into(), depth + 1);
    }
    let variants: Vec<&Value> = list("oneOf").iter().chain(list("anyOf")).collect();
    if variants.is_empty() {
        return convert(&own.into(), depth + 1);
    }
    let is_null = |schema: &Value| schema.get("type").is_some_and(|kind| kind == "null");
    let is_nullable = variants.iter().any(|variant| is_null(variant));
    let converted = variants.iter().filter(|variant| !is_null(variant)).filter_map(|variant| {
        let mut merged = own.clone();
        for keyword in ["description", "title", "default"] {
            merged.shift_remove(keyword);
        }
        merge_part(&mut merged, variant);
        convert(&if variant.is_object() { merged.into() } else { (*variant).clone() }, depth + 1)
    });
    let converted: Vec<Map<String, Value>> = converted.collect();
    Some(combine(converted, is_nullable, &own))
}

/// Adds the keywords of a part that the schema does not have, and merges `properties` and `required`.
fn merge_part(members: &mut Map<String, Value>, part: &Value) {
    for (keyword, value) in part.as_object().into_iter().flatten() {
        match members.get_mut(keyword) {
            None => drop(members.insert(keyword.clone(), value.clone())),
            Some(Value::Object(own)) if keyword == "properties" => {
                for (name, schema) in value.as_object().into_iter().flatten() {
                    own.entry(name.clone()).or_insert_with(|| schema.clone());
                }
            }
            Some(Value::Array(own)) if keyword == "required" => {
                own.extend(value.as_array().into_iter().flatten().cloned());
            }
            Some(_) => {}
        }
    }
}

/// Combines alternatives into one schema with the annotations of `owner`, the schema that contains them.
fn combine(alternatives: Vec<Map<String, Value>>, is_nullable: bool, owner: &Map<String, Value>) -> Map<String, Value> {
    let is_nullable = is_nullable || alternatives.iter().any(|schema| schema.contains_key("nullable"));
    let plain = alternatives.into_iter().map(|mut schema| {
        schema.shift_remove("nullable");
        schema.into()
    });
    let mut combined = match any_of(plain.collect()) {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    if is_nullable {
        combined.insert("nullable".to_owned(), true.into());
    }
    match combined.get("type").and_then(Value::as_str) {
        Some("array") => drop(combined.entry("items").or_insert_with(|| json!({}))),
        Some("object") => drop(combined.entry("properties").or_insert_with(|| json!({}))),
        _ => {}
    }
    for keyword in ["title", "description"] {
        if let Some(text @ Value::String(_)) = owner.get(keyword) {
            combined.insert(keyword.to_owned(), text.clone());
        }
    }
    // The subset lists only texts in `enum`; `copy_values` describes other values instead.
    let mut described = Map::new();
    let has_values = combined.contains_key("enum");
    if has_values {
        copy_values(&combined, &mut described);
        combined.shift_remove("enum");
        let kind = combined.get("type").and_then(Value::as_str).map(str::to_owned);
        copy_annotations(&combined.clone(), kind.as_deref(), &mut described);
        described.extend(combined.into_iter().filter(|(keyword, _)| keyword != "description"));
        return described;
    }
    combined
}

fn copy_properties(members: &Map<String, Value>, depth: usize, converted: &mut Map<String, Value>) {
    let properties = members.get("properties").and_then(Value::as_object).into_iter().flatten();
    let properties: Map<String, Value> =
        properties.filter_map(|(name, schema)| Some((name.clone(), convert(schema, depth + 1)?.into()))).collect();
    let mut required: Vec<Value> = Vec::new();
    for name in members.get("required").and_then(Value::as_array).into_iter().flatten() {
        let is_declared = name.as_str().is_some_and(|name| properties.contains_key(name));
        if is_declared && !required.contains(name) {
            required.push(name.clone());
        }
    }
    converted.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        converted.insert("required".to_owned(), required.into());
    }
}

/// The schema of all items. The items of a tuple become alternatives.
fn convert_items(members: &Map<String, Value>, depth: usize) -> Map<String, Value> {
    let tuple = members.get("prefixItems").or_else(|| members.get("items").filter(|items| items.is_array()));
    let Some(Value::Array(tuple)) = tuple else {
        return members.get("items").and_then(|items| convert(items, depth + 1)).unwrap_or_default();
    };
    let others = members.get("items").filter(|items| !items.is_array()).or_else(|| members.get("additionalItems"));
    let others = others.cloned().unwrap_or_else(|| json!({}));
    let all = tuple.iter().chain([&others]).filter_map(|item| convert(item, depth + 1)).collect();
    combine(all, false, &Map::new())
}
