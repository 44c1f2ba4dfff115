//! The smallest valid call of a tool, from the examples, defaults and enums of its schema.

use serde_json::{Map, Value, json};

use crate::schema::pointer::{LocalRef, resolve};

/// The most levels of a generated value.
const DEPTH_MAX: usize = 8;
/// The most schemas that are read for one example.
const SCHEMAS_MAX: usize = 500;
/// The most items of a generated array, and the most characters of a generated text.
const LENGTH_MAX: u64 = 20;

/// Arguments of a call: the required ones, each as the schema suggests it.
pub(crate) fn example_arguments(input_schema: &Value) -> Value {
    let mut builder = ExampleBuilder { root: input_schema, schemas_left: SCHEMAS_MAX };
    let mut arguments = suggested_value(input_schema).filter(Value::is_object).unwrap_or_else(|| json!({}));
    builder.add_required(input_schema, 0, &mut arguments);
    arguments
}

struct ExampleBuilder<'a> {
    root: &'a Value,
    schemas_left: usize,
}

impl<'a> ExampleBuilder<'a> {
    fn value(&mut self, name: &str, schema: &'a Value, depth: usize) -> Value {
        if depth > DEPTH_MAX || self.schemas_left == 0 {
            return Value::Null;
        }
        self.schemas_left -= 1;
        if let Some(value) = suggested_value(schema) {
            return value;
        }
        if let Some(target) = self.target(schema) {
            return self.value(name, target, depth + 1);
        }
        let parts = ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()?.first());
        let type_names = || type_name(schema);
        match type_names() {
            Some("string") => string_value(name, schema).into(),
            Some("integer") => number(schema, true),
            Some("number") => number(schema, false),
            Some("boolean") => true.into(),
            Some("null") => Value::Null,
            Some("array") => self.array(name, schema, depth),
            Some("object") => self.object(schema, depth),
            _ => match parts.into_iter().next() {
                Some(part) => self.value(name, part, depth + 1),
                None if schema.get("properties").is_some() => self.object(schema, depth),
                None => format!("<{name}>").into(),
            },
        }
    }

    fn array(&mut self, name: &str, schema: &'a Value, depth: usize) -> Value {
        let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0).min(LENGTH_MAX);
        let items = schema.get("items").unwrap_or(&Value::Null);
        (0..count).map(|_| self.value(name, items, depth + 1)).collect()
    }

    fn object(&mut self, schema: &'a Value, depth: usize) -> Value {
        let mut object = json!({});
        self.add_required(schema, depth, &mut object);
        object
    }

    /// Adds the required members of a schema, of all parts of its `allOf` and of the first of its variants.
    fn add_required(&mut self, schema: &'a Value, depth: usize, object: &mut Value) {
        if depth > DEPTH_MAX {
            return;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        for name in required {
            let member = properties.and_then(|properties| properties.get(name)).unwrap_or(&Value::Bool(true));
            if object.get(name).is_none() {
                let value = self.value(name, member, depth + 1);
                object.as_object_mut().unwrap_or(&mut Map::new()).insert(name.to_owned(), value);
            }
        }
        if let Some(target) = self.target(schema) {
            self.add_required(target, depth + 1, object);
        }
        let all = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
        let variants = ["oneOf", "anyOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()?.first());
        for part in all.chain(variants) {
            self.add_required(part, depth + 1, object);
        }
    }

    fn target(&self, schema: &Value) -> Option<&'a Value> {
        let reference = schema.get("$ref")?.as_str()?;
        match resolve(self.root, reference) {
            LocalRef::Found(target) => Some(target),
            LocalRef::Foreign => None,
        }
    }
}

/// The value that a schema itself suggests.
fn suggested_value(schema: &Value) -> Option<Value> {
    let first = |key: &str| schema.get(key)?.as_array()?.first().cloned();
    let value = schema.get("const").cloned();
    let value = value.or_else(|| schema.get("example").cloned()).or_else(|| first("examples"));
    let default = || schema.get("default").filter(|default| !default.is_null()).cloned();
    value.or_else(default).or_else(|| first("enum"))
}

