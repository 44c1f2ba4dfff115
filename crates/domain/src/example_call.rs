//! The smallest call that an input schema accepts, built from the schema's constants, examples, defaults, enum values
//! and formats. Schemas may be hostile: depth and number of values are limited.

use serde_json::{Map, Value, json};

/// The most levels of a value.
const DEPTH_MAX: usize = 8;
/// The most schemas that are read for one example.
const SCHEMAS_MAX: usize = 500;
/// How many references are followed in a row.
const REFERENCES_MAX: usize = 8;
/// The most items of a list, and the most characters that are added to a text.
const LENGTH_MAX: u64 = 20;

/// Returns a text that a schema accepts, for instance one that matches its pattern; `None` if it finds none.
pub type TextSample<'s> = &'s dyn Fn(&Value) -> Option<String>;

/// Arguments of a call: the required ones, each as the schema suggests it. They are valid for most schemas, not for
/// all.
pub fn example_arguments(input_schema: &Value, text_sample: TextSample<'_>) -> Value {
    let mut builder = ExampleBuilder { root: input_schema, text_sample, schemas_left: SCHEMAS_MAX };
    let mut arguments = suggested_value(input_schema).filter(Value::is_object).unwrap_or_else(|| json!({}));
    builder.add_required(input_schema, 0, &mut arguments);
    arguments
}

/// Whether a schema declares its value secret.
pub fn declares_secret(schema: &Value) -> bool {
    let is_true = |keyword: &str| schema.get(keyword) == Some(&Value::Bool(true));
    is_true("writeOnly") || is_true("x-secret") || schema.get("format").is_some_and(|format| format == "password")
}

/// An example of a text in a JSON Schema format.
pub fn format_sample(format: &str) -> Option<&'static str> {
    Some(match format {
        "date" => "2026-01-31",
        "date-time" => "2026-01-31T09:30:00Z",
        "time" => "09:30:00Z",
        "duration" => "PT30M",
        "email" | "idn-email" => "kim@example.com",
        "uri" | "url" | "iri" => "https://example.com/",
        "uuid" => "3f2b8c1e-5d4a-4e6f-9a7b-0c1d2e3f4a5b",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "hostname" | "idn-hostname" => "example.com",
        _ => return None,
    })
}

struct ExampleBuilder<'a> {
    root: &'a Value,
    text_sample: TextSample<'a>,
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
        let mut parts = ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()?.first());
        match type_name(schema) {
            Some("string") => self.text(name, schema).into(),
            Some("integer") => number(schema, true),
            Some("number") => number(schema, false),
            Some("boolean") => true.into(),
            Some("null") => Value::Null,
            Some("array") => self.list(name, schema, depth),
            Some("object") => self.object(schema, depth),
            _ => match parts.next() {
                Some(part) => self.value(name, part, depth + 1),
                None if schema.get("properties").is_some() => self.object(schema, depth),
                None => self.text(name, schema).into(),
            },
        }
    }

    fn list(&mut self, name: &str, schema: &'a Value, depth: usize) -> Value {
        let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
        let items = schema.get("items").filter(|items| items.is_object());
        // One item shows what the list holds, even if none is required.
        let min = limit("minItems").unwrap_or(0).max(u64::from(items.is_some()));
        let count = min.min(limit("maxItems").unwrap_or(LENGTH_MAX)).min(LENGTH_MAX);
        (0..count).map(|_| self.value(name, items.unwrap_or(&Value::Null), depth + 1)).collect()
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

    /// The schema that a `$ref` within the document leads to.
    fn target(&self, schema: &Value) -> Option<&'a Value> {
        let mut target = self.root.pointer(local_pointer(schema)?)?;
        for _ in 0..REFERENCES_MAX {
            match local_pointer(target).and_then(|pointer| self.root.pointer(pointer)) {
                Some(next) => target = next,
                None => return Some(target),
            }
        }
        None
    }

    fn text(&self, name: &str, schema: &Value) -> String {
        let limit =
            |keyword: &str| schema.get(keyword).and_then(Value::as_u64).and_then(|limit| usize::try_from(limit).ok());
        let form = || schema.get("format").and_then(Value::as_str).and_then(format_sample).map(str::to_owned);
        if let Some(sample) = (self.text_sample)(schema).or_else(form) {
            return sample;
        }
        let text: String = format!("<{name}>").chars().take(limit("maxLength").unwrap_or(usize::MAX)).collect();
        let missing = limit("minLength").unwrap_or(0).saturating_sub(text.chars().count());
        text + &"x".repeat(missing.min(usize::try_from(LENGTH_MAX).unwrap_or(0)))
    }
}

