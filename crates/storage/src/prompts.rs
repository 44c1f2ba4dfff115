//! Prompts.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{PromptId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::prompt::{Prompt, PromptPatch, PromptSpec};
use toolgate_domain::user::Visibility;

use crate::Result;

/// Prompts of a server. A prompt asked for under another server than its own is not found.
#[async_trait]
pub trait PromptStore {
    /// Prompts of a server by id: all, or one page of them.
    async fn list_prompts(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<Prompt>>;

    /// One prompt.
    async fn prompt(&self, visibility: Visibility, server_id: ServerId, id: PromptId) -> Result<Prompt>;

    /// Makes a prompt. `Exists` when the name is taken.
    async fn create_prompt(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        spec: PromptSpec,
    ) -> Result<Prompt>;

    /// Changes fields of a prompt. `Exists` when the name is taken.
    async fn update_prompt(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: PromptId,
        patch: PromptPatch,
    ) -> Result<Prompt>;

    /// Deletes a prompt. Returns what it was.
    async fn delete_prompt(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: PromptId,
    ) -> Result<Prompt>;
}
