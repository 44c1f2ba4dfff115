//! The bytes of a document as a JSON value, within limits.

pub mod archive;
mod bundle;
mod detect;
mod encoding;
mod json;
mod limits;
#[cfg(test)]
mod tests;
mod text;
mod yaml;

use serde_json::Value;

use crate::api::problem::ApiWarning;
use crate::api::report::shown_version;
use limits::BYTES_MAX;

/// A parsed document.
pub(crate) struct Document {
    pub(crate) root: Value,
    pub(crate) kind: DocumentKind,
    /// What was repaired while the document was parsed.
    pub(crate) warnings: Vec<ApiWarning>,
}

/// The format of a document, detected from its root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DocumentKind {
    Swagger20,
    OpenApi30,
    OpenApi31,
    OpenApi32,
    Postman21,
    Har,
}

/// A document that cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// Neither JSON nor YAML; with the line and column of the first error.
    #[error("The document is neither JSON nor YAML: {message}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// The line, from 1; 0 if the position is unknown.
        line: usize,
        /// The column, from 1; 0 if the position is unknown.
        column: usize,
    },
    /// An archive that cannot be read, or whose files are not one document.
    #[error("{message}")]
    Archive {
        /// What is wrong.
        message: String,
    },
    /// JSON or YAML of another format.
    #[error("The format of the document is unknown. Send OpenAPI 3.0, 3.1, 3.2, Swagger 2.0, Postman 2.1 or HAR.")]
    UnknownFormat,
    /// A limit is exceeded; the message names it.
    #[error("{message}")]
    TooLarge {
        /// The limit.
        message: String,
        /// The value that exceeds it.
        pointer: String,
    },
}

impl Document {
    /// Parses JSON, YAML, or an archive of several files, detected from the content.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, DocumentError> {
        if bytes.len() > BYTES_MAX {
            let message = format!("The document must have at most {} MiB.", BYTES_MAX >> 20);
            return Err(DocumentError::TooLarge { message, pointer: "#".to_owned() });
        }
        let (root, warnings) = if archive::is_archive(bytes) {
            bundle::join(archive::unpack(bytes)?)?
        } else {
            parse_text(&encoding::decode(bytes)?)?
        };
        let kind = detect::kind(&root).ok_or(DocumentError::UnknownFormat)?;
        Ok(Self { root, kind, warnings })
    }

    /// The version of the format as the document writes it: `3.1.0`.
    pub(crate) fn version(&self) -> String {
        shown_version(&detect::version(&self.root, self.kind))
    }
}

impl DocumentKind {
    /// Whether schemas are JSON Schema 2020-12, so that the siblings of `$ref` apply.
    pub(crate) fn has_modern_schemas(self) -> bool {
        matches!(self, Self::OpenApi31 | Self::OpenApi32)
    }
}

/// Text that looks like JSON is parsed as JSON first. The YAML parser also reads JSON that serde refuses: control
/// characters in strings, more than 128 levels, trailing commas.
fn parse_text(text: &str) -> Result<(Value, Vec<ApiWarning>), DocumentError> {
    if !text.starts_with(['{', '[']) {
        return yaml::parse(text);
    }
    match json::parse(text) {
        Err(error @ DocumentError::Syntax { .. }) => yaml::parse(text).map_err(|yaml_error| match yaml_error {
            DocumentError::TooLarge { .. } => yaml_error,
            _ => error,
        }),
        result => result,
    }
}
