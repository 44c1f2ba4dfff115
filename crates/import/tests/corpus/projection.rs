//! Converts an inferred tool to the form of the golden files.

use serde_json::{Map, Value, json};
use toolgate_domain::headers::{MASK, is_secret};

/// The kinds of warnings in golden files.
pub(crate) const WARNING_KINDS: [&str; 20] = [
    "placeholder_credentials",
    "shell_variable",
    "placeholder_header",
    "noise_dropped",
    "session_cookie",
    "signed_url",
    "second_credential",
    "secret_in_body",
    "computed_authorization",
    "invalid_basic",
    "aws_sigv4",
    "basic_only",
    "file_not_read",
    "form_part_details",
    "default_content_type",
    "invalid_json",
    "host_placeholder",
    "cannot_save",
    "option_ignored",
    "other",
];

/// Parts of the sentences of warnings with the kind that they identify. The first match decides.
const SENTENCE_PARTS: [(&str, &str); 18] = [
    ("A tool cannot be saved with this", "cannot_save"),
    ("The credentials look like a placeholder", "placeholder_credentials"),
    (" a shell variable", "shell_variable"),
    ("header contains a placeholder", "placeholder_header"),
    ("were left out: they do not matter", "noise_dropped"),
    ("is a browser session", "session_cookie"),
    ("The URL is signed", "signed_url"),
    ("looks like a credential", "second_credential"),
    ("in the body looks like a secret", "secret_in_body"),
    ("is computed for each request", "computed_authorization"),
    ("is not valid Basic authentication", "invalid_basic"),
    ("--aws-sigv4 signs each request", "aws_sigv4"),
    ("only with Basic authentication", "basic_only"),
    ("was ignored", "option_ignored"),
    ("no file is read", "file_not_read"),
    ("Tools do not support types", "form_part_details"),
    ("curl sends this JSON as", "default_content_type"),
    ("looks like JSON but is not valid", "invalid_json"),
];

/// Converts an inferred tool to the form of the golden files.
pub(crate) fn project(tool: &Value) -> Value {
    let mut projected = Map::new();
    for field in ["name", "http_method", "endpoint_url", "auth_type", "body_type", "timeout", "annotations"] {
        if let Some(value) = tool.get(field) {
            projected.insert(field.to_owned(), value.clone());
        }
    }
    projected.insert("headers".to_owned(), mask_headers(&tool["headers"]));
    projected.insert("auth_credentials".to_owned(), mask_credentials(&tool["auth_credentials"]));
    let (arguments, fixed) = arguments(tool);
    projected.insert("arguments".to_owned(), arguments.into());
    if !fixed.is_empty() {
        projected.insert("fixed".to_owned(), fixed.into());
    }
    projected.insert("warnings".to_owned(), warning_kinds(&tool["warnings"]).into());
    projected.into()
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn mask_headers(headers: &Value) -> Value {
    let masked = members(headers).map(|(name, value)| {
        let text = value.as_str().unwrap_or_default();
        let shown = if name.eq_ignore_ascii_case("cookie") {
            let cookies = text.split(';').map(|cookie| cookie.split('=').next().unwrap_or_default().trim());
            cookies.map(|cookie| format!("{cookie}={MASK}")).collect::<Vec<_>>().join("; ")
        } else if is_secret(name) {
            MASK.to_owned()
        } else {
            text.to_owned()
        };
        (name.clone(), Value::from(shown))
    });
    masked.collect::<Map<_, _>>().into()
}

fn mask_credentials(credentials: &Value) -> Value {
    if let Some(keys) = credentials.get("keys").and_then(Value::as_array) {
        return json!({"keys": keys.iter().map(mask_credentials).collect::<Vec<_>>()});
    }
    let masked = members(credentials).map(|(name, value)| {
        let is_secret = ["token", "username", "password", "key_value"].contains(&name.as_str());
        let is_shown = !is_secret || value == "";
        (name.clone(), if is_shown { value.clone() } else { MASK.into() })
    });
    masked.collect::<Map<_, _>>().into()
}

/// The arguments that a caller sets, and the fixed values.
fn arguments(tool: &Value) -> (Map<String, Value>, Map<String, Value>) {
    let (mut arguments, mut fixed) = (Map::new(), Map::new());
    for (name, rule) in members(&tool["parameter_mapping"]) {
        if let Some(value) = rule.get("value") {
            fixed.insert(name.clone(), json!({"location": rule["location"], "value": value}));
        } else {
            let schema = &tool["input_schema"];
            arguments.insert(name.clone(), argument(name, &schema["properties"][name], rule, &schema["required"]));
        }
    }
    (arguments, fixed)
}

fn argument(name: &str, property: &Value, rule: &Value, required: &Value) -> Value {
    let mut entry = Map::new();
    // The parent is the member of the body that contains the argument.
    entry.insert("location".to_owned(), rule.get("parent").unwrap_or(&rule["location"]).clone());
    if let Some(upstream_name) = rule.get("name") {
        entry.insert("name".to_owned(), upstream_name.clone());
    }
    let mut schema = property.as_object().cloned().unwrap_or_default();
    for keyword in ["description", "default"] {
        if let Some(value) = schema.remove(keyword) {
            entry.insert(keyword.to_owned(), value);
        }
    }
    entry.insert("schema".to_owned(), schema.into());
    let is_required = required.as_array().is_some_and(|names| names.iter().any(|other| other == name));
    entry.insert("required".to_owned(), is_required.into());
    entry.into()
}

fn warning_kinds(warnings: &Value) -> Vec<&'static str> {
    let sentences = warnings.as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut kinds: Vec<&str> = sentences.map(warning_kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

fn warning_kind(sentence: &str) -> &'static str {
    if sentence.starts_with("The host") && sentence.contains("placeholder") {
        return "host_placeholder";
    }
    SENTENCE_PARTS.iter().find(|(part, _)| sentence.contains(part)).map_or("other", |(_, kind)| kind)
}
