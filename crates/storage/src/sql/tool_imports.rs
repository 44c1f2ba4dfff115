//! The import of tools in SQL: one transaction that writes the document and the credentials, decides what becomes of
//! each tool, checks the capacity of the server, and writes the tools.

mod changes;
mod conflicts;

use async_trait::async_trait;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::fault::Faults;
use toolgate_domain::ids::{DocumentId, ServerId, ToolId};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::{TOOLS_MAX, Tool, ToolOrigin, ToolPatch, ToolSpec};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::audit::AuditedObject;
use super::columns::Columns as _;
use super::document_content::CompressedContent;
use super::row::params;
use super::secrets::SecretOwner;
use super::tools::ToolPlacement;
use super::tx::Tx;
use crate::error::{Result, StorageError};
use crate::tool_imports::{ImportOutcome, ImportResult, ImportedTool, ToolImport, ToolImportOutcomes, ToolImportStore};
use crate::tools::NewTool;
use conflicts::{ExistingTools, ImportDecision};

/// What is to be done with one tool.
enum PlannedTool {
    /// A tool is created.
    Create(Box<ToolToCreate>),
    /// An existing tool is updated with the fields of the imported one.
    Update(ToolId, Box<ImportedTool>),
    /// Nothing is written; this is the outcome.
    Done(ImportOutcome),
}

/// A tool to insert.
struct ToolToCreate {
    spec: ToolSpec,
    secrets: Secrets,
    placement: ToolPlacement,
}

#[async_trait]
impl ToolImportStore for SqlStorage {
    async fn import_tools(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        mut import: ToolImport,
    ) -> Result<ToolImportOutcomes> {
        let content = match &mut import.document {
            Some(document) => {
                let content = std::mem::take(&mut document.content);
                Some(CompressedContent::new(document.sha256.clone(), content).await?)
            }
            None => None,
        };
        let mut tx = self.db.begin().await?;
        let counts = tx.lock_server(visibility, server_id).await?;
        let version = match import.document.take().zip(content) {
            Some((document, content)) => {
                Some(self.write_imported_document(&mut tx, actor, server_id, document, content).await?)
            }
            None => None,
        };
        let document_id = version.map(|version| version.document_id);
        if let Some(id) = document_id {
            tx.check_changed_tools(id, &import.changes).await?;
        }
        // After the check, which compares revisions: a changed credential gives its tools a new revision.
        for credential in std::mem::take(&mut import.credentials) {
            self.write_imported_credential(&mut tx, actor, server_id, credential).await?;
        }
        let changes = match version {
            Some(version) => {
                self.change_imported_tools(&mut tx, actor, version, std::mem::take(&mut import.changes)).await?
            }
            None => Vec::new(),
        };
        let operations: Vec<String> = import.tools.iter().map(|tool| tool.operation.clone()).collect();
        let planned = self.plan_import(&mut tx, server_id, document_id, import).await?;
        // Nothing is written if the capacity is exceeded: the transaction is rolled back.
        let deleted = changes.iter().filter(|change| matches!(change.result, ImportResult::Deleted(_))).count();
        check_import_capacity(counts.tools - i64::try_from(deleted).unwrap_or_default(), &planned)?;
        let mut outcomes = Vec::with_capacity(planned.len());
        for tool in planned {
            outcomes.push(self.write_imported_tool(&mut tx, actor, document_id, tool).await?);
        }
        if let Some(id) = document_id {
            let written = operations.into_iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_written());
            let names: Vec<_> = written.map(|(operation, outcome)| (operation, outcome.name.clone())).collect();
            tx.record_names(id, &names).await?;
        }
        tx.audit_import(actor, server_id, document_id, &[outcomes.as_slice(), &changes].concat()).await?;
        tx.commit().await?;
        Ok(ToolImportOutcomes { document_id, tools: outcomes, changes })
    }
}

