//! The store of prompts in SQL.

use async_trait::async_trait;
use toolgate_domain::audit::{Action, Actor};
use toolgate_domain::ids::{PromptId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::prompt::{PROMPTS_MAX, Prompt, PromptPatch, PromptSpec};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::Columns as _;
use super::locks::check_capacity;
use crate::error::Result;
use crate::prompts::PromptStore;

#[async_trait]
impl PromptStore for SqlStorage {
    async fn list_prompts(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<Prompt>> {
        let total = self.db.server_counts(visibility, server_id).await?.prompts;
        Ok(Listing { items: self.db.list_in_server(server_id, page).await?, total })
    }

    async fn prompt(&self, visibility: Visibility, server_id: ServerId, id: PromptId) -> Result<Prompt> {
        self.db.server_counts(visibility, server_id).await?;
        self.db.find_in_server(server_id, id.0).await
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
        values.push(("server_id", server_id.0.into()));
        let prompt = tx.insert(actor, Action::Create, values).await?;
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
        let mut prompt: Prompt = tx.find_in_server(server_id, id.0).await?;
        prompt.spec.apply(patch);
        let prompt = tx.update(actor, id.0, prompt.spec.values()).await?;
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
        let prompt = tx.delete_in_server(actor, server_id, id.0).await?;
        tx.commit().await?;
        Ok(prompt)
    }
}
