//! The store of imported tools.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::fault::Faults;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::tool_import::ConflictRule;
use toolgate_domain::user::Visibility;

use crate::error::Result;
use crate::tools::NewTool;

/// Tools to import into a server.
#[derive(Clone, Debug)]
pub struct ToolImport {
    /// The tools, in the order in which they are added.
    pub tools: Vec<NewTool>,
    /// What happens to a tool whose name is taken.
    pub on_conflict: ConflictRule,
}

/// What became of one imported tool.
#[derive(Clone, Debug)]
pub struct ImportOutcome {
    /// The name of the tool; that of a created tool may have a number.
    pub name: String,
    /// What was done.
    pub result: ImportResult,
}

/// The result for one imported tool.
#[derive(Clone, Debug)]
pub enum ImportResult {
    /// A tool was created.
    Created(ToolId),
    /// A tool was changed.
    Updated(ToolId),
    /// Nothing was done.
    Skipped(SkipReason),
    /// The tool breaks a rule; the others are imported all the same.
    Failed(Faults),
}

/// Why an imported tool was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// A tool of the server has this name.
    NameTaken,
}

/// Imports tools. Each method is one atomic operation.
#[async_trait]
pub trait ToolImportStore {
    /// Adds tools to the end of the server's list and returns what became of each. Either all that can be written is
    /// written, or nothing: `TooManyTools` if the server would have more tools than it may.
    async fn import_tools(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        import: ToolImport,
    ) -> Result<Vec<ImportOutcome>>;
}
