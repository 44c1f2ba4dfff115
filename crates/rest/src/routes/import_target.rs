//! The arguments that say how imported tools become tools of a server.

use toolgate_domain::tool::ToolStatus;
use toolgate_domain::tool_import::ConflictRule;

use crate::params::{arguments, typed_arg as arg};

const ON_CONFLICT: &str = "What happens to a tool whose name is taken: skip; duplicate, which adds a number to the name; \
     update, which replaces the tool of the same document and operation.";
const IMPORTED_STATUS: &str = "Status of the new tools; draft means paused.";

arguments! {
    /// How imported tools become tools of a server.
    pub(super) struct ImportTargetArgs {
        on_conflict: Option<ConflictRule> =
            arg::one_of::<ConflictRule>(ON_CONFLICT).default(ConflictRule::Skip.as_str()),
        imported_status: Option<String> =
            arg::one_of_names(&["paused", "active", "draft"], IMPORTED_STATUS).default("paused"),
    }
}

impl ImportTargetArgs {
    pub(super) fn on_conflict(&self) -> ConflictRule {
        self.on_conflict.unwrap_or(ConflictRule::Skip)
    }

    pub(super) fn status(&self) -> ToolStatus {
        self.imported_status.as_deref().and_then(ToolStatus::parse).unwrap_or(ToolStatus::Paused)
    }
}
