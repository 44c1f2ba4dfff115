//! Reads Postman collections of version 2.1 (and 2.0) as candidates: each request is a tool.
//!
//! `collection` walks through the folders, `request` makes a tool of a request; the other modules read its parts.
//! `variables` and `template` replace variables by their values.

mod argument;
mod auth;
mod body;
mod body_mapping;
mod collection;
mod entry;
mod graphql;
mod headers;
mod json_body;
mod json_text;
mod request;
mod scope;
mod template;
#[cfg(test)]
mod tests;
mod type_hint;
mod url;
mod variables;

use crate::api::document::Document;
use crate::api::error::ApiError;
use crate::api::options::ImportOptions;
use crate::api::report::{ApiImport, ApiInfo};
use crate::api::request_import::{self, RequestDocument};
use collection::Collection;
use json_text::scalar_text;

/// Reads the requests of a collection.
pub(super) fn read(document: Document, options: &ImportOptions, sha256: String) -> Result<ApiImport, ApiError> {
    let Document { root, warnings, .. } = document;
    let text = |pointer: &str| root.pointer(pointer).and_then(scalar_text).unwrap_or_default();
    let schema = text("/info/schema");
    let version = if schema.contains("v2.0") { "2.0" } else { "2.1" };
    let about = RequestDocument {
        format: "postman",
        version: version.to_owned(),
        info: ApiInfo::new(&text("/info/name"), &text("/info/version")),
        sha256,
        warnings,
    };
    let tools = Collection::new(&root, options).read();
    request_import::report(about, tools, options)
}
