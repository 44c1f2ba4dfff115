//! Conversion of `nullable` of OpenAPI 3.0.

use serde_json::{Value, json};

use crate::api::reference::Located;
use crate::api::schema::vocabulary::Keywords;

/// Lets a schema accept `null` if the document declares it nullable.
pub(super) fn apply(schema: &Located<'_>, mut keywords: Keywords) -> Value {
    let is_true = |name: &str| schema.value.get(name) == Some(&Value::Bool(true));
    if !is_true("nullable") && !is_true("x-nullable") {
        return Value::Object(keywords);
    }
    let is_composed =
        ["$ref", "allOf", "anyOf", "oneOf", "not", "const"].iter().any(|name| keywords.contains_key(*name));
    if is_composed && !accepts_null_branch(&keywords) {
        return wrapped(keywords);
    }
    add_null_type(&mut keywords);
    if let Some(values) =
        keywords.get_mut("enum").and_then(Value::as_array_mut).filter(|list| !list.contains(&Value::Null))
    {
        values.push(Value::Null);
    }
    Value::Object(keywords)
}

fn add_null_type(keywords: &mut Keywords) {
    let Some(types) = keywords.get_mut("type") else { return };
    match types {
        Value::String(name) if name != "null" => *types = json!([name, "null"]),
        Value::Array(names) if !names.iter().any(|name| name == "null") => names.push("null".into()),
        _ => {}
    }
}

/// Whether the only composition is a union with a branch for `null`.
fn accepts_null_branch(keywords: &Keywords) -> bool {
    let is_null = |branch: &Value| branch.get("type").is_some_and(|name| name == "null");
    let has_null =
        |union: &str| keywords.get(union).and_then(Value::as_array).is_some_and(|list| list.iter().any(is_null));
    !keywords.contains_key("$ref") && !keywords.contains_key("type") && (has_null("anyOf") || has_null("oneOf"))
}

/// A union of the schema and `null`; the texts of the schema move to the union.
fn wrapped(mut keywords: Keywords) -> Value {
    let texts = ["title", "description", "deprecated", "writeOnly"];
    let outer: Keywords = texts.into_iter().filter_map(|name| keywords.remove_entry(name)).collect();
    let mut union = outer;
    union.insert("anyOf".to_owned(), json!([keywords, {"type": "null"}]));
    Value::Object(union)
}
