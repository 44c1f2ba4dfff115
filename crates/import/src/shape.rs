//! Infers the shape of JSON values: their common type, as a JSON Schema describes it.

pub(crate) mod date_format;
pub(crate) mod text_values;

use indexmap::IndexMap;
use serde_json::Value;
use serde_json::value::RawValue;
use toolgate_domain::json::{self, JsonObject, Members};
use toolgate_domain::text;

/// Maximum nesting depth of the objects and arrays whose content is described.
const DEPTH_MAX: usize = 5;

/// The common type of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// No common type.
    Any,
    Boolean,
    Integer,
    Number,
    /// A string with its `format`.
    String(Option<&'static str>),
    /// An array with the common type of its items; `None` for an empty array.
    Array(Option<Box<Shape>>),
    Object(IndexMap<String, Shape>),
}

impl Shape {
    /// The shape of a JSON value.
    pub(crate) fn from_value(value: &RawValue) -> Self {
        Self::from_value_at_depth(value, 1)
    }

    fn from_value_at_depth(value: &RawValue, depth: usize) -> Self {
        let text = value.get().trim_start();
        match text.as_bytes().first() {
            Some(b'"') => Self::String(json::as_string(value).as_deref().and_then(date_format::detect)),
            Some(b't' | b'f') => Self::Boolean,
            Some(b'[') => Self::Array(item_shape(text, depth).map(Box::new)),
            Some(b'{') => Self::Object(member_shapes(text, depth)),
            Some(b'-' | b'0'..=b'9') if text.contains(['.', 'e', 'E']) => Self::Number,
            Some(b'-' | b'0'..=b'9') => Self::Integer,
            _ => Self::Any,
        }
    }

    /// The common shape of two shapes.
    pub(crate) fn merge(self, other: Self) -> Self {
        match (self, other) {
            (Self::Integer | Self::Number, Self::Number) | (Self::Number, Self::Integer) => Self::Number,
            (Self::String(one), Self::String(other)) => Self::String(one.filter(|one| Some(*one) == other)),
            (Self::Array(one), Self::Array(other)) => Self::Array(match (one, other) {
                (Some(one), Some(other)) => Some(Box::new(one.merge(*other))),
                (one, other) => one.or(other),
            }),
            (Self::Object(mut properties), Self::Object(others)) => {
                for (name, other) in others {
                    match properties.get_mut(&name) {
                        Some(one) => *one = std::mem::replace(one, Self::Any).merge(other),
                        None => drop(properties.insert(name, other)),
                    }
                }
                Self::Object(properties)
            }
            (one, other) if one == other => one,
            _ => Self::Any,
        }
    }

    /// Number of schemas, including nested ones.
    pub(crate) fn schema_count(&self) -> usize {
        1 + match self {
            // An empty array has the schema `{}` for its items.
            Self::Array(items) => items.as_ref().map_or(1, |items| items.schema_count()),
            Self::Object(properties) => properties.values().map(Self::schema_count).sum(),
            _ => 0,
        }
    }

    /// The shape without items and properties.
    pub(crate) fn outermost(&self) -> Self {
        match self {
            Self::Array(_) => Self::Array(None),
            Self::Object(_) => Self::Object(IndexMap::new()),
            scalar => scalar.clone(),
        }
    }

    /// The keywords of the JSON Schema.
    pub(crate) fn keywords(&self) -> Members {
        let kind = match self {
            Self::Any => return Members::new(),
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        };
        let mut keywords = Members::from_iter([("type".to_owned(), json::raw_string(kind))]);
        match self {
            Self::String(Some(format)) => {
                keywords.insert("format".to_owned(), json::raw_string(format));
            }
            Self::Array(items) => {
                let items = items.as_ref().map(|items| items.keywords()).unwrap_or_default();
                keywords.insert("items".to_owned(), to_raw_object(&items));
            }
            Self::Object(properties) if !properties.is_empty() => {
                let properties =
                    properties.iter().map(|(name, shape)| (name.clone(), to_raw_object(&shape.keywords())));
                keywords.insert("properties".to_owned(), to_raw_object(&properties.collect()));
            }
            _ => {}
        }
        keywords
    }
}

/// The common shape of the items of an array; `None` if it is empty or too deep.
fn item_shape(text: &str, depth: usize) -> Option<Shape> {
    if depth == DEPTH_MAX {
        return None;
    }
    let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    items.into_iter().map(|item| Shape::from_value_at_depth(item, depth + 1)).reduce(Shape::merge)
}

