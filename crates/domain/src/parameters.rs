//! The parameter mapping of a tool: the location of each argument in the upstream request.

use crate::fault::{Fault, Faults};
use crate::headers::is_token;
use crate::json::{self, JsonObject};

/// Values of `location`. The last one, `headers`, is accepted as an alias of `header`.
pub const LOCATIONS: [&str; 5] = ["path", "query", "body", "header", "headers"];

/// Headers that no argument may set: they belong to the transport or carry credentials.
const FORBIDDEN_HEADERS: [&str; 15] = [
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "upgrade",
    "te",
    "trailer",
    "cookie",
    "authorization",
    "proxy-authorization",
    "proxy-connection",
    "keep-alive",
    "expect",
    "accept-encoding",
    "set-cookie",
];

/// A validated `parameter_mapping`, stored as its owner wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterMapping(JsonObject);

impl ParameterMapping {
    /// An empty mapping: the HTTP method and the URL's placeholders determine the location of each argument.
    pub fn empty() -> Self {
        Self(JsonObject::empty())
    }

    /// Validates a mapping from argument names to `{location, name?}`.
    pub fn parse(field: &str, object: &JsonObject) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        for (argument, rule) in &object.members() {
            faults.ok_or_record(check_rule(&format!("{field}[{argument}]"), argument, rule));
        }
        faults.into_result(Self(object.clone()))
    }

    /// From its stored text.
    pub fn from_stored(text: String) -> Self {
        Self(JsonObject::from_stored(text))
    }

    /// The mapping as JSON.
    pub fn as_json(&self) -> &JsonObject {
        &self.0
    }
}

fn check_rule(path: &str, argument: &str, rule: &serde_json::value::RawValue) -> Result<(), Fault> {
    let rule = JsonObject::from_raw(rule).ok_or_else(|| Fault::invalid_type(path, "object"))?.members();
    let location = rule.get("location").and_then(|value| json::as_string(value)).unwrap_or_default();
    if !LOCATIONS.contains(&location.as_str()) {
        // The message lists the values without the alias.
        return Err(Fault::not_in(&format!("{path}[location]"), &LOCATIONS[..4]));
    }
    let name = match rule.get("name").filter(|value| !json::is_null(value)) {
        None => argument.to_owned(),
        Some(value) => json::as_string(value).ok_or_else(|| Fault::invalid_type(&format!("{path}[name]"), "string"))?,
    };
    if name.is_empty() {
        return Err(Fault::empty(&format!("{path}[name]")));
    }
    if location.starts_with("header") {
        check_header_name(path, &name)?;
    }
    Ok(())
}

fn check_header_name(path: &str, name: &str) -> Result<(), Fault> {
    if !is_token(name) {
        return Err(Fault::invalid_pattern(path, format!("{path}: '{name}' is not a valid header name.")));
    }
    if FORBIDDEN_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(Fault::invalid_value(path, format!("{path}: the header {name} cannot be set by an argument.")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(text: &str) -> Result<ParameterMapping, Faults> {
        ParameterMapping::parse("m", &JsonObject::from_raw(json::check(text.as_bytes()).unwrap()).unwrap())
    }

    #[test]
    fn a_mapping_reads_back_as_it_was_sent() {
        let text = r#"{"a":{"location":"headers","name":"X-A"},"b":{"location":"path"}}"#;
        assert_eq!(mapping(text).unwrap().as_json().as_str(), text);
    }

    #[test]
    fn arguments_that_set_forbidden_headers_and_invalid_rules_are_refused() {
        for bad in [
            r#"{"host":{"location":"header"}}"#,
            r#"{"a":{"location":"header","name":"Authorization"}}"#,
            r#"{"a":{"location":"header","name":"b c"}}"#,
            r#"{"a":{"location":"cookie"}}"#,
            r#"{"a":{}}"#,
            r#"{"a":"path"}"#,
            r#"{"a":{"location":"query","name":""}}"#,
            r#"{"a":{"location":"query","name":7}}"#,
        ] {
            assert!(mapping(bad).is_err(), "{bad}");
        }
    }
}
