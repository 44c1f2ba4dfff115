//! The parameter mapping of a tool: the location of each argument in the upstream request, and the constants that are
//! sent with every call.

mod body_part;
mod location;
mod serialization;

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::endpoint_url::URL_MAX;
use crate::fault::{Fault, Faults};
use crate::headers::{VALUE_MAX, is_secret, is_token};
use crate::json::{self, JsonObject, Members};

pub use body_part::BodyPart;
pub use location::{LOCATIONS, ParameterLocation};
pub use serialization::{ParameterStyle, Serialization};

/// The keys of a rule.
const RULE_KEYS: [&str; 11] = [
    "location",
    "name",
    "value",
    "parent",
    "whole",
    "style",
    "explode",
    "allow_reserved",
    "file",
    "content_type",
    "headers",
];

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

/// One entry of a mapping.
#[derive(Clone, Debug)]
pub struct MappingRule {
    /// The key of the entry: the name of the argument, or of the constant.
    pub key: String,
    /// Where the value goes.
    pub location: ParameterLocation,
    /// Its name there.
    pub name: String,
    /// The object in the JSON body that contains it; `None` for the body itself.
    pub parent: Option<String>,
    /// Whether the value is the whole body.
    pub is_whole_body: bool,
    /// How the value is written; `None` for a rule without `style`, `explode` and `allow_reserved`.
    pub serialization: Option<Serialization>,
    /// How the value is sent as a file or as a part of a multipart body; `None` for a rule without `file`,
    /// `content_type` and `headers`.
    pub part: Option<BodyPart>,
    /// The value of a constant; `None` for an argument.
    pub constant: Option<Box<RawValue>>,
}

impl ParameterMapping {
    /// An empty mapping: the HTTP method and the URL's placeholders determine the location of each argument.
    pub fn empty() -> Self {
        Self(JsonObject::empty())
    }

