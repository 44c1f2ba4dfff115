//! Conversion of `type`, `enum` and `items`.

use serde_json::{Value, json};

use super::Conversion;
use crate::api::reference::Located;
use crate::api::schema::vocabulary::{Keywords, mark_widened, open_schema};

const TYPE_NAMES: [&str; 7] = ["string", "number", "integer", "boolean", "array", "object", "null"];

impl<'a> Conversion<'_, 'a> {
    pub(super) fn repair_types(&mut self, schema: &Located<'a>, keywords: &mut Keywords) {
        self.repair_type(schema, keywords);
        self.convert_items(schema, keywords);
        self.repair_enum(schema, keywords);
    }

    fn repair_type(&mut self, schema: &Located<'a>, keywords: &mut Keywords) {
        let Some(types) = keywords.remove("type") else { return };
        let names: Vec<&str> = match &types {
            Value::String(name) => vec![name],
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            Value::Null => return,
            _ => Vec::new(),
        };
        // `file` is a type of Swagger 2.0; how a file is sent follows from the body.
        if names == ["file"] {
            keywords.insert("type".to_owned(), "string".into());
            return;
        }
        let mut known: Vec<&str> = Vec::new();
        names.iter().filter(|name| TYPE_NAMES.contains(name)).for_each(|name| {
            if !known.contains(name) {
                known.push(name);
            }
        });
        if known.is_empty() || known.len() < names.len() && names.iter().any(|name| !TYPE_NAMES.contains(name)) {
            self.warn_repaired(&schema.pointer.member("type"), "The type is not one of JSON Schema; it was left out.");
            return mark_widened(keywords);
        }
        let value = if let [name] = known[..] { json!(name) } else { json!(known) };
        keywords.insert("type".to_owned(), value);
    }

    /// `items` is a schema; a list of schemas is `prefixItems` since 2020-12.
    fn convert_items(&mut self, schema: &Located<'a>, keywords: &mut Keywords) {
        keywords.remove("items");
        let Some(items) = schema.member("items") else { return };
        match items.value {
            Value::Array(_) => {
                if let Some(list) = self.schema_list(&items) {
                    keywords.insert("prefixItems".to_owned(), list);
                }
                if let Some(rest) = schema.member("additionalItems") {
                    let rest = self.schema(&rest, None);
                    keywords.insert("items".to_owned(), rest);
                }
            }
            Value::Null => {}
            _ => {
                let item = self.schema(&items, None);
                keywords.insert("items".to_owned(), item);
            }
        }
    }

    fn repair_enum(&mut self, schema: &Located<'a>, keywords: &mut Keywords) {
        let Some(values) = keywords.remove("enum") else { return };
        let pointer = schema.pointer.member("enum");
        let values = match values {
            Value::Array(values) if !values.is_empty() => values,
            _ => {
                self.warn_repaired(&pointer, "enum must be a list of values; it was left out.");
                return mark_widened(keywords);
            }
        };
        let type_name = keywords.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        if type_name == "array" && !values.iter().any(Value::is_array) {
            self.warn_repaired(&pointer, "The values of enum are those of the items; it was moved there.");
            move_to_items(keywords, values);
            return mark_widened(keywords);
        }
        let repaired: Vec<Value> = values.iter().map(|value| as_type(value, &type_name)).collect();
        if repaired != values {
            self.warn_repaired(&pointer, "The values of enum were converted to the type of the schema.");
        }
        keywords.insert("enum".to_owned(), Value::Array(repaired));
    }
}

fn move_to_items(keywords: &mut Keywords, values: Vec<Value>) {
    let items = keywords.entry("items").or_insert_with(open_schema);
    if let Value::Object(items) = items {
        items.entry("enum").or_insert(Value::Array(values));
    }
}

/// Converts a value to the type of the schema if possible: YAML reads an unquoted `1.0` as a number.
fn as_type(value: &Value, type_name: &str) -> Value {
    match (type_name, value) {
        ("string", Value::Number(_) | Value::Bool(_)) => Value::String(value.to_string()),
        ("integer", Value::String(text)) => text.parse::<i64>().map_or_else(|_| value.clone(), Value::from),
        ("number", Value::String(text)) => text.parse::<f64>().map_or_else(|_| value.clone(), Value::from),
        ("boolean", Value::String(text)) if text == "true" => Value::Bool(true),
        ("boolean", Value::String(text)) if text == "false" => Value::Bool(false),
        _ => value.clone(),
    }
}
