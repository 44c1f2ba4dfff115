//! The limits on patterns in the import of API descriptions and in the schema compiler agree: a pattern that the import
//! keeps can be compiled.

use serde_json::{Map, Value, json};
use toolgate_execution::arguments::InputSchema;
use toolgate_import::api::options::ImportOptions;
use toolgate_import::api::read;

/// Patterns that are expensive in different ways; `N` is replaced by a number, so that all of them are different.
const PATTERNS: [&str; 12] = [
    "^[a-z]{1,N}$",
    "^[^a]{N}$",
    r"^\p{L}{1,N}$",
    r"^\w+\s\d+\S\W\DN$",
    r"^(\w{1,30}\s){N}$",
    "^((a{N}){20}){5}$",
    r"^(\p{L}{3}){N}$",
    "^.{N}.*$",
    r"^[\s\S]{0,N}$",
    "^(a|b|c|N)+$",
    r"^[\u0000-\uffff]{N}$",
    "N",
];

fn properties(count: usize, repetition: usize) -> Value {
    let property = |index: usize| {
        let pattern = PATTERNS[index % PATTERNS.len()].replace('N', &(repetition + index).to_string());
        (format!("p{index}"), json!({"type": "string", "pattern": pattern}))
    };
    Value::Object((0..count).map(property).collect::<Map<String, Value>>())
}

#[test]
fn patterns_that_the_import_keeps_compile_in_every_tool() {
    let sizes = [1, 5, 12, 55].into_iter().flat_map(|count| [1, 40, 300, 2_000].map(|size| (count, size)));
    let paths: Map<String, Value> = sizes
        .map(|(count, size)| {
            let schema = json!({"type": "object", "properties": {"a": {"type": "object", "properties": properties(count, size)}}});
            let body = json!({"content": {"application/json": {"schema": schema}}});
            (format!("/{count}/{size}"), json!({"post": {"requestBody": body}}))
        })
        .collect();
    let document = json!({"openapi": "3.1.0", "info": {}, "servers": [{"url": "https://a.example"}], "paths": paths});
    let import = read(document.to_string().as_bytes(), &ImportOptions::default()).unwrap();
    assert_eq!((import.candidates.len(), import.problems.len()), (16, 0));
    for candidate in &import.candidates {
        let compiled = InputSchema::compile(&candidate.input_schema.to_value());
        assert!(compiled.is_ok(), "{}: {}", candidate.operation, compiled.err().unwrap());
    }
    let kept = import.candidates.iter().filter(|candidate| candidate.input_schema.as_str().contains("pattern"));
    assert!(kept.count() > 8, "most tools keep patterns");
}
