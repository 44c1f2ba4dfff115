//! For any stored schema, the adapted schema contains nothing that the profile forbids.

mod hostile;
mod samples;

use serde_json::{Value, json};
use toolgate_domain::client_profile::ClientProfile;

use super::adapt_schema;
use crate::schema::for_each_subschema;

/// The adapted schema; the schema itself if it needs no adaptation.
fn adapted(profile: ClientProfile, schema: &Value) -> Value {
    adapt_schema(profile, schema).unwrap_or_else(|| schema.clone())
}

/// Describes the first part of an adapted schema that clients of the profile refuse.
fn forbidden(profile: ClientProfile, schema: &Value) -> Option<String> {
    if schema.get("type") != Some(&json!("object")) {
        return Some("the root is not an object".to_owned());
    }
    if let Some(keyword) = ["oneOf", "anyOf", "allOf", "$ref"].iter().find(|keyword| schema.get(**keyword).is_some()) {
        return Some(format!("{keyword} in the root"));
    }
    if profile == ClientProfile::Gemini { forbidden_gemini(schema) } else { foreign_reference(schema, schema) }
}

fn foreign_reference(root: &Value, schema: &Value) -> Option<String> {
    let reference = ["$ref", "$dynamicRef", "$recursiveRef"].iter().find_map(|keyword| schema.get(*keyword));
    let is_allowed = reference.is_none_or(|reference| {
        let pointer = reference.as_str().and_then(|text| text.strip_prefix('#'));
        pointer.is_some_and(|pointer| pointer.starts_with("/$defs/") && root.pointer(pointer).is_some())
    });
    let mut found = (!is_allowed).then(|| format!("the reference {reference:?}"));
    for_each_subschema(schema, |part| {
        if found.is_none() {
            found = foreign_reference(root, part);
        }
    });
    found
}

fn forbidden_gemini(schema: &Value) -> Option<String> {
    const ALLOWED: [&str; 22] = [
        "anyOf",
        "default",
        "description",
        "enum",
        "example",
        "format",
        "items",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "nullable",
        "pattern",
        "properties",
        "required",
        "title",
        "type",
        "propertyOrdering",
    ];
    let Some(members) = schema.as_object() else { return Some(format!("the schema {schema}")) };
    if let Some(keyword) = members.keys().find(|keyword| !ALLOWED.contains(&keyword.as_str())) {
        return Some(format!("{keyword} in {schema}"));
    }
    let texts_only = |key: &str| {
        members.get(key).is_none_or(|list| list.as_array().is_some_and(|list| list.iter().all(Value::is_string)))
    };
    let is_typed = members.get("type").is_none_or(Value::is_string);
    let has_items = members.get("type") != Some(&json!("array")) || members.contains_key("items");
    let is_declared = |name: &Value| schema["properties"].get(name.as_str().unwrap_or_default()).is_some();
    let required = members.get("required").and_then(Value::as_array).into_iter().flatten();
    if !texts_only("enum")
        || !texts_only("required")
        || !is_typed
        || !has_items
        || !required.into_iter().all(is_declared)
    {
        return Some(format!("an invalid keyword in {schema}"));
    }
    let mut found = None;
    for_each_subschema(schema, |part| {
        if found.is_none() {
            found = forbidden_gemini(part);
        }
    });
    found
}

fn assert_adapted(schema: &Value) {
    for profile in ClientProfile::ALL {
        let once = adapted(profile, schema);
        assert_eq!(forbidden(profile, &once), None, "{profile:?}: {schema} became {once}");
        assert_eq!(adapt_schema(profile, &once), None, "{profile:?}: adapting {schema} twice");
    }
}

#[test]
fn hostile_schemas_are_adapted_completely() {
    for schema in hostile::schemas() {
        assert_adapted(&schema);
    }
}

proptest::proptest! {
    #[test]
    fn random_schemas_are_adapted_completely(schema in hostile::random_schema()) {
        assert_adapted(&schema);
    }
}

