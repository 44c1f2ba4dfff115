//! Results of imports of tools.

use toolgate_domain::fault::Faults;
use toolgate_domain::ids::{DocumentId, ToolId};
use toolgate_storage::{ImportOutcome, ImportResult, SkipReason};

use crate::reply_object::reply_object;
use crate::schema::Omittable;

/// Where an imported tool comes from.
#[derive(Clone)]
pub(crate) enum ImportItem {
    /// The candidate of a document with this `temp_id`.
    Candidate(String),
    /// The entry of a manifest, from 0.
    Entry(usize),
}

impl ImportItem {
    fn temp_id(&self) -> Omittable<String> {
        if let Self::Candidate(id) = self { Omittable(Some(id.clone())) } else { Omittable(None) }
    }

    fn index(&self) -> Omittable<usize> {
        if let Self::Entry(index) = self { Omittable(Some(*index)) } else { Omittable(None) }
    }
}

reply_object! {
    /// A tool that an import created or changed.
    pub(crate) struct ImportedToolOut(tool_id: ToolId, item: &ImportItem, name: String) {
        tool_id: i64 = tool_id.0,
        /// The candidate of the document.
        temp_id: Omittable<String> = item.temp_id(),
        /// Position in the manifest, from 0.
        index: Omittable<usize> = item.index(),
        name: String = name,
    }
}

reply_object! {
    /// A tool that an import left out.
    pub(crate) struct SkippedToolOut(item: &ImportItem, name: String, reason: SkipReason) {
        /// The candidate of the document.
        temp_id: Omittable<String> = item.temp_id(),
        /// Position in the manifest, from 0.
        index: Omittable<usize> = item.index(),
        name: String = name,
        reason: &'static str = skip_reason(reason),
    }
}

reply_object! {
    /// A tool that could not be imported.
    pub(crate) struct FailedToolOut(item: &ImportItem, name: String, error: String, pointer: Option<String>) {
        /// The candidate of the document.
        temp_id: Omittable<String> = item.temp_id(),
        /// Position in the manifest, from 0.
        index: Omittable<usize> = item.index(),
        name: String = name,
        error: String = error,
        /// Position in the document, as a JSON pointer.
        pointer: Omittable<String> = Omittable(pointer),
    }
}

reply_object! {
    /// A tool whose operation is gone.
    pub(crate) struct RemovedToolOut(tool_id: ToolId, item: &ImportItem, name: String, result: &'static str) {
        tool_id: i64 = tool_id.0,
        /// The candidate of the removed operation.
        temp_id: Omittable<String> = item.temp_id(),
        name: String = name,
        /// paused or deleted.
        result: &'static str = result,
    }
}

reply_object! {
    /// What an import did.
    pub(crate) struct ToolImportOut(document_id: Option<DocumentId>) {
        /// The document that the tools come from.
        document_id: Omittable<i64> = Omittable(document_id.map(|id| id.0)),
        created: Vec<ImportedToolOut> = Vec::new(),
        updated: Vec<ImportedToolOut> = Vec::new(),
        skipped: Vec<SkippedToolOut> = Vec::new(),
        failed: Vec<FailedToolOut> = Vec::new(),
        /// Tools of the document whose operations are gone.
        removed: Omittable<Vec<RemovedToolOut>> = Omittable(document_id.map(|_| Vec::new())),
    }
}

impl ToolImportOut {
    /// Adds the outcome for one tool.
    pub(crate) fn add(&mut self, item: &ImportItem, outcome: ImportOutcome) {
        let ImportOutcome { name, result } = outcome;
        match result {
            ImportResult::Created(id) => self.created.push(ImportedToolOut::new(id, item, name)),
            ImportResult::Updated(id) => self.updated.push(ImportedToolOut::new(id, item, name)),
            ImportResult::Paused(id) => self.add_removed(RemovedToolOut::new(id, item, name, "paused")),
            ImportResult::Deleted(id) => self.add_removed(RemovedToolOut::new(id, item, name, "deleted")),
            ImportResult::Skipped(reason) => self.skipped.push(SkippedToolOut::new(item, name, reason)),
            ImportResult::Failed(faults) => self.add_failed(item, name, &faults, None),
        }
    }

    /// Adds a selected candidate that already is a tool as skipped, unless its change is listed.
    pub(crate) fn add_present(&mut self, item: &ImportItem, name: String) {
        let temp_id = item.temp_id().0;
        let updated = self.updated.iter().map(|tool| &tool.temp_id.0);
        let skipped = self.skipped.iter().map(|tool| &tool.temp_id.0);
        let failed = self.failed.iter().map(|tool| &tool.temp_id.0);
        if !updated.chain(skipped).chain(failed).any(|listed| *listed == temp_id) {
            self.skipped.push(SkippedToolOut::new(item, name, SkipReason::AlreadyImported));
        }
    }

    fn add_removed(&mut self, tool: RemovedToolOut) {
        self.removed.0.get_or_insert_default().push(tool);
    }

    /// Adds an invalid tool, with the messages of its faults.
    pub(crate) fn add_failed(&mut self, item: &ImportItem, name: String, faults: &Faults, pointer: Option<String>) {
        let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
        self.failed.push(FailedToolOut::new(item, name, messages.join(" "), pointer));
    }
}

fn skip_reason(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::NameTaken => "A tool of the server has this name.",
        SkipReason::AlreadyImported => "A tool of the server comes from this operation.",
        SkipReason::NotReadable => {
            "The operation cannot be a tool in the new version: see problems; or the overlay hides it."
        }
        SkipReason::UpToDate => "The tool is up to date.",
        SkipReason::Breaking => {
            "The new version breaks clients of this tool. Accept it with its temp_id in selected_temp_ids, or with \
             accept_breaking."
        }
        SkipReason::OtherOrigin => "The tool with this name does not come from this operation, so it is not updated.",
    }
}
