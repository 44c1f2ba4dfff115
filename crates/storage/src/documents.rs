//! The store of documents that tools were imported from.

use async_trait::async_trait;
use toolgate_domain::api_document::{ApiDocument, DocumentPatch};
use toolgate_domain::audit::Actor;
use toolgate_domain::headers::SecretHeaders;
use toolgate_domain::ids::{DocumentId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::user::Visibility;

use crate::error::Result;
use crate::tool_imports::{ImportedCredential, ToolChange};

/// A stored version of a document.
#[derive(Clone, Debug)]
pub struct DocumentVersion {
    /// The number of the version.
    pub revision: i64,
    /// The digest of `content`.
    pub sha256: String,
    /// The document as it was sent or fetched.
    pub content: Vec<u8>,
}

/// Reads, changes and deletes documents. Each method is one atomic operation. Documents are created by imports:
/// [`ToolImportStore`](crate::ToolImportStore).
#[async_trait]
pub trait DocumentStore {
    /// Documents of a server ordered by id: all, or one page.
    async fn list_documents(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<ApiDocument>>;

    /// One document.
    async fn document(&self, visibility: Visibility, id: DocumentId) -> Result<ApiDocument>;

    /// The newest version of a document, or one of the earlier versions that are stored.
    async fn document_version(
        &self,
        visibility: Visibility,
        id: DocumentId,
        revision: Option<i64>,
    ) -> Result<DocumentVersion>;

    /// The headers for fetching a document.
    async fn document_url_headers(&self, id: DocumentId) -> Result<SecretHeaders>;

    /// Changes a document, tools that were imported from it, and credentials of its server. Nothing is written if a
    /// tool or a credential cannot be changed.
    async fn update_document(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: DocumentId,
        patch: DocumentPatch,
        changes: Vec<ToolChange>,
        credentials: Vec<ImportedCredential>,
    ) -> Result<ApiDocument>;

    /// Deletes a document and returns it. Its tools stay, as tools that were made by hand, unless `with_tools` is true.
    async fn delete_document(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: DocumentId,
        with_tools: bool,
    ) -> Result<ApiDocument>;
}
