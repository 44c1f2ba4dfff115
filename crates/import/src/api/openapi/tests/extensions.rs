//! Overlays that are passed to the import, and extensions in the document.

use serde_json::{Value, json};

use super::{document, import, import_with, mapping, only_candidate, problems, properties, required};
use crate::api::error::ApiError;
use crate::api::options::ImportOptions;
use crate::api::report::ApiImport;

fn with_overlay(document: &Value, overlay: &Value) -> Result<ApiImport, ApiError> {
    let overlay = overlay.as_object().unwrap().clone();
    import_with(document, &ImportOptions { overlay, ..ImportOptions::default() })
}

fn pets() -> Value {
    document(&json!({"/pets/{id}": {"get": {
        "operationId": "getPet",
        "x-toolgate-name": "pet",
        "parameters": [
            {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
            {"name": "limit", "in": "query", "schema": {"type": "integer"}},
        ],
    }}}))
}

#[test]
fn the_overlay_changes_the_candidate() {
    let import = with_overlay(
        &pets(),
        &json!({"GET /pets/{id}": {
            "name": "find_pet", "description": "Finds.", "tags": ["x"], "status": "paused", "timeout": 10,
            "arguments": {
                "query:limit": {"rename": "max", "description": "At most.", "default": 20, "schema": {"maximum": 100}},
                "path:id": {"fixed": "7"},
            },
        }}),
    )
    .unwrap();
    let candidate = &import.candidates[0];
    assert_eq!((candidate.name.as_str(), candidate.description.as_str()), ("find_pet", "Finds."));
    assert_eq!(
        (candidate.timeout, json!(candidate.status), &candidate.tags[..]),
        (Some(10), json!("paused"), &["x".to_owned()][..])
    );
    assert_eq!(
        mapping(candidate),
        json!({"id": {"location": "path", "value": "7"}, "max": {"location": "query", "name": "limit"}})
    );
    assert_eq!(
        properties(candidate)["max"],
        json!({"type": "integer", "description": "At most.", "default": 20, "maximum": 100})
    );
}

#[test]
fn hidden_operations_are_filtered_and_hidden_arguments_are_not_sent() {
    let import = with_overlay(&pets(), &json!({"*": {"hidden": true}})).unwrap();
    assert_eq!((import.candidates.len(), import.totals.filtered), (0, 1));
    let import = with_overlay(&pets(), &json!({"*": {"arguments": {"query:limit": {"hidden": true}}}})).unwrap();
    assert_eq!(mapping(&import.candidates[0]), json!({"id": {"location": "path"}}));
    let refused = with_overlay(&pets(), &json!({"*": {"arguments": {"path:id": {"hidden": true}}}}));
    let Err(ApiError::Argument { field, .. }) = refused else { panic!("a required argument was hidden") };
    assert_eq!(field, "overlay[GET /pets/{id}][arguments][path:id][hidden]");
}

#[test]
fn extensions_of_the_document_are_an_overlay() {
    let candidate = only_candidate(&document(&json!({"/x": {"post": {
        "x-mcp": {"name": "send it", "description": "Sends.", "annotations": {"destructiveHint": false}},
        "parameters": [
            {"name": "a", "in": "query", "x-toolgate-fixed": 1, "schema": {"type": "integer"}},
            {"name": "b", "in": "query", "schema": {"type": "integer", "x-toolgate-hidden": true}},
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {
            "type": "object", "required": ["c"], "properties": {
                "c": {"type": "string", "x-toolgate-name": "text", "x-toolgate-description": "T"},
                "d": {"type": "integer", "x-toolgate-default": 3},
            },
        }}}},
    }}})));
    assert_eq!((candidate.name.as_str(), candidate.description.as_str()), ("send_it", "Sends."));
    assert_eq!(candidate.annotations.to_value(), json!({"destructiveHint": false, "openWorldHint": true}));
    assert_eq!(
        mapping(&candidate),
        json!({
            "a": {"location": "query", "value": 1},
            "text": {"location": "body", "name": "c"},
            "d": {"location": "body"},
        })
    );
    assert_eq!(properties(&candidate)["text"]["description"], "T");
    assert_eq!(properties(&candidate)["d"]["default"], 3);
    assert_eq!(required(&candidate), json!(["text"]));
    let hidden = import(&document(&json!({"/x": {"get": {"parameters": [
        {"name": "a", "in": "query", "required": true, "x-toolgate-hidden": true, "schema": {"type": "integer"}},
    ]}}})));
    assert_eq!(problems(&hidden), [(json!("malformed"), Some("GET /x"))]);
}
