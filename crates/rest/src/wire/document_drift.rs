//! What a new version of a document changes in its tools.

use serde_json::Value;
use toolgate_domain::ids::ToolId;
use toolgate_import::api::drift::DriftChange;

use crate::reply_object::reply_object;

reply_object! {
    /// An operation that only the new version has.
    pub(crate) struct AddedOperationOut(operation: String, temp_id: String) {
        /// Method and path.
        operation: String = operation,
        temp_id: String = temp_id,
    }
}

reply_object! {
    /// A tool whose operation changed or is gone.
    pub(crate) struct DriftedToolOut(operation: String, temp_id: String, tool_id: ToolId, name: String) {
        /// Method and path.
        operation: String = operation,
        temp_id: String = temp_id,
        tool_id: i64 = tool_id.0,
        /// Name of the tool.
        name: String = name,
    }
}

reply_object! {
    /// A difference that breaks clients, or that would replace an edit of the tool.
    pub(crate) struct DriftChangeOut(change: DriftChange) {
        /// Position in the tool, as a JSON pointer.
        pointer: String = change.pointer,
        /// Value of the tool.
        was: Value = change.was,
        /// Value in the new version.
        now: Value = change.now,
    }
}

reply_object! {
    /// A tool that the new version changes so that clients may fail.
    pub(crate) struct BrokenToolOut(tool: DriftedToolOut, changes: Vec<DriftChangeOut>) {
        ..tool: DriftedToolOut = tool,
        changes: Vec<DriftChangeOut> = changes,
    }
}

reply_object! {
    /// What the new version of a document changes.
    pub(crate) struct DocumentDriftOut(overlay_orphans: Vec<String>) {
        added: Vec<AddedOperationOut> = Vec::new(),
        removed: Vec<DriftedToolOut> = Vec::new(),
        changed: Vec<DriftedToolOut> = Vec::new(),
        breaking: Vec<BrokenToolOut> = Vec::new(),
        /// Number of tools that stay as they are.
        unchanged: usize = 0,
        /// Operations and arguments that the overlay names but the new version does not have.
        overlay_orphans: Vec<String> = overlay_orphans,
    }
}

impl DocumentDriftOut {
    pub(crate) fn add_operation(&mut self, operation: AddedOperationOut) {
        self.added.push(operation);
    }

    pub(crate) fn add_removed(&mut self, tool: DriftedToolOut) {
        self.removed.push(tool);
    }

    pub(crate) fn add_changed(&mut self, tool: DriftedToolOut) {
        self.changed.push(tool);
    }

    pub(crate) fn add_breaking(&mut self, tool: DriftedToolOut, changes: Vec<DriftChange>) {
        let changes = changes.into_iter().map(DriftChangeOut::new).collect();
        self.breaking.push(BrokenToolOut::new(tool, changes));
    }

    pub(crate) fn add_unchanged(&mut self) {
        self.unchanged += 1;
    }
}
