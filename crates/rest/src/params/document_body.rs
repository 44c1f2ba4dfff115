//! The body of a request that imports a document: arguments with the document among them, or the document itself.

use bytes::Bytes;
use serde_json::value::RawValue;
use toolgate_domain::json::{self, Members};
use toolgate_import::api::document::archive;
use toolgate_import::api::error::ApiError;

use super::input::Input;
use super::multipart::FormPart;
use crate::error::RestError;

/// The arguments that contain the document.
const DOCUMENT_ARGUMENTS: [&str; 2] = ["file", "content"];

/// Whether a body of this media type is a document.
pub(super) fn is_document_type(media_type: &str) -> bool {
    matches!(
        media_type,
        "application/yaml"
            | "application/x-yaml"
            | "text/yaml"
            | "text/x-yaml"
            | "application/openapi+json"
            | "application/openapi+yaml"
            | "application/zip"
            | "application/x-zip-compressed"
    ) || media_type.starts_with("application/vnd.oai.openapi")
}

/// Whether the members of a JSON body are those of a document and not arguments.
pub(super) fn is_document(members: &Members) -> bool {
    let has = |name: &str| members.contains_key(name);
    let has_entries = || {
        let log = members.get("log").and_then(|log| serde_json::from_str::<Members>(log.get()).ok());
        log.is_some_and(|log| log.contains_key("entries"))
    };
    has("openapi") || has("swagger") || (has("info") && has("item")) || has_entries()
}

/// The files of a form as one document: a single file unchanged, several files as an archive.
pub(super) fn join_files(files: &[FormPart]) -> Result<Option<Bytes>, RestError> {
    if let [] | [_] = files {
        return Ok(files.first().map(|file| file.content.clone()));
    }
    let named = files.iter().map(|file| (file.file_name.as_deref().unwrap_or_default(), &*file.content));
    let archive = archive::pack(named).map_err(ApiError::from)?;
    Ok(Some(archive.into()))
}

/// Moves the document out of the arguments: a text, or a JSON object that is the document.
pub(super) fn take_document(inputs: &mut indexmap::IndexMap<String, Input>) -> Option<Bytes> {
    for name in DOCUMENT_ARGUMENTS {
        match inputs.get(name) {
            Some(Input::Text(text)) if text.is_empty() => drop(inputs.shift_remove(name)),
            Some(Input::Json(value)) if json::is_null(value) => drop(inputs.shift_remove(name)),
            Some(_) => return inputs.shift_remove(name).map(to_bytes),
            None => {}
        }
    }
    None
}

fn to_bytes(input: Input) -> Bytes {
    match input {
        Input::Text(text) => text.into(),
        Input::Json(value) => json_document(&value).into(),
    }
}

/// The text of a JSON string, or the JSON text of another value.
fn json_document(value: &RawValue) -> String {
    json::as_string(value).unwrap_or_else(|| value.get().to_owned())
}
