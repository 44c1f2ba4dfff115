//! The store of tools in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::{ServerCredentialId, ServerId, ToolId};
use toolgate_domain::overlay_edit::OverlayEdit;
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::{
    COPY_SORT_ORDER_MIN, PINNED_TOOLS_MAX, TOOLS_MAX, Tags, Tool, ToolOrigin, ToolPatch, ToolSpec, ToolStatus,
    copy_name,
};
use toolgate_domain::upstream_auth::AuthType;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::audit::AuditedObject;
use super::columns::Columns as _;
use super::conditions::Conditions;
use super::locks::{check_capacity, limit_and_offset};
use super::objects::StoredObject as _;
use super::row::params;
use super::secrets::SecretOwner;
use super::server_access::{caller_param, is_visible};
use super::tx::Tx;
use crate::error::{Result, StorageError};
use crate::tools::{NewTool, ToolFilter, ToolStore};

const NOT_FOUND: StorageError = StorageError::NotFound(ObjectKind::Tool);

/// What a new tool has in addition to the fields that its owner sets.
pub(super) struct ToolPlacement {
    pub(super) server_id: ServerId,
    pub(super) sort_order: i64,
    pub(super) credential_id: Option<ServerCredentialId>,
    pub(super) origin: Option<ToolOrigin>,
}

#[async_trait]
impl ToolStore for SqlStorage {
    async fn list_tools(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        filter: &ToolFilter,
        page: Option<Page>,
    ) -> Result<Listing<Tool>> {
        let counts = self.db.server_counts(visibility, server_id).await?;
        let mut conditions = Conditions::default();
        conditions.add("server_id = $", server_id.0);
        if let Some(status) = filter.status {
            conditions.add("status = $", status.as_str());
        }
        if let Some(tag) = &filter.tag {
            // Both databases have REPLACE, and it compares case-sensitively.
            conditions.add("REPLACE(tags, $, '') <> tags", Tags::stored_tag(tag));
        }
        let total = match filter {
            ToolFilter { tag: Some(_), .. } => {
                let sql = format!("SELECT COUNT(*) AS total FROM tools {}", conditions.to_where_clause());
                self.db.fetch_one(AssertSqlSafe(sql), conditions.params.clone()).await?.int("total")?
            }
            ToolFilter { status: None, .. } => counts.tools,
            ToolFilter { status: Some(ToolStatus::Active), .. } => counts.active_tools,
            ToolFilter { status: Some(ToolStatus::Paused), .. } => counts.tools - counts.active_tools,
        };
        let [limit, offset] = limit_and_offset(page).map(|param| conditions.bind(param));
        let sql = format!(
            "SELECT {} FROM tools {} ORDER BY sort_order, id LIMIT {limit} OFFSET {offset}",
            Tool::list(),
            conditions.to_where_clause()
        );
        let rows = self.db.fetch_all(AssertSqlSafe(sql), conditions.params).await?;
        Ok(Listing { items: Tool::from_rows(&rows)?, total })
    }

    async fn tool(&self, visibility: Visibility, id: ToolId) -> Result<Tool> {
        let sql = format!(
            "SELECT {} FROM tools WHERE id = $1 AND EXISTS \
             (SELECT 1 FROM servers s WHERE s.id = tools.server_id AND {})",
            Tool::list(),
            is_visible("s", "$2")
        );
        Tool::from_found(self.db.fetch_optional(AssertSqlSafe(sql), params![id.0, caller_param(visibility)]).await?)
    }

    async fn tool_secrets(&self, id: ToolId) -> Result<Secrets> {
        let secrets = self.read_secrets(SecretOwner(ObjectKind::Tool, id.0)).await?;
        self.with_attached_credentials(id, secrets).await
    }

