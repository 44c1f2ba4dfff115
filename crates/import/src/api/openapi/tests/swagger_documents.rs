//! Swagger 2.0: bodies, forms, servers and security.

use serde_json::{Value, json};
use toolgate_domain::tool::BodyType;

use super::{codes, mapping, only_candidate, properties, required, swagger};
use crate::api::candidate::Candidate;

fn post(operation: &Value) -> Candidate {
    only_candidate(&swagger(&json!({"/x": {"post": operation}})))
}

#[test]
fn a_body_parameter_is_the_body() {
    let schema = json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "b": {"type": "string", "readOnly": true}}});
    let candidate = post(&json!({"parameters": [{"name": "pet", "in": "body", "required": true, "schema": schema}]}));
    assert_eq!(mapping(&candidate), json!({"a": {"location": "body"}}));
    assert_eq!((required(&candidate), candidate.body_required), (json!(["a"]), true));
    let optional = post(&json!({"parameters": [{"name": "pet", "in": "body", "schema": schema}]}));
    assert_eq!((required(&optional), optional.body_required), (json!([]), false));
    let list = post(
        &json!({"parameters": [{"name": "ids", "in": "body", "required": true, "schema": {"type": "array", "items": {"type": "integer"}}}]}),
    );
    assert_eq!(mapping(&list), json!({"body": {"location": "body", "whole": true}}));
}

#[test]
fn consumes_and_produces_decide_the_media_types() {
    let body =
        json!([{"name": "b", "in": "body", "schema": {"type": "object", "properties": {"a": {"type": "string"}}}}]);
    let candidate = post(
        &json!({"parameters": body, "consumes": ["application/xml", "application/vnd.x+json"], "produces": ["text/csv", "application/json"]}),
    );
    assert_eq!(candidate.headers.get("Content-Type").map(String::as_str), Some("application/vnd.x+json"));
    assert_eq!(candidate.headers.get("Accept").map(String::as_str), Some("application/json"));
    let mut document = swagger(&json!({"/x": {"post": {"parameters": body}}}));
    document["consumes"] = json!(["text/plain"]);
    document["produces"] = json!(["*/*"]);
    let candidate = only_candidate(&document);
    assert_eq!(candidate.body_type, BodyType::Raw);
    assert_eq!(candidate.headers.get("Accept"), None);
}

#[test]
fn form_data_is_a_form_or_multipart() {
    let field = |name: &str, kind: &str| json!({"name": name, "in": "formData", "type": kind});
    let candidate = post(&json!({"parameters": [field("a", "string"), field("b", "integer")]}));
    assert_eq!(mapping(&candidate), json!({"a": {"location": "body"}, "b": {"location": "body"}}));
    assert_eq!((candidate.body_type, candidate.body_required), (BodyType::Form, false));
    assert_eq!(properties(&candidate)["b"], json!({"type": "integer"}));
    let candidate = post(&json!({"consumes": ["multipart/form-data"], "parameters": [
        {"name": "a", "in": "formData", "type": "string", "required": true},
    ]}));
    assert_eq!((candidate.body_type, candidate.body_required), (BodyType::Multipart, true));
    let both = ["multipart/form-data", "application/x-www-form-urlencoded"];
    let candidate = post(&json!({"consumes": both, "parameters": [field("a", "string")]}));
    assert_eq!(candidate.body_type, BodyType::Form);
    let candidate = post(&json!({"consumes": both, "parameters": [field("a", "file"), field("n", "string")]}));
    assert_eq!(candidate.body_type, BodyType::Multipart);
    assert_eq!(mapping(&candidate), json!({"a": {"location": "body", "file": true}, "n": {"location": "body"}}));
}

#[test]
fn lists_in_forms_have_their_collection_format() {
    let list = |format: &str| json!({"name": "l", "in": "formData", "type": "array", "items": {"type": "string"}, "collectionFormat": format});
    let form = |format: &str| mapping(&post(&json!({"parameters": [list(format)]})))["l"].clone();
    assert_eq!(form("csv"), json!({"location": "body", "style": "form", "explode": false}));
    assert_eq!(form("multi"), json!({"location": "body", "style": "form", "explode": true}));
    assert_eq!(form("tsv"), json!({"location": "body", "style": "tabDelimited", "explode": false}));
    let part = post(&json!({"consumes": ["multipart/form-data"], "parameters": [list("csv")]}));
    assert_eq!((mapping(&part), codes(&part)), (json!({"l": {"location": "body"}}), vec!["list_as_text"]));
    assert_eq!(properties(&part)["l"]["type"], "string");
    let parts = post(&json!({"consumes": ["multipart/form-data"], "parameters": [list("multi")]}));
    assert_eq!(properties(&parts)["l"]["type"], "array");
}

#[test]
fn the_keywords_of_shared_parameters_become_their_schemas() {
    let mut document = swagger(&json!({"/x": {"get": {"parameters": [{"$ref": "#/parameters/limit"}]}}}));
    document["parameters"] = json!({"limit": {"name": "limit", "in": "query", "type": "integer", "maximum": 9, "default": 3, "required": true}});
    let candidate = only_candidate(&document);
    assert_eq!(properties(&candidate)["limit"], json!({"type": "integer", "maximum": 9, "description": "Default: 3."}));
    assert_eq!(required(&candidate), json!(["limit"]));
    assert!(candidate.warnings.is_empty(), "{:?}", candidate.warnings);
}
