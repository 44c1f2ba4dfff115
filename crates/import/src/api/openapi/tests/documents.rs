//! Whole documents: the reply, methods, names, filters, responses, limits.

use std::time::Duration;

use serde_json::{Value, json};

use super::{document, get, import, import_with, only_candidate, post, problems};
use crate::api::error::ApiError;
use crate::api::filter::{DeprecatedOperations, OperationFilter};
use crate::api::options::{ImportOptions, NamingRule};
use crate::api::read;

#[test]
fn long_titles_and_versions_are_cut_and_have_no_control_characters() {
    let long = format!("\0{}", "x".repeat(1000));
    let document = json!({"openapi": format!("3.1.{long}"), "info": {"title": long, "version": long}, "paths": {}});
    let import = import(&document);
    assert_eq!((import.info.title.len(), import.info.version.len(), import.version.len()), (200, 50, 50));
    assert!(!format!("{} {} {}", import.info.title, import.info.version, import.version).contains('\0'));
}

#[test]
fn the_reply_has_the_documented_form() {
    let mut document = document(&json!({"/pets/{id}": {
        "get": {
            "operationId": "getPet", "summary": "Find a pet", "description": "By its id.", "tags": ["pet"],
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
            "responses": {"200": {"content": {"application/json": {}}}},
        },
        "trace": {},
    }}));
    document["webhooks"] = json!({"a": {}});
    let reply = json!(import(&document));
    let candidate = &reply["candidates"][0];
    let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
    let mut expected = json!({
        "format": "openapi", "version": "3.1.0", "info": {"title": "Petstore", "version": "1"},
        "document_sha256": reply["document_sha256"], "server_url": "https://api.example.com/v1",
        "servers": [{"url": "https://api.example.com/v1/", "description": null, "variables": {}}],
        "security_schemes": [],
        "totals": {
            "operations": 2, "candidates": 1, "problems": 1, "filtered": 0,
            "estimated_tokens": candidate["estimated_tokens"], "unlisted": 0, "webhooks": 1,
        },
        "candidates": [{
            "temp_id": candidate["temp_id"], "operation": "GET /pets/{id}", "operation_id": "getPet",
            "pointer": "#/paths/~1pets~1{id}/get", "name": "get_pet", "slug": "get_pet", "title": "Find a pet",
            "description": "Find a pet\n\nBy its id.", "endpoint_url": "https://api.example.com/v1/pets/{id}",
            "http_method": "GET", "input_schema": schema, "parameter_mapping": {"id": {"location": "path"}},
            "body_type": "json", "body_required": false, "headers": {"Accept": "application/json"},
            "auth_type": "none", "credential": null, "output_schema": null,
            "annotations": {"title": "Find a pet", "readOnlyHint": true, "openWorldHint": true},
            "tags": ["pet"], "deprecated": false, "estimated_tokens": candidate["estimated_tokens"],
            "schema_full_tokens": candidate["schema_full_tokens"], "conflict": null, "warnings": [],
        }],
        "problems": [{
            "pointer": "#/paths/~1pets~1{id}/trace", "operation": "TRACE /pets/{id}", "code": "method_unsupported",
            "message": "Tools do not have the method TRACE.",
        }],
        "warnings": [],
    });
    // The position of `required` among the keys of the schema is not part of the form.
    expected["candidates"][0]["input_schema"] = candidate["input_schema"].clone();
    assert_eq!(reply, expected);
    assert_eq!(candidate["input_schema"], schema);
    assert_eq!(reply["document_sha256"].as_str().unwrap().len(), 64);
    assert!(candidate["temp_id"].as_str().unwrap().starts_with("op_"));
}

