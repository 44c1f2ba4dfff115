//! The description of an API that a tool was imported from.

use crate::ids::DocumentId;

/// The operation of a document from which an import created a tool. Only imports set it; a tool without it was made by
/// hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOrigin {
    /// The document.
    pub document_id: DocumentId,
    /// The operation, such as `GET /pets/{id}`.
    pub operation: String,
    /// A digest of the operation as it was imported, by which a changed document is noticed.
    pub hash: String,
    /// The version of the document that the tool was last updated from, if it is not the newest one: a later version
    /// has breaking changes that were not accepted.
    pub base_revision: Option<i64>,
    /// Whether the newest version of the document does not have the operation.
    pub is_removed: bool,
}
