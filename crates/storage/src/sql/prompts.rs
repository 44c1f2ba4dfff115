//! The store of prompts in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::{PromptId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::prompt::{Messages, PROMPTS_MAX, Prompt, PromptPatch, PromptSpec};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::locks::{check_capacity, limit_and_offset};
use super::row::{Param, SqlRow, params};
use crate::{PromptStore, Result, StorageError};

pub(super) const COLUMNS: &str =
    "id, server_id, name, description, arguments, template_content, messages, created_at, updated_at";
const SELECT_ONE: &str = "SELECT id, server_id, name, description, arguments, template_content, messages, created_at, \
     updated_at FROM prompts WHERE server_id = $1 AND id = $2";

const NOT_FOUND: StorageError = StorageError::NotFound(ObjectKind::Prompt);

pub(super) fn from_row(row: &SqlRow) -> Result<Prompt> {
    Ok(Prompt {
        id: PromptId(row.int("id")?),
        server_id: ServerId(row.int("server_id")?),
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        spec: PromptSpec {
            name: row.text("name")?,
            description: row.text("description")?,
            arguments: row.parsed("arguments", |text| serde_json::from_str(text).ok())?,
            template_content: row.text("template_content")?,
            messages: row.opt_text("messages")?.map(Messages::from_stored),
        },
    })
}

/// The parameters of the insert and update statements: `first_id` is `$1`, the fields follow.
fn spec_params(first_id: i64, spec: &PromptSpec, actor: &Actor) -> Vec<Param> {
    params![
        first_id,
        spec.name.as_str(),
        spec.description.as_str(),
        serde_json::to_string(&spec.arguments).unwrap_or_else(|_| "[]".to_owned()),
        spec.template_content.as_str(),
        spec.messages.as_ref().map(Messages::as_str),
        actor.at,
    ]
}

#[async_trait]
impl PromptStore for SqlStorage {
    async fn list_prompts(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<Prompt>> {
        let total = self.db.server_counts(visibility, server_id).await?.prompts;
        let sql = format!("SELECT {COLUMNS} FROM prompts WHERE server_id = $1 ORDER BY id LIMIT $2 OFFSET $3");
        let mut params = params![server_id.0];
        params.extend(limit_and_offset(page));
        let rows = self.db.fetch_all(AssertSqlSafe(sql), params).await?;
        Ok(Listing { items: rows.iter().map(from_row).collect::<Result<_>>()?, total })
    }

    async fn prompt(&self, visibility: Visibility, server_id: ServerId, id: PromptId) -> Result<Prompt> {
        self.db.server_counts(visibility, server_id).await?; // fails if the server is not visible
        let row = self.db.fetch_optional(SELECT_ONE, params![server_id.0, id.0]).await?;
        from_row(&row.ok_or(NOT_FOUND)?)
    }

    async fn create_prompt(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        spec: PromptSpec,
    ) -> Result<Prompt> {
        let mut tx = self.db.begin().await?;
        let counts = tx.lock_server(visibility, server_id).await?;
        check_capacity(counts.prompts, PROMPTS_MAX, "prompts")?;
        let sql = format!(
            "INSERT INTO prompts (server_id, name, description, arguments, template_content, messages, created_at, \
             updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING {COLUMNS}"
        );
        let row = tx.fetch_one(AssertSqlSafe(sql), spec_params(server_id.0, &spec, actor)).await;
        let prompt = from_row(&row.map_err(|error| error.or_exists(ObjectKind::Prompt, "name"))?)?;
        tx.audit(actor, Action::Create, ObjectKind::Prompt, prompt.id.0).await?;
        tx.commit().await?;
        Ok(prompt)
    }

    async fn update_prompt(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: PromptId,
        patch: PromptPatch,
    ) -> Result<Prompt> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        let row = tx.fetch_optional(SELECT_ONE, params![server_id.0, id.0]).await?;
        let mut prompt = from_row(&row.ok_or(NOT_FOUND)?)?;
        prompt.spec.apply(patch);
        let sql = format!(
            "UPDATE prompts SET name = $2, description = $3, arguments = $4, template_content = $5, messages = $6, \
             updated_at = $7 WHERE id = $1 RETURNING {COLUMNS}"
        );
        let row = tx.fetch_one(AssertSqlSafe(sql), spec_params(id.0, &prompt.spec, actor)).await;
        let prompt = from_row(&row.map_err(|error| error.or_exists(ObjectKind::Prompt, "name"))?)?;
        tx.audit(actor, Action::Update, ObjectKind::Prompt, id.0).await?;
        tx.commit().await?;
        Ok(prompt)
    }

    async fn delete_prompt(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: PromptId,
    ) -> Result<Prompt> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        let sql = format!("DELETE FROM prompts WHERE server_id = $1 AND id = $2 RETURNING {COLUMNS}");
        let row = tx.fetch_optional(AssertSqlSafe(sql), params![server_id.0, id.0]).await?;
        let prompt = from_row(&row.ok_or(NOT_FOUND)?)?;
        tx.audit(actor, Action::Delete, ObjectKind::Prompt, id.0).await?;
        tx.commit().await?;
        Ok(prompt)
    }
}
