//! The reply of an import that is not committed, and the documentation of both replies.

use serde::Serialize;
use serde_json::{Value, json};
use toolgate_import::api::report::ApiImport;

use crate::route::ReplyDoc;
use crate::schema::{NamedSchema, ReplyObject as _, ReplyValue as _};
use crate::wire::document_drift::DocumentDriftOut;
use crate::wire::tool_import::ToolImportOut;

/// The reply of an import without `commit`.
#[derive(Serialize)]
pub(super) struct ImportPreview<'a> {
    #[serde(flatten)]
    pub(super) import: &'a ApiImport,
    /// The document itself, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) content: Option<&'a str>,
}

/// The reply of an import: the candidates or, with `commit`, the outcome for each.
pub(super) fn doc() -> ReplyDoc {
    let (candidates, outcome) = (import_schema(), ToolImportOut::schema());
    ReplyDoc::named(200, "ApiImportReply", json!({"oneOf": [candidates, outcome]}))
        .part(NamedSchema::new("ApiImport", candidates))
        .part(NamedSchema::new("ApiCandidate", candidate_schema()))
        .part(NamedSchema::new("ApiProblem", problem_schema()))
        .part(NamedSchema::new(ToolImportOut::name(), outcome))
}

/// The reply of a refresh: the differences, and the candidates or, with `commit`, the outcome for each.
pub(super) fn refresh_doc() -> ReplyDoc {
    let (drift, candidates, outcome) = (DocumentDriftOut::schema(), import_schema(), ToolImportOut::schema());
    let with_drift = |part: &Value| {
        let mut schema = part.clone();
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.insert("drift".to_owned(), drift.clone());
        }
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.push("drift".into());
        }
        schema
    };
    ReplyDoc::named(200, "DocumentRefreshReply", json!({"oneOf": [with_drift(&candidates), with_drift(&outcome)]}))
        .part(NamedSchema::new("DocumentRefresh", with_drift(&candidates)))
        .part(NamedSchema::new("DocumentRefreshOutcome", with_drift(&outcome)))
        .part(NamedSchema::new("ApiCandidate", candidate_schema()))
        .part(NamedSchema::new("ApiProblem", problem_schema()))
        .part(NamedSchema::new(DocumentDriftOut::name(), drift))
}

fn object(properties: &Value) -> Value {
    let required: Vec<&String> = properties.as_object().map(|members| members.keys().collect()).unwrap_or_default();
    json!({"type": "object", "required": required, "properties": properties})
}

fn import_schema() -> Value {
    let mut schema = object(&json!({
        "format": {"type": "string"},
        "version": {"type": "string", "description": "Version of the format."},
        "info": object(&json!({"title": {"type": "string"}, "version": {"type": "string"}})),
        "document_sha256": {"type": "string"},
        "server_url": {"type": ["string", "null"], "description": "Null if the document has no absolute server URL."},
        "servers": {"type": "array", "items": {"type": "object"}},
        "security_schemes": {"type": "array", "items": {"type": "object"}},
        "totals": totals_schema(),
        "candidates": {"type": "array", "items": candidate_schema()},
        "problems": {"type": "array", "items": problem_schema()},
        "warnings": {"type": "array", "items": {"type": "object"}},
    }));
    schema["properties"]["content"] = json!({"type": "string", "description": "With include_content: the document."});
    schema
}

fn totals_schema() -> Value {
    let mut totals = object(&json!({
        "operations": {"type": "integer"},
        "candidates": {"type": "integer"},
        "problems": {"type": "integer"},
        "filtered": {"type": "integer"},
        "estimated_tokens": {"type": "integer"},
        "unlisted": {"type": "integer", "description": "Candidates that are not listed, because there are too many."},
        "webhooks": {"type": "integer", "description": "Webhooks, which are not imported."},
    }));
    totals["properties"]["left_out"] = json!({
        "type": "object",
        "additionalProperties": {"type": "integer"},
        "description": "Parts of a collection or a recording that are not imported, by reason; absent if there are none.",
    });
    totals
}

fn candidate_schema() -> Value {
    object(&json!({
        "temp_id": {"type": "string", "description": "The same in both phases and in every version of the document."},
        "operation": {"type": "string", "description": "Method and path."},
        "operation_id": {"type": ["string", "null"]},
        "pointer": {"type": "string"},
        "name": {"type": "string"},
        "title": {"type": ["string", "null"]},
        "description": {"type": "string"},
        "endpoint_url": {"type": "string"},
        "http_method": {"type": "string"},
        "input_schema": {"type": "object"},
        "parameter_mapping": {"type": "object"},
        "body_type": {"type": "string"},
        "body_required": {"type": "boolean"},
        "headers": {"type": "object"},
        "auth_type": {"type": "string"},
        "credential": {"type": ["string", "null"]},
        "output_schema": {"type": ["object", "null"]},
        "annotations": {"type": "object"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "deprecated": {"type": "boolean"},
        "estimated_tokens": {"type": "integer"},
        "schema_full_tokens": {"type": "integer"},
        "conflict": {"type": ["integer", "null"], "description": "Id of the tool of the server that has this name."},
        "warnings": {"type": "array", "items": {"type": "object"}},
    }))
}

fn problem_schema() -> Value {
    object(&json!({
        "pointer": {"type": "string"},
        "operation": {"type": ["string", "null"]},
        "code": {"type": "string"},
        "message": {"type": "string"},
    }))
}