impl SqlStorage {
    /// Decides what becomes of each tool, without writing anything.
    async fn plan_import(
        &self,
        tx: &mut Tx,
        server_id: ServerId,
        document_id: Option<DocumentId>,
        import: ToolImport,
    ) -> Result<Vec<PlannedTool>> {
        let mut existing = ExistingTools::read(tx, server_id, document_id).await?;
        let mut next_position = tx.next_sort_order(server_id).await?;
        let mut planned = Vec::with_capacity(import.tools.len());
        for tool in import.tools {
            let name = tool.new.patch.name.clone().unwrap_or_else(|| tool.new.spec.name.clone());
            planned.push(match existing.decide(&name, &tool.operation, import.on_conflict) {
                ImportDecision::Skip(reason) => {
                    PlannedTool::Done(ImportOutcome { name, result: ImportResult::Skipped(reason) })
                }
                ImportDecision::Update(id) => PlannedTool::Update(id, Box::new(tool)),
                ImportDecision::Create(free_name) => {
                    let placement = ToolPlacement {
                        server_id,
                        sort_order: tool.new.patch.sort_order.unwrap_or(next_position),
                        credential_id: None,
                        origin: origin(document_id, &tool),
                    };
                    let mut new = tool.new;
                    new.patch.name = Some(free_name.clone());
                    match self.prepare_tool(tx, new, placement).await? {
                        Ok(prepared) => {
                            next_position = next_position.max(prepared.placement.sort_order.saturating_add(1));
                            existing.add_name(free_name);
                            PlannedTool::Create(Box::new(prepared))
                        }
                        Err(faults) => PlannedTool::Done(ImportOutcome { name, result: ImportResult::Failed(faults) }),
                    }
                }
            });
        }
        Ok(planned)
    }

    /// Validates a new tool by the rules that depend on its server.
    async fn prepare_tool(
        &self,
        tx: &mut Tx,
        new: NewTool,
        mut placement: ToolPlacement,
    ) -> Result<std::result::Result<ToolToCreate, Faults>> {
        let NewTool { mut spec, patch, .. } = new;
        let attached = match self.attached_credential(tx, placement.server_id, None, &patch).await {
            Err(StorageError::Rejected(faults)) => return Ok(Err(faults)),
            attached => attached?,
        };
        let mut secrets = Secrets::default();
        if let Err(faults) = spec.apply_with_credential(patch, &mut secrets, attached.as_ref()) {
            return Ok(Err(faults));
        }
        placement.credential_id = attached.map(|credential| credential.id);
        Ok(Ok(ToolToCreate { spec, secrets, placement }))
    }

    async fn write_imported_tool(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        document_id: Option<DocumentId>,
        tool: PlannedTool,
    ) -> Result<ImportOutcome> {
        match tool {
            PlannedTool::Done(outcome) => Ok(outcome),
            PlannedTool::Update(id, imported) => self.update_imported_tool(tx, actor, id, document_id, *imported).await,
            PlannedTool::Create(new) => {
                let ToolToCreate { spec, secrets, placement } = *new;
                let tool = tx.insert_tool(actor, Action::Create, &spec, &placement).await?;
                if !secrets.is_empty() {
                    let owner = SecretOwner(ObjectKind::Tool, tool.id.0);
                    self.store_secrets(tx, owner, placement.server_id.0, &secrets).await?;
                }
                Ok(ImportOutcome { result: ImportResult::Created(tool.id), name: tool.spec.name })
            }
        }
    }

    /// Replaces the fields of a tool by those of its operation. Name, position, status and credentials stay.
    async fn update_imported_tool(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        id: ToolId,
        document_id: Option<DocumentId>,
        imported: ImportedTool,
    ) -> Result<ImportOutcome> {
        let tool = tx.find_tool(id).await?;
        let origin = origin(document_id, &imported);
        let mut patch = imported.new.patch;
        (patch.name, patch.status, patch.auth_credentials, patch.sort_order) = (None, None, None, None);
        self.patch_imported_tool(tx, actor, tool, origin, patch).await
    }

