//! The store of documents in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::api_document::{ApiDocument, DOCUMENTS_MAX, DocumentPatch};
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::change::{Change, set};
use toolgate_domain::headers::{PlainHeaders, SecretHeaders, SentHeaders};
use toolgate_domain::ids::{DocumentId, ServerId, ToolId};
use toolgate_domain::json::{JsonObject, raw_string};
use toolgate_domain::overlay_edit::OverlayEdit;
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::Tool;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::{Columns as _, Values};
use super::document_content::CompressedContent;
use super::locks::check_capacity;
use super::objects::StoredObject as _;
use super::row::params;
use super::secrets::SecretOwner;
use super::server_access::{caller_param, is_visible};
use super::tx::Tx;
use crate::documents::{DocumentStore, DocumentVersion};
use crate::error::{Result, StorageError};
use crate::tool_imports::{DocumentTarget, ImportResult, ImportedCredential, ImportedDocument, ToolChange};

const NOT_FOUND: StorageError = StorageError::NotFound(ObjectKind::ApiDocument);
const COUNT: &str = "SELECT COUNT(*) AS total FROM documents WHERE server_id = $1";

#[async_trait]
impl DocumentStore for SqlStorage {
    async fn list_documents(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<ApiDocument>> {
        self.db.server_counts(visibility, server_id).await?; // fails if the server is not visible
        let total = self.db.fetch_one(COUNT, params![server_id.0]).await?.int("total")?;
        Ok(Listing { items: self.db.list_in_server(server_id, page).await?, total })
    }

    async fn document(&self, visibility: Visibility, id: DocumentId) -> Result<ApiDocument> {
        let sql = format!(
            "SELECT {} FROM documents WHERE id = $1 AND EXISTS \
             (SELECT 1 FROM servers s WHERE s.id = documents.server_id AND {})",
            ApiDocument::list(),
            is_visible("s", "$2")
        );
        let params = params![id.0, caller_param(visibility)];
        ApiDocument::from_found(self.db.fetch_optional(AssertSqlSafe(sql), params).await?)
    }

    async fn document_version(
        &self,
        visibility: Visibility,
        id: DocumentId,
        revision: Option<i64>,
    ) -> Result<DocumentVersion> {
        let revision = match revision {
            Some(revision) => self.document(visibility, id).await.map(|_| revision)?,
            None => self.document(visibility, id).await?.revision,
        };
        let sql = "SELECT sha256, content, key_id FROM document_versions WHERE document_id = $1 AND revision = $2";
        let row = self.db.fetch_optional(sql, params![id.0, revision]).await?.ok_or(NOT_FOUND)?;
        let content = self.read_document_version(id, revision, &row).await?;
        Ok(DocumentVersion { revision, sha256: row.text("sha256")?, content })
    }

    async fn document_url_headers(&self, id: DocumentId) -> Result<SecretHeaders> {
        Ok(self.read_secrets(secret_owner(id)).await?.headers)
    }

    async fn update_document(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: DocumentId,
        patch: DocumentPatch,
        changes: Vec<ToolChange>,
        credentials: Vec<ImportedCredential>,
    ) -> Result<ApiDocument> {
        let mut tx = self.db.begin().await?;
        let mut document = tx.lock_document(visibility, id).await?;
        set(&mut document.name, patch.name);
        set(&mut document.overlay, patch.overlay);
        if patch.url != Change::Keep || patch.url_headers.is_some() {
            let mut url = document.url.clone();
            patch.url.apply_to(&mut url);
            let mut secrets = self.load_secrets(&mut tx, secret_owner(id)).await?;
            set_source(&mut document, &mut secrets.headers, url, patch.url_headers)?;
            self.store_secrets(&mut tx, secret_owner(id), document.server_id.0, &secrets).await?;
        }
        let server_id = document.server_id;
        let mut document: ApiDocument = tx.update(actor, id.0, owner_values(&document)).await?;
        if !changes.is_empty() {
            tx.check_changed_tools(id, &changes).await?;
            let version = WrittenVersion { document_id: id, previous_revision: None };
            for outcome in self.change_imported_tools(&mut tx, actor, version, changes).await? {
                if let ImportResult::Failed(faults) = outcome.result {
                    return Err(faults.inside(&format!("overlay[{}]", outcome.name)).into());
                }
            }
            document = tx.find_in_server(server_id, id.0).await?;
        }
        for credential in credentials {
            self.write_imported_credential(&mut tx, actor, server_id, credential).await?;
        }
        tx.commit().await?;
        Ok(document)
    }

    async fn delete_document(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: DocumentId,
        with_tools: bool,
    ) -> Result<ApiDocument> {
        let mut tx = self.db.begin().await?;
        let document = tx.lock_document(visibility, id).await?;
        let server_id = document.server_id;
        if with_tools {
            for tool in tx.tools_from_document(id).await? {
                tx.delete_in_server::<Tool>(actor, server_id, tool.0).await?;
                let owner = SecretOwner(ObjectKind::Tool, tool.0);
                self.store_secrets(&mut tx, owner, server_id.0, &Secrets::default()).await?;
            }
        } else {
            let sql = "UPDATE tools SET origin_document_id = NULL, origin_operation = NULL, origin_hash = NULL, \
                       origin_base_revision = NULL, origin_removed = NULL WHERE origin_document_id = $1";
            tx.execute(sql, params![id.0]).await?;
        }
        tx.delete_in_server::<ApiDocument>(actor, server_id, id.0).await?;
        self.store_secrets(&mut tx, secret_owner(id), server_id.0, &Secrets::default()).await?;
        tx.commit().await?;
        Ok(document)
    }
}

/// The owner of the headers for fetching a document.
fn secret_owner(id: DocumentId) -> SecretOwner {
    SecretOwner(ObjectKind::ApiDocument, id.0)
}

/// Sets the URL of a document and the headers for fetching it. The stored headers are secret, so they are deleted if
/// the new URL leads to another host.
fn set_source(
    document: &mut ApiDocument,
    stored: &mut SecretHeaders,
    url: Option<String>,
    sent: Option<SentHeaders>,
) -> Result<()> {
    if !document.keeps_headers_for(url.as_deref()) {
        document.url_headers.clear();
        stored.clear();
    }
    if let Some(headers) = sent {
        (document.url_headers, *stored) = headers.resolve_secret("url_headers", stored)?;
    }
    document.url = url;
    Ok(())
}

/// The version of a document that an import has written.
#[derive(Clone, Copy)]
pub(super) struct WrittenVersion {
    pub(super) document_id: DocumentId,
    /// The revision before the import, if the import has written a new one.
    pub(super) previous_revision: Option<i64>,
}

/// The columns that a change of a document writes.
fn owner_values(document: &ApiDocument) -> Values {
    let fixed = ["id", "server_id", "created_at", "updated_at"];
    document.values().into_iter().filter(|(column, _)| !fixed.contains(column)).collect()
}

/// A document that is not stored yet.
fn new_document(server_id: ServerId, actor: &Actor, name: &str) -> ApiDocument {
    ApiDocument {
        id: DocumentId(0),
        server_id,
        name: name.to_owned(),
        url: None,
        url_headers: PlainHeaders::new(),
        format: String::new(),
        version: String::new(),
        title: String::new(),
        sha256: String::new(),
        revision: 0,
        overlay: JsonObject::empty(),
        options: JsonObject::empty(),
        names: JsonObject::empty(),
        tools_count: 0,
        created_at: actor.at,
        updated_at: actor.at,
    }
}

impl SqlStorage {
    /// Creates the document of an import in a locked server, or changes its target.
    pub(super) async fn write_imported_document(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        server_id: ServerId,
        document: ImportedDocument,
        content: CompressedContent,
    ) -> Result<WrittenVersion> {
        let found = match &document.target {
            Some(target) => Some(tx.find_target(server_id, target).await?),
            // Another editor imported this document after this import was computed, so it lacks changes to its tools.
            None if tx.has_same_document(server_id, &document).await? => return Err(StorageError::Outdated),
            None => None,
        };
        let previous_revision = found.as_ref().map(|stored| stored.revision);
        let mut secrets = match &found {
            Some(stored) => self.load_secrets(tx, secret_owner(stored.id)).await?,
            None => Secrets::default(),
        };
        let is_new_version = found.as_ref().is_none_or(|stored| stored.sha256 != document.sha256);
        let id = found.as_ref().map(|stored| stored.id);
        let mut merged = found.unwrap_or_else(|| new_document(server_id, actor, &document.name));
        let url = document.url.or_else(|| merged.url.clone());
        set_source(&mut merged, &mut secrets.headers, url, document.url_headers)?;
        set(&mut merged.overlay, document.overlay);
        (merged.format, merged.version, merged.title) = (document.format, document.version, document.title);
        (merged.sha256, merged.options) = (document.sha256, document.options);
        let revision = merged.revision + i64::from(is_new_version);
        merged.revision = revision;
        let id = tx.upsert_document(actor, server_id, id, owner_values(&merged)).await?;
        if is_new_version {
            self.store_document_version(tx, actor, id, revision, content).await?;
        }
        self.store_secrets(tx, secret_owner(id), server_id.0, &secrets).await?;
        Ok(WrittenVersion { document_id: id, previous_revision: previous_revision.filter(|_| is_new_version) })
    }