#[test]
fn every_method_is_an_operation() {
    let methods = ["get", "put", "post", "delete", "options", "head", "patch"];
    let item: serde_json::Map<String, Value> = methods.iter().map(|method| ((*method).to_owned(), json!({}))).collect();
    let import = import(&document(&json!({"/x": item, "x-y": {"get": {}}})));
    let found: Vec<_> = import.candidates.iter().map(|one| one.http_method.to_lowercase()).collect();
    assert_eq!(found, methods);
    let hints = |method: &str| {
        let candidate = import.candidates.iter().find(|one| one.http_method == method).unwrap();
        candidate.annotations.to_value()
    };
    for method in ["GET", "HEAD", "OPTIONS"] {
        assert_eq!(hints(method), json!({"readOnlyHint": true, "openWorldHint": true}));
    }
    assert_eq!(hints("PUT"), json!({"idempotentHint": true, "openWorldHint": true}));
    assert_eq!(hints("DELETE"), json!({"destructiveHint": true, "idempotentHint": true, "openWorldHint": true}));
    assert_eq!(hints("POST"), json!({"openWorldHint": true}));
}

#[test]
fn additional_operations_with_other_methods_are_problems() {
    let import = import(&document(&json!({"/x": {"additionalOperations": {"COPY": {}, "POST": {}}}})));
    assert_eq!(problems(&import), [(json!("method_unsupported"), Some("COPY /x"))]);
    assert_eq!(import.candidates[0].pointer.to_string(), "#/paths/~1x/additionalOperations/POST");
}

#[test]
fn path_items_are_resolved_and_their_texts_inherited() {
    let mut document =
        document(&json!({"/a": {"$ref": "#/components/pathItems/P"}, "/b": {"$ref": "#/nowhere"}, "/c": 1}));
    document["components"] = json!({"pathItems": {"P": {"summary": "All", "description": "Inherited.", "get": {}, "post": {"summary": "Own"}}}});
    let import = import(&document);
    let texts: Vec<_> = import.candidates.iter().map(|one| one.description.as_str()).collect();
    assert_eq!(texts, ["All\n\nInherited.", "Own\n\nInherited."]);
    assert_eq!(import.candidates[0].pointer.to_string(), "#/paths/~1a/get");
    assert_eq!(problems(&import), [(json!("ref_unresolved"), Some("/b")), (json!("malformed"), Some("/c"))]);
}

#[test]
fn descriptions_are_never_empty_and_mention_deprecation() {
    assert_eq!(get(&json!([])).description, "GET /x of Petstore");
    let candidate = post(&json!({"summary": "Old", "deprecated": true}));
    assert_eq!((candidate.description.as_str(), candidate.deprecated), ("Deprecated. Old", true));
    let candidate = post(&json!({"summary": "a\u{202E}b", "tags": ["t\u{200B}", "t", "", "x".repeat(70)]}));
    assert_eq!(candidate.description, "ab");
    assert_eq!(candidate.tags, ["t".to_owned(), "x".repeat(64)]);
}

#[test]
fn the_first_success_decides_the_accept_header() {
    for (responses, accept) in [
        (json!({"200": {"content": {"text/csv": {}, "application/json": {}}}}), Some("application/json")),
        (json!({"200": {"content": {"text/csv": {}, "application/hal+json": {}}}}), Some("application/hal+json")),
        (json!({"200": {"content": {"text/csv": {}, "text/html": {}}}}), Some("text/csv")),
        (json!({"200": {"content": {"*/*": {}}}}), None),
        (
            json!({"204": {}, "default": {"content": {"application/problem+json": {}}}}),
            Some("application/problem+json"),
        ),
        (json!({"default": {"content": {"a/b": {}}}, "2XX": {"content": {"c/d": {}}}}), Some("c/d")),
        (json!({"404": {"content": {"a/b": {}}}}), None),
        (json!({"200": {"$ref": "#/nowhere"}}), None),
        (json!({}), None),
    ] {
        let candidate = post(&json!({"responses": responses}));
        assert_eq!(candidate.headers.get("Accept").map(String::as_str), accept, "{responses}");
    }
}

