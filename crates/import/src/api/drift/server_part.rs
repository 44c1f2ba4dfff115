//! The part of a tool's URL that comes from the server of the document.

use crate::api::drift::tool_state::ToolState;

/// The URL without the path of the operation; only the origin if the URL does not end with that path.
pub(super) fn server_part(tool: &ToolState) -> &str {
    let url = tool.field("endpoint_url").as_str().unwrap_or_default();
    let path = tool.operation().split_once(' ').map_or("", |(_, path)| path);
    let path = path.split('#').next().unwrap_or_default();
    url.strip_suffix(path).unwrap_or_else(|| origin(url))
}

/// Scheme, host and port.
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |scheme| scheme + "://".len());
    let end = url.get(host..).and_then(|rest| rest.find(['/', '?', '#'])).map_or(url.len(), |end| host + end);
    url.get(..end).unwrap_or(url)
}
