//! The store of imported tools.

use async_trait::async_trait;
use toolgate_domain::api_document::ApiDocument;
use toolgate_domain::audit::Actor;
use toolgate_domain::fault::Faults;
use toolgate_domain::headers::SentHeaders;
use toolgate_domain::ids::{DocumentId, ServerId, ToolId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::tool::ToolPatch;
use toolgate_domain::tool_import::ConflictRule;
use toolgate_domain::upstream_auth::AuthType;
use toolgate_domain::user::Visibility;

use crate::error::Result;
use crate::tools::NewTool;

/// Tools to import into a server.
#[derive(Clone, Debug)]
pub struct ToolImport {
    /// The tools, in the order in which they are added.
    pub tools: Vec<ImportedTool>,
    /// What happens to a tool whose name is taken.
    pub on_conflict: ConflictRule,
    /// The credentials of the server that the tools name.
    pub credentials: Vec<ImportedCredential>,
    /// The document that describes the tools; `None` for tools of a manifest.
    pub document: Option<ImportedDocument>,
    /// Changes to tools that were imported from the document before.
    pub changes: Vec<ToolChange>,
}

/// A change to a tool that was imported from a document.
#[derive(Clone, Debug)]
pub struct ToolChange {
    /// The tool.
    pub tool_id: ToolId,
    /// The revision of the tool that the change was computed from; the whole operation fails if it is another one.
    pub revision: i64,
    /// What is done.
    pub kind: ToolChangeKind,
}

/// What is done with a tool that was imported from a document.
#[derive(Clone, Debug)]
pub enum ToolChangeKind {
    /// Fields change to those of the new version. The tool is up to date afterwards.
    Update(Box<ToolUpdate>),
    /// Fields change because the overlay has changed. A tool that was not up to date still is not.
    Edit(Box<ToolUpdate>),
    /// The tool already matches the new version: it is marked as up to date, and its fields stay.
    MarkUpToDate,
    /// The new version is not applied, for this reason. The tool stays as the previous version describes it.
    Skip(SkipReason),
    /// The operation is gone: the tool is paused and marked as removed.
    Pause,
    /// The tool is deleted.
    Delete,
}

/// New fields of a tool that was imported from a document.
#[derive(Clone, Debug)]
pub struct ToolUpdate {
    /// The fields.
    pub patch: ToolPatch,
    /// The operation, which may have moved.
    pub operation: String,
    /// A digest of the operation as it is imported.
    pub hash: String,
}

/// A tool to import.
#[derive(Clone, Debug)]
pub struct ImportedTool {
    /// The tool.
    pub new: NewTool,
    /// The operation of the document; empty without a document.
    pub operation: String,
    /// A digest of the operation as it is imported; empty without a document.
    pub hash: String,
}

/// A credential that imported tools use. It is created unless the server has one of this name.
#[derive(Clone, Debug)]
pub struct ImportedCredential {
    /// Its name.
    pub name: String,
    /// The type of authentication.
    pub auth_type: AuthType,
    /// The secret values, if any are known; they are stored if the server's credential has none.
    pub auth_credentials: Option<JsonObject>,
    /// Whether the secret values replace those of the server's credential.
    pub replaces_stored: bool,
}

/// The document of an import.
#[derive(Clone, Debug)]
pub struct ImportedDocument {
    /// The document to change; `None` for a new one. The import fails if the server then has one with the same digest
    /// or URL.
    pub target: Option<DocumentTarget>,
    /// A name by which its owner recognises it.
    pub name: String,
    /// The URL it was fetched from; `None` if it was sent in a request.
    pub url: Option<String>,
    /// The headers for fetching it, which are all secret; `None` for those that are stored.
    pub url_headers: Option<SentHeaders>,
    /// The format, such as `openapi`.
    pub format: String,
    /// The version of the format.
    pub version: String,
    /// The title of the API.
    pub title: String,
    /// Its digest.
    pub sha256: String,
    /// The document as it was sent or fetched.
    pub content: Vec<u8>,
    /// Changes to the tools, by operation; `None` for those that are stored.
    pub overlay: Option<JsonObject>,
    /// Arguments of the import.
    pub options: JsonObject,
}

/// A document that an import changes, as it was when the import was computed; the import fails if it has changed since.
#[derive(Clone, Debug)]
pub struct DocumentTarget {
    /// Its id.
    pub id: DocumentId,
    /// Number of its newest version.
    pub revision: i64,
    /// The URL it was fetched from.
    pub url: Option<String>,
    /// Changes to the tools, by operation.
    pub overlay: JsonObject,
    /// Arguments of the import.
    pub options: JsonObject,
}

impl DocumentTarget {
    /// The target for an import that is computed from this document.
    pub fn new(document: &ApiDocument) -> Self {
        Self {
            id: document.id,
            revision: document.revision,
            url: document.url.clone(),
            overlay: document.overlay.clone(),
            options: document.options.clone(),
        }
    }

    /// Whether the import was computed from this state of the document.
    pub(crate) fn is_same(&self, document: &ApiDocument) -> bool {
        self.revision == document.revision
            && self.url == document.url
            && self.overlay == document.overlay
            && self.options == document.options
    }
}

/// The outcomes of an import.
#[derive(Clone, Debug)]
pub struct ToolImportOutcomes {
    /// The document, if there was one.
    pub document_id: Option<DocumentId>,
    /// The outcome for each tool, in the order of the import.
    pub tools: Vec<ImportOutcome>,
    /// The outcome for each change, in the order of the import.
    pub changes: Vec<ImportOutcome>,
}

/// The outcome for one imported tool.
#[derive(Clone, Debug)]
pub struct ImportOutcome {
    /// The name of the tool; that of a created tool may have a number.
    pub name: String,
    /// What was done.
    pub result: ImportResult,
}

impl ImportOutcome {
    /// Whether a tool was created or changed.
    pub(crate) fn is_written(&self) -> bool {
        matches!(self.result, ImportResult::Created(_) | ImportResult::Updated(_))
    }
}

/// The result for one imported tool.
#[derive(Clone, Debug)]
pub enum ImportResult {
    /// A tool was created.
    Created(ToolId),
    /// A tool was changed.
    Updated(ToolId),
    /// A tool was paused, because its operation is gone.
    Paused(ToolId),
    /// A tool was deleted, because its operation is gone.
    Deleted(ToolId),
    /// Nothing was done.
    Skipped(SkipReason),
    /// The tool breaks a rule. The other tools are imported nevertheless.
    Failed(Faults),
}

/// Why an imported tool was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// A tool of the server has this name.
    NameTaken,
    /// A tool of the server comes from the same operation of this document.
    AlreadyImported,
    /// The tool with this name does not come from this operation, so it is not updated.
    OtherOrigin,
    /// The tool is up to date.
    UpToDate,
    /// The new version breaks clients of the tool and was not accepted.
    Breaking,
    /// The operation cannot be a tool in the new version, or is hidden.
    NotReadable,
}

/// Imports tools. Each method is one atomic operation.
#[async_trait]
pub trait ToolImportStore {
    /// Adds tools to the end of the server's list, stores their document and credentials, and returns the outcome for
    /// each tool. A tool that breaks a rule is left out. In these cases nothing is written: `Rejected` if a credential
    /// breaks a rule; `TooManyTools` if the server would have more tools than it may; `Outdated` if the target of the
    /// import or a tool to change has changed since the import was computed, or if the server already has a document
    /// that the import would create.
    ///
    /// An updated tool keeps its id, position, status and secrets.
    async fn import_tools(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        import: ToolImport,
    ) -> Result<ToolImportOutcomes>;
}
