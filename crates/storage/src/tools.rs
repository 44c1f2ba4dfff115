//! Tools.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::{Tool, ToolPatch, ToolSpec, ToolStatus};
use toolgate_domain::user::Visibility;

use crate::Result;

/// A tool to be made.
#[derive(Clone, Debug)]
pub struct NewTool {
    /// Defaults, with name and address.
    pub spec: ToolSpec,
    /// What the request says beyond them.
    pub patch: ToolPatch,
}

/// Tools, one atomic operation a method.
#[async_trait]
pub trait ToolStore {
    /// Tools of a server by their order: all, or one page of them.
    async fn list_tools(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        status: Option<ToolStatus>,
        page: Option<Page>,
    ) -> Result<Listing<Tool>>;

    /// One tool.
    async fn tool(&self, visibility: Visibility, id: ToolId) -> Result<Tool>;

    /// Credentials and secret headers of a tool. A secret that cannot be opened is an error, never "none".
    async fn tool_secrets(&self, id: ToolId) -> Result<Secrets>;

    /// Makes a tool at the end of its server's list, unless the request says where. `Exists` when the name is taken.
    async fn create_tool(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        new: NewTool,
    ) -> Result<Tool>;

    /// Changes fields of a tool. `Exists` when the name is taken.
    async fn update_tool(&self, actor: &Actor, visibility: Visibility, id: ToolId, patch: ToolPatch) -> Result<Tool>;

    /// Deletes a tool. Returns what it was.
    async fn delete_tool(&self, actor: &Actor, visibility: Visibility, id: ToolId) -> Result<Tool>;

    /// Active becomes paused and the other way round, in one statement.
    async fn toggle_tool(&self, actor: &Actor, visibility: Visibility, id: ToolId) -> Result<Tool>;

    /// Copies a tool, secrets included, to the end of the same server's list.
    async fn duplicate_tool(&self, actor: &Actor, visibility: Visibility, id: ToolId) -> Result<Tool>;

    /// Puts the given tools first, in this order; the others follow in theirs. `Rejected` when an id is
    /// repeated or not a tool of this server; then nothing moves.
    async fn reorder_tools(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        tool_ids: &[ToolId],
    ) -> Result<()>;
}