    async fn create_tool(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        new: NewTool,
    ) -> Result<Tool> {
        let mut tx = self.db.begin().await?;
        let counts = tx.lock_server(visibility, server_id).await?;
        check_capacity(counts.tools, TOOLS_MAX, "tools")?;
        let NewTool { mut spec, patch, origin } = new;
        let mut secrets = Secrets::default();
        let sort_order = match patch.sort_order {
            Some(sort_order) => sort_order,
            None => tx.next_sort_order(server_id).await?,
        };
        let attached = self.attached_credential(&mut tx, server_id, None, &patch).await?;
        spec.apply_with_credential(patch, &mut secrets, attached.as_ref())?;
        let credential_id = attached.map(|credential| credential.id);
        let placement = ToolPlacement { server_id, sort_order, credential_id, origin };
        let tool = tx.insert_tool(actor, Action::Create, &spec, &placement).await?;
        self.store_secrets(&mut tx, SecretOwner(ObjectKind::Tool, tool.id.0), server_id.0, &secrets).await?;
        tx.commit().await?;
        Ok(tool)
    }

    async fn update_tool(&self, actor: &Actor, visibility: Visibility, id: ToolId, patch: ToolPatch) -> Result<Tool> {
        let mut tx = self.db.begin().await?;
        let tool = self.patch_tool(&mut tx, actor, visibility, id, patch).await?;
        tx.commit().await?;
        Ok(tool)
    }

    async fn update_tool_and_overlay(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: ToolId,
        patch: ToolPatch,
        edit: OverlayEdit,
    ) -> Result<Tool> {
        let mut tx = self.db.begin().await?;
        let tool = self.patch_tool(&mut tx, actor, visibility, id, patch).await?;
        if let Some(origin) = &tool.origin {
            tx.edit_overlay(origin.document_id, &edit, &tool.spec.name).await?;
        }
        tx.commit().await?;
        Ok(tool)
    }

    async fn delete_tool(&self, actor: &Actor, visibility: Visibility, id: ToolId) -> Result<Tool> {
        let mut tx = self.db.begin().await?;
        let server_id = tx.lock_tool_for_update(visibility, id).await?.server_id;
        let tool: Tool = tx.delete_in_server(actor, server_id, id.0).await?;
        self.store_secrets(&mut tx, SecretOwner(ObjectKind::Tool, id.0), tool.server_id.0, &Secrets::default()).await?;
        tx.commit().await?;
        Ok(tool)
    }

    async fn toggle_tool(&self, actor: &Actor, visibility: Visibility, id: ToolId) -> Result<Tool> {
        let mut tx = self.db.begin().await?;
        tx.lock_tool_for_update(visibility, id).await?;
        let sql = format!(
            "UPDATE tools SET status = CASE status WHEN 'active' THEN 'paused' ELSE 'active' END, \
             revision = revision + 1, updated_at = $2 WHERE id = $1 RETURNING {}",
            Tool::list()
        );
        let tool = tx.change(actor, Action::Toggle, sql, params![id.0, actor.at]).await?;
        tx.commit().await?;
        Ok(tool)
    }

    async fn duplicate_tool(&self, actor: &Actor, visibility: Visibility, id: ToolId) -> Result<Tool> {
        let mut tx = self.db.begin().await?;
        let original = tx.lock_tool_for_update(visibility, id).await?;
        let server_id = original.server_id;
        let names = tx.fetch_all("SELECT name FROM tools WHERE server_id = $1", params![server_id.0]).await?;
        let names: Vec<String> = names.iter().map(|row| row.text("name")).collect::<Result<_>>()?;
        check_capacity(i64::try_from(names.len()).unwrap_or(i64::MAX), TOOLS_MAX, "tools")?;
        let mut spec = original.spec;
        spec.name = copy_name(&spec.name, |name| names.iter().any(|taken| taken == name));
        spec.pinned = false;
        let sort_order = tx.next_sort_order(server_id).await?.max(COPY_SORT_ORDER_MIN);
        let placement = ToolPlacement { server_id, sort_order, credential_id: original.credential_id, origin: None };
        let copy = tx.insert_tool(actor, Action::Duplicate, &spec, &placement).await?;
        let secrets = self.load_secrets(&mut tx, SecretOwner(ObjectKind::Tool, id.0)).await?;
        self.store_secrets(&mut tx, SecretOwner(ObjectKind::Tool, copy.id.0), server_id.0, &secrets).await?;
        tx.commit().await?;
        Ok(copy)
    }

    async fn reorder_tools(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        tool_ids: &[ToolId],
    ) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        tx.set_tool_order(actor, server_id, tool_ids).await?;
        let row = tx.fetch_one("SELECT name FROM servers WHERE id = $1", params![server_id.0]).await?;
        tx.audit(actor, Action::Reorder, &AuditedObject::server(server_id, row.text("name")?)).await?;
        tx.commit().await
    }
}

