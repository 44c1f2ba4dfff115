//! Projects the output schema of a tool: `fields` and `omit` drop the same members from the schema and from every
//! value, so that values still match the schema.
//!
//! Where members may be dropped, keywords that depend on all members of a value are dropped as well. The schema may
//! then allow more values than before, but it accepts every projected value.

use serde_json::{Map, Value, json};
use toolgate_domain::json::JsonObject;
use toolgate_domain::shaping::Shaping;

use crate::projection::{Projection, ProjectionState};

/// Maximum nesting of a projected schema; deeper and recursive ones allow any value.
const SCHEMA_DEPTH_MAX: usize = 24;
/// Maximum number of subschemas after references are resolved; further ones allow any value.
const SCHEMA_PARTS_MAX: usize = 20_000;

/// Keywords that a projected value may violate, or that describe members that it no longer has.
const DROPPED: &[&str] = &[
    "not",
    "if",
    "then",
    "else",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "minProperties",
    "propertyNames",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedProperties",
    "unevaluatedItems",
    "patternProperties",
    "additionalProperties",
    "oneOf",
    "const",
    "enum",
    "default",
    "example",
    "examples",
    "$defs",
    "definitions",
    "$dynamicRef",
    "$recursiveRef",
];

/// The schema of projected values. Without `fields` and `omit` it is the schema itself.
pub fn shape_output_schema(schema: &JsonObject, shaping: &Shaping) -> JsonObject {
    let projection = Projection::new(shaping);
    let state = projection.root();
    if projection.keeps_all(state) {
        return schema.clone();
    }
    let whole = schema.to_value();
    let mut projector = SchemaProjector { whole: &whole, projection, parts: 0 };
    let mut projected = projector.schema(&whole, state, 0);
    if let (Value::Object(members), Value::Object(definitions)) = (&mut projected, projector.definitions()) {
        members.extend(definitions);
    }
    JsonObject::from_stored(projected.to_string())
}

struct SchemaProjector<'w, 's> {
    whole: &'w Value,
    projection: Projection<'s>,
    parts: usize,
}

impl SchemaProjector<'_, '_> {
    /// The schema of values in this state.
    fn schema(&mut self, schema: &Value, state: ProjectionState, depth: usize) -> Value {
        self.parts += 1;
        let Value::Object(keywords) = schema else { return schema.clone() };
        if depth > SCHEMA_DEPTH_MAX || self.parts > SCHEMA_PARTS_MAX {
            return json!({});
        }
        if self.projection.keeps_all(state) {
            return schema.clone();
        }
        if let Some(Value::String(reference)) = keywords.get("$ref") {
            return self.reference(reference, keywords, state, depth);
        }
        let mut projected = Map::new();
        for (keyword, value) in keywords {
            if let Some((keyword, value)) = self.keyword(keyword, value, keywords, state, depth) {
                projected.insert(keyword.to_owned(), value);
            }
        }
        Value::Object(projected)
    }

    /// Resolves a reference inside the document. Other keywords next to it apply as well.
    fn reference(
        &mut self,
        reference: &str,
        keywords: &Map<String, Value>,
        state: ProjectionState,
        depth: usize,
    ) -> Value {
        let whole = self.whole;
        let target = reference.strip_prefix('#').and_then(|pointer| whole.pointer(&decoded(pointer)));
        let Some(target) = target else { return json!({}) };
        let target = self.schema(target, state, depth + 1);
        let mut others = keywords.clone();
        others.shift_remove("$ref");
        others.retain(|keyword, _| !DROPPED.contains(&keyword.as_str()) && !keyword.starts_with('$'));
        if others.is_empty() {
            return target;
        }
        match self.schema(&Value::Object(others), state, depth + 1) {
            Value::Object(others) if others.is_empty() => target,
            others => json!({"allOf": [target, others]}),
        }
    }

