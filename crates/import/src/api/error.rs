//! Why a document cannot be imported at all.

pub use crate::api::document::DocumentError;

/// An error that ends the whole import. An error in a single operation is a [`crate::api::problem::Problem`] instead.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The document cannot be parsed.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The document has no `paths`.
    #[error("The document has no `paths`, so it describes no operations.")]
    NoPaths,
    /// An argument of the import is not valid.
    #[error("{message}")]
    Argument {
        /// The path of the argument: `overlay[GET /pets][arguments][query:limit][rename]`.
        field: String,
        /// What is wrong and what is needed.
        message: String,
    },
    /// The import takes too long.
    #[error(
        "The import takes too long: {read} of {operations} operations were read. Import the document in parts, by tag or path."
    )]
    Timeout {
        /// Operations that were read.
        read: usize,
        /// All operations of the document.
        operations: usize,
    },
}
