//! Changes to tools that were imported from a document, when a new version or another overlay is applied.

use toolgate_domain::audit::{Actor, ObjectKind};
use toolgate_domain::fault::Fault;
use toolgate_domain::ids::{DocumentId, ToolId};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::{Tool, ToolOrigin, ToolPatch, ToolStatus};

use super::failed;
use crate::error::{Result, StorageError};
use crate::sql::SqlStorage;
use crate::sql::documents::WrittenVersion;
use crate::sql::row::params;
use crate::sql::secrets::SecretOwner;
use crate::sql::tx::Tx;
use crate::tool_imports::{ImportOutcome, ImportResult, SkipReason, ToolChange, ToolChangeKind, ToolUpdate};

impl SqlStorage {
    /// Changes tools of a document in a locked server, which [`Tx::check_changed_tools`] has checked. Returns the
    /// outcome of each change.
    pub(in crate::sql) async fn change_imported_tools(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        version: WrittenVersion,
        changes: Vec<ToolChange>,
    ) -> Result<Vec<ImportOutcome>> {
        let mut outcomes = Vec::with_capacity(changes.len());
        let mut names = Vec::new();
        for change in changes {
            let tool = tx.find_tool(change.tool_id).await?;
            let (operation, outcome) = match change.kind {
                ToolChangeKind::Update(update) => {
                    let operation = update.operation.clone();
                    (Some(operation), self.apply_update(tx, actor, version, tool, *update).await?)
                }
                ToolChangeKind::Edit(update) => {
                    let operation = update.operation.clone();
                    (Some(operation), self.apply_edit(tx, actor, tool, *update).await?)
                }
                ToolChangeKind::Pause => (None, self.pause_removed(tx, actor, tool).await?),
                ToolChangeKind::Delete => (None, self.delete_removed(tx, actor, tool).await?),
                ToolChangeKind::MarkUpToDate => {
                    tx.set_base_revision(tool.id, None).await?;
                    (None, skipped(tool, SkipReason::UpToDate))
                }
                ToolChangeKind::Skip(reason) => {
                    tx.set_base_revision(tool.id, base_revision(&tool, version)).await?;
                    (None, skipped(tool, reason))
                }
            };
            names.extend(operation.filter(|_| outcome.is_written()).map(|operation| (operation, outcome.name.clone())));
            outcomes.push(outcome);
        }
        if !names.is_empty() {
            tx.record_names(version.document_id, &names).await?;
        }
        Ok(outcomes)
    }

    /// Applies a new version to a tool. A tool that cannot be changed stays as the previous version describes it.
    async fn apply_update(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        version: WrittenVersion,
        tool: Tool,
        update: ToolUpdate,
    ) -> Result<ImportOutcome> {
        let ToolUpdate { patch, operation, hash } = update;
        let (id, base, document_id) = (tool.id, base_revision(&tool, version), version.document_id);
        let origin = ToolOrigin { document_id, operation, hash, base_revision: None, is_removed: false };
        let outcome = match tx.name_fault(&tool, patch.name.as_deref()).await? {
            Some(fault) => failed(tool, fault.into()),
            None => self.patch_imported_tool(tx, actor, tool, Some(origin), patch).await?,
        };
        if matches!(outcome.result, ImportResult::Failed(_)) {
            tx.set_base_revision(id, base).await?;
        }
        Ok(outcome)
    }

    async fn apply_edit(&self, tx: &mut Tx, actor: &Actor, tool: Tool, update: ToolUpdate) -> Result<ImportOutcome> {
        let ToolUpdate { patch, operation, hash } = update;
        let origin = tool.origin.clone().map(|origin| ToolOrigin { operation, hash, ..origin });
        self.patch_imported_tool(tx, actor, tool, origin, patch).await
    }

    async fn pause_removed(&self, tx: &mut Tx, actor: &Actor, tool: Tool) -> Result<ImportOutcome> {
        let id = tool.id;
        let origin = tool.origin.clone().map(|origin| ToolOrigin { is_removed: true, ..origin });
        let patch = ToolPatch { status: Some(ToolStatus::Paused), ..ToolPatch::default() };
        let mut outcome = self.patch_imported_tool(tx, actor, tool, origin, patch).await?;
        if outcome.is_written() {
            outcome.result = ImportResult::Paused(id);
        }
        Ok(outcome)
    }

    async fn delete_removed(&self, tx: &mut Tx, actor: &Actor, tool: Tool) -> Result<ImportOutcome> {
        tx.delete_in_server::<Tool>(actor, tool.server_id, tool.id.0).await?;
        let owner = SecretOwner(ObjectKind::Tool, tool.id.0);
        self.store_secrets(tx, owner, tool.server_id.0, &Secrets::default()).await?;
        Ok(ImportOutcome { name: tool.spec.name, result: ImportResult::Deleted(tool.id) })
    }
}

impl Tx {
    /// Checks that the tools to change are still those that the changes were computed from.
    pub(in crate::sql) async fn check_changed_tools(
        &mut self,
        document_id: DocumentId,
        changes: &[ToolChange],
    ) -> Result<()> {
        for change in changes {
            let tool = match self.find_tool(change.tool_id).await {
                Err(StorageError::NotFound(_)) => return Err(StorageError::Outdated),
                tool => tool?,
            };
            let is_of_document = tool.origin.as_ref().is_some_and(|origin| origin.document_id == document_id);
            if !is_of_document || tool.revision != change.revision {
                return Err(StorageError::Outdated);
            }
        }
        Ok(())
    }

    /// Records the version that a tool was last updated from. The tool itself does not change.
    async fn set_base_revision(&mut self, id: ToolId, base: Option<i64>) -> Result<()> {
        self.execute("UPDATE tools SET origin_base_revision = $2 WHERE id = $1", params![id.0, base]).await
    }

    /// The fault of a new name of a tool, if another tool of the server has this name.
    async fn name_fault(&mut self, tool: &Tool, name: Option<&str>) -> Result<Option<Fault>> {
        let Some(name) = name else { return Ok(None) };
        let sql = "SELECT id FROM tools WHERE server_id = $1 AND name = $2 AND id <> $3";
        let taken = self.fetch_optional(sql, params![tool.server_id.0, name, tool.id.0]).await?;
        let message = || {
            format!(
                "name: another tool of the server is named '{name}'. Rename that one, or set another name in overlay."
            )
        };
        Ok(taken.map(|_| Fault::invalid_value("name", message())))
    }
}

/// The version of the document that a tool stays at if it is not changed.
fn base_revision(tool: &Tool, version: WrittenVersion) -> Option<i64> {
    tool.origin.as_ref().and_then(|origin| origin.base_revision).or(version.previous_revision)
}

fn skipped(tool: Tool, reason: SkipReason) -> ImportOutcome {
    ImportOutcome { name: tool.spec.name, result: ImportResult::Skipped(reason) }
}
