//! Conversion of descriptions, defaults and examples.

use serde_json::Value;

use super::{VALUE_DEPTH_MAX, depth};
use crate::api::reference::Located;
use crate::api::schema::vocabulary::Keywords;

/// Maximum length of a default in the description; longer ones are left out.
const DEFAULT_CHARS_MAX: usize = 200;

/// Maximum length of a text; longer ones are cut.
const TEXT_CHARS_MAX: usize = 2000;

/// A text without control characters and outer white space.
pub(super) fn clean(text: &str) -> String {
    let is_allowed = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let text = text.trim();
    let mut cleaned: String = text.chars().filter(is_allowed).take(TEXT_CHARS_MAX).collect();
    if text.len() > cleaned.len() && cleaned.chars().count() == TEXT_CHARS_MAX {
        cleaned.push('…');
    }
    cleaned
}

/// Adds the default to the description, and turns `example` into `examples`. The keyword
/// `default` is not used, because Toolgate would send its value, while the API only assumes it.
pub(super) fn complete(schema: &Located<'_>, keywords: &mut Keywords) {
    keywords.retain(|_, value| value.as_str().is_none_or(|text| !text.is_empty()));
    if let Some(text) = schema.value.get("default").and_then(default_text) {
        let description = keywords.get("description").and_then(Value::as_str).unwrap_or_default();
        keywords.insert("description".to_owned(), Value::String(with_default(description, &text)));
    }
    let mut examples = Vec::new();
    match keywords.remove("examples") {
        Some(Value::Array(items)) => examples = items,
        // Some documents write the map of examples of a parameter into a schema.
        Some(Value::Object(map)) => {
            examples.extend(map.values().filter_map(|example| example.get("value")).cloned());
        }
        _ => {}
    }
    if let Some(example) = keywords.remove("example").filter(|_| examples.is_empty()) {
        examples.push(example);
    }
    examples.retain(|example| depth(example) <= VALUE_DEPTH_MAX);
    if !examples.is_empty() {
        keywords.insert("examples".to_owned(), Value::Array(examples));
    }
}

fn default_text(value: &Value) -> Option<String> {
    if value.is_null() {
        return None;
    }
    let text = clean(&value.to_string());
    (text.chars().count() <= DEFAULT_CHARS_MAX).then_some(text)
}

/// `Page size.` and `20` give `Page size. Default: 20.`
fn with_default(description: &str, default: &str) -> String {
    match description.chars().next_back() {
        None => format!("Default: {default}."),
        Some(last) if last.is_alphanumeric() || matches!(last, ')' | '`' | '"') => {
            format!("{description}. Default: {default}.")
        }
        Some(_) => format!("{description} Default: {default}."),
    }
}
