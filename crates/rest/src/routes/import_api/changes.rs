//! Plans the changes to the tools of a document after a comparison with a new version.

use serde_json::{Map, Value};
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::json::{self, Members};
use toolgate_domain::tool::ToolPatch;
use toolgate_execution::egress::EgressRule;
use toolgate_import::api;
use toolgate_import::api::drift::ToolDrift;
use toolgate_storage::{SkipReason, ToolChange, ToolChangeKind, ToolUpdate};

use super::comparison::{CandidateFields, ToolComparison};
use crate::params::read_update_arguments;
use crate::routes::tool_fields::ToolFields;
use crate::wire::tool_import::ImportItem;

/// Which changes are applied.
pub(super) struct ChangeRules<'a> {
    /// Whether a breaking change of the candidate with this `temp_id` is applied.
    pub(super) accepts: &'a (dyn Fn(&str) -> bool + Send + Sync),
    /// Whether tools whose operations are gone are deleted instead of paused.
    pub(super) deletes_removed: bool,
}

/// Changes to tools, each with the candidate that it comes from.
#[derive(Default)]
pub(super) struct PlannedChanges {
    pub(super) changes: Vec<ToolChange>,
    pub(super) items: Vec<ImportItem>,
    /// Changes that would make a tool invalid: the candidate, the name of the tool, and the faults.
    pub(super) refused: Vec<(ImportItem, String, Faults)>,
}

/// Plans the change of each tool.
pub(super) fn plan_changes(tools: &[ToolComparison], rules: &ChangeRules<'_>, egress: &EgressRule) -> PlannedChanges {
    let mut planned = PlannedChanges::default();
    for compared in tools {
        let (item, kind) = match &compared.update {
            Some(update) => {
                let item = ImportItem::Candidate(update.temp_id.clone());
                let is_accepted =
                    !matches!(compared.drift, ToolDrift::Breaking(..)) || (rules.accepts)(&update.temp_id);
                let kind = match is_accepted.then(|| tool_update(update, egress)) {
                    Some(Ok(update)) => ToolChangeKind::Update(Box::new(update)),
                    Some(Err(faults)) => {
                        planned.refused.push((item.clone(), compared.tool.spec.name.clone(), faults));
                        // The tool keeps its version. The reason is not shown: the reply lists the faults instead.
                        ToolChangeKind::Skip(SkipReason::Breaking)
                    }
                    None => ToolChangeKind::Skip(SkipReason::Breaking),
                };
                (item, Some(kind))
            }
            None => (candidate_of_operation(compared), change_without_candidate(compared, rules)),
        };
        if let Some(kind) = kind {
            let (tool_id, revision) = (compared.tool.id, compared.tool.revision);
            planned.changes.push(ToolChange { tool_id, revision, kind });
            planned.items.push(item);
        }
    }
    planned
}

fn change_without_candidate(compared: &ToolComparison, rules: &ChangeRules<'_>) -> Option<ToolChangeKind> {
    let origin = compared.tool.origin.as_ref()?;
    match compared.drift {
        ToolDrift::Removed if rules.deletes_removed => Some(ToolChangeKind::Delete),
        ToolDrift::Removed => (!origin.is_removed).then_some(ToolChangeKind::Pause),
        ToolDrift::NotReadable { .. } => Some(ToolChangeKind::Skip(SkipReason::NotReadable)),
        _ => origin.base_revision.map(|_| ToolChangeKind::MarkUpToDate),
    }
}

/// The id that the candidate of this tool's operation has, or would have if the new version had that operation.
fn candidate_of_operation(compared: &ToolComparison) -> ImportItem {
    let operation = compared.tool.origin.as_ref().map_or("", |origin| origin.operation.as_str());
    ImportItem::Candidate(api::temp_id(operation))
}

/// The change that gives a tool the fields of a candidate.
pub(in crate::routes) fn tool_update(update: &CandidateFields, egress: &EgressRule) -> Result<ToolUpdate, Faults> {
    let patch = tool_patch(&update.fields, egress)?;
    Ok(ToolUpdate { patch, operation: update.operation.clone(), hash: update.hash.clone() })
}

fn tool_patch(fields: &Map<String, Value>, egress: &EgressRule) -> Result<ToolPatch, Faults> {
    let malformed = |reason: String| Fault::invalid_value("body", format!("body is not a tool: {reason}."));
    let body = Value::Object(fields.clone()).to_string();
    json::check(body.as_bytes()).map_err(|fault| malformed(fault.to_string()))?;
    let members: Members = serde_json::from_str(&body).map_err(|error| malformed(error.to_string()))?;
    read_update_arguments::<ToolFields>(members, egress)?.patch(egress)
}
