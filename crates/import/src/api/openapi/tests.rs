//! Small documents, and the tools that they become.

mod bodies;
mod documents;
mod extensions;
mod hostile;
mod parameters;
mod security;
mod servers;
mod styles;
mod swagger_documents;

use serde_json::{Map, Value, json};

use crate::api::candidate::Candidate;
use crate::api::error::ApiError;
use crate::api::options::ImportOptions;
use crate::api::read;
use crate::api::report::ApiImport;

/// Imports a document with these options.
fn import_with(document: &Value, options: &ImportOptions) -> Result<ApiImport, ApiError> {
    read(document.to_string().as_bytes(), options)
}

fn import(document: &Value) -> ApiImport {
    import_with(document, &ImportOptions::default()).unwrap()
}

/// A document of OpenAPI 3.1 with these paths.
fn document(paths: &Value) -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Petstore", "version": "1"},
        "servers": [{"url": "https://api.example.com/v1/"}],
        "paths": paths,
    })
}

/// A document of Swagger 2.0 with these paths.
fn swagger(paths: &Value) -> Value {
    json!({
        "swagger": "2.0",
        "info": {"title": "Petstore", "version": "1"},
        "host": "api.example.com",
        "basePath": "/v2",
        "paths": paths,
    })
}

/// The only candidate of a document, which has no problems.
fn only_candidate(document: &Value) -> Candidate {
    let mut import = import(document);
    assert!(import.problems.is_empty(), "{:?}", import.problems);
    assert_eq!(import.candidates.len(), 1);
    import.candidates.remove(0)
}

/// The candidate of an operation of OpenAPI 3.1 at `POST /x`.
fn post(operation: &Value) -> Candidate {
    only_candidate(&document(&json!({"/x": {"post": operation}})))
}

/// The candidate of `GET /x` with these parameters.
fn get(parameters: &Value) -> Candidate {
    only_candidate(&document(&json!({"/x": {"get": {"parameters": parameters}}})))
}

fn mapping(candidate: &Candidate) -> Value {
    candidate.parameter_mapping.to_value()
}

fn properties(candidate: &Candidate) -> Map<String, Value> {
    candidate.input_schema.to_value()["properties"].as_object().unwrap().clone()
}

fn required(candidate: &Candidate) -> Value {
    candidate.input_schema.to_value().get("required").cloned().unwrap_or_else(|| json!([]))
}

fn codes(candidate: &Candidate) -> Vec<&'static str> {
    candidate.warnings.iter().map(|warning| warning.code).collect()
}

/// The code of each problem with its operation.
fn problems(import: &ApiImport) -> Vec<(Value, Option<&str>)> {
    import.problems.iter().map(|problem| (json!(problem.code), problem.operation.as_deref())).collect()
}
