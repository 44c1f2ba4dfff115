//! The store of tools.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::overlay_edit::OverlayEdit;
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::{Tool, ToolOrigin, ToolPatch, ToolSpec, ToolStatus};
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// A tool to create.
#[derive(Clone, Debug)]
pub struct NewTool {
    /// Name and endpoint URL, and defaults for the other fields.
    pub spec: ToolSpec,
    /// The fields that the request sets.
    pub patch: ToolPatch,
    /// The operation that the tool is imported from; `None` for a tool that is made by hand. Requests cannot set it.
    pub origin: Option<ToolOrigin>,
}

/// Selects tools of a server.
#[derive(Clone, Debug, Default)]
pub struct ToolFilter {
    /// Only tools with this status.
    pub status: Option<ToolStatus>,
    /// Only tools with this tag.
    pub tag: Option<String>,
}

/// Stores tools. Each method is one atomic operation.
#[async_trait]
pub trait ToolStore {
    /// Tools of a server in their order: all, or one page.
    async fn list_tools(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        filter: &ToolFilter,
        page: Option<Page>,
    ) -> Result<Listing<Tool>>;

    /// One tool.
    async fn tool(&self, visibility: Visibility, id: ToolId) -> Result<Tool>;

    /// Credentials and secret headers of a tool. If the tool uses a credential of its server, the credentials are those
    /// of that credential. A secret that cannot be opened is an error, not an empty result.
    async fn tool_secrets(&self, id: ToolId) -> Result<Secrets>;

    /// Creates a tool at the end of its server's list, unless the patch sets its position. `Exists` if the name is
    /// taken.
    async fn create_tool(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        new: NewTool,
    ) -> Result<Tool>;

    /// Changes fields of a tool. `Exists` if the name is taken.
    async fn update_tool(&self, actor: &Actor, visibility: Visibility, id: ToolId, patch: ToolPatch) -> Result<Tool>;

    /// Changes fields of an imported tool, and the overlay of its document, so that the next version of the document
    /// keeps the change.
    async fn update_tool_and_overlay(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: ToolId,
        patch: ToolPatch,
        edit: OverlayEdit,
    ) -> Result<Tool>;

    /// Deletes a tool and returns it.
    async fn delete_tool(&self, actor: &Actor, visibility: Visibility, id: ToolId) -> Result<Tool>;

    /// Pauses an active tool and activates a paused one.
    async fn toggle_tool(&self, actor: &Actor, visibility: Visibility, id: ToolId) -> Result<Tool>;

    /// Copies a tool, secrets included, to the end of the same server's list. The copy has no origin: it is made by
    /// hand, and an import never changes it.
    async fn duplicate_tool(&self, actor: &Actor, visibility: Visibility, id: ToolId) -> Result<Tool>;

    /// Moves the given tools to the front, in this order; the other tools follow in their current order. `Rejected` if
    /// an id is repeated or not a tool of this server.
    async fn reorder_tools(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        tool_ids: &[ToolId],
    ) -> Result<()>;
}