    /// Changes fields of an imported tool. A tool that would break a rule stays as it is.
    async fn patch_imported_tool(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        mut tool: Tool,
        origin: Option<ToolOrigin>,
        patch: ToolPatch,
    ) -> Result<ImportOutcome> {
        let id = tool.id;
        let owner = SecretOwner(ObjectKind::Tool, id.0);
        let attached = match self.attached_credential(tx, tool.server_id, tool.credential_id, &patch).await {
            Err(StorageError::Rejected(faults)) => return Ok(failed(tool, faults)),
            attached => attached?,
        };
        let mut secrets = self.load_secrets(tx, owner).await?;
        if let Err(faults) = tool.spec.apply_with_credential(patch, &mut secrets, attached.as_ref()) {
            return Ok(failed(tool, faults));
        }
        let mut values = tool.spec.values();
        values.extend(origin.values());
        values.extend([
            ("credential_id", attached.map(|credential| credential.id.0).into()),
            ("revision", (tool.revision + 1).into()),
        ]);
        let tool: Tool = tx.update(actor, id.0, values).await?;
        self.store_secrets(tx, owner, tool.server_id.0, &secrets).await?;
        Ok(ImportOutcome { result: ImportResult::Updated(id), name: tool.spec.name })
    }
}

fn failed(tool: Tool, faults: Faults) -> ImportOutcome {
    ImportOutcome { name: tool.spec.name, result: ImportResult::Failed(faults) }
}

fn origin(document_id: Option<DocumentId>, tool: &ImportedTool) -> Option<ToolOrigin> {
    let (operation, hash) = (tool.operation.clone(), tool.hash.clone());
    document_id.map(|document_id| ToolOrigin { document_id, operation, hash, base_revision: None, is_removed: false })
}

impl Tx {
    /// Writes the audit row of an import, with the number of tools for each result.
    async fn audit_import(
        &mut self,
        actor: &Actor,
        server_id: ServerId,
        document_id: Option<DocumentId>,
        outcomes: &[ImportOutcome],
    ) -> Result<()> {
        let count = |is_counted: fn(&ImportResult) -> bool| {
            outcomes.iter().filter(|outcome| is_counted(&outcome.result)).count()
        };
        let document = document_id.map(|id| format!("document_id={id},")).unwrap_or_default();
        let removed = count(|result| matches!(result, ImportResult::Paused(_) | ImportResult::Deleted(_)));
        let removed = if removed > 0 { format!(",removed={removed}") } else { String::new() };
        let fields = format!(
            "{document}created={},updated={},skipped={},failed={}{removed}",
            count(|result| matches!(result, ImportResult::Created(_))),
            count(|result| matches!(result, ImportResult::Updated(_))),
            count(|result| matches!(result, ImportResult::Skipped(_))),
            count(|result| matches!(result, ImportResult::Failed(_))),
        );
        let row = self.fetch_one("SELECT name FROM servers WHERE id = $1", params![server_id.0]).await?;
        let server = AuditedObject::server(server_id, row.text("name")?);
        self.audit(&actor.with_fields(fields), Action::Import, &server).await
    }

    /// Reads a tool of a locked server.
    async fn find_tool(&mut self, id: ToolId) -> Result<Tool> {
        let sql = format!("SELECT {} FROM tools WHERE id = $1", Tool::list());
        let row = self.fetch_optional(sqlx::AssertSqlSafe(sql), params![id.0]).await?;
        Tool::from_row(&row.ok_or(StorageError::NotFound(ObjectKind::Tool))?)
    }
}

fn check_import_capacity(present: i64, planned: &[PlannedTool]) -> Result<()> {
    let added = planned.iter().filter(|tool| matches!(tool, PlannedTool::Create(_))).count();
    let added = i64::try_from(added).unwrap_or(i64::MAX);
    if present.saturating_add(added) > TOOLS_MAX {
        return Err(StorageError::TooManyTools { present, added, max: TOOLS_MAX });
    }
    Ok(())
}
