//! The description of a tool for a model that will call it next: its input schema without references, and an example.

use serde_json::{Map, Value, json};
use toolgate_domain::example_call::example_arguments;

use crate::schema::budget::WorkBudget;
use crate::schema::pointer::{LocalRef, resolve};
use crate::schema::{SubschemaKind, keyword_kind};

/// Maximum number of levels of nested arguments in a description.
pub const DEPTH_MAX: usize = 6;
/// Maximum number of schemas in the description of one tool.
const SCHEMAS_MAX: usize = 2_000;
/// Keywords without meaning once references are resolved.
const REMOVED_KEYWORDS: [&str; 8] =
    ["$schema", "$id", "$defs", "definitions", "$comment", "$anchor", "$dynamicAnchor", "$vocabulary"];
const CUT_NOTE: &str = "(left out: nested too deeply)";

/// What a model needs to call a tool: `name`, `description`, `inputSchema` and `example`, the arguments of the smallest
/// valid call.
pub fn describe_tool(name: &str, description: &str, input_schema: &Value) -> Value {
    json!({
        "name": name,
        "description": description,
        "inputSchema": resolved_schema(input_schema),
        "example": example_arguments(input_schema, &|_| None),
    })
}

/// The schema with all references resolved. Levels below [`DEPTH_MAX`] are replaced by a note.
fn resolved_schema(input_schema: &Value) -> Value {
    let mut resolver = SchemaResolver { root: input_schema, budget: WorkBudget::new(SCHEMAS_MAX) };
    resolver.schema(input_schema, 0)
}

struct SchemaResolver<'a> {
    root: &'a Value,
    budget: WorkBudget,
}

impl SchemaResolver<'_> {
    fn schema(&mut self, schema: &Value, depth: usize) -> Value {
        let Value::Object(members) = schema else { return schema.clone() };
        if depth > DEPTH_MAX || !self.budget.take_schema() {
            return cut_schema(members);
        }
        let mut resolved = Map::new();
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            match resolve(self.root, reference) {
                LocalRef::Found(target) => match self.schema(target, depth + 1) {
                    Value::Object(target) => resolved = target,
                    other if members.len() == 1 => return other,
                    _ => {}
                },
                LocalRef::Foreign => {
                    resolved.insert("$comment".to_owned(), format!("defined elsewhere: {reference}").into());
                }
            }
        }
        for (keyword, value) in members {
            if keyword != "$ref" && !REMOVED_KEYWORDS.contains(&keyword.as_str()) {
                resolved.extend(self.keyword(keyword, value, depth).map(|value| (keyword.clone(), value)));
            }
        }
        resolved.into()
    }

    /// The value of a keyword; `None` if it is too large.
    fn keyword(&mut self, keyword: &str, value: &Value, depth: usize) -> Option<Value> {
        Some(match (keyword_kind(keyword, value), value) {
            (SubschemaKind::Schema, _) => self.schema(value, depth + 1),
            (SubschemaKind::SchemaList, Value::Array(schemas)) => {
                schemas.iter().map(|schema| self.schema(schema, depth + 1)).collect()
            }
            (SubschemaKind::SchemaMap, Value::Object(schemas)) => schemas
                .iter()
                .map(|(name, schema)| (name.clone(), self.schema(schema, depth + 1)))
                .collect::<Map<_, _>>()
                .into(),
            _ => return self.budget.take_value(value).then(|| value.clone()),
        })
    }
}

/// The replacement for a schema that is nested too deeply: its type, its own description and the note.
fn cut_schema(members: &Map<String, Value>) -> Value {
    let mut cut = Map::new();
    if let Some(kind) = members.get("type") {
        cut.insert("type".to_owned(), kind.clone());
    }
    let has_subschemas = members.iter().any(|(keyword, value)| keyword_kind(keyword, value) != SubschemaKind::Other);
    let description = members.get("description").and_then(Value::as_str).unwrap_or_default();
    if has_subschemas || members.contains_key("$ref") {
        cut.insert("description".to_owned(), format!("{description} {CUT_NOTE}").trim().into());
    } else {
        return members.clone().into();
    }
    cut.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_and_limits_stay() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "who": {"$ref": "#/$defs/who", "description": "The owner"},
                "n": {"type": "integer", "default": 30, "maximum": 100},
            },
            "required": ["who"],
            "$defs": {"who": {"type": "string", "minLength": 1, "description": "A name"}},
        });
        let expected = json!({
            "name": "t",
            "description": "Does it.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "who": {"type": "string", "minLength": 1, "description": "The owner"},
                    "n": {"type": "integer", "default": 30, "maximum": 100},
                },
                "required": ["who"],
            },
            "example": {"who": "<who>"},
        });
        assert_eq!(describe_tool("t", "Does it.", &schema), expected);
    }

    #[test]
    fn deep_and_recursive_schemas_are_cut_with_a_note() {
        let schema = json!({"properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}, "c": {"$ref": "#"}}});
        let described = describe_tool("t", "", &schema).to_string();
        assert!(described.contains(CUT_NOTE) && !described.contains("$ref"), "{}", described.len());
        assert!(described.len() < 400_000, "{}", described.len());
    }

    #[test]
    fn values_that_look_like_references_stay() {
        let schema = json!({"properties": {"a": {"default": {"$ref": "#/x"}, "enum": [{"$ref": "#"}]}}});
        assert_eq!(resolved_schema(&schema), schema);
    }
}