    /// Validates a mapping from names to rules. Rules that depend on other fields of the
    /// tool, and unknown keys, are checked when the tool is saved.
    pub fn parse(field: &str, object: &JsonObject) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        for (key, rule) in &object.members() {
            faults.ok_or_record(check_rule(&format!("{field}[{key}]"), key, rule));
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

    /// The entries, in order.
    pub fn rules(&self) -> Vec<MappingRule> {
        self.0.members().iter().filter_map(|(key, rule)| MappingRule::parse(key, rule)).collect()
    }

    /// Refuses keys that a rule does not have. Tools that were stored with such keys remain valid: an entry that equals
    /// the one in `stored` passes.
    pub(crate) fn check_keys(&self, field: &str, stored: &Self) -> Result<(), Faults> {
        let (mut faults, stored) = (Faults::default(), stored.0.members());
        for (key, rule) in &self.0.members() {
            let is_stored = stored.get(key).is_some_and(|stored| stored.get() == rule.get());
            let members = JsonObject::from_raw(rule).filter(|_| !is_stored).map(|rule| rule.members());
            for name in members.unwrap_or_default().into_keys().filter(|name| !RULE_KEYS.contains(&name.as_str())) {
                let path = format!("{field}[{key}][{name}]");
                let message = format!("{path} is not a key of a rule; a rule has {}.", RULE_KEYS.join(", "));
                faults.push(Fault::invalid_value(path, message));
            }
        }
        faults.into_result(())
    }
}

impl MappingRule {
    /// Parses a stored rule; `None` if it has no location.
    fn parse(key: &str, rule: &RawValue) -> Option<Self> {
        let rule = JsonObject::from_raw(rule)?.members();
        let text = |key: &str| rule.get(key).and_then(|value| json::as_string(value));
        let location = ParameterLocation::parse(&text("location")?)?;
        Some(Self {
            key: key.to_owned(),
            location,
            name: text("name").unwrap_or_else(|| key.to_owned()),
            parent: text("parent"),
            is_whole_body: location == ParameterLocation::Body
                && rule.get("whole").is_some_and(|whole| whole.get() == "true"),
            serialization: Serialization::read("", location, &rule).ok().flatten(),
            part: BodyPart::read("", location, &rule).ok().flatten(),
            constant: rule.get("value").cloned(),
        })
    }
}

/// Whether a schema declares the argument `name`, itself or in a subschema that applies to the same object. References
/// are not followed.
pub fn declares_argument(schema: &Value, name: &str) -> bool {
    let member = |key: &str| schema.get(key).into_iter();
    let is_property = member("properties").any(|properties| properties.get(name).is_some());
    let is_required =
        member("required").filter_map(Value::as_array).flatten().any(|required| required.as_str() == Some(name));
    let lists = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(member).filter_map(Value::as_array).flatten();
    let subschemas = ["if", "then", "else"].into_iter().flat_map(member).chain(lists);
    is_property || is_required || subschemas.into_iter().any(|subschema| declares_argument(subschema, name))
}

fn check_rule(path: &str, key: &str, rule: &RawValue) -> Result<(), Fault> {
    let rule = JsonObject::from_raw(rule).ok_or_else(|| Fault::invalid_type(path, "object"))?.members();
    let location = rule.get("location").and_then(|value| ParameterLocation::parse(&json::as_string(value)?));
    let location = location.ok_or_else(|| Fault::not_in(&format!("{path}[location]"), ParameterLocation::NAMES))?;
    let name = text_member(path, "name", &rule)?.unwrap_or_else(|| key.to_owned());
    if name.is_empty() {
        return Err(Fault::empty(&format!("{path}[name]")));
    }
    if location == ParameterLocation::Header {
        check_header_name(path, &name)?;
    }
    if location == ParameterLocation::Cookie && !is_token(&name) {
        return Err(Fault::invalid_pattern(path, format!("{path}: '{name}' is not a valid cookie name.")));
    }
    check_body_keys(path, location, &rule)?;
    let has_style = Serialization::read(path, location, &rule)?.is_some();
    if BodyPart::read(path, location, &rule)?.is_some_and(|part| part.is_file) {
        check_file(path, has_style, &rule)?;
    }
    match rule.get("value") {
        Some(value) => check_constant(path, location, &name, value),
        None => Ok(()),
    }
}

/// Checks that a rule for a file has no keys for other values.
fn check_file(path: &str, has_style: bool, rule: &Members) -> Result<(), Fault> {
    let is_given = |key: &str| rule.get(key).is_some_and(|value| !json::is_null(value));
    let reason = if has_style {
        "cannot be combined with style, explode and allow_reserved: a file is sent as it is."
    } else if is_given("parent") {
        "cannot be combined with parent."
    } else if rule.contains_key("value") {
        "cannot be combined with value: a constant is not a file."
    } else {
        return Ok(());
    };
    let field = format!("{path}[file]");
    Err(Fault::invalid_value(&field, format!("{field} {reason}")))
}

/// Checks the keys that only a rule for the body has.
fn check_body_keys(path: &str, location: ParameterLocation, rule: &Members) -> Result<(), Fault> {
    let has_parent = text_member(path, "parent", rule)?.is_some();
    let is_whole = match rule.get("whole").map(|whole| whole.get()) {
        None | Some("null" | "false") => false,
        Some("true") => true,
        Some(_) => return Err(Fault::invalid_type(&format!("{path}[whole]"), "boolean")),
    };
    let refuse = |key: &str, message: &str| {
        let field = format!("{path}[{key}]");
        Err(Fault::invalid_value(&field, format!("{field} {message}")))
    };
    match location {
        ParameterLocation::Body if has_parent && is_whole => refuse("whole", "cannot be combined with parent."),
        ParameterLocation::Body => Ok(()),
        _ if has_parent => refuse("parent", "needs the location body."),
        _ if is_whole => refuse("whole", "needs the location body."),
        _ => Ok(()),
    }
}

/// A text that is not empty; `None` if it is absent or null.
fn text_member(path: &str, key: &str, rule: &Members) -> Result<Option<String>, Fault> {
    let Some(value) = rule.get(key).filter(|value| !json::is_null(value)) else { return Ok(None) };
    let path = format!("{path}[{key}]");
    match json::as_string(value) {
        None => Err(Fault::invalid_type(&path, "string")),
        Some(text) if text.is_empty() => Err(Fault::empty(&path)),
        Some(text) => Ok(Some(text)),
    }
}

/// Checks that a constant can be sent in its location. A value that a call refuses as an argument is refused as a
/// constant when the tool is saved.
fn check_constant(path: &str, location: ParameterLocation, name: &str, value: &RawValue) -> Result<(), Fault> {
    let path = format!("{path}[value]");
    let refuse = |message: &str| Err(Fault::invalid_value(&path, format!("{path} {message}")));
    let value: Value = serde_json::from_str(value.get()).unwrap_or_default();
    if location == ParameterLocation::Body {
        return Ok(());
    }
    let Some(texts) = texts(&value) else { return refuse("must not be null or an empty list here.") };
    let joined = texts.join(",");
    match location {
        ParameterLocation::Path if is_nested(&value) => {
            refuse("must be a string, a number, a boolean, or a list of these: it is part of the URL.")
        }
        ParameterLocation::Path if matches!(joined.as_str(), "" | "." | "..") => {
            refuse("must not be empty, '.' or '..': it is part of the URL.")
        }
        ParameterLocation::Header if is_secret(name) => {
            refuse(&format!("is readable; store the header {name} in headers, which seals it."))
        }
        ParameterLocation::Path | ParameterLocation::Header if joined.chars().any(char::is_control) => {
            refuse("must not contain control characters.")
        }
        ParameterLocation::Header | ParameterLocation::Cookie if joined.len() > VALUE_MAX => {
            Err(Fault::too_long(&path, VALUE_MAX, "bytes"))
        }
        ParameterLocation::Path | ParameterLocation::Query if joined.chars().count() > URL_MAX => {
            Err(Fault::too_long(&path, URL_MAX, "characters"))
        }
        _ => Ok(()),
    }
}

/// The texts that are sent for a value outside of a JSON body; `None` if there are none.
fn texts(value: &Value) -> Option<Vec<Cow<'_, str>>> {
    let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let texts: Vec<_> = items
        .iter()
        .filter(|item| !item.is_null())
        .map(|item| item.as_str().map_or_else(|| item.to_string().into(), Cow::Borrowed))
        .collect();
    (!texts.is_empty()).then_some(texts)
}

