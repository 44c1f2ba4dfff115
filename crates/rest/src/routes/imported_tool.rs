//! Edits of imported tools, which become part of the overlay of their document.

use serde_json::{Map, Value, json};
use toolgate_domain::json::JsonObject;
use toolgate_domain::overlay_edit::OverlayEdit;
use toolgate_domain::tool::{Tool, ToolPatch};
use toolgate_import::api::drift::ToolState;
use toolgate_import::api::tool_edit;

use crate::wire::tool::ToolOut;

/// The changes to the overlay of a tool's document that preserve an edit of the tool in later imports. `None` if the
/// tool was not imported, or if an overlay cannot express the edit.
pub(super) fn overlay_edit(tool: &Tool, patch: &ToolPatch) -> Option<OverlayEdit> {
    let operation = &tool.origin.as_ref()?.operation;
    let before = fields(tool);
    let mut after = before.clone();
    after.extend(patched_fields(patch));
    let (before, after) = (ToolState::from_tool(operation, before), ToolState::from_tool(operation, after));
    let edit = tool_edit::overlay_edit(operation, &before, &after);
    Some(edit).filter(|edit| !edit.members.is_empty())
}

/// The fields of a tool in their JSON form.
pub(super) fn fields(tool: &Tool) -> Map<String, Value> {
    match serde_json::to_value(ToolOut::new(tool)) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// The fields of a patch that an overlay can describe.
fn patched_fields(patch: &ToolPatch) -> impl Iterator<Item = (String, Value)> {
    let fields = [
        ("name", patch.name.as_ref().map(|name| json!(name))),
        ("description", patch.description.as_ref().map(|description| json!(description))),
        ("tags", patch.tags.as_ref().map(|tags| json!(tags.as_slice()))),
        ("status", patch.status.map(|status| json!(status.as_str()))),
        ("timeout", patch.timeout.map(|timeout| json!(timeout.as_secs()))),
        ("input_schema", patch.input_schema.as_ref().map(JsonObject::to_value)),
        ("parameter_mapping", patch.parameter_mapping.as_ref().map(|mapping| mapping.as_json().to_value())),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)))
}