fn local_pointer(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix('#')
}

/// The value that a schema itself suggests. Examples and defaults of a secret are not used, because they may be real.
fn suggested_value(schema: &Value) -> Option<Value> {
    let first = |key: &str| schema.get(key)?.as_array()?.first().cloned();
    let constant = schema.get("const").cloned();
    if declares_secret(schema) {
        return constant.or_else(|| first("enum"));
    }
    let value = constant.or_else(|| first("examples")).or_else(|| schema.get("example").cloned());
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

    fn example(schema: &Value) -> Value {
        example_arguments(schema, &|_| None)
    }

    #[test]
    fn an_example_has_the_required_arguments_only() {
        let schema = json!({
            "type": "object",
            "properties": {
                "owner": {"type": "string", "examples": ["octo"]},
                "state": {"enum": ["open", "closed"]},
                "per_page": {"type": "integer", "minimum": 5},
                "since": {"type": "string", "format": "date"},
                "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}},
                "none": {"type": "array"},
                "ignored": {"type": "string"},
            },
            "required": ["owner", "state", "per_page", "since", "lines", "none"],
            "$defs": {"line": {"type": "object", "properties": {"n": {"type": ["null", "number"]}}, "required": ["n"]}},
        });
        let expected = json!({
            "owner": "octo", "state": "open", "per_page": 5, "since": "2026-01-31", "lines": [{"n": 1}], "none": [],
        });
        assert_eq!(example(&schema), expected);
    }

    #[test]
    fn limits_and_variants_are_respected() {
        for (schema, expected) in [
            (json!({"type": "integer", "exclusiveMinimum": 9, "multipleOf": 7}), json!(14)),
            (json!({"type": "number", "maximum": -2}), json!(-2)),
            (json!({"type": "string", "minLength": 6}), json!("<a>xxx")),
            (json!({"type": "string", "maxLength": 2}), json!("<a")),
            (json!({"type": "null"}), json!(null)),
            (json!({"type": "array", "items": {"type": "boolean"}, "maxItems": 0}), json!([])),
            (json!({"anyOf": [{"const": 7}, {"type": "string"}]}), json!(7)),
            (json!({"type": "string", "default": "s3cret", "writeOnly": true}), json!("<a>")),
        ] {
            let schema = json!({"properties": {"a": schema}, "required": ["a"]});
            assert_eq!(example(&schema), json!({"a": expected}), "{schema}");
        }
        let parts = json!({
            "allOf": [{"properties": {"a": {"type": "boolean"}}, "required": ["a"]}],
            "oneOf": [{"properties": {"b": {"const": 7}}, "required": ["b"]}, {"required": ["c"]}],
        });
        assert_eq!(example(&parts), json!({"a": true, "b": 7}));
    }

    #[test]
    fn the_sample_of_the_caller_is_used_for_texts() {
        let schema = json!({"properties": {"a": {"type": "string", "pattern": "^R-[0-9]$"}}, "required": ["a"]});
        let sample = |schema: &Value| schema.get("pattern").map(|_| "R-1".to_owned());
        assert_eq!(example_arguments(&schema, &sample), json!({"a": "R-1"}));
    }

    #[test]
    fn an_example_of_a_recursive_schema_is_finite() {
        let schema = json!({
            "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}, "c": {"$ref": "#/properties/c"}},
            "required": ["a", "b", "c"],
        });
        assert!(example(&schema).is_object());
    }
}
