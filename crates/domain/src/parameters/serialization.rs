//! How a value is written in its location: the styles of OpenAPI.

use crate::closed_set::closed_set;
use crate::fault::Fault;
use crate::json::{self, Members};

use super::location::ParameterLocation;

closed_set! {
    /// How lists and objects are written.
    pub enum ParameterStyle {
        /// `p=a&p=b` or `p=a,b`.
        Form = "form",
        /// `a,b`.
        Simple = "simple",
        /// `.a.b`.
        Label = "label",
        /// `;p=a,b`.
        Matrix = "matrix",
        /// `p=a%20b`.
        SpaceDelimited = "spaceDelimited",
        /// `p=a%7Cb`.
        PipeDelimited = "pipeDelimited",
        /// `p=a%09b`.
        TabDelimited = "tabDelimited",
        /// `p[k]=1`.
        DeepObject = "deepObject",
        /// `p=a; p=b`, without percent-encoding.
        Cookie = "cookie",
        /// The JSON text of the value.
        Json = "json",
    }
}

/// A style with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serialization {
    /// The style.
    pub style: ParameterStyle,
    /// Whether each item of a list, and each member of an object, is written as a separate value.
    pub explode: bool,
    /// Whether the reserved characters of RFC 3986 stay as they are where they cannot end the value.
    pub allow_reserved: bool,
}

/// The keys of a rule that describe the serialization.
pub(super) const KEYS: [&str; 3] = ["style", "explode", "allow_reserved"];

/// The styles that a location has; the first is the default.
fn styles(location: ParameterLocation) -> &'static [ParameterStyle] {
    use ParameterStyle::{
        Cookie, DeepObject, Form, Json, Label, Matrix, PipeDelimited, Simple, SpaceDelimited, TabDelimited,
    };
    match location {
        ParameterLocation::Path => &[Simple, Label, Matrix, Json],
        ParameterLocation::Query | ParameterLocation::Body => {
            &[Form, SpaceDelimited, PipeDelimited, TabDelimited, DeepObject, Json]
        }
        ParameterLocation::Header => &[Simple, Json],
        ParameterLocation::Cookie => &[Form, Cookie, Json],
    }
}

impl Serialization {
    /// Reads the serialization of a rule; `None` if the rule has none, which is not the same as the default style.
    pub(super) fn read(path: &str, location: ParameterLocation, rule: &Members) -> Result<Option<Self>, Fault> {
        if !KEYS.iter().any(|key| is_given(key, rule)) {
            return Ok(None);
        }
        let style = read_style(&format!("{path}[style]"), location, rule)?;
        let is_exploded_by_default = matches!(style, ParameterStyle::Form | ParameterStyle::Cookie);
        let explode = read_flag(path, "explode", rule)?.unwrap_or(is_exploded_by_default);
        let allow_reserved = read_flag(path, "allow_reserved", rule)?.unwrap_or(false);
        if allow_reserved && !matches!(location, ParameterLocation::Path | ParameterLocation::Query) {
            let field = format!("{path}[allow_reserved]");
            return Err(Fault::invalid_value(&field, format!("{field} needs the location path or query.")));
        }
        Ok(Some(Self { style, explode, allow_reserved }))
    }
}

fn is_given(key: &str, rule: &Members) -> bool {
    rule.get(key).is_some_and(|value| !json::is_null(value))
}

fn read_style(field: &str, location: ParameterLocation, rule: &Members) -> Result<ParameterStyle, Fault> {
    let styles = styles(location);
    let Some(value) = rule.get("style").filter(|value| !json::is_null(value)) else {
        return Ok(if location == ParameterLocation::Header || location == ParameterLocation::Path {
            ParameterStyle::Simple
        } else {
            ParameterStyle::Form
        });
    };
    let style = json::as_string(value).and_then(|text| ParameterStyle::parse(&text));
    style.filter(|style| styles.contains(style)).ok_or_else(|| {
        let names: Vec<&str> = styles.iter().map(|style| style.as_str()).collect();
        Fault::not_in(field, &names)
    })
}

/// Reads a boolean; `None` if it is absent or null.
pub(super) fn read_flag(path: &str, key: &str, rule: &Members) -> Result<Option<bool>, Fault> {
    let Some(value) = rule.get(key).filter(|value| !json::is_null(value)) else { return Ok(None) };
    match value.get() {
        "true" => Ok(Some(true)),
        "false" => Ok(Some(false)),
        _ => Err(Fault::invalid_type(&format!("{path}[{key}]"), "boolean")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(location: ParameterLocation, rule: &str) -> Result<Option<Serialization>, Fault> {
        Serialization::read("m[a]", location, &serde_json::from_str(rule).unwrap())
    }

    #[test]
    fn a_rule_without_style_has_no_serialization() {
        for rule in ["{}", r#"{"style":null}"#, r#"{"location":"query","explode":null}"#] {
            assert_eq!(read(ParameterLocation::Query, rule), Ok(None), "{rule}");
        }
    }

    #[test]
    fn defaults_are_those_of_openapi() {
        let serialization = |style, explode| Ok(Some(Serialization { style, explode, allow_reserved: false }));
        for (location, rule, style, explode) in [
            (ParameterLocation::Query, r#"{"style":"form"}"#, ParameterStyle::Form, true),
            (ParameterLocation::Query, r#"{"explode":false}"#, ParameterStyle::Form, false),
            (ParameterLocation::Query, r#"{"style":"deepObject"}"#, ParameterStyle::DeepObject, false),
            (ParameterLocation::Query, r#"{"allow_reserved":false}"#, ParameterStyle::Form, true),
            (ParameterLocation::Path, r#"{"explode":true}"#, ParameterStyle::Simple, true),
            (ParameterLocation::Header, r#"{"style":"simple"}"#, ParameterStyle::Simple, false),
            (ParameterLocation::Cookie, r#"{"style":"form"}"#, ParameterStyle::Form, true),
            (ParameterLocation::Cookie, r#"{"style":"cookie"}"#, ParameterStyle::Cookie, true),
        ] {
            assert_eq!(read(location, rule), serialization(style, explode), "{rule}");
        }
    }

    #[test]
    fn a_style_that_does_not_fit_its_location_is_refused() {
        for (location, rule, field) in [
            (ParameterLocation::Path, r#"{"style":"form"}"#, "m[a][style]"),
            (ParameterLocation::Query, r#"{"style":"label"}"#, "m[a][style]"),
            (ParameterLocation::Header, r#"{"style":"form"}"#, "m[a][style]"),
            (ParameterLocation::Cookie, r#"{"style":"deepObject"}"#, "m[a][style]"),
            (ParameterLocation::Query, r#"{"style":"cookie"}"#, "m[a][style]"),
            (ParameterLocation::Query, r#"{"style":"Form"}"#, "m[a][style]"),
            (ParameterLocation::Query, r#"{"style":1}"#, "m[a][style]"),
            (ParameterLocation::Query, r#"{"explode":"true"}"#, "m[a][explode]"),
            (ParameterLocation::Header, r#"{"allow_reserved":true}"#, "m[a][allow_reserved]"),
        ] {
            assert_eq!(read(location, rule).unwrap_err().field, field, "{rule}");
        }
    }
}
