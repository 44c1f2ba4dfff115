//! What a new version of a document changes in the tools that were imported from it.
//!
//! Each tool is compared in three states: as the version that it was last updated from describes it (its base), as the
//! new version describes it, and as it is stored. Only fields in which the two versions differ are changed, so an edit
//! by hand stays until the document changes the same field. All functions are pure.

mod arguments;
mod difference;
mod matching;
mod narrowing;
mod server_part;
#[cfg(test)]
mod tests;
mod tool_state;

use std::collections::HashSet;

use serde::Serialize;
use serde_json::Value;

use crate::api::candidate::Candidate;
use crate::api::report::ApiImport;

pub use tool_state::ToolState;

/// A difference that breaks clients, or that would replace an edit by hand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DriftChange {
    /// Where the difference is, as a JSON pointer into the tool.
    pub pointer: String,
    /// The value of the tool.
    pub was: Value,
    /// The value in the new version.
    pub now: Value,
}

/// A tool that was imported from the document.
#[derive(Clone, Copy)]
pub struct ComparedTool<'a> {
    /// The operation that it was imported from.
    pub operation: &'a str,
    /// The fields of the tool.
    pub state: &'a ToolState,
    /// Whether it is marked as a tool whose operation was removed.
    pub is_removed: bool,
    /// The version that the tool was last updated from; `None` if it is no longer stored.
    pub base: Option<&'a BaseVersion>,
    /// The newest stored version, through which an operation is found that moved after the base.
    pub newest: Option<&'a BaseVersion>,
}

/// What a new version changes in one tool.
#[derive(Debug, PartialEq)]
pub enum ToolDrift {
    /// The new version changes nothing.
    Unchanged,
    /// The new version does not have the operation.
    Removed,
    /// The operation cannot be a tool in the new version, or is hidden; the tool stays as it is.
    NotReadable {
        /// Whether the operation could be a tool in the base version.
        was_readable: bool,
    },
    /// Clients that work with the tool also work with the new version.
    Changed(NewState),
    /// Clients may fail with the new version, or an edit by hand would be replaced.
    Breaking(NewState, Vec<DriftChange>),
}

/// The fields that a tool takes over from the new version.
#[derive(Debug, PartialEq)]
pub struct NewState {
    /// The index of the candidate in the new version.
    pub candidate: usize,
    /// The fields to take over from the candidate.
    pub fields: Vec<&'static str>,
}

/// An earlier version of the document, with the position of each of its candidates in the new version.
#[derive(Debug)]
pub struct BaseVersion {
    import: ApiImport,
    positions: Vec<Option<usize>>,
}

impl BaseVersion {
    /// Finds the operations of an earlier version in the new one: by operation, then by `operationId`, then by their
    /// input. A tool whose path has changed keeps its name.
    pub fn new(import: ApiImport, new: &mut ApiImport) -> Self {
        let positions = matching::positions(&import, new);
        for (old, position) in import.candidates.iter().zip(&positions) {
            if let Some(candidate) = position.and_then(|position| new.candidates.get_mut(position))
                && candidate.operation != old.operation
            {
                candidate.name.clone_from(&old.name);
                candidate.slug.clone_from(&old.name);
            }
        }
        Self { import, positions }
    }

    /// The candidates of the new version that this one does not have.
    pub fn added(&self, new: &ApiImport) -> Vec<usize> {
        let known: HashSet<usize> = self.positions.iter().flatten().copied().collect();
        (0..new.candidates.len()).filter(|position| !known.contains(position)).collect()
    }

    fn find(&self, operation: &str, name: &Value) -> Option<(&Candidate, Option<usize>)> {
        let position = find(&self.import.candidates, operation, name)?;
        let candidate = self.import.candidates.get(position)?;
        Some((candidate, self.positions.get(position).copied().flatten()))
    }
}

/// Compares a tool with the new version.
pub fn compare(tool: ComparedTool<'_>, new: &ApiImport) -> ToolDrift {
    let name = tool.state.field("name");
    let base = tool.base.and_then(|base| base.find(tool.operation, name));
    let newest = || tool.newest.and_then(|newest| newest.find(tool.operation, name)).and_then(|(_, position)| position);
    let position = match base {
        Some((_, position)) => position.or_else(newest),
        None => find(&new.candidates, tool.operation, name).or_else(newest),
    };
    let Some((position, candidate)) = position.and_then(|at| Some((at, new.candidates.get(at)?))) else {
        let is_present = new.operations.iter().any(|operation| operation == tool.operation);
        return if is_present { ToolDrift::NotReadable { was_readable: base.is_some() } } else { ToolDrift::Removed };
    };
    let base = base.map_or_else(|| tool.state.clone(), |(base, _)| ToolState::from_candidate(base));
    let new = ToolState::from_candidate(candidate);
    let difference = difference::compare(&base, &new, tool.state);
    let is_same = difference.fields.is_empty() && candidate.operation == tool.operation && !tool.is_removed;
    let state = NewState { candidate: position, fields: difference.fields };
    if is_same {
        ToolDrift::Unchanged
    } else if difference.breaking.is_empty() {
        ToolDrift::Changed(state)
    } else {
        ToolDrift::Breaking(state, difference.breaking)
    }
}

/// The position of the candidate of an operation. Several requests of a collection can have one operation; then the
/// name must match as well, so that a tool is never updated from a different request.
fn find(candidates: &[Candidate], operation: &str, name: &Value) -> Option<usize> {
    let same = || candidates.iter().enumerate().filter(|(_, candidate)| candidate.operation == operation);
    let named = same().find(|(_, candidate)| name == candidate.name.as_str());
    let only = || same().next().filter(|_| same().nth(1).is_none());
    named.or_else(only).map(|(position, _)| position)
}