    /// Copies the documents of a server with their versions and headers, and makes them the origin of the copied tools,
    /// which are found by name.
    pub(super) async fn copy_documents(&self, tx: &mut Tx, actor: &Actor, from: ServerId, to: ServerId) -> Result<()> {
        let sql = format!("SELECT {} FROM documents WHERE server_id = $1 ORDER BY id", ApiDocument::list());
        let documents = ApiDocument::from_rows(&tx.fetch_all(AssertSqlSafe(sql), params![from.0]).await?)?;
        for document in documents {
            let mut values = owner_values(&document);
            values.push(("server_id", to.0.into()));
            let copy: ApiDocument = tx.insert(actor, Action::Duplicate, values).await?;
            self.copy_document_versions(tx, document.id, copy.id).await?;
            tx.copy_origins(from, to, document.id, copy.id).await?;
            let headers = self.load_secrets(tx, secret_owner(document.id)).await?;
            self.store_secrets(tx, secret_owner(copy.id), to.0, &headers).await?;
        }
        Ok(())
    }
}

impl Tx {
    /// Locks the server of a document and reads the document, which never moves to another server.
    async fn lock_document(&mut self, visibility: Visibility, id: DocumentId) -> Result<ApiDocument> {
        let row = self.fetch_optional("SELECT server_id FROM documents WHERE id = $1", params![id.0]).await?;
        let server_id = ServerId(row.ok_or(NOT_FOUND)?.int("server_id")?);
        self.lock_server(visibility, server_id).await.map_err(|error| match error {
            StorageError::NotFound(_) => NOT_FOUND,
            other => other,
        })?;
        self.find_in_server(server_id, id.0).await
    }

