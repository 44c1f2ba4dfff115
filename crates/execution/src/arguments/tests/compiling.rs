//! Tests of which schemas are accepted, and the errors for the others.

use super::*;

#[test]
fn the_root_must_accept_objects() {
    for schema in [json!({}), json!({"type": "object"}), json!({"type": ["null", "object"]})] {
        compile(&schema);
    }
    assert_eq!(refusal(&json!(true)), "the schema must be a JSON object");
    for schema in [json!({"type": "string"}), json!({"type": ["array", "null"]}), json!({"type": 5})] {
        assert!(refusal(&schema).starts_with("the schema must have \"type\": \"object\""), "{schema}");
    }
}

#[test]
fn a_schema_for_values_of_any_type_compiles() {
    for (schema, valid, invalid) in [
        (json!({"type": "string"}), json!("x"), json!({})),
        (
            json!({"type": "array", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"minimum": 1}}}),
            json!([1]),
            json!([0]),
        ),
    ] {
        let compiled = InputSchema::compile_value(&schema).unwrap();
        assert!(compiled.validate(&valid).is_ok(), "{schema}");
        assert!(compiled.validate(&invalid).is_err(), "{schema}");
    }
    assert!(InputSchema::compile_value(&json!(true)).unwrap().validate(&json!(1)).is_ok());
    assert!(InputSchema::compile_value(&json!(false)).unwrap().validate(&json!(1)).is_err());
    assert!(InputSchema::compile_value(&json!({"$ref": "http://x/"})).is_err(), "the limits are the same");
}

#[test]
fn drafts_are_recognised_by_their_uri() {
    let drafts = [
        "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "http://json-schema.org/draft-07/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-04/schema#",
    ];
    for draft in drafts {
        compile(&json!({"$schema": draft, "type": "object"}));
    }
    let tuple = json!({"$schema": drafts[2], "properties": {"a": {"items": [{"type": "string"}]}}});
    assert!(compile(&tuple).validate(&json!({"a": [1]})).is_err(), "draft 7 has tuples in items");
}

#[test]
fn unknown_drafts_are_refused_at_any_depth() {
    assert_eq!(
        refusal(&json!({"$schema": "http://127.0.0.1/meta"})),
        "$schema at the top level is \"http://127.0.0.1/meta\", which is not a supported JSON Schema draft \
         (2020-12, 2019-09, 7, 6, 4)"
    );
    assert!(refusal(&json!({"properties": {"a": {"$schema": "x"}}})).contains("at /properties/a is \"x\""));
    assert!(refusal(&json!({"$schema": 5})).contains("is 5"));
}

#[test]
fn references_within_the_schema_are_resolved() {
    let text = json!({"type": "string"});
    let schemas = [
        json!({"properties": {"a": {"$ref": "#/$defs/t"}}, "$defs": {"t": text}}),
        json!({"properties": {"a": {"$ref": "#/definitions/t"}}, "definitions": {"t": text}}),
        json!({"properties": {"a": {"$ref": "#/x-types/0"}}, "x-types": [text]}),
        json!({"properties": {"a": {"$ref": "#/$defs/a~1b%20c"}}, "$defs": {"a/b c": text}}),
        json!({"properties": {"a": {"$ref": "#t"}}, "$defs": {"x": {"$anchor": "t", "type": "string"}}}),
        json!({"properties": {"a": {"$dynamicRef": "#t"}}, "$defs": {"x": {"$dynamicAnchor": "t", "type": "string"}}}),
        json!({"$id": "https://e.example/s", "properties": {"a": {"$ref": "s#/$defs/t"}}, "$defs": {"t": text}}),
        json!({"properties": {"a": {"$ref": "https://e.example/t"}}, "$defs": {"x": {"$id": "https://e.example/t", "type": "string"}}}),
        json!({"properties": {"a": {"$ref": "urn:t#/$defs/i"}}, "$defs": {"x": {"$id": "urn:t", "$defs": {"i": text}}}}),
    ];
    for schema in schemas {
        let compiled = compile(&schema);
        assert!(compiled.validate(&json!({"a": "x"})).is_ok(), "{schema}");
        assert!(compiled.validate(&json!({"a": 1})).is_err(), "{schema}");
    }
}

#[test]
fn property_names_that_look_like_keywords_are_not_keywords() {
    compile(&json!({"properties": {"$ref": {"type": "string"}, "$schema": {}}, "default": {"$ref": "http://x/"}}));
    compile(&json!({"properties": {"a": {"enum": [{"$ref": "http://x/"}]}}, "x-note": {"$ref": "http://x/"}}));
}

#[test]
fn references_that_leave_the_schema_are_refused() {
    let outside = [
        "http://127.0.0.1/x",
        "https://json-schema.org/draft/2020-12/schema",
        "file:///etc/passwd",
        "other.json",
        "//host/x",
        "urn:x:y",
        "HTTP://x/#/a",
    ];
    for reference in outside {
        for keyword in ["$ref", "$dynamicRef"] {
            let text = refusal(&json!({"properties": {"a": {"not": {keyword: reference}}}}));
            assert!(text.contains(reference) && text.contains("at /properties/a/not points outside"), "{text}");
        }
    }
    assert!(refusal(&json!({"$id": "http://h/a", "$ref": "b"})).contains("points outside"));
    let recursive = json!({"$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveRef": "http://h/"});
    assert!(refusal(&recursive).contains("points outside"));
}

#[test]
fn references_without_a_target_are_refused_even_in_unused_schemas() {
    for reference in ["#/$defs/no", "#no", "#/type", "#/$defs/x/"] {
        let schema = json!({"type": "object", "$defs": {"x": {"$ref": reference}}});
        assert_eq!(refusal(&schema), format!("the reference {reference:?} at /$defs/x does not lead to a schema"));
    }
}

#[test]
fn invalid_nonlinear_and_large_patterns_are_refused() {
    for pattern in ["(", "(?=a)b", r"(a)\1", "(a{1,1000}){1000}", r"\p{L}{1000}"] {
        let text = refusal(&json!({"properties": {"a": {"pattern": pattern}}}));
        assert!(text.starts_with("the pattern at /properties/a/pattern is not supported"), "{text}");
        let text = refusal(&json!({"patternProperties": {pattern: {}}}));
        assert!(text.starts_with("the pattern at /patternProperties"), "{text}");
    }
    for pattern in [r"^[\w.-]{1,255}$", r"^[^\s@]{1,64}@[^\s@]{1,255}$", r"^\d{4}-\d{2}$", r"^\p{Lu}", "^.{1,500}$"] {
        compile(&json!({"properties": {"a": {"pattern": pattern}}}));
    }
}

#[test]
fn errors_of_the_meta_schema_are_reported_with_their_location() {
    let schema = json!({"properties": {"a": {"minLength": -1}}});
    assert_eq!(
        refusal(&schema),
        "the schema is not valid at /properties/a/minLength: value is less than the minimum of 0"
    );
    assert!(refusal(&json!({"properties": {"a": {"type": "text"}}})).contains("at /properties/a/type"));
    assert!(refusal(&json!({"properties": []})).contains("at /properties"));
    assert!(refusal(&json!({"properties": {"a": {"$ref": 5}}})).contains("at /properties/a/$ref"));
}
