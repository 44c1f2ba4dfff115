//! One test for each rule of the conversion.

use super::*;

use DocumentKind::{OpenApi30, OpenApi31, Swagger20};

/// Asserts that a schema is converted to `expected` without warnings.
#[track_caller]
fn check(kind: DocumentKind, schema: Value, expected: Value) {
    assert_eq!(converted(kind, only(schema)), (expected, vec![]));
}

/// Asserts that a schema is repaired to `expected` with a warning.
#[track_caller]
fn check_repaired(schema: Value, expected: Value) {
    assert_eq!(converted(OpenApi30, only(schema)), (expected, vec!["schema_repaired"]));
}

#[test]
fn nullable_adds_null_to_type_and_enum() {
    check(OpenApi30, json!({"type": "string", "nullable": true}), json!({"type": ["string", "null"]}));
    check(
        OpenApi30,
        json!({"type": "string", "enum": ["a"], "nullable": true}),
        json!({"type": ["string", "null"], "enum": ["a", null]}),
    );
    check(OpenApi30, json!({"enum": ["a"], "nullable": true}), json!({"enum": ["a", null]}));
    check(Swagger20, json!({"type": "string", "x-nullable": true}), json!({"type": ["string", "null"]}));
    check(OpenApi30, json!({"nullable": true}), json!({}));
    check(
        OpenApi30,
        json!({"oneOf": [{"type": "string"}, {"type": "integer"}], "nullable": true, "description": "D"}),
        json!({"description": "D", "anyOf": [{"oneOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "null"}]}),
    );
}

#[test]
fn nullable_next_to_a_reference_is_a_union_with_null() {
    let definitions = json!({"Y": {"type": "string"}, "X": {"$ref": "#/components/schemas/Y", "nullable": true}});
    let expected = json!({"anyOf": [{"type": "string"}, {"type": "null"}]});
    assert_eq!(converted(OpenApi30, definitions).0, expected);
    let definitions =
        json!({"Y": {"type": "string"}, "X": {"allOf": [{"$ref": "#/components/schemas/Y"}], "nullable": true}});
    assert_eq!(converted(OpenApi30, definitions).0, expected);
}

#[test]
fn exclusive_bounds_become_numbers() {
    check(
        OpenApi30,
        json!({"minimum": 1, "exclusiveMinimum": true, "maximum": 5, "exclusiveMaximum": false}),
        json!({"exclusiveMinimum": 1, "maximum": 5}),
    );
    check(OpenApi30, json!({"exclusiveMaximum": true, "maximum": 5}), json!({"exclusiveMaximum": 5}));
    check(OpenApi30, json!({"exclusiveMinimum": true}), json!({}));
    check(OpenApi31, json!({"exclusiveMinimum": 2}), json!({"exclusiveMinimum": 2}));
}

#[test]
fn example_becomes_examples_and_a_list_of_items_becomes_prefix_items() {
    check(OpenApi30, json!({"type": "string", "example": "a"}), json!({"type": "string", "examples": ["a"]}));
    check(
        OpenApi31,
        json!({"type": "string", "example": "a", "examples": ["b", "c"]}),
        json!({"type": "string", "examples": ["b", "c"]}),
    );
    check(OpenApi30, json!({"example": false}), json!({"examples": [false]}));
    check(
        OpenApi30,
        json!({"items": [{"type": "string"}], "additionalItems": false}),
        json!({"prefixItems": [{"type": "string"}], "items": false}),
    );
}

#[test]
fn defaults_move_into_the_description() {
    check(
        OpenApi30,
        json!({"type": "integer", "default": 20}),
        json!({"type": "integer", "description": "Default: 20."}),
    );
    check(
        OpenApi31,
        json!({"description": "Page size.", "default": 20}),
        json!({"description": "Page size. Default: 20."}),
    );
    check(
        OpenApi31,
        json!({"description": "Order", "default": "asc"}),
        json!({"description": "Order. Default: \"asc\"."}),
    );
    check(OpenApi31, json!({"default": null}), json!({}));
    check(OpenApi31, json!({"default": "x".repeat(500)}), json!({}));
}

#[test]
fn members_that_are_not_schema_keywords_are_left_out() {
    check(
        Swagger20,
        json!({"name": "x", "in": "query", "required": true, "type": "string", "collectionFormat": "csv", "x-a": 1}),
        json!({"type": "string"}),
    );
    check(
        OpenApi31,
        json!({"$schema": "x", "$comment": "c", "$defs": {}, "xml": {}, "externalDocs": {}, "readOnly": true}),
        json!({}),
    );
    check(Swagger20, json!({"type": "file"}), json!({"type": "string"}));
    check(OpenApi31, json!({"description": " a\u{7}b ", "title": ""}), json!({"description": "ab"}));
}

#[test]
fn broken_keywords_are_repaired_with_a_warning() {
    for (schema, expected) in [
        (json!({"type": "String"}), json!({})),
        (json!({"type": "any"}), json!({})),
        (json!({"type": 5}), json!({})),
        (json!({"type": ["string", "text"]}), json!({})),
        (json!({"type": "integer", "minimum": "5"}), json!({"type": "integer", "minimum": 5})),
        (json!({"maxLength": "many"}), json!({})),
        (json!({"maxLength": -1}), json!({})),
        (json!({"multipleOf": 0}), json!({})),
        (json!({"enum": null}), json!({})),
        (json!({"enum": []}), json!({})),
        (json!({"type": "string", "enum": [1, true]}), json!({"type": "string", "enum": ["1", "true"]})),
        (json!({"type": "integer", "enum": ["1"]}), json!({"type": "integer", "enum": [1]})),
        (
            json!({"type": "array", "items": {"type": "string"}, "enum": ["a"]}),
            json!({"type": "array", "items": {"type": "string", "enum": ["a"]}}),
        ),
        (json!({"properties": []}), json!({})),
        (json!({"properties": {"a": "text"}}), json!({"properties": {"a": {}}})),
        (json!({"required": "a"}), json!({})),
        (
            json!({"properties": {"a": {"type": "string", "required": true}}}),
            json!({"properties": {"a": {"type": "string"}}, "required": ["a"]}),
        ),
        (json!({"dependentRequired": {"a": 5}}), json!({})),
        (json!({"pattern": 5}), json!({})),
        (json!({"pattern": "/^a$/"}), json!({"pattern": "^a$"})),
    ] {
        check_repaired(schema, expected);
    }
}

#[test]
fn patterns_that_the_linear_time_regex_engine_rejects_are_left_out() {
    for pattern in ["(?=a)", "(?!a)", r"(a)\1", "[", "(?i)a", "(?<=x)y", "a{1000}{1000}", r"\p{Foo}"] {
        let (schema, warnings) = converted(OpenApi31, json!({"X": {"type": "string", "pattern": pattern}}));
        assert_eq!(schema, json!({"type": "string"}), "{pattern}");
        assert_eq!(warnings, ["pattern_dropped"], "{pattern}");
    }
    for pattern in [r"^[A-Za-z0-9_-]{1,64}$", r"^\d+(\.\d+)?$", "^(?:a|b)*$", r"^\p{L}+$", r"^\S+@\S+$"] {
        let (schema, warnings) = converted(OpenApi31, json!({"X": {"type": "string", "pattern": pattern}}));
        assert_eq!(schema["pattern"], pattern);
        assert!(warnings.is_empty());
    }
    let schema = json!({"patternProperties": {"(?=a)": {}, "^b": {}}, "additionalProperties": false});
    assert_eq!(converted(OpenApi31, json!({"X": schema})).0, json!({"patternProperties": {"^b": {}}}));
}

#[test]
fn keywords_next_to_a_reference_apply_since_3_1() {
    let definitions = |pointer: &str| json!({"Y": {"type": "string", "description": "Y"}, "X": {"$ref": pointer, "description": "D", "maxLength": 5}});
    let (schema, _) = converted(OpenApi30, definitions("#/components/schemas/Y"));
    assert_eq!(schema, json!({"type": "string", "description": "D"}));
    let (schema, _) = converted(Swagger20, definitions("#/definitions/Y"));
    assert_eq!(schema, json!({"type": "string", "description": "D"}));
    let (schema, _) = converted(OpenApi31, definitions("#/components/schemas/Y"));
    assert_eq!(schema, json!({"$ref": "#/$defs/Y", "description": "D", "maxLength": 5}));
}

#[test]
fn all_of_is_merged_where_keywords_do_not_contradict() {
    check(
        OpenApi30,
        json!({"allOf": [
            {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "minLength": 1}}},
            {"required": ["b", "a"], "properties": {"b": {}, "a": {"maxLength": 9, "minLength": 3}}, "minProperties": 1},
        ], "description": "D", "minProperties": 2}),
        json!({
            "type": "object", "required": ["a", "b"],
            "properties": {"a": {"type": "string", "minLength": 3, "maxLength": 9}, "b": {}},
            "minProperties": 2, "description": "D",
        }),
    );
    check(OpenApi30, json!({"allOf": [{"type": "number"}, {"type": "integer"}]}), json!({"type": "integer"}));
    check(OpenApi30, json!({"allOf": [{"enum": [1, 2]}, {"enum": [2, 3]}]}), json!({"enum": [2]}));
    check(
        OpenApi30,
        json!({"allOf": [{"pattern": "a"}, {"pattern": "b"}]}),
        json!({"pattern": "a", "allOf": [{"pattern": "b"}]}),
    );
    check(
        OpenApi30,
        json!({"allOf": [{"type": "string"}, {"type": "integer"}]}),
        json!({"type": "string", "allOf": [{"type": "integer"}]}),
    );
    check(
        OpenApi31,
        json!({"allOf": [{"if": {"minLength": 1}, "then": {"maxLength": 2}}, {"if": true, "else": {}}]}),
        json!({"if": {"minLength": 1}, "then": {"maxLength": 2}, "allOf": [{"if": true, "else": {}}]}),
    );
}

#[test]
fn all_of_with_references_is_merged() {
    let definitions = json!({
        "Base": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}},
        "X": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"name": {"type": "string"}}}]},
    });
    let expected = json!({
        "type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
    });
    assert_eq!(converted(OpenApi30, definitions), (expected, vec![]));
}