impl SqlStorage {
    async fn patch_tool(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        visibility: Visibility,
        id: ToolId,
        patch: ToolPatch,
    ) -> Result<Tool> {
        let mut tool = tx.lock_tool_for_update(visibility, id).await?;
        let owner = SecretOwner(ObjectKind::Tool, id.0);
        let attached = self.attached_credential(tx, tool.server_id, tool.credential_id, &patch).await?;
        let touches_secrets = patch.auth_type.is_some()
            || patch.auth_credentials.is_some()
            || patch.credential.is_sent()
            || patch.headers.is_some();
        let mut secrets = if touches_secrets {
            self.load_secrets(tx, owner).await?
        } else if tool.spec.auth_type != AuthType::None && patch.depends_on_credentials() {
            match self.load_secrets(tx, owner).await {
                // Calls fail without readable credentials, so the tool need not fit them.
                Err(StorageError::Sealing(_)) => Secrets::default(),
                loaded => loaded?,
            }
        } else {
            Secrets::default()
        };
        tool.sort_order = patch.sort_order.unwrap_or(tool.sort_order);
        tool.spec.apply_with_credential(patch, &mut secrets, attached.as_ref())?;
        let mut values = tool.spec.values();
        values.extend([
            ("sort_order", tool.sort_order.into()),
            ("credential_id", attached.map(|credential| credential.id.0).into()),
            ("revision", (tool.revision + 1).into()),
        ]);
        let tool: Tool = tx.update(actor, id.0, values).await?;
        tx.check_pinned_tools(&tool).await?;
        if touches_secrets {
            self.store_secrets(tx, owner, tool.server_id.0, &secrets).await?;
        }
        Ok(tool)
    }
}

impl Tx {
    /// Locks the server of a tool and reads the tool. The server's id is read before the lock, which is safe because a
    /// tool never moves to another server.
    async fn lock_tool_for_update(&mut self, visibility: Visibility, id: ToolId) -> Result<Tool> {
        let row = self.fetch_optional("SELECT server_id FROM tools WHERE id = $1", params![id.0]).await?;
        let server_id = ServerId(row.ok_or(NOT_FOUND)?.int("server_id")?);
        self.lock_server(visibility, server_id).await.map_err(|error| match error {
            StorageError::NotFound(_) => NOT_FOUND,
            other => other,
        })?;
        self.find_in_server(server_id, id.0).await
    }

    pub(super) async fn next_sort_order(&mut self, server_id: ServerId) -> Result<i64> {
        let sql = "SELECT COALESCE(MAX(sort_order) + 1, 0) AS next FROM tools WHERE server_id = $1";
        self.fetch_one(sql, params![server_id.0]).await?.int("next")
    }

    pub(super) async fn insert_tool(
        &mut self,
        actor: &Actor,
        action: Action,
        spec: &ToolSpec,
        placement: &ToolPlacement,
    ) -> Result<Tool> {
        let mut values = spec.values();
        values.extend(placement.origin.values());
        values.extend([
            ("server_id", placement.server_id.0.into()),
            ("sort_order", placement.sort_order.into()),
            ("credential_id", placement.credential_id.map(|id| id.0).into()),
            ("revision", 1.into()),
        ]);
        let tool = self.insert(actor, action, values).await?;
        self.check_pinned_tools(&tool).await?;
        Ok(tool)
    }

    /// Fails if the written tool is pinned and the server now has more pinned tools than allowed.
    async fn check_pinned_tools(&mut self, tool: &Tool) -> Result<()> {
        if !tool.spec.pinned {
            return Ok(());
        }
        let sql = "SELECT COUNT(*) AS pinned FROM tools WHERE server_id = $1 AND pinned = 1";
        let pinned = self.fetch_one(sql, params![tool.server_id.0]).await?.int("pinned")?;
        if pinned <= PINNED_TOOLS_MAX {
            return Ok(());
        }
        let message = format!(
            "pinned: the server already has {PINNED_TOOLS_MAX} pinned tools, which is the maximum; unpin one first."
        );
        Err(Fault::new("pinned", FaultKind::TooManyItems, message).into())
    }
}
