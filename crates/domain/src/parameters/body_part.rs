//! Files, and the parts of a multipart body: the keys of a rule that describe them.

use indexmap::IndexMap;

use crate::fault::Fault;
use crate::headers::{VALUE_MAX, is_secret, is_token};
use crate::json::{self, JsonObject, Members};
use crate::media_type::is_media_type;

use super::location::ParameterLocation;
use super::serialization::read_flag;

/// Maximum number of headers of a part.
const PART_HEADERS_MAX: usize = 20;

/// The keys of a rule that describe a file or a part.
pub(super) const KEYS: [&str; 3] = ["file", "content_type", "headers"];

/// Headers of a part that a rule must not set, because Toolgate sets them.
const RESERVED_HEADERS: [&str; 3] = ["content-disposition", "content-type", "content-length"];

/// How a value is sent in a part of a multipart body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BodyPart {
    /// Whether the value is a file: an object with `text` or `base64`, and optionally `filename` and `media_type`.
    pub is_file: bool,
    /// The `Content-Type` of the part; a file can have another one.
    pub content_type: Option<String>,
    /// Further headers of the part.
    pub headers: IndexMap<String, String>,
}

impl BodyPart {
    /// Reads the keys of a rule; `None` if it has none of them.
    pub(super) fn read(path: &str, location: ParameterLocation, rule: &Members) -> Result<Option<Self>, Fault> {
        let part = Self {
            is_file: read_flag(path, "file", rule)?.unwrap_or(false),
            content_type: read_content_type(&format!("{path}[content_type]"), rule)?,
            headers: read_headers(&format!("{path}[headers]"), rule)?,
        };
        if part == Self::default() {
            return Ok(None);
        }
        if location != ParameterLocation::Body {
            let field = format!("{path}[{}]", part.first_key());
            return Err(Fault::invalid_value(&field, format!("{field} needs the location body.")));
        }
        Ok(Some(part))
    }

    /// The first key that the rule has, for messages.
    fn first_key(&self) -> &'static str {
        let [file, content_type, headers] = KEYS;
        if self.is_file {
            file
        } else if self.content_type.is_some() {
            content_type
        } else {
            headers
        }
    }
}

fn read_content_type(field: &str, rule: &Members) -> Result<Option<String>, Fault> {
    let Some(value) = rule.get("content_type").filter(|value| !json::is_null(value)) else { return Ok(None) };
    let text = json::as_string(value).ok_or_else(|| Fault::invalid_type(field, "string"))?;
    if !is_media_type(&text) {
        return Err(Fault::invalid_pattern(field, format!("{field} must be a media type such as application/json.")));
    }
    Ok(Some(text))
}

fn read_headers(field: &str, rule: &Members) -> Result<IndexMap<String, String>, Fault> {
    let Some(value) = rule.get("headers").filter(|value| !json::is_null(value)) else { return Ok(IndexMap::new()) };
    let members = JsonObject::from_raw(value).ok_or_else(|| Fault::invalid_type(field, "object"))?.members();
    if members.len() > PART_HEADERS_MAX {
        return Err(Fault::too_many(field, PART_HEADERS_MAX, "headers"));
    }
    let mut headers = IndexMap::new();
    for (name, value) in &members {
        let path = format!("{field}[{name}]");
        let text = json::as_string(value).ok_or_else(|| Fault::invalid_type(&path, "string"))?;
        check_header(&path, name, &text)?;
        headers.insert(name.clone(), text);
    }
    Ok(headers)
}

fn check_header(path: &str, name: &str, value: &str) -> Result<(), Fault> {
    if !is_token(name) {
        return Err(Fault::invalid_pattern(path, format!("{path}: '{name}' is not a valid header name.")));
    }
    if RESERVED_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
        let message = format!("{path}: the header {name} cannot be set here; content_type sets the type of the part.");
        return Err(Fault::invalid_value(path, message));
    }
    if is_secret(name) {
        let message = format!("{path}: the headers of a part are readable, so they cannot contain the secret {name}.");
        return Err(Fault::invalid_value(path, message));
    }
    if value.chars().any(char::is_control) {
        return Err(Fault::invalid_pattern(path, format!("{path} must not contain control characters.")));
    }
    if value.len() > VALUE_MAX {
        return Err(Fault::too_long(path, VALUE_MAX, "bytes"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(location: ParameterLocation, rule: &str) -> Result<Option<BodyPart>, Fault> {
        BodyPart::read("m[a]", location, &serde_json::from_str(rule).unwrap())
    }

    #[test]
    fn a_rule_without_the_keys_describes_no_part() {
        for rule in ["{}", r#"{"file":false}"#, r#"{"file":null,"content_type":null,"headers":{}}"#] {
            assert_eq!(read(ParameterLocation::Query, rule), Ok(None), "{rule}");
        }
        let part = read(ParameterLocation::Body, r#"{"file":true,"content_type":"a/b","headers":{"X-A":"é"}}"#);
        let part = part.unwrap().unwrap();
        assert_eq!(
            (part.is_file, part.content_type.as_deref(), part.headers["X-A"].as_str()),
            (true, Some("a/b"), "é")
        );
    }

    #[test]
    fn keys_of_a_part_are_checked() {
        let many: Vec<String> = (0..=PART_HEADERS_MAX).map(|number| format!("\"X-{number}\":\"\"")).collect();
        let many = format!("{{\"headers\":{{{}}}}}", many.join(","));
        for (location, rule, field) in [
            (ParameterLocation::Query, r#"{"file":true}"#, "m[a][file]"),
            (ParameterLocation::Header, r#"{"content_type":"a/b"}"#, "m[a][content_type]"),
            (ParameterLocation::Path, r#"{"headers":{"X-A":""}}"#, "m[a][headers]"),
            (ParameterLocation::Body, r#"{"file":"yes"}"#, "m[a][file]"),
            (ParameterLocation::Body, r#"{"content_type":"json"}"#, "m[a][content_type]"),
            (ParameterLocation::Body, r#"{"content_type":"a/b\r\nX: 1"}"#, "m[a][content_type]"),
            (ParameterLocation::Body, r#"{"content_type":5}"#, "m[a][content_type]"),
            (ParameterLocation::Body, r#"{"headers":[]}"#, "m[a][headers]"),
            (ParameterLocation::Body, r#"{"headers":{"X-A":1}}"#, "m[a][headers][X-A]"),
            (ParameterLocation::Body, r#"{"headers":{"X A":""}}"#, "m[a][headers][X A]"),
            (ParameterLocation::Body, r#"{"headers":{"X-A":"b\r\nX-B: 1"}}"#, "m[a][headers][X-A]"),
            (ParameterLocation::Body, r#"{"headers":{"Content-Type":"a/b"}}"#, "m[a][headers][Content-Type]"),
            (ParameterLocation::Body, r#"{"headers":{"X-Api-Key":"k"}}"#, "m[a][headers][X-Api-Key]"),
            (ParameterLocation::Body, &many, "m[a][headers]"),
        ] {
            assert_eq!(read(location, rule).unwrap_err().field, field, "{rule}");
        }
    }
}
