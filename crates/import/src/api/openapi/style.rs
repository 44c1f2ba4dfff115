//! Serialisation of lists and objects: `style`, `explode`, `allowReserved` and `collectionFormat` as keys of a mapping
//! rule.

use serde_json::{Map, Value, json};
use toolgate_domain::parameters::ParameterLocation;

use crate::api::document::DocumentKind;
use crate::api::problem::ApiWarning;
use crate::api::reference::Located;

/// The types that most styles serialise in the same way.
const SCALAR_TYPES: [&str; 5] = ["string", "integer", "number", "boolean", "null"];

/// The keys of the rule for a parameter with this schema. A scalar needs a style only if the style changes
/// how scalars are serialised.
pub(super) fn parameter_keys(
    parameter: &Located<'_>,
    location: ParameterLocation,
    kind: DocumentKind,
    schema: &Value,
    warnings: &mut Vec<ApiWarning>,
) -> Map<String, Value> {
    let (style, explode) = if kind == DocumentKind::Swagger20 {
        collection_format(parameter, location)
    } else {
        style_and_explode(parameter, location, warnings)
    };
    let mut keys = Map::new();
    if !is_scalar(schema) || matches!(style, "label" | "matrix" | "cookie") {
        keys.insert("style".to_owned(), style.into());
        keys.insert("explode".to_owned(), explode.into());
    }
    let may_be_reserved = matches!(location, ParameterLocation::Path | ParameterLocation::Query);
    if may_be_reserved && parameter.value.get("allowReserved") == Some(&Value::Bool(true)) {
        keys.insert("allow_reserved".to_owned(), true.into());
    }
    keys
}

/// The keys of the rule for a property of a form, from its encoding. Without a style, a form repeats the name for each
/// item of a list and serialises objects as JSON, which are the defaults of OpenAPI.
pub(super) fn form_keys(encoding: Option<&Located<'_>>, warnings: &mut Vec<ApiWarning>) -> Map<String, Value> {
    let mut keys = Map::new();
    let Some(encoding) = encoding.filter(|one| ["style", "explode"].iter().any(|key| one.value.get(key).is_some()))
    else {
        return keys;
    };
    let (style, explode) = style_and_explode(encoding, ParameterLocation::Body, warnings);
    keys.insert("style".to_owned(), style.into());
    keys.insert("explode".to_owned(), explode.into());
    keys
}

/// The keys of the rule for a `formData` parameter of Swagger with this schema.
pub(super) fn swagger_form_keys(parameter: &Located<'_>, schema: &Value) -> Map<String, Value> {
    let mut keys = Map::new();
    if !is_scalar(schema) {
        let (style, explode) = collection_format(parameter, ParameterLocation::Body);
        keys.insert("style".to_owned(), style.into());
        keys.insert("explode".to_owned(), explode.into());
    }
    keys
}

/// Style and explode of OpenAPI 3, with the defaults of the location.
fn style_and_explode(
    source: &Located<'_>,
    location: ParameterLocation,
    warnings: &mut Vec<ApiWarning>,
) -> (&'static str, bool) {
    let default = default_style(location);
    let style = match source.text("style") {
        None => default,
        Some(name) => known_style(name, location).unwrap_or_else(|| {
            let message = format!("The style '{name}' is not defined in the {}; {default} is used.", location.as_str());
            warnings.push(ApiWarning { code: "style_unknown", message, pointer: source.pointer.member("style") });
            default
        }),
    };
    let explode = source.value.get("explode").and_then(Value::as_bool);
    (style, explode.unwrap_or(matches!(style, "form" | "cookie")))
}

fn default_style(location: ParameterLocation) -> &'static str {
    match location {
        ParameterLocation::Path | ParameterLocation::Header => "simple",
        ParameterLocation::Query | ParameterLocation::Cookie | ParameterLocation::Body => "form",
    }
}

fn known_style(name: &str, location: ParameterLocation) -> Option<&'static str> {
    let styles: &[&'static str] = match location {
        ParameterLocation::Path => &["simple", "label", "matrix"],
        ParameterLocation::Header => &["simple"],
        ParameterLocation::Cookie => &["form", "cookie"],
        ParameterLocation::Query | ParameterLocation::Body => {
            &["form", "spaceDelimited", "pipeDelimited", "deepObject"]
        }
    };
    styles.iter().find(|style| **style == name).copied()
}

/// The style of a `collectionFormat` of Swagger. Paths and headers support only commas; see [`joined_text`] for other
/// separators.
fn collection_format(parameter: &Located<'_>, location: ParameterLocation) -> (&'static str, bool) {
    if matches!(location, ParameterLocation::Path | ParameterLocation::Header) {
        return ("simple", false);
    }
    match parameter.text("collectionFormat").unwrap_or("csv") {
        "ssv" => ("spaceDelimited", false),
        "tsv" => ("tabDelimited", false),
        "pipes" => ("pipeDelimited", false),
        "multi" => ("form", true),
        _ => ("form", false),
    }
}

/// A list that the caller passes as one text, because no style has its separator.
pub(super) struct JoinedText {
    pub(super) schema: Value,
    pub(super) message: String,
}

/// Replaces a list in the path, a header or a part with a text if no style has its separator; `None` if a style has it.
pub(super) fn joined_text(parameter: &Located<'_>, schema: &Value) -> Option<JoinedText> {
    let is_part = parameter.text("in") == Some("formData");
    let separator = match parameter.text("collectionFormat").unwrap_or("csv") {
        "ssv" => "spaces",
        "tsv" => "tabs",
        "pipes" => "'|'",
        "csv" if is_part => "commas",
        _ => return None,
    };
    if is_scalar(schema) || matches!(parameter.text("in"), Some("query")) {
        return None;
    }
    let message = format!("The list is given as one text, with {separator} between its items.");
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let description = format!("{text} {message}");
    let schema = json!({"type": "string", "description": description.trim_start()});
    Some(JoinedText { schema, message })
}

/// Whether every value of a schema is a string, a number, a boolean or null.
pub(super) fn is_scalar(schema: &Value) -> bool {
    let is_scalar_value = |value: &Value| !value.is_array() && !value.is_object();
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().all(is_scalar_value);
    }
    match schema.get("type") {
        Some(Value::String(name)) => SCALAR_TYPES.contains(&name.as_str()),
        Some(Value::Array(names)) => {
            names.iter().all(|name| name.as_str().is_some_and(|name| SCALAR_TYPES.contains(&name)))
        }
        _ => {
            let branches = ["anyOf", "oneOf"].into_iter().find_map(|key| schema.get(key)?.as_array());
            schema.get("const").is_some_and(is_scalar_value)
                || branches.is_some_and(|branches| !branches.is_empty() && branches.iter().all(is_scalar))
        }
    }
}