#[test]
fn accepted_schemas_stay_as_they_are() {
    for schema in [
        json!({"type": "object"}),
        json!({"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {}}}),
        json!({"type": "object", "properties": {"$ref": {"default": {"$ref": "elsewhere"}}}, "not": {"required": ["x"]}}),
    ] {
        for profile in ClientProfile::ALL.into_iter().filter(|profile| *profile != ClientProfile::Gemini) {
            assert_eq!(adapt_schema(profile, &schema), None, "{schema}");
        }
    }
}

#[test]
fn variants_are_folded_into_one_object() {
    let schema = json!({
        "description": "Whom to reach.",
        "properties": {"id": {"type": "integer"}},
        "required": ["id"],
        "oneOf": [
            {"properties": {"type": {"const": "mail"}, "address": {"type": "string"}}, "required": ["type", "address"]},
            {"properties": {"type": {"const": "phone"}, "number": {"type": "string"}}, "required": ["type", "number"]},
        ],
    });
    let expected = json!({
        "type": "object",
        "description": "Whom to reach. Exactly one of these combinations: type=\"mail\", address | type=\"phone\", number.",
        "properties": {
            "id": {"type": "integer"},
            "type": {"type": "string", "enum": ["mail", "phone"]},
            "address": {"type": "string"},
            "number": {"type": "string"},
        },
        "required": ["id", "type"],
    });
    assert_eq!(adapt_schema(ClientProfile::Claude, &schema), Some(expected));
}

#[test]
fn all_of_and_references_in_the_root_are_folded() {
    let schema = json!({
        "$ref": "#/$defs/base",
        "allOf": [{"properties": {"b": {"type": "string"}}, "required": ["b"]}],
        "$defs": {"base": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "required": ["a"]}, "a": {"type": "null"}},
    });
    let folded = adapt_schema(ClientProfile::Common, &schema).unwrap();
    assert_eq!(folded["properties"], json!({"a": {"$ref": "#/$defs/a"}, "b": {"type": "string"}}));
    assert_eq!(folded["required"], json!(["a", "b"]));
    assert_eq!(folded["type"], "object");
}

#[test]
fn references_other_than_to_defs_are_replaced_by_their_targets() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"$ref": "#/definitions/a", "description": "own"},
            "tree": {"$ref": "#/definitions/node"},
            "foreign": {"$ref": "https://a.example/schema.json"},
        },
        "definitions": {
            "a": {"type": "string", "description": "shared"},
            "node": {"type": "object", "properties": {"child": {"$ref": "#/definitions/node"}}},
        },
    });
    let expected = json!({
        "type": "object",
        "properties": {
            "a": {"type": "string", "description": "own"},
            "tree": {"type": "object", "properties": {"child": {"type": "object"}}},
            "foreign": {},
        },
    });
    assert_eq!(adapt_schema(ClientProfile::Cursor, &schema), Some(expected));
}

#[test]
fn a_schema_for_gemini_has_only_keywords_of_its_subset() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "n": {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10, "multipleOf": 2},
            "x": {"type": "number", "exclusiveMinimum": 0.5},
            "kind": {"const": "a"},
            "level": {"type": "integer", "enum": [1, 2], "description": "Level."},
            "list": {"type": "array"},
            "name": {"type": ["string", "null"], "format": "email"},
            "either": {"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
            "ref": {"$ref": "#/$defs/r"},
            "map": {"type": "object", "patternProperties": {"^x": {"type": "string"}}},
        },
        "required": ["n", "missing"],
        "$defs": {"r": {"type": "boolean"}},
    });
    let expected = json!({
        "type": "object",
        "properties": {
            "n": {"type": "integer", "minimum": 1, "maximum": 9},
            "x": {"type": "number", "minimum": 0.5},
            "kind": {"enum": ["a"], "type": "string"},
            "level": {"type": "integer", "description": "Level. One of: 1, 2."},
            "list": {"type": "array", "items": {}},
            "name": {"type": "string", "nullable": true, "description": "Format: email."},
            "either": {"anyOf": [{"type": "string"}, {"type": "integer"}], "nullable": true},
            "ref": {"type": "boolean"},
            "map": {"type": "object", "properties": {}},
        },
        "required": ["n"],
    });
    assert_eq!(adapt_schema(ClientProfile::Gemini, &schema), Some(expected));
}
