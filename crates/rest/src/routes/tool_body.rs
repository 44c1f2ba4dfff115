//! Reads a tool from an object inside a request: an entry of a manifest, or a candidate of a document. Each has the
//! fields of a request that creates a tool.

use serde_json::value::RawValue;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::json::{self, Members};
use toolgate_domain::tool::{COPY_SUFFIX, ToolSpec, ToolStatus};
use toolgate_execution::egress::EgressRule;
use toolgate_storage::NewTool;

use super::tool_fields::ToolFields;
use crate::params::read_create_arguments;

/// Longest name of a copied tool that is imported, in bytes.
const COPY_NAME_MAX: usize = 256;

/// The tool in `body`, with `status` in place of its own status.
pub(super) fn read_tool(body: &RawValue, status: ToolStatus, egress: &EgressRule) -> Result<NewTool, Faults> {
    let malformed = |reason: String| Fault::invalid_value("body", format!("body is not a tool: {reason}."));
    json::check(body.get().as_bytes()).map_err(|fault| malformed(fault.to_string()))?;
    let members = serde_json::from_str::<Members>(body.get());
    let mut members = members.map_err(|_| malformed("it is not a JSON object".to_owned()))?;
    members.insert("status".to_owned(), json::raw_string(status.as_str()));
    let patch = read_create_arguments::<ToolFields>(members, egress)?.patch(egress)?;
    let url = patch.endpoint_url.clone().ok_or_else(|| Fault::empty("endpoint_url"))?;
    // The suffix of a copy is not valid in a name that a client chooses, but an exported copy keeps its name.
    let is_copy = |name: &String| name.ends_with(COPY_SUFFIX) && name.len() <= COPY_NAME_MAX;
    let name = patch.name.clone().filter(is_copy).unwrap_or_default();
    Ok(NewTool { spec: ToolSpec::new(name, url), patch, origin: None })
}

/// The name in the body of a tool that cannot be read; empty if it has none.
pub(super) fn name_in_body(body: &RawValue) -> String {
    let members: Members = serde_json::from_str(body.get()).unwrap_or_default();
    members.get("name").and_then(|name| json::as_string(name)).unwrap_or_default()
}