#[test]
fn the_output_schema_has_only_optional_members_and_allows_others() {
    let schema = json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": {"a": {"type": "string"}, "required": {"type": "object", "required": ["b"], "properties": {"b": {"type": "string"}}}},
    });
    let with = |schema: &Value| {
        let document = document(
            &json!({"/x": {"get": {"responses": {"200": {"content": {"application/json": {"schema": schema}}}}}}}),
        );
        let options = ImportOptions { output_schema: true, ..ImportOptions::default() };
        import_with(&document, &options).unwrap().candidates.remove(0).output_schema.map(|schema| schema.to_value())
    };
    assert_eq!(
        with(&schema),
        Some(json!({
            "type": "object",
            "properties": {"a": {"type": "string"}, "required": {"type": "object", "properties": {"b": {"type": "string"}}}},
        }))
    );
    assert_eq!(with(&json!({"type": "array", "items": {}})), None);
    assert!(get(&json!([])).output_schema.is_none());
}

#[test]
fn names_do_not_depend_on_the_filter() {
    let document = document(&json!({
        "/cats": {"get": {"operationId": "list", "tags": ["cats"]}},
        "/dogs": {"get": {"operationId": "list", "tags": ["dogs"], "deprecated": true}},
    }));
    let filtered = |filter: OperationFilter| {
        let import = import_with(&document, &ImportOptions { filter, ..ImportOptions::default() }).unwrap();
        let names: Vec<_> = import.candidates.iter().map(|one| one.name.clone()).collect();
        (names.join(" "), import.totals.filtered)
    };
    assert_eq!(filtered(OperationFilter::default()), ("list list_dogs".to_owned(), 0));
    let dogs = OperationFilter { include_tags: vec!["dogs".to_owned()], ..OperationFilter::default() };
    assert_eq!(filtered(dogs), ("list_dogs".to_owned(), 1));
    let current = OperationFilter { deprecated: DeprecatedOperations::Exclude, ..OperationFilter::default() };
    assert_eq!(filtered(current), ("list".to_owned(), 1));
    let by_path = import_with(&document, &ImportOptions { names: NamingRule::Path, ..ImportOptions::default() });
    assert_eq!(by_path.unwrap().candidates[0].name, "get_cats");
}

#[test]
fn a_document_that_cannot_be_read_at_all_is_an_error() {
    let read = |text: &str| read(text.as_bytes(), &ImportOptions::default());
    assert!(matches!(read("{"), Err(ApiError::Document(_))));
    assert!(matches!(read(r#"{"openapi": "3.1.0", "info": {}}"#), Err(ApiError::NoPaths)));
    assert!(matches!(read(r#"{"openapi": "3.1.0", "info": {}, "paths": []}"#), Err(ApiError::NoPaths)));
    let document = document(&json!({"/x": {"get": {}}}));
    let refused = import_with(&document, &ImportOptions { time_limit: Duration::ZERO, ..ImportOptions::default() });
    assert!(matches!(refused, Err(ApiError::Timeout { read: 0, operations: 1 })));
}

#[test]
fn the_number_of_operations_is_limited() {
    let paths: serde_json::Map<String, Value> = (0..5_002).map(|n| (format!("/p{n}"), json!({"get": {}}))).collect();
    // Slow machines need more than the usual time for so many operations.
    let options = ImportOptions { time_limit: Duration::from_mins(10), ..ImportOptions::default() };
    let import = import_with(&document(&paths.into()), &options).unwrap();
    assert_eq!((import.candidates.len(), import.totals.candidates, import.totals.unlisted), (5_000, 5_002, 2));
    let paths: serde_json::Map<String, Value> = (0..20_001).map(|n| (format!("/p{n}"), json!({"trace": {}}))).collect();
    let import = import_with(&document(&paths.into()), &options).unwrap();
    assert_eq!((import.totals.operations, import.problems.len(), import.totals.unlisted), (20_001, 20_000, 1));
    assert_eq!(import.warnings[0].code, "too_many_operations");
}

#[test]
fn a_large_tool_has_a_warning() {
    let properties: serde_json::Map<String, Value> =
        (0..50).map(|n| (format!("p{n}"), json!({"type": "string", "description": "x".repeat(250)}))).collect();
    let candidate = post(
        &json!({"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": properties}}}}}),
    );
    assert!(super::codes(&candidate).contains(&"many_tokens"));
    assert!(only_candidate(&document(&json!({"/x": {"get": {}}}))).estimated_tokens < 50);
}
