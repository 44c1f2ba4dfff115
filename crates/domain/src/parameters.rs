//! Where each argument of a tool goes in the upstream request.

use crate::fault::{Fault, FaultKind, Faults};
use crate::headers::is_token;
use crate::json::{self, JsonObject};

/// Names of `location`; `headers` is the plural that the product's description also uses.
pub const LOCATIONS: [&str; 5] = ["path", "query", "body", "header", "headers"];

/// Headers that no argument may set: they frame the message, or carry somebody's identity.
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

/// A checked `parameter_mapping`, kept as its owner wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterMapping(JsonObject);

impl ParameterMapping {
    /// Nothing mapped: every argument goes where its method and the URL's placeholders suggest.
    pub fn empty() -> Self {
        Self(JsonObject::empty())
    }

    /// Checks a mapping: argument name to `{location, name?}`.
    pub fn parse(field: &str, object: JsonObject) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        for (argument, rule) in &object.members() {
            faults.take(check_rule(&format!("{field}[{argument}]"), argument, rule));
        }
        faults.or(Self(object))
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

fn check_rule(place: &str, argument: &str, rule: &serde_json::value::RawValue) -> Result<(), Fault> {
    let rule = JsonObject::from_raw(rule).ok_or_else(|| Fault::type_of(place, "object"))?.members();
    let location = rule.get("location").and_then(|value| json::as_string(value)).unwrap_or_default();
    if !LOCATIONS.contains(&location.as_str()) {
        return Err(Fault::not_in(&format!("{place}[location]"), &LOCATIONS[..4]));
    }
    let name = match rule.get("name").filter(|value| !json::is_null(value)) {
        None => argument.to_owned(),
        Some(value) => json::as_string(value).ok_or_else(|| Fault::type_of(&format!("{place}[name]"), "string"))?,
    };
    if name.is_empty() {
        return Err(Fault::empty(&format!("{place}[name]")));
    }
    if location.starts_with("header") {
        check_header_name(place, &name)?;
    }
    Ok(())
}

fn check_header_name(place: &str, name: &str) -> Result<(), Fault> {
    if !is_token(name) {
        return Err(Fault::new(
            place,
            FaultKind::InvalidPattern,
            format!("{place}: '{name}' is not a valid header name."),
        ));
    }
    if FORBIDDEN_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(Fault::value(place, format!("{place}: the header {name} cannot be set by an argument.")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(text: &str) -> Result<ParameterMapping, Faults> {
        ParameterMapping::parse("m", JsonObject::from_raw(json::check(text.as_bytes()).unwrap()).unwrap())
    }

    #[test]
    fn what_was_sent_is_what_is_read_back() {
        let text = r#"{"a":{"location":"headers","name":"X-A"},"b":{"location":"path"}}"#;
        assert_eq!(mapping(text).unwrap().as_json().as_str(), text);
    }

    #[test]
    fn arguments_cannot_become_identity_or_framing() {
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
