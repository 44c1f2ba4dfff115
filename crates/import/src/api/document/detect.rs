//! The format of a document, by the members of its root.

use serde_json::Value;

use crate::api::document::DocumentKind;

/// The format; `None` if it is unknown.
pub(super) fn kind(root: &Value) -> Option<DocumentKind> {
    if let Some(version) = root.get("openapi").and_then(version_text) {
        return openapi_kind(&version);
    }
    if let Some(version) = root.get("swagger").and_then(version_text) {
        return is_version(&version, "2").then_some(DocumentKind::Swagger20);
    }
    if root.pointer("/log/entries").is_some_and(Value::is_array) {
        return Some(DocumentKind::Har);
    }
    let is_collection = root.get("info").is_some_and(Value::is_object) && root.get("item").is_some_and(Value::is_array);
    is_collection.then_some(DocumentKind::Postman21)
}

/// The version of the format as the document writes it.
pub(super) fn version(root: &Value, kind: DocumentKind) -> String {
    let member = match kind {
        DocumentKind::Swagger20 => root.get("swagger"),
        DocumentKind::OpenApi30 | DocumentKind::OpenApi31 | DocumentKind::OpenApi32 => root.get("openapi"),
        DocumentKind::Postman21 => None,
        DocumentKind::Har => root.pointer("/log/version"),
    };
    member.and_then(version_text).unwrap_or_else(|| if kind == DocumentKind::Har { "1.2" } else { "2.1" }.to_owned())
}

/// A version, also one that YAML reads as a number.
fn version_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Minor versions after 3.2 are read as 3.2.
fn openapi_kind(version: &str) -> Option<DocumentKind> {
    match version {
        _ if is_version(version, "3.0") || version == "3" => Some(DocumentKind::OpenApi30),
        _ if is_version(version, "3.1") => Some(DocumentKind::OpenApi31),
        _ if is_version(version, "3") => Some(DocumentKind::OpenApi32),
        _ => None,
    }
}

fn is_version(version: &str, prefix: &str) -> bool {
    version.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
}
