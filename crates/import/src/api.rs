//! Reads a description of a whole API as candidates for tools.
//!
//! `document` parses the bytes, `reference` resolves `$ref`, `schema` converts schemas to JSON Schema 2020-12,
//! `openapi` maps each operation to a [`candidate::Candidate`]; `postman` and `har` make candidates of requests. An
//! operation that cannot become a tool is a [`problem::Problem`] with a JSON pointer; the other operations are still
//! read.

mod annotations;
mod argument;
pub mod candidate;
mod candidate_hash;
mod description;
pub mod document;
pub mod drift;
pub mod error;
mod file_object;
pub mod filter;
mod har;
pub mod inspection;
pub mod known_operations;
pub mod left_out;
mod naming;
mod openapi;
pub mod options;
mod overlay;
mod pointer;
mod postman;
pub mod problem;
mod reference;
pub mod report;
pub mod request_auth;
mod request_import;
mod request_tool;
pub mod schema;
mod text_cleaning;
mod tokens;
pub mod tool_edit;
mod url_text;
mod validation;

use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest, Sha256};
use toolgate_domain::json::JsonObject;

use crate::api::document::{Document, DocumentKind};
use crate::api::error::ApiError;
use crate::api::options::ImportOptions;
use crate::api::overlay::Overlay;
use crate::api::report::ApiImport;

/// Reads a document. Nothing is fetched, and nothing is created.
pub fn read(bytes: &[u8], options: &ImportOptions) -> Result<ApiImport, ApiError> {
    let document = Document::parse(bytes)?;
    match document.kind {
        DocumentKind::Swagger20 | DocumentKind::OpenApi30 | DocumentKind::OpenApi31 | DocumentKind::OpenApi32 => {
            openapi::read(document, options, sha256(bytes))
        }
        DocumentKind::Postman21 => postman::read(document, options, sha256(bytes)),
        DocumentKind::Har => har::read(document, options, sha256(bytes)),
    }
}

/// Whether documents of this format can contain credentials, which must not be shown to everyone who may see the tools.
pub fn contains_credentials(format: &str) -> bool {
    matches!(format, "postman" | "har")
}

/// Whether a stored document is of a format that contains credentials, or cannot be read.
pub fn may_hold_credentials(bytes: &[u8]) -> bool {
    Document::parse(bytes).map_or(true, |document| matches!(document.kind, DocumentKind::Postman21 | DocumentKind::Har))
}

/// Checks an overlay that is stored for later imports.
pub fn check_overlay(overlay: &JsonObject) -> Result<(), ApiError> {
    match overlay.to_value() {
        Value::Object(members) => Overlay::parse(&members).map(drop),
        _ => Ok(()),
    }
}

/// The temporary id of an operation, which is the same in every version of a document.
pub fn temp_id(operation: &str) -> String {
    naming::temp_id(operation)
}

/// The SHA-256 digest of a document, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_recordings_and_unreadable_documents_may_hold_credentials() {
        let collection = r#"{"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": []}"#;
        let recording = r#"{"log": {"version": "1.2", "entries": []}}"#;
        for document in [collection, recording, "{", "", "[1]"] {
            assert!(may_hold_credentials(document.as_bytes()), "{document}");
        }
        for document in ["openapi: 3.1.0", r#"{"swagger": "2.0"}"#] {
            assert!(!may_hold_credentials(document.as_bytes()), "{document}");
        }
    }
}
