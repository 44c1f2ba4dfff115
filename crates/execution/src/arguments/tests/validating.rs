//! Tests of the violations that are reported for arguments.

use super::*;

fn violations(schema: &Value, arguments: &Value) -> Vec<(String, String)> {
    let found = compile(schema).validate(arguments).expect_err("the arguments violate the schema");
    found.into_iter().map(|violation| (violation.argument, violation.message)).collect()
}

fn single_violation(schema: &Value, arguments: &Value) -> (String, String) {
    let found = violations(schema, arguments);
    assert_eq!(found.len(), 1, "{found:?}");
    found.into_iter().next().unwrap()
}

fn pair(argument: &str, message: &str) -> (String, String) {
    (argument.to_owned(), message.to_owned())
}

/// A draft in which `format` is an assertion.
const DRAFT_07: &str = "http://json-schema.org/draft-07/schema#";

#[test]
fn violations_name_the_argument() {
    let schema = json!({
        "type": "object",
        "properties": {"city": {}, "n": {"type": "integer"}, "o": {"properties": {"k~/": {"items": {"type": "string"}}}, "required": ["r"]}},
        "required": ["city"],
        "additionalProperties": false
    });
    assert_eq!(single_violation(&schema, &json!({})), pair("city", "is required"));
    assert_eq!(
        single_violation(&schema, &json!({"city": 1, "x/y": 1})),
        pair("x/y", "is not an argument of this tool")
    );
    assert_eq!(single_violation(&schema, &json!({"city": 1, "n": "s"})), pair("n", "must be an integer"));
    assert_eq!(single_violation(&schema, &json!({"city": 1, "o": {}})), pair("o", "\"r\" is a required property"));
    assert_eq!(
        single_violation(&schema, &json!({"city": 1, "o": {"r": 1, "k~/": [1]}})),
        pair("o", "at /k~0~1/0: must be a string")
    );
    let without_properties = json!({"type": "object", "additionalProperties": false});
    assert_eq!(single_violation(&without_properties, &json!({"x": 1})), pair("x", "is not an argument of this tool"));
    assert_eq!(single_violation(&schema, &json!([])), pair("", "must be an object"));
}

#[test]
fn violations_read_as_sentences() {
    let schema = json!({"properties": {"n": {"type": ["integer", "null"]}}, "required": ["n"]});
    let message = |arguments: Value| compile(&schema).validate(&arguments).unwrap_err()[0].to_string();
    assert_eq!(message(json!({})), "'n' is required");
    assert_eq!(message(json!({"n": "x"})), "'n': must be null or an integer");
    assert_eq!(compile(&json!({"maxProperties": 0})).validate(&json!({"a": 1})).unwrap_err().len(), 1);
}

#[test]
fn results_may_be_of_any_type_but_arguments_must_be_objects() {
    let list = json!({"type": "array", "items": {"type": "integer"}});
    assert_eq!(InputSchema::compile(&list).unwrap_err(), SchemaError::RootType);
    let compiled = InputSchema::compile_value(&list).unwrap();
    assert!(compiled.validate(&json!([1, 2])).is_ok());
    assert!(compiled.validate(&json!({})).is_err());
}

#[test]
fn declared_arguments_include_those_of_in_place_subschemas() {
    let schema = compile(&json!({
        "properties": {"a": {"properties": {"inner": {}}}},
        "allOf": [{"properties": {"b": {}}}, {"$ref": "#/$defs/more"}],
        "if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"d": {}}},
        "$defs": {"more": {"properties": {"c": {}}}, "unused": {"properties": {"z": {}}}}
    }));
    let mut names: Vec<_> = schema.declared_arguments().into_iter().collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "b", "c", "d"]);
}

#[test]
fn values_are_not_quoted() {
    let schema = json!({"$schema": DRAFT_07, "properties": {
        "enum": {"enum": ["x"]}, "const": {"const": 1}, "pattern": {"pattern": "^a"}, "format": {"format": "date"},
        "length": {"maxLength": 2}, "type": {"type": "null"}, "not": {"not": {"type": "string"}},
        "any": {"anyOf": [{"type": "null"}]}, "one": {"oneOf": [{}, {}]}, "names": {"propertyNames": {"maxLength": 1}},
    }});
    for name in ["enum", "const", "pattern", "format", "length", "type", "not", "any", "one"] {
        let (argument, message) = single_violation(&schema, &json!({name: "SECRET"}));
        assert_eq!(argument, name);
        assert!(!message.contains("SECRET"), "{message}");
    }
    let (_, message) = single_violation(&schema, &json!({"names": {"SECRET": 1}}));
    assert_eq!(message, "has a property name that is not allowed: value is longer than 1 character");
}

#[test]
fn at_most_ten_violations_are_reported_and_none_is_long() {
    let schema = json!({"additionalProperties": false, "properties": {"e": {"enum": vec!["abcdef"; 1000]}}});
    let many: serde_json::Map<_, _> = (0..500).map(|index| (format!("x{index}"), json!(1))).collect();
    assert_eq!(violations(&schema, &Value::Object(many)).len(), VIOLATIONS_MAX);
    let wrong: serde_json::Map<_, _> = (0..500).map(|index| (format!("x{index}"), json!(1))).collect();
    let texts = json!({"additionalProperties": {"type": "string"}});
    assert_eq!(violations(&texts, &Value::Object(wrong)).len(), VIOLATIONS_MAX);
    let (argument, _) = single_violation(&schema, &json!({"y".repeat(10_000): 1}));
    assert_eq!(argument.chars().count(), 301, "300 characters and an ellipsis remain");
}

#[test]
fn formats_are_checked_only_in_drafts_where_they_are_assertions() {
    let cases = [
        ("date", "2026-02-29", "2024-02-29"),
        ("date-time", "yesterday", "2024-02-29T10:00:00Z"),
        ("email", "user", "user@example.com"),
        ("uri", "not a uri", "https://example.com/"),
        ("ipv4", "1.2.3", "1.2.3.4"),
    ];
    for (format, wrong, right) in cases {
        let properties = json!({"a": {"type": "string", "format": format}});
        let schema = compile(&json!({"$schema": DRAFT_07, "properties": properties}));
        assert!(schema.validate(&json!({"a": right})).is_ok(), "{format}");
        assert!(schema.validate(&json!({"a": wrong})).is_err(), "{format}");
        let annotation = compile(&json!({"properties": properties}));
        assert!(annotation.validate(&json!({"a": wrong})).is_ok(), "{format} is an annotation since 2019-09");
    }
    let unknown = json!({"$schema": DRAFT_07, "properties": {"a": {"format": "colour"}}});
    assert!(compile(&unknown).validate(&json!({"a": "x"})).is_ok());
}

#[test]
fn recursive_schemas_apply_at_every_depth() {
    let schema = compile(&json!({
        "properties": {"tree": {"$ref": "#/$defs/node"}},
        "$defs": {"node": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            "required": ["name"]
        }}
    }));
    let tree = |leaf: Value| json!({"tree": {"name": "a", "children": [{"name": "b", "children": [leaf]}]}});
    assert!(schema.validate(&tree(json!({"name": "c"}))).is_ok());
    let found = schema.validate(&tree(json!({}))).unwrap_err();
    assert_eq!(found[0].message, "at /children/0/children/0: \"name\" is a required property");
}