    fn keyword<'k>(
        &mut self,
        keyword: &'k str,
        value: &Value,
        keywords: &Map<String, Value>,
        state: ProjectionState,
        depth: usize,
    ) -> Option<(&'k str, Value)> {
        let has_patterns = keywords.contains_key("patternProperties");
        let projected = match (keyword, value) {
            ("enum" | "const", _) if !has_containers(value) => value.clone(),
            ("additionalProperties", Value::Bool(_)) if !has_patterns => value.clone(),
            // Several variants may match once members are dropped.
            ("oneOf", Value::Array(schemas)) if !keywords.contains_key("anyOf") => {
                return Some(("anyOf", self.schemas(schemas, state, depth)));
            }
            (name, _) if DROPPED.contains(&name) => return None,
            ("properties", Value::Object(properties)) => self.properties(properties, state, depth),
            ("required", Value::Array(names)) => self.required(names, state),
            ("items" | "additionalItems", Value::Object(_)) => self.schema(value, state, depth + 1),
            ("items" | "prefixItems" | "anyOf" | "allOf", Value::Array(schemas)) => self.schemas(schemas, state, depth),
            _ => value.clone(),
        };
        Some((keyword, projected))
    }

    fn properties(&mut self, properties: &Map<String, Value>, state: ProjectionState, depth: usize) -> Value {
        let mut projected = Map::new();
        for (name, schema) in properties {
            if let Some(state) = self.projection.named_member(state, name) {
                projected.insert(name.clone(), self.schema(schema, state, depth + 1));
            }
        }
        Value::Object(projected)
    }

    fn required(&mut self, names: &[Value], state: ProjectionState) -> Value {
        let is_selected =
            |name: &&Value| name.as_str().is_none_or(|name| self.projection.named_member(state, name).is_some());
        Value::Array(names.iter().filter(is_selected).cloned().collect())
    }

    fn schemas(&mut self, schemas: &[Value], state: ProjectionState, depth: usize) -> Value {
        Value::Array(schemas.iter().map(|schema| self.schema(schema, state, depth + 1)).collect())
    }

    /// The definitions, to which unchanged parts of the schema may still refer.
    fn definitions(&self) -> Value {
        let keywords = self.whole.as_object();
        let definitions = ["$defs", "definitions"]
            .into_iter()
            .filter_map(|keyword| Some((keyword.to_owned(), keywords?.get(keyword)?.clone())));
        Value::Object(definitions.collect())
    }
}

/// Whether the value of `const`, or one of the values of `enum`, is an array or an object.
fn has_containers(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().any(|value| value.is_array() || value.is_object()),
        other => other.is_object(),
    }
}

/// A pointer without percent encoding.
fn decoded(pointer: &str) -> String {
    pointer.replace("%7B", "{").replace("%7D", "}").replace("%24", "$").replace("%25", "%")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structured::shape_structured;
    use crate::test_rules::rules;

    fn projected(schema: &Value, shaping: &Shaping) -> Value {
        shape_output_schema(&JsonObject::from_stored(schema.to_string()), shaping).to_value()
    }

    fn accepts(schema: &Value, value: &Value) -> bool {
        jsonschema::validator_for(schema).unwrap().is_valid(value)
    }

    #[test]
    fn properties_and_required_lose_the_same_names() {
        let schema = json!({
            "type": "object",
            "required": ["items", "total"],
            "additionalProperties": false,
            "properties": {
                "total": {"type": "integer"},
                "items": {"type": "array", "uniqueItems": true, "items": {
                    "type": "object", "required": ["id", "url"], "minProperties": 2,
                    "properties": {"id": {"type": "integer"}, "url": {"type": "string"}}
                }}
            }
        });
        let expected = json!({
            "type": "object",
            "required": ["items"],
            "additionalProperties": false,
            "properties": {"items": {"type": "array", "items": {
                "type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}
            }}}
        });
        assert_eq!(projected(&schema, &rules(r#"{"fields":["items[].id"]}"#)), expected);
        assert_eq!(projected(&schema, &rules(r#"{"omit":["url","total"]}"#)), expected);
        assert_eq!(projected(&schema, &rules(r#"{"max_tokens":500}"#)), schema);
    }

    #[test]
    fn projected_values_match_schemas_with_references_variants_and_recursion() {
        let schema = json!({
            "$ref": "#/$defs/node",
            "$defs": {
                "node": {"type": "object", "required": ["id", "secret"], "properties": {
                    "id": {"oneOf": [{"type": "integer"}, {"type": "string"}]},
                    "secret": {"type": "string"},
                    "kind": {"enum": ["a", "b"]},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}
                }, "not": {"properties": {"secret": {"maxLength": 1}}},
                "if": {"properties": {"kind": {"const": "b"}}}, "then": {"required": ["secret"]}}
            }
        });
        let value = json!({"id": 1, "secret": "xx", "kind": "b", "children": [
            {"id": "2", "secret": "yy", "children": [{"id": 3, "secret": "zz"}]}]});
        assert!(accepts(&schema, &value));
        for shaping in [r#"{"omit":["secret"]}"#, r#"{"fields":["children.children.id"]}"#, r#"{"fields":["nothing"]}"#]
        {
            let shaping = rules(shaping);
            let schema = projected(&schema, &shaping);
            let shaped = shape_structured(&value, &shaping, |value| accepts(&schema, value));
            assert!(accepts(&schema, &shaped), "{schema} {shaped}");
            assert!(!shaped.to_string().contains("secret"));
            assert!(!accepts(&schema, &json!([])));
        }
    }
}
