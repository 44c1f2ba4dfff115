//! The store of prompts.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{PromptId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::prompt::{Prompt, PromptPatch, PromptSpec};
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// Stores the prompts of servers. A prompt that belongs to another server than `server_id` is `NotFound`.
#[async_trait]
pub trait PromptStore {
    /// Prompts of a server ordered by id: all, or one page.
    async fn list_prompts(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<Prompt>>;

    /// One prompt.
    async fn prompt(&self, visibility: Visibility, server_id: ServerId, id: PromptId) -> Result<Prompt>;

    /// Creates a prompt. `Exists` if the name is taken.
    async fn create_prompt(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        spec: PromptSpec,
    ) -> Result<Prompt>;

    /// Changes fields of a prompt. `Exists` if the name is taken.
    async fn update_prompt(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: PromptId,
        patch: PromptPatch,
    ) -> Result<Prompt>;

    /// Deletes a prompt and returns it.
    async fn delete_prompt(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: PromptId,
    ) -> Result<Prompt>;
}
