//! Checks for arguments whose values a model cannot derive from the schema.

use serde_json::Value;

use crate::lint::LintedTool;
use crate::lint::finding::{Finding, FindingCode};
use crate::lint::prose_values::{example_of_format, listed_values};
use crate::lint::secrets::looks_like_secret;

/// Names that do not describe the value.
const VAGUE_NAMES: [&str; 3] = ["data", "type", "value"];
/// Names up to this length, in characters, do not describe the value.
const SHORT_NAME_CHARS: usize = 3;
/// Maximum number of values that a message lists.
const VALUES_SHOWN_MAX: usize = 12;

pub(super) fn check(tool: &LintedTool<'_>, findings: &mut Vec<Finding>) {
    let properties = tool.input_schema.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        let mut add = |code, message| findings.push(Finding::argument(tool.id, name, code, message));
        let description = schema.get("description").and_then(Value::as_str).unwrap_or_default().trim();
        if description.is_empty() && is_unclear(name) && !explains_values(schema) {
            let message = format!("Argument \"{name}\" has no description and its name does not explain it.");
            add(FindingCode::UnclearArgument, message);
        }
        if is_plain_text(schema) {
            if let Some(values) = listed_values(description) {
                let shown = values.get(..VALUES_SHOWN_MAX).unwrap_or(&values).join(", ");
                let message = format!("Argument \"{name}\" looks like a closed set ({shown}) but has no enum.");
                add(FindingCode::MissingEnum, message);
            } else if let Some(example) = example_of_format(description) {
                let message =
                    format!("Argument \"{name}\" has a format only in prose: add an example, such as \"{example}\".");
                add(FindingCode::FormatInProse, message);
            }
        }
        if schema.get("default").and_then(Value::as_str).is_some_and(looks_like_secret) {
            let message = format!("A secret-looking default in \"{name}\": move it to the credentials.");
            add(FindingCode::SecretDefault, message);
        }
    }
}

fn is_unclear(name: &str) -> bool {
    name.chars().count() <= SHORT_NAME_CHARS || VAGUE_NAMES.iter().any(|vague| name.eq_ignore_ascii_case(vague))
}

/// Whether the schema restricts the values, itself or through a reference.
fn explains_values(schema: &Value) -> bool {
    ["$ref", "enum", "const"].into_iter().any(|keyword| schema.get(keyword).is_some())
}

/// Whether the schema says no more about the value than that it is a text.
fn is_plain_text(schema: &Value) -> bool {
    const RESTRICTING_KEYWORDS: [&str; 7] = ["$ref", "const", "enum", "example", "examples", "format", "pattern"];
    let is_text = schema.get("type").is_none_or(|kind| kind == "string");
    is_text && !RESTRICTING_KEYWORDS.iter().any(|keyword| schema.get(keyword).is_some())
}
