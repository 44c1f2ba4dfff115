//! The store of prompts in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::{PromptId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::prompt::{PROMPTS_MAX, Prompt, PromptPatch, PromptSpec};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::{Columns as _, insert, update};
use super::locks::{check_capacity, limit_and_offset};
use super::row::params;
use crate::error::{Result, StorageError};
use crate::prompts::PromptStore;

const NOT_FOUND: StorageError = StorageError::NotFound(ObjectKind::Prompt);

fn select_one() -> AssertSqlSafe<String> {
    AssertSqlSafe(format!("SELECT {} FROM prompts WHERE server_id = $1 AND id = $2", Prompt::list()))
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
        let sql = format!("SELECT {} FROM prompts WHERE server_id = $1 ORDER BY id LIMIT $2 OFFSET $3", Prompt::list());
        let mut params = params![server_id.0];
        params.extend(limit_and_offset(page));
        let rows = self.db.fetch_all(AssertSqlSafe(sql), params).await?;
        Ok(Listing { items: Prompt::from_rows(&rows)?, total })
    }

    async fn prompt(&self, visibility: Visibility, server_id: ServerId, id: PromptId) -> Result<Prompt> {
        self.db.server_counts(visibility, server_id).await?;
        let row = self.db.fetch_optional(select_one(), params![server_id.0, id.0]).await?;
        Prompt::from_row(&row.ok_or(NOT_FOUND)?)
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
        let mut values = spec.values();
        values.extend([
            ("server_id", server_id.0.into()),
            ("created_at", actor.at.into()),
            ("updated_at", actor.at.into()),
        ]);
        let (sql, params) = insert::<Prompt>("prompts", values);
        let row = tx.fetch_one(sql, params).await;
        let prompt = Prompt::from_row(&row.map_err(|error| error.or_exists(ObjectKind::Prompt, "name"))?)?;
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
        let row = tx.fetch_optional(select_one(), params![server_id.0, id.0]).await?;
        let mut prompt = Prompt::from_row(&row.ok_or(NOT_FOUND)?)?;
        prompt.spec.apply(patch);
        let mut values = prompt.spec.values();
        values.push(("updated_at", actor.at.into()));
        let (sql, params) = update::<Prompt>("prompts", id.0, values);
        let row = tx.fetch_one(sql, params).await;
        let prompt = Prompt::from_row(&row.map_err(|error| error.or_exists(ObjectKind::Prompt, "name"))?)?;
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
        let sql = format!("DELETE FROM prompts WHERE server_id = $1 AND id = $2 RETURNING {}", Prompt::list());
        let row = tx.fetch_optional(AssertSqlSafe(sql), params![server_id.0, id.0]).await?;
        let prompt = Prompt::from_row(&row.ok_or(NOT_FOUND)?)?;
        tx.audit(actor, Action::Delete, ObjectKind::Prompt, id.0).await?;
        tx.commit().await?;
        Ok(prompt)
    }
}