/// Whether a value is an object, or a list that contains an object or a list.
fn is_nested(value: &Value) -> bool {
    value.is_object()
        || value.as_array().is_some_and(|items| items.iter().any(|item| item.is_object() || item.is_array()))
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
    fn an_empty_name_is_refused() {
        for text in [r#"{"":{"location":"body"}}"#, r#"{"":{"location":"body","name":""}}"#] {
            let faults = mapping(text).unwrap_err();
            assert_eq!(faults.iter().map(|fault| fault.field.as_str()).collect::<Vec<_>>(), ["m[][name]"], "{text}");
        }
        assert!(mapping(r#"{"":{"location":"body","name":"a"}}"#).is_ok());
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
            r#"{"a":{"location":"cookie","name":"b c"}}"#,
            r#"{"a":{"location":"trailer"}}"#,
            r#"{"a":{"location":"query","whole":true}}"#,
            r#"{"a":{"location":"body","whole":"yes"}}"#,
            r#"{"a":{"location":"body","whole":true,"parent":"p"}}"#,
            r#"{"a":{"location":"path","style":"form"}}"#,
            r#"{"a":{}}"#,
            r#"{"a":"path"}"#,
            r#"{"a":{"location":"query","name":""}}"#,
            r#"{"a":{"location":"query","name":7}}"#,
            r#"{"a":{"location":"query","parent":"p"}}"#,
            r#"{"a":{"location":"body","parent":""}}"#,
            r#"{"a":{"location":"body","parent":{}}}"#,
            r#"{"a":{"location":"query","file":true}}"#,
            r#"{"a":{"location":"body","file":true,"style":"json"}}"#,
            r#"{"a":{"location":"body","file":true,"parent":"p"}}"#,
            r#"{"a":{"location":"body","file":true,"value":null}}"#,
        ] {
            assert!(mapping(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_constant_must_fit_its_location() {
        let rule = |location: &str, value: &Value| {
            mapping(&serde_json::json!({"a": {"location": location, "name": "x", "value": value}}).to_string())
        };
        let long = Value::from("x".repeat(URL_MAX + 1));
        for (location, accepted, refused) in [
            ("path", r#"["v 1", 2.5, true, ["a", 1]]"#, r#"["", ".", "..", null, [], [null], {}, [[1]], "a\n"]"#),
            ("query", r#"["", 0, false, "a\n", {"b": 1}, [1, null, {}]]"#, "[null, [], [null]]"),
            ("header", r#"["", 0, "é", {"b": 1}, ["a", 1]]"#, r#"[null, [], "a\r\nb", ["\u0000"]]"#),
            ("body", r#"["", null, [], {}, {"deep": [{"a": null}]}]"#, "[]"),
        ] {
            let values = |text: &str| serde_json::from_str::<Vec<Value>>(text).unwrap();
            for value in values(accepted) {
                assert!(rule(location, &value).is_ok(), "{location} {value}");
            }
            for value in values(refused) {
                let faults = rule(location, &value).unwrap_err();
                assert_eq!(faults.iter().next().unwrap().field, "m[a][value]", "{location} {value}");
            }
            assert_eq!(rule(location, &long).is_ok(), matches!(location, "header" | "body"), "{location}");
        }
        assert!(rule("header", &Value::from("x".repeat(VALUE_MAX + 1))).is_err());
        let secret = mapping(r#"{"a":{"location":"header","name":"X-Api-Key","value":"v"}}"#).unwrap_err();
        assert!(secret.iter().next().unwrap().message.contains("store the header X-Api-Key in headers"));
    }

    #[test]
    fn unknown_keys_are_refused_unless_they_are_stored() {
        let old = mapping(r#"{"a":{"location":"query","flavour":"form"},"b":{"location":"query","x":1}}"#).unwrap();
        let faults = old.check_keys("m", &ParameterMapping::empty()).unwrap_err();
        let fields: Vec<_> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["m[a][flavour]", "m[b][x]"]);
        assert!(old.check_keys("m", &old).is_ok());
        let changed = mapping(r#"{"a":{"location":"query","flavour":"form"},"b":{"location":"body","x":1}}"#).unwrap();
        let faults = changed.check_keys("m", &old).unwrap_err();
        assert_eq!(
            faults.iter().next().unwrap().message,
            "m[b][x] is not a key of a rule; a rule has location, name, value, parent, whole, style, explode, allow_reserved, file, content_type, headers."
        );
    }
}