/// The shapes of the members of an object; empty if it is too deep. Names with invisible characters are left out,
/// because a schema that contains them is refused.
fn member_shapes(text: &str, depth: usize) -> IndexMap<String, Shape> {
    if depth == DEPTH_MAX {
        return IndexMap::new();
    }
    let members: IndexMap<String, &RawValue> = serde_json::from_str(text).unwrap_or_default();
    let displayable = members.into_iter().filter(|(name, _)| text::document("", &Value::from(name.as_str())).is_ok());
    displayable.map(|(name, value)| (name, Shape::from_value_at_depth(value, depth + 1))).collect()
}

/// Members as a JSON object.
pub(crate) fn to_raw_object(members: &Members) -> Box<RawValue> {
    json::raw(JsonObject::from_members(members).as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(values: &[&str]) -> String {
        let shapes = values.iter().map(|value| Shape::from_value(&json::raw((*value).to_owned())));
        to_raw_object(&shapes.reduce(Shape::merge).unwrap().keywords()).get().to_owned()
    }

    #[test]
    fn a_value_has_the_type_of_its_text() {
        for (value, expected) in [
            ("1", r#"{"type":"integer"}"#),
            ("-123456789012345678901234", r#"{"type":"integer"}"#),
            ("1.0", r#"{"type":"number"}"#),
            ("1e5", r#"{"type":"number"}"#),
            ("true", r#"{"type":"boolean"}"#),
            ("null", "{}"),
            (r#""x""#, r#"{"type":"string"}"#),
            (r#""2026-01-02""#, r#"{"type":"string","format":"date"}"#),
            (r#""2026-01-02T03:04:05Z""#, r#"{"type":"string","format":"date-time"}"#),
            ("[]", r#"{"type":"array","items":{}}"#),
            ("[1,2]", r#"{"type":"array","items":{"type":"integer"}}"#),
            ("[1,2.5]", r#"{"type":"array","items":{"type":"number"}}"#),
            (r#"[1,"a"]"#, r#"{"type":"array","items":{}}"#),
            ("[1,null]", r#"{"type":"array","items":{}}"#),
            ("[[],[1]]", r#"{"type":"array","items":{"type":"array","items":{"type":"integer"}}}"#),
            ("{}", r#"{"type":"object"}"#),
            (
                r#"{"a":{"b":1}}"#,
                r#"{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer"}}}}}"#,
            ),
            (
                r#"[{"a":1},{"a":2.5,"b":true},{"a":null}]"#,
                r#"{"type":"array","items":{"type":"object","properties":{"a":{},"b":{"type":"boolean"}}}}"#,
            ),
        ] {
            assert_eq!(schema(&[value]), expected, "{value}");
        }
    }

    #[test]
    fn values_have_their_common_type() {
        for (values, expected) in [
            (["1", "2.5"], r#"{"type":"number"}"#),
            (["2.5", "1"], r#"{"type":"number"}"#),
            (["1", "true"], "{}"),
            (["null", "null"], "{}"),
            ([r#""2026-01-02""#, r#""x""#], r#"{"type":"string"}"#),
            (["[]", "[true]"], r#"{"type":"array","items":{"type":"boolean"}}"#),
        ] {
            assert_eq!(schema(&values), expected, "{values:?}");
        }
    }

    #[test]
    fn the_schema_describes_at_most_five_levels() {
        let nested = r#"{"1":{"2":{"3":{"4":{"5":{"6":1}}}}}}"#;
        let schema_text = schema(&[nested]);
        assert!(schema_text.contains(r#""4":{"type":"object"}"#) && !schema_text.contains(r#""5""#), "{schema_text}");
        assert_eq!(schema(&["[[[[[[1]]]]]]"]).matches("items").count(), 5);
    }

    #[test]
    fn names_with_invisible_characters_are_not_described() {
        assert_eq!(
            schema(&["{\"a\u{202E}\":1,\"b\":2}"]),
            r#"{"type":"object","properties":{"b":{"type":"integer"}}}"#
        );
    }

    #[test]
    fn schemas_are_counted() {
        let shape = Shape::from_value(&json::raw(r#"{"a":[],"b":[{"c":1}],"d":2}"#.to_owned()));
        assert_eq!(shape.schema_count(), 1 + 2 + 3 + 1);
        assert_eq!(shape.outermost().schema_count(), 1);
    }
}
