//! Copies the keywords of the subset that do not hold schemas.

use serde_json::{Map, Value};

/// Maximum number of values that a description lists.
const DESCRIBED_VALUES_MAX: usize = 20;

/// Copies `const` or `enum` if all values are texts; other values are listed in the description. Returns the type that
/// the values imply.
pub(super) fn copy_values(members: &Map<String, Value>, converted: &mut Map<String, Value>) -> Option<&'static str> {
    let single = members.get("const").map(|value| vec![value.clone()]);
    let listed = members.get("enum").and_then(Value::as_array).cloned();
    let mut values = single.or(listed)?;
    let is_nullable = values.iter().any(Value::is_null);
    values.retain(|value| !value.is_null());
    if is_nullable {
        converted.insert("nullable".to_owned(), true.into());
    }
    let is_text = members.get("type").is_none_or(|kind| {
        kind == "string" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "string"))
    });
    let all_texts = values.iter().all(|value| value.as_str().is_some_and(|text| !text.is_empty()));
    if values.is_empty() {
        return None;
    }
    if is_text && all_texts {
        converted.insert("enum".to_owned(), values.into());
        return Some("string");
    }
    let listed: Vec<String> = values.iter().take(DESCRIBED_VALUES_MAX).map(Value::to_string).collect();
    let more = if values.len() > DESCRIBED_VALUES_MAX { ", …" } else { "" };
    converted.insert("description".to_owned(), format!("One of: {}{more}.", listed.join(", ")).into());
    None
}

/// Copies title, description, default and example. A format outside the subset is appended to the description,
/// after the text that `converted` already has.
pub(super) fn copy_annotations(members: &Map<String, Value>, kind: Option<&str>, converted: &mut Map<String, Value>) {
    let mut description = vec![members.get("description").and_then(Value::as_str).unwrap_or_default().to_owned()];
    description.extend(converted.get("description").and_then(Value::as_str).map(str::to_owned));
    if let Some(format) = members.get("format").and_then(Value::as_str) {
        if is_known_format(kind, format) {
            converted.insert("format".to_owned(), format.into());
        } else {
            description.push(format!("Format: {format}."));
        }
    }
    let description = description.join(" ");
    if !description.trim().is_empty() {
        converted.insert("description".to_owned(), description.trim().into());
    }
    if let Some(title @ Value::String(_)) = members.get("title") {
        converted.insert("title".to_owned(), title.clone());
    }
    let example = members.get("example").or_else(|| members.get("examples")?.as_array()?.first());
    for (keyword, value) in [("default", members.get("default")), ("example", example)] {
        if let Some(value) = value.filter(|value| !value.is_null()) {
            converted.insert(keyword.to_owned(), value.clone());
        }
    }
}

fn is_known_format(kind: Option<&str>, format: &str) -> bool {
    matches!(
        (kind, format),
        (Some("string"), "date-time" | "enum")
            | (Some("integer"), "int32" | "int64")
            | (Some("number"), "float" | "double")
    )
}

/// Copies lengths, counts and ranges. Exclusive limits become inclusive.
pub(super) fn copy_limits(members: &Map<String, Value>, kind: Option<&str>, converted: &mut Map<String, Value>) {
    const COUNTS: [&str; 6] = ["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"];
    for keyword in COUNTS {
        if let Some(count) = members.get(keyword).and_then(Value::as_u64) {
            converted.insert(keyword.to_owned(), count.into());
        }
    }
    if let Some(pattern @ Value::String(_)) = members.get("pattern") {
        converted.insert("pattern".to_owned(), pattern.clone());
    }
    let is_integer = kind == Some("integer");
    let limits = [("minimum", "exclusiveMinimum", 1), ("maximum", "exclusiveMaximum", -1)];
    for (keyword, exclusive, step) in limits {
        let inclusive = members.get(keyword).filter(|limit| limit.is_number()).cloned();
        let exclusive = members.get(exclusive).filter(|limit| limit.is_number());
        let limit = inclusive.or_else(|| exclusive.map(|limit| inclusive_limit(limit, is_integer, step)));
        if let Some(limit) = limit {
            converted.insert(keyword.to_owned(), limit);
        }
    }
}

/// The nearest accepted integer for an exclusive limit; for other numbers the limit itself, which is then accepted too.
fn inclusive_limit(limit: &Value, is_integer: bool, step: i64) -> Value {
    match limit.as_i64().and_then(|limit| limit.checked_add(step)).filter(|_| is_integer) {
        Some(next) => next.into(),
        None => limit.clone(),
    }
}