#[test]
fn the_discriminator_is_a_constant_in_each_branch_of_the_mapping() {
    let definitions = json!({
        "Cat": {"allOf": [{"$ref": "#/components/schemas/X"}, {"type": "object", "properties": {"lives": {"type": "integer"}}}]},
        "Dog": {"type": "object", "properties": {"kind": {"enum": ["dog"]}}},
        "X": {
            "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
            "properties": {"kind": {"type": "string"}},
            "discriminator": {"propertyName": "kind", "mapping": {"cat": "Cat", "hound": "#/components/schemas/Dog"}},
        },
    });
    let document = document(OpenApi30, definitions);
    let (schema, _) = tool_schema(&document, SchemaDirection::Request, SchemaDetail::Full);
    let branches = &schema["properties"]["x"]["oneOf"];
    assert_eq!(branches[0], json!({"$ref": "#/$defs/Cat", "properties": {"kind": {"const": "cat"}}}));
    // The branch already allows only another value: with the constant, no value would be valid.
    assert_eq!(branches[1], json!({"type": "object", "properties": {"kind": {"enum": ["dog"]}}}));
    assert!(schema["$defs"]["Cat"].get("oneOf").is_none());
    let validator = compiled(&schema);
    assert!(validator.is_valid(&json!({"x": {"kind": "cat", "lives": 9}})));
    assert!(!validator.is_valid(&json!({"x": {"kind": "cat", "lives": "nine"}})));
}

