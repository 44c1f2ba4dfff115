//! Documents that try to exhaust time or memory.

use super::*;

/// Converts the schema `X`. Without the limits, the conversions of this module would not end.
fn convert(definitions: Value) -> (Value, Vec<(&'static str, String)>) {
    let document = document(DocumentKind::OpenApi30, definitions);
    tool_schema(&document, SchemaDirection::Request, SchemaDetail::Full)
}

fn refer(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// Definitions `A0` to `A{count}`, of which `link` builds each from a reference to the next, and `X`, which refers to
/// `A0`.
fn chain(count: usize, link: impl Fn(&Value) -> Value) -> Value {
    let mut definitions = Map::new();
    for index in 0..count {
        definitions.insert(format!("A{index}"), link(&refer(&format!("A{}", index + 1))));
    }
    definitions.insert(format!("A{count}"), json!({"type": "string"}));
    definitions.insert("X".to_owned(), refer("A0"));
    Value::Object(definitions)
}

#[test]
fn repeated_references_do_not_multiply_the_schema() {
    for link in [
        |next: &Value| json!({"properties": {"a": next, "b": next}}),
        |next: &Value| json!({"allOf": [next, next]}),
        |next: &Value| json!({"oneOf": [next, next]}),
        |next: &Value| json!({"allOf": [{"properties": {"a": next}}, {"properties": {"a": next, "b": next}}]}),
        |next: &Value| json!({"items": [next, next, next]}),
    ] {
        convert(chain(30, link));
    }
}

#[test]
fn long_chains_of_references_do_not_exhaust_the_stack() {
    for link in [
        |next: &Value| json!({"properties": {"a": next}}),
        |next: &Value| json!({"allOf": [next, {"minLength": 1}]}),
        |next: &Value| json!({"anyOf": [next]}),
        |next: &Value| json!({"not": next}),
        |next: &Value| json!({"items": next}),
    ] {
        convert(chain(20_000, link));
    }
}

#[test]
fn deep_and_wide_schemas_are_cut() {
    let mut deep = json!({"type": "string"});
    for _ in 0..95 {
        deep = json!({"items": deep});
    }
    let (_, warnings) = convert(json!({"X": deep}));
    assert_eq!(warnings[0].0, "schema_cut");
    let values: Vec<Value> = (0..100_000).map(Value::from).collect();
    convert(json!({"X": {"enum": values}}));
    let properties: Map<String, Value> = (0..50_000).map(|index| (format!("p{index}"), json!({}))).collect();
    convert(json!({"X": {"properties": properties}}));
    convert(json!({"X": {"description": "x".repeat(5_000_000), "type": "string"}}));
    let required: Vec<String> = (0..50_000).map(|index| format!("p{index}")).collect();
    convert(json!({"X": {"required": required}}));
}

#[test]
fn many_patterns_stay_within_the_limits_of_a_tool() {
    let properties: Map<String, Value> = (0..500)
        .map(|index| (format!("p{index}"), json!({"pattern": format!("^[^a]{{1,{}}}$", 100 + index)})))
        .collect();
    let (schema, _) = convert(json!({"X": {"properties": properties}}));
    let pattern_count = schema.to_string().matches("pattern\"").count();
    assert!((10..100).contains(&pattern_count), "{pattern_count}");
}

#[test]
fn many_branches_are_merged_in_linear_time() {
    let branches = |branch: fn(usize) -> Value| -> Vec<Value> { (0..9000).map(branch).collect() };
    convert(json!({"X": {"allOf": branches(|index| json!({"properties": {format!("p{index}"): {}}}))}}));
    convert(json!({"X": {"allOf": branches(|index| json!({"required": [format!("p{index}")]}))}}));
    convert(json!({"X": {"allOf": branches(|index| json!({"const": index}))}}));
    convert(json!({"X": {"allOf": branches(|_| json!({"enum": [1, 2, 3]}))}}));
}

#[test]
fn references_to_nested_schemas_do_not_multiply_the_schema() {
    let wide: Map<String, Value> = (0..500).map(|index| (format!("p{index}"), json!({"type": "string"}))).collect();
    let mut nested = json!({"properties": wide});
    for _ in 0..50 {
        nested = json!({"properties": {"n": nested}});
    }
    let mut path = "#/components/schemas/A".to_owned();
    let references: Vec<Value> = (0..50)
        .map(|_| {
            path.push_str("/properties/n");
            json!({"$ref": path})
        })
        .collect();
    convert(json!({"A": nested, "X": {"anyOf": references}}));
}
