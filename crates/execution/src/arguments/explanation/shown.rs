//! How values and names appear in a text: short, and quoted as in JSON.

use serde_json::Value;

/// The longest value or name, in characters.
const SHOWN_CHARS_MAX: usize = 40;
/// The longest name of a tool.
const TOOL_CHARS_MAX: usize = 64;

/// A value that was sent, in at most 40 characters.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) if items.is_empty() => "[]".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        scalar => truncate(&scalar.to_string(), SHOWN_CHARS_MAX),
    }
}

/// A text in quotes, shortened inside them.
pub(super) fn quoted(text: &str) -> String {
    let is_clean = |c: char| !c.is_control() && c != '"' && c != '\\';
    let inner_max = SHOWN_CHARS_MAX - 2;
    let clean: String = text.chars().take(inner_max).filter(|c| is_clean(*c)).collect();
    if text.chars().nth(inner_max).is_none() {
        return format!("\"{clean}\"");
    }
    format!("\"{}…\"", head(&clean, inner_max - 1))
}

/// A name without quotes.
pub(super) fn name(name: &str) -> String {
    truncate(&name.chars().take(TOOL_CHARS_MAX + 1).filter(|c| !c.is_control()).collect::<String>(), TOOL_CHARS_MAX)
}

pub(super) fn truncate(text: &str, chars_max: usize) -> String {
    if text.chars().nth(chars_max).is_none() {
        return text.to_owned();
    }
    format!("{}…", head(text, chars_max.saturating_sub(1)))
}

/// The text with a capital first letter.
pub(super) fn capitalise(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn head(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).and_then(|(at, _)| text.split_at_checked(at)).map_or(text, |(head, _)| head)
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn alternatives(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn enumeration(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