    async fn tools_from_document(&mut self, id: DocumentId) -> Result<Vec<ToolId>> {
        let sql = "SELECT id FROM tools WHERE origin_document_id = $1 ORDER BY id";
        self.fetch_all(sql, params![id.0]).await?.iter().map(|row| Ok(ToolId(row.int("id")?))).collect()
    }

    /// The document that an import changes, if it is still the one that the import was computed from.
    async fn find_target(&mut self, server_id: ServerId, target: &DocumentTarget) -> Result<ApiDocument> {
        let document: ApiDocument = self.find_in_server(server_id, target.id.0).await?;
        if target.is_same(&document) { Ok(document) } else { Err(StorageError::Outdated) }
    }

    /// Whether the server has a document with the same digest or URL.
    async fn has_same_document(&mut self, server_id: ServerId, document: &ImportedDocument) -> Result<bool> {
        let sql = "SELECT id FROM documents WHERE server_id = $1 AND (sha256 = $2 OR url = $3) LIMIT 1";
        let params = params![server_id.0, document.sha256.as_str(), document.url.as_deref()];
        Ok(self.fetch_optional(sql, params).await?.is_some())
    }

    async fn upsert_document(
        &mut self,
        actor: &Actor,
        server_id: ServerId,
        id: Option<DocumentId>,
        mut values: Values,
    ) -> Result<DocumentId> {
        if let Some(id) = id {
            return self.update(actor, id.0, values).await.map(|document: ApiDocument| document.id);
        }
        check_capacity(self.fetch_one(COUNT, params![server_id.0]).await?.int("total")?, DOCUMENTS_MAX, "documents")?;
        values.push(("server_id", server_id.0.into()));
        self.insert(actor, Action::Create, values).await.map(|document: ApiDocument| document.id)
    }

    /// Changes the overlay of a document after an edit of a tool, and the name of its operation.
    pub(super) async fn edit_overlay(&mut self, id: DocumentId, edit: &OverlayEdit, name: &str) -> Result<()> {
        let row = self.fetch_optional("SELECT overlay FROM documents WHERE id = $1", params![id.0]).await?;
        let Some(row) = row else { return Ok(()) };
        let overlay = edit.apply_to(&JsonObject::from_stored(row.text("overlay")?));
        self.execute("UPDATE documents SET overlay = $2 WHERE id = $1", params![id.0, overlay.as_str()]).await?;
        self.record_names(id, &[(edit.operation.clone(), name.to_owned())]).await
    }

    /// Records the names that operations of a document have as tools. An operation keeps its name in later imports.
    pub(super) async fn record_names(&mut self, id: DocumentId, names: &[(String, String)]) -> Result<()> {
        let row = self.fetch_one("SELECT names FROM documents WHERE id = $1", params![id.0]).await?;
        let mut members = JsonObject::from_stored(row.text("names")?).members();
        members.extend(names.iter().map(|(operation, name)| (operation.clone(), raw_string(name))));
        let names = JsonObject::from_members(&members);
        self.execute("UPDATE documents SET names = $2 WHERE id = $1", params![id.0, names.as_str()]).await
    }

    async fn copy_origins(&mut self, from: ServerId, to: ServerId, old: DocumentId, new: DocumentId) -> Result<()> {
        let sql = "UPDATE tools SET origin_document_id = $4, origin_operation = o.origin_operation, \
                   origin_hash = o.origin_hash, origin_base_revision = o.origin_base_revision, \
                   origin_removed = o.origin_removed FROM tools o WHERE o.server_id = $1 AND o.origin_document_id = $3 \
                   AND tools.server_id = $2 AND tools.name = o.name";
        self.execute(sql, params![from.0, to.0, old.0, new.0]).await
    }
}
