//! Documents that are made to exhaust time or memory.

use std::time::{Duration, Instant};

use super::*;

/// Generous, because tests run in debug builds next to others.
const TIME_MAX: Duration = Duration::from_secs(5);

/// Converts the schema `X` within the time.
#[track_caller]
fn convert_quickly(definitions: Value) -> (Value, Vec<(&'static str, String)>) {
    let document = document(DocumentKind::OpenApi30, definitions);
    let start = Instant::now();
    let result = tool_schema(&document, SchemaDirection::Request, SchemaDetail::Full);
    assert!(start.elapsed() < TIME_MAX, "{:?}", start.elapsed());
    result
}

fn refer(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// Definitions `A0` to `A{count}`, each made from the name of the next, and `X`, which refers to the first.
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
fn fan_out_does_not_multiply() {
    for link in [
        |next: &Value| json!({"properties": {"a": next, "b": next}}),
        |next: &Value| json!({"allOf": [next, next]}),
        |next: &Value| json!({"oneOf": [next, next]}),
        |next: &Value| json!({"allOf": [{"properties": {"a": next}}, {"properties": {"a": next, "b": next}}]}),
        |next: &Value| json!({"items": [next, next, next]}),
    ] {
        convert_quickly(chain(30, link));
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
        convert_quickly(chain(20_000, link));
    }
}

#[test]
fn deep_and_wide_schemas_are_cut() {
    let mut deep = json!({"type": "string"});
    for _ in 0..95 {
        deep = json!({"items": deep});
    }
    let (_, warnings) = convert_quickly(json!({"X": deep}));
    assert_eq!(warnings[0].0, "schema_cut");
    let values: Vec<Value> = (0..100_000).map(Value::from).collect();
    convert_quickly(json!({"X": {"enum": values}}));
    let properties: Map<String, Value> = (0..50_000).map(|index| (format!("p{index}"), json!({}))).collect();
    convert_quickly(json!({"X": {"properties": properties}}));
    convert_quickly(json!({"X": {"description": "x".repeat(5_000_000), "type": "string"}}));
    let required: Vec<String> = (0..50_000).map(|index| format!("p{index}")).collect();
    convert_quickly(json!({"X": {"required": required}}));
}

#[test]
fn many_patterns_stay_within_the_limits_of_a_tool() {
    let properties: Map<String, Value> = (0..500)
        .map(|index| (format!("p{index}"), json!({"pattern": format!("^[^a]{{1,{}}}$", 100 + index)})))
        .collect();
    let (schema, _) = convert_quickly(json!({"X": {"properties": properties}}));
    let kept = schema.to_string().matches("pattern\"").count();
    assert!((10..100).contains(&kept), "{kept}");
}

#[test]
fn many_branches_are_merged_in_linear_time() {
    let branches = |branch: fn(usize) -> Value| -> Vec<Value> { (0..9000).map(branch).collect() };
    convert_quickly(json!({"X": {"allOf": branches(|index| json!({"properties": {format!("p{index}"): {}}}))}}));
    convert_quickly(json!({"X": {"allOf": branches(|index| json!({"required": [format!("p{index}")]}))}}));
    convert_quickly(json!({"X": {"allOf": branches(|index| json!({"const": index}))}}));
    convert_quickly(json!({"X": {"allOf": branches(|_| json!({"enum": [1, 2, 3]}))}}));
}

#[test]
fn targets_within_each_other_do_not_multiply() {
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
    convert_quickly(json!({"A": nested, "X": {"anyOf": references}}));
}
