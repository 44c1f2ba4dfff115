//! The fields that a tool gets from a new version, and which of them break clients.

use crate::api::drift::DriftChange;
use crate::api::drift::arguments;
use crate::api::drift::server_part::server_part;
use crate::api::drift::tool_state::ToolState;

/// Groups of fields that are only updated together, and when a change of the group breaks clients. Only an overlay sets
/// `status`.
const GROUPS: [(&[&str], BreakingRule); 13] = [
    (&["name"], BreakingRule::Never),
    (&["description"], BreakingRule::Never),
    (&["endpoint_url"], BreakingRule::OtherServer),
    (&["http_method"], BreakingRule::Always),
    (&["input_schema", "parameter_mapping"], BreakingRule::Arguments),
    (&["body_type", "body_required"], BreakingRule::Never),
    (&["headers"], BreakingRule::Never),
    (&["auth_type", "credential"], BreakingRule::Always),
    (&["output_schema"], BreakingRule::Never),
    (&["annotations"], BreakingRule::Never),
    (&["tags"], BreakingRule::Never),
    (&["timeout"], BreakingRule::Never),
    (&["status"], BreakingRule::Never),
];

/// When a changed field breaks clients.
#[derive(Clone, Copy)]
enum BreakingRule {
    Never,
    Always,
    /// If the server changes, not if only the path does.
    OtherServer,
    /// If the arguments of earlier calls are no longer accepted.
    Arguments,
}

/// The result of comparing a tool with a new version.
#[derive(Debug, Default)]
pub(super) struct Difference {
    /// The fields to change.
    pub(super) fields: Vec<&'static str>,
    pub(super) breaking: Vec<DriftChange>,
}

/// Compares the base of a tool with the new version. A field that both agree on stays as the tool has it. A field that
/// was edited by hand and changes in the document is breaking.
pub(super) fn compare(base: &ToolState, new: &ToolState, tool: &ToolState) -> Difference {
    let mut difference = Difference::default();
    for (group, rule) in GROUPS {
        let is_same = |a: &ToolState, b: &ToolState| group.iter().all(|field| a.field(field) == b.field(field));
        let is_status_unset = group == ["status"] && new.field("status").is_null();
        if is_same(base, new) || is_same(tool, new) || is_status_unset {
            continue;
        }
        let fields = group.iter().copied().filter(|field| tool.field(field) != new.field(field));
        let changes = fields.map(|field| field_change(field, tool, new));
        let mut breaking = breaking_changes(rule, changes.clone().collect(), tool, new);
        if breaking.is_empty() && !is_same(base, tool) {
            breaking.extend(changes);
        }
        difference.breaking.extend(breaking);
        difference.fields.extend(group);
    }
    difference
}

fn field_change(field: &str, tool: &ToolState, new: &ToolState) -> DriftChange {
    DriftChange { pointer: format!("/{field}"), was: tool.field(field).clone(), now: new.field(field).clone() }
}

fn breaking_changes(
    rule: BreakingRule,
    changes: Vec<DriftChange>,
    tool: &ToolState,
    new: &ToolState,
) -> Vec<DriftChange> {
    let is_other_server = || server_part(tool) != server_part(new);
    match rule {
        BreakingRule::Always => changes,
        BreakingRule::OtherServer if is_other_server() => changes,
        BreakingRule::Never | BreakingRule::OtherServer => Vec::new(),
        BreakingRule::Arguments => arguments::breaking_changes(tool, new),
    }
}
