//! The import of tools in SQL: one transaction that first decides what becomes of each tool, then checks the capacity of
//! the server, then writes.

use std::collections::HashSet;

use async_trait::async_trait;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::ServerId;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::{TOOLS_MAX, Tool, ToolSpec};
use toolgate_domain::tool_import::{ConflictRule, numbered_name};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::audit::AuditedObject;
use super::row::params;
use super::secrets::SecretOwner;
use super::tools::ToolPlacement;
use super::tx::Tx;
use crate::error::{Result, StorageError};
use crate::tool_imports::{ImportOutcome, ImportResult, SkipReason, ToolImport, ToolImportStore};
use crate::tools::NewTool;

/// What is to be done with one tool.
enum PlannedTool {
    /// It is inserted.
    Create(Box<ToolToCreate>),
    /// The outcome is known.
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
        import: ToolImport,
    ) -> Result<Vec<ImportOutcome>> {
        let mut tx = self.db.begin().await?;
        let counts = tx.lock_server(visibility, server_id).await?;
        let planned = tx.plan_import(server_id, import).await?;
        check_import_capacity(counts.tools, &planned)?;
        let mut outcomes = Vec::with_capacity(planned.len());
        for tool in planned {
            outcomes.push(match tool {
                PlannedTool::Done(outcome) => outcome,
                PlannedTool::Create(new) => {
                    let tool = self.insert_imported_tool(&mut tx, actor, server_id, *new).await?;
                    ImportOutcome { result: ImportResult::Created(tool.id), name: tool.spec.name }
                }
            });
        }
        tx.audit_import(actor, server_id, &outcomes).await?;
        tx.commit().await?;
        Ok(outcomes)
    }
}

impl SqlStorage {
    async fn insert_imported_tool(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        server_id: ServerId,
        new: ToolToCreate,
    ) -> Result<Tool> {
        let tool = tx.insert_tool(actor, Action::Create, &new.spec, &new.placement).await?;
        if !new.secrets.is_empty() {
            let owner = SecretOwner(ObjectKind::Tool, tool.id.0);
            self.store_secrets(tx, owner, server_id.0, &new.secrets).await?;
        }
        Ok(tool)
    }
}

impl Tx {
    /// Decides what becomes of each tool, without writing anything.
    async fn plan_import(&mut self, server_id: ServerId, import: ToolImport) -> Result<Vec<PlannedTool>> {
        let rows = self.fetch_all("SELECT name FROM tools WHERE server_id = $1", params![server_id.0]).await?;
        let mut taken: HashSet<String> = rows.iter().map(|row| row.text("name")).collect::<Result<_>>()?;
        let mut next_position = self.next_sort_order(server_id).await?;
        let mut planned = Vec::with_capacity(import.tools.len());
        for new in import.tools {
            let tool = plan_tool(new, import.on_conflict, &taken, server_id, next_position);
            if let PlannedTool::Create(new) = &tool {
                taken.insert(new.spec.name.clone());
                next_position = next_position.max(new.placement.sort_order + 1);
            }
            planned.push(tool);
        }
        Ok(planned)
    }

    /// Writes the audit row of an import, with the number of tools for each result.
    async fn audit_import(&mut self, actor: &Actor, server_id: ServerId, outcomes: &[ImportOutcome]) -> Result<()> {
        let count = |is_counted: fn(&ImportResult) -> bool| {
            outcomes.iter().filter(|outcome| is_counted(&outcome.result)).count()
        };
        let fields = format!(
            "created={},updated={},skipped={},failed={}",
            count(|result| matches!(result, ImportResult::Created(_))),
            count(|result| matches!(result, ImportResult::Updated(_))),
            count(|result| matches!(result, ImportResult::Skipped(_))),
            count(|result| matches!(result, ImportResult::Failed(_))),
        );
        let row = self.fetch_one("SELECT name FROM servers WHERE id = $1", params![server_id.0]).await?;
        let server = AuditedObject::server(server_id, row.text("name")?);
        self.audit(&actor.with_fields(fields), Action::Import, &server).await
    }
}

fn plan_tool(
    new: NewTool,
    on_conflict: ConflictRule,
    taken: &HashSet<String>,
    server_id: ServerId,
    next_position: i64,
) -> PlannedTool {
    let NewTool { mut spec, mut patch, origin } = new;
    let name = patch.name.clone().unwrap_or_else(|| spec.name.clone());
    let is_taken = |name: &str| taken.contains(name);
    if is_taken(&name) && on_conflict != ConflictRule::Duplicate {
        let result = ImportResult::Skipped(SkipReason::NameTaken);
        return PlannedTool::Done(ImportOutcome { name, result });
    }
    let free_name = numbered_name(&name, is_taken);
    if free_name != name {
        patch.name = Some(free_name);
    }
    let sort_order = patch.sort_order.unwrap_or(next_position);
    let placement = ToolPlacement { server_id, sort_order, credential_id: None, origin };
    let mut secrets = Secrets::default();
    match spec.apply(patch, &mut secrets) {
        Ok(()) => PlannedTool::Create(Box::new(ToolToCreate { spec, secrets, placement })),
        Err(faults) => PlannedTool::Done(ImportOutcome { name, result: ImportResult::Failed(faults) }),
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
