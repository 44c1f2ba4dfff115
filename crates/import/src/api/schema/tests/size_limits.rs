//! Compact schemas, and schemas that are cut to the limits of a tool.

use super::*;

#[track_caller]
fn compact(schema: Value) -> Value {
    let document = document(DocumentKind::OpenApi31, only(schema));
    let (schema, warnings) = tool_schema(&document, SchemaDirection::Request, SchemaDetail::Compact);
    assert_eq!(warnings, []);
    schema["properties"]["x"].clone()
}

#[test]
fn compact_schemas_have_no_annotations_that_models_rarely_need() {
    let schema = json!({
        "title": "T", "description": "D", "type": "object", "required": ["a"],
        "properties": {
            "a": {"type": "integer", "format": "int32", "examples": [1, 2], "minimum": 0, "deprecated": true},
            "b": {"type": "string", "format": "date", "enum": ["x"], "examples": ["x"]},
            "c": {"type": "string", "deprecated": true},
        },
    });
    let expected = json!({
        "description": "D", "type": "object", "required": ["a"],
        "properties": {
            "a": {"type": "integer", "examples": [1], "minimum": 0},
            "b": {"type": "string", "format": "date", "enum": ["x"]},
        },
    });
    assert_eq!(compact(schema), expected);
    // A closed object would refuse the property that is left out.
    let closed = json!({"additionalProperties": false, "properties": {"c": {"deprecated": true}}});
    assert_eq!(compact(closed), json!({"additionalProperties": false, "properties": {"c": {}}}));
}

/// An object of this depth with a required and an optional member.
fn nested(depth: usize) -> Value {
    if depth == 0 {
        return json!({"type": "string", "description": "leaf"});
    }
    json!({
        "type": "object", "description": format!("level {depth}"), "required": ["r"], "additionalProperties": false,
        "properties": {"r": nested(depth - 1), "o": {"type": "integer", "description": "optional"}},
    })
}

#[test]
fn compact_schemas_lose_deep_descriptions_and_optional_properties() {
    let mut schema = &compact(nested(9));
    // From depth 6, the description says that further properties are accepted.
    for depth in 1..=9 {
        assert_eq!(schema.get("description").is_some(), depth <= 3 || depth >= 6, "{depth}: {schema}");
        assert_eq!(schema["properties"].get("o").is_some(), depth < 6, "{depth}: {schema}");
        assert_eq!(schema.get("additionalProperties").is_some(), depth < 6);
        assert_eq!(schema["required"], json!(["r"]));
        schema = &schema["properties"]["r"];
    }
    assert_eq!(*schema, json!({"type": "string"}));
}

#[test]
fn schemas_over_the_limits_are_cut_with_a_warning_and_keep_required_properties() {
    let wide = |depth: usize| {
        let mut schema = json!({"type": "string"});
        for level in 0..depth {
            let mut properties: Map<String, Value> =
                (0..11).map(|index| (format!("p{level}_{index}"), schema.clone())).collect();
            properties.insert("needed".to_owned(), json!({"type": "integer"}));
            schema = json!({"type": "object", "properties": properties, "required": ["needed"]});
        }
        schema
    };
    let document = document(DocumentKind::OpenApi31, json!({"X": wide(3)}));
    let (schema, warnings) = tool_schema(&document, SchemaDirection::Request, SchemaDetail::Full);
    assert_eq!(warnings[0], ("schema_cut", "#/components/schemas/X".to_owned()));
    let argument = &schema["properties"]["x"];
    assert_eq!(argument["required"], json!(["needed"]));
    assert_eq!(argument["properties"]["needed"], json!({"type": "integer"}));
    assert_eq!(argument["properties"]["p2_0"]["required"], json!(["needed"]));
    let validator = compiled(&schema);
    assert!(validator.is_valid(&json!({"x": {"needed": 1, "other": true}})));
    assert!(!validator.is_valid(&json!({"x": {"needed": "1"}})));
}

#[test]
fn a_union_of_too_many_branches_becomes_an_argument_of_any_value() {
    let branches: Vec<Value> = (0..2000).map(|index| json!({"const": index})).collect();
    let document = document(DocumentKind::OpenApi31, json!({"X": {"anyOf": branches, "description": "D"}}));
    let (schema, warnings) = tool_schema(&document, SchemaDirection::Request, SchemaDetail::Compact);
    assert_eq!(schema["properties"]["x"], json!({"description": "D"}));
    assert_eq!(warnings[0].0, "schema_cut");
}

#[test]
fn too_many_arguments_for_the_limits_of_a_tool_are_an_error() {
    let document = document(DocumentKind::OpenApi31, json!({}));
    let resolver = ReferenceResolver::new(&document);
    let context = SchemaContext::new(&resolver);
    let arguments = |count: usize| {
        let argument = |index: usize| ArgumentSchema {
            name: format!("argument_{index}"),
            schema: json!({"type": "string", "description": "x".repeat(300)}),
            required: true,
            pointer: Pointer::root(),
        };
        (0..count).map(argument).collect::<Vec<_>>()
    };
    let converter = || SchemaConverter::new(&context, SchemaDirection::Request);
    let fitting = converter().input_schema(arguments(999), SchemaDetail::Full).unwrap();
    assert_eq!(fitting.schema.to_value()["properties"].as_object().unwrap().len(), 999);
    assert!(fitting.full_bytes > 300_000);
    assert!(converter().input_schema(arguments(1000), SchemaDetail::Full).is_err());
}
