//! Tests of Postman collections.

mod auth;
mod bodies;
mod collections;
mod parameters;
mod variables;

use serde_json::{Value, json};

use crate::api;
use crate::api::candidate::Candidate;
use crate::api::options::ImportOptions;
use crate::api::report::ApiImport;

/// Reads a collection with these members.
fn read_with(members: &Value, options: &ImportOptions) -> ApiImport {
    let mut collection = json!({
        "info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
    });
    collection.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    api::read(collection.to_string().as_bytes(), options).unwrap()
}

fn read(members: &Value) -> ApiImport {
    read_with(members, &ImportOptions::default())
}

/// The tool of a collection with one request.
#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn tool(request: Value) -> Candidate {
    let import = read(&json!({"item": [{"name": "Test", "request": request}]}));
    assert!(import.problems.is_empty(), "{:?}", import.problems);
    import.candidates.into_iter().next().unwrap()
}

/// The codes of the warnings of a tool.
fn codes(tool: &Candidate) -> Vec<&str> {
    tool.warnings.iter().map(|warning| warning.code).collect()
}

fn schema(tool: &Candidate) -> Value {
    tool.input_schema.to_value()
}

fn mapping(tool: &Candidate) -> Value {
    tool.parameter_mapping.to_value()
}