#[test]
fn cyclic_schemas_stay_recursive() {
    let definitions = json!({
        "Node": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}, "v": {"type": "integer"}}},
        "X": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
    });
    let document = document(OpenApi30, definitions);
    let (schema, warnings) = tool_schema(&document, SchemaDirection::Request, SchemaDetail::Full);
    assert_eq!(schema["properties"]["x"]["items"], json!({"$ref": "#/$defs/Node"}));
    assert_eq!(schema["$defs"]["Node"]["properties"]["next"], json!({"$ref": "#/$defs/Node"}));
    assert_eq!(warnings, []);
}

#[test]
fn schemas_that_refer_to_themselves_for_the_same_value_are_cut() {
    let refer = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    for definitions in [
        json!({"A": {"anyOf": [refer("B"), {"type": "string"}]}, "B": {"oneOf": [refer("A"), {"type": "null"}]}, "X": refer("A")}),
        json!({"A": {"allOf": [refer("B")]}, "B": {"allOf": [refer("A")], "type": "string"}, "X": refer("A")}),
        json!({"A": {"not": refer("A")}, "X": refer("A")}),
        json!({"A": {"allOf": [refer("A"), {"type": "string"}]}, "X": refer("A")}),
    ] {
        let document = document(OpenApi30, definitions);
        let (schema, _) = tool_schema(&document, SchemaDirection::Request, SchemaDetail::Full);
        assert!(compiled(&schema).is_valid(&json!({"x": "text"})), "{schema}");
    }
}

