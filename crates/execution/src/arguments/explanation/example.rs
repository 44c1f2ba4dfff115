//! The smallest call that a schema accepts, made of its examples, defaults, values and formats.

use serde_json::{Map, Value};

use super::expected::{format_phrase, sample_text, types};
use super::schema_view::{SchemaView, declares_secret};

/// How deep an example goes.
const DEPTH_MAX: usize = 6;
/// How many values an example has.
const VALUES_MAX: usize = 40;
/// Longer examples are not shown.
const EXAMPLE_CHARS_MAX: usize = 160;

/// The smallest valid call as JSON; `None` if none was found, or if it needs no arguments.
pub(super) fn smallest_call(view: &SchemaView<'_>) -> Option<String> {
    let mut values_left = VALUES_MAX;
    let call = value(view, view.document, &mut values_left, 0)?;
    if call.as_object().is_none_or(Map::is_empty) {
        return None;
    }
    let text = call.to_string();
    let is_short = text.chars().nth(EXAMPLE_CHARS_MAX).is_none();
    (is_short && view.compiled.accepts(&call)).then_some(text)
}

fn value<'a>(view: &SchemaView<'a>, schema: &'a Value, values_left: &mut usize, depth: usize) -> Option<Value> {
    *values_left = values_left.checked_sub(1)?;
    let schema = view.resolve(schema);
    if depth > 0
        && let Some(given) = given_value(schema)
    {
        return Some(given.clone());
    }
    let variants = ["oneOf", "anyOf"].into_iter().find_map(|keyword| schema.get(keyword)?.as_array());
    let kind = types(schema).into_iter().find(|name| *name != "null");
    match kind {
        _ if depth > DEPTH_MAX => None,
        None if schema.get("properties").is_none() && depth > 0 => match variants {
            Some(variants) => variants.iter().find_map(|variant| value(view, variant, values_left, depth + 1)),
            None => sample_text(view, schema).map(Value::from).or_else(|| Some(Value::from("text"))),
        },
        None | Some("object") => object(view, schema, values_left, depth),
        Some("array") => list(view, schema, values_left, depth),
        Some("boolean") => Some(Value::Bool(true)),
        Some("integer" | "number") => Some(number(schema)),
        Some("string") => Some(Value::from(text(view, schema))),
        Some(_) => Some(Value::Null),
    }
}

/// A value that the schema names. A secret is not repeated.
fn given_value(schema: &Value) -> Option<&Value> {
    let is_secret = declares_secret(schema);
    let examples = || schema.get("examples").and_then(|examples| examples.get(0)).or_else(|| schema.get("example"));
    let closed = || schema.get("const").or_else(|| schema.get("enum").and_then(|options| options.get(0)));
    let default = || schema.get("default").filter(|value| !value.is_null());
    if is_secret { closed() } else { closed().or_else(examples).or_else(default) }
}

fn object<'a>(view: &SchemaView<'a>, schema: &'a Value, values_left: &mut usize, depth: usize) -> Option<Value> {
    let mut members = Map::new();
    let mut add = |schema: &'a Value, values_left: &mut usize| {
        for name in view.required_names(schema) {
            if members.contains_key(name) {
                continue;
            }
            let member = match view.property(schema, name) {
                Some(property) => value(view, property, values_left, depth + 1)?,
                None => Value::from("text"),
            };
            members.insert(name.to_owned(), member);
        }
        Some(())
    };
    add(schema, values_left)?;
    let variants = ["oneOf", "anyOf"].into_iter().find_map(|keyword| schema.get(keyword)?.as_array()?.first());
    if let Some(variant) = variants {
        add(view.resolve(variant), values_left)?;
    }
    Some(Value::Object(members))
}

fn list<'a>(view: &SchemaView<'a>, schema: &'a Value, values_left: &mut usize, depth: usize) -> Option<Value> {
    let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
    let Some(items) = schema.get("items").filter(|items| items.is_object()) else {
        return (count == 0).then(|| Value::Array(Vec::new()));
    };
    // One item shows what the list holds, even if none is required.
    let count = usize::try_from(count.max(1)).ok().filter(|count| *count <= *values_left)?;
    let item = value(view, items, values_left, depth + 1)?;
    Some(Value::Array(vec![item; count]))
}

fn number(schema: &Value) -> Value {
    let limit = |keyword: &str| schema.get(keyword).filter(|limit| limit.is_number());
    if let Some(min) = limit("minimum").or_else(|| limit("multipleOf")) {
        return min.clone();
    }
    if let Some(above) = limit("exclusiveMinimum").and_then(Value::as_i64) {
        return Value::from(above.saturating_add(1));
    }
    let is_below_one = |limit: &&Value| limit.as_f64().is_some_and(|limit| limit < 1.0);
    limit("maximum").filter(is_below_one).cloned().unwrap_or_else(|| Value::from(1))
}

fn text<'a>(view: &SchemaView<'a>, schema: &'a Value) -> String {
    let form = schema.get("format").and_then(Value::as_str).and_then(format_phrase);
    let sample = form.map(|(_, sample)| sample.to_owned()).or_else(|| sample_text(view, schema));
    let mut text = sample.unwrap_or_else(|| "text".to_owned());
    let limit =
        |keyword: &str| schema.get(keyword).and_then(Value::as_u64).and_then(|limit| usize::try_from(limit).ok());
    while text.chars().count() < limit("minLength").unwrap_or(0).min(EXAMPLE_CHARS_MAX) {
        text.push('x');
    }
    if let Some(max) = limit("maxLength") {
        text = text.chars().take(max).collect();
    }
    text
}