/// The type of a schema; of several, the first that is not `null`.
fn type_name(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::String(name) => Some(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        _ => None,
    }
}

fn string_value(name: &str, schema: &Value) -> String {
    let by_format = match schema.get("format").and_then(Value::as_str) {
        Some("date") => "2026-01-31",
        Some("date-time") => "2026-01-31T12:00:00Z",
        Some("time") => "12:00:00Z",
        Some("email") => "name@example.com",
        Some("uri" | "url") => "https://example.com",
        Some("uuid") => "00000000-0000-4000-8000-000000000000",
        Some("ipv4") => "192.0.2.1",
        Some("hostname") => "example.com",
        _ => "",
    };
    if !by_format.is_empty() {
        return by_format.to_owned();
    }
    let length = |key: &str| schema.get(key).and_then(Value::as_u64);
    let min = usize::try_from(length("minLength").unwrap_or(0).min(LENGTH_MAX)).unwrap_or(0);
    let max = usize::try_from(length("maxLength").unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    let text: String = format!("<{name}>").chars().take(max).collect();
    let missing = min.saturating_sub(text.chars().count());
    text + &"x".repeat(missing)
}

/// The number closest to 1 that the limits of the schema allow.
fn number(schema: &Value, is_integer: bool) -> Value {
    let limit = |key: &str| schema.get(key).and_then(Value::as_f64);
    let step = if is_integer { 1.0 } else { 0.5 };
    let min = limit("minimum").or_else(|| limit("exclusiveMinimum").map(|min| min + step)).unwrap_or(f64::MIN);
    let max = limit("maximum").or_else(|| limit("exclusiveMaximum").map(|max| max - step)).unwrap_or(f64::MAX);
    let value = 1.0_f64.min(max).max(min);
    match limit("multipleOf").filter(|factor| *factor > 0.0) {
        Some(factor) => to_number((value / factor).ceil() * factor),
        None => to_number(value),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "only whole numbers below 2^53 are converted")]
fn to_number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { (value as i64).into() } else { value.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_has_the_required_arguments_only() {
        let schema = json!({
            "type": "object",
            "properties": {
                "owner": {"type": "string", "examples": ["octo"]},
                "state": {"enum": ["open", "closed"]},
                "per_page": {"type": "integer", "minimum": 5},
                "since": {"type": "string", "format": "date"},
                "lines": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/line"}},
                "ignored": {"type": "string"},
            },
            "required": ["owner", "state", "per_page", "since", "lines"],
            "$defs": {"line": {"type": "object", "properties": {"n": {"type": ["null", "number"]}}, "required": ["n"]}},
        });
        let expected =
            json!({"owner": "octo", "state": "open", "per_page": 5, "since": "2026-01-31", "lines": [{"n": 1}]});
        assert_eq!(example_arguments(&schema), expected);
        assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&expected));
    }

    #[test]
    fn limits_and_variants_are_respected() {
        for schema in [
            json!({"properties": {"a": {"type": "integer", "exclusiveMinimum": 9, "multipleOf": 7}}, "required": ["a"]}),
            json!({"properties": {"a": {"type": "number", "maximum": -2}}, "required": ["a"]}),
            json!({"properties": {"a": {"type": "string", "minLength": 12, "maxLength": 12}}, "required": ["a"]}),
            json!({"oneOf": [{"properties": {"a": {"const": 7}}, "required": ["a"]}, {"required": ["b"]}]}),
            json!({"allOf": [{"properties": {"a": {"type": "boolean"}}, "required": ["a"]}, {"required": ["b"]}]}),
            json!({"$ref": "#/$defs/x", "$defs": {"x": {"properties": {"a": {"type": "null"}}, "required": ["a"]}}}),
        ] {
            let example = example_arguments(&schema);
            assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&example), "{schema} {example}");
            assert!(example.get("a").is_some());
        }
    }

    #[test]
    fn recursive_schemas_end() {
        let schema = json!({
            "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}, "c": {"$ref": "#/properties/c"}},
            "required": ["a", "b", "c"],
        });
        assert!(example_arguments(&schema).is_object());
    }
}