#[test]
fn definitions_are_shared_only_if_they_are_large_and_used_more_than_once() {
    let large: Map<String, Value> = (0..20).map(|index| (format!("p{index}"), json!({"type": "string"}))).collect();
    let refer = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let definitions = json!({
        "Large": {"properties": large}, "Small": {"type": "string"}, "Once": {"properties": large},
        "X": {"properties": {"a": refer("Large"), "b": refer("Large"), "c": refer("Small"), "d": refer("Small"), "e": refer("Once")}},
    });
    let document = document(OpenApi31, definitions);
    let (schema, _) = tool_schema(&document, SchemaDirection::Request, SchemaDetail::Full);
    let names: Vec<&String> = schema["$defs"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["Large"]);
    assert_eq!(schema["properties"]["x"]["properties"]["d"], json!({"type": "string"}));
    assert!(schema["properties"]["x"]["properties"]["e"]["properties"].is_object());
}

#[test]
fn read_only_properties_are_not_sent() {
    let definitions = json!({
        "Id": {"type": "string", "readOnly": true},
        "X": {"required": ["a", "b", "c", "d"], "properties": {
            "a": {"readOnly": true}, "b": {"$ref": "#/components/schemas/Id"}, "c": {"allOf": [{"readOnly": true}]},
            "d": {"writeOnly": true},
        }},
    });
    let document = document(OpenApi31, definitions);
    let (schema, _) = tool_schema(&document, SchemaDirection::Request, SchemaDetail::Full);
    assert_eq!(schema["properties"]["x"], json!({"properties": {"d": {"writeOnly": true}}, "required": ["d"]}));
    let (schema, _) = tool_schema(&document, SchemaDirection::Response, SchemaDetail::Full);
    assert_eq!(schema["properties"]["x"]["required"], json!(["a", "b", "c", "d"]));
}

#[test]
fn unresolvable_references_accept_every_value_with_a_warning() {
    for (reference, code) in
        [("#/nowhere", "ref_unresolved"), ("other.yaml#/a", "ref_external"), ("#/components/schemas/L", "ref_cycle")]
    {
        let definitions =
            json!({"L": {"$ref": "#/components/schemas/L"}, "X": {"properties": {"a": {"$ref": reference}}}});
        assert_eq!(converted(OpenApi31, definitions), (json!({"properties": {"a": {}}}), vec![code]));
    }
    let document = document(OpenApi31, json!({"X": {"$ref": "#/nowhere"}}));
    let resolver = ReferenceResolver::new(&document);
    let context = SchemaContext::new(&resolver);
    let error =
        SchemaConverter::new(&context, SchemaDirection::Request).convert(&schemas(&resolver).member("X").unwrap());
    assert_eq!(error.unwrap_err().pointer.to_string(), "#/components/schemas/X");
}

#[test]
fn anchors_of_the_document_become_definitions() {
    let definitions = json!({
        "Y": {"$anchor": "y", "type": "string"}, "T": {"$dynamicAnchor": "t", "properties": {"t": {"$dynamicRef": "#t"}}},
        "X": {"prefixItems": [{"$ref": "#y"}, {"$dynamicRef": "#t"}]},
    });
    let (schema, warnings) = converted(OpenApi31, definitions);
    assert_eq!(schema, json!({"prefixItems": [{"type": "string"}, {"$ref": "#/$defs/T"}]}));
    assert!(warnings.is_empty());
}

#[test]
fn one_of_becomes_any_of_if_a_branch_lost_a_keyword() {
    let (schema, _) = converted(OpenApi31, json!({"X": {"oneOf": [{"pattern": "(?=a)"}, {"pattern": "b"}]}}));
    assert_eq!(schema, json!({"anyOf": [{}, {"pattern": "b"}]}));
    let (schema, _) = converted(OpenApi31, json!({"X": {"type": "string", "not": {"pattern": "(?=a)"}}}));
    assert_eq!(schema, json!({"type": "string"}));
}
