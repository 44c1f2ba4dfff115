//! The definitions of built-in tools in lists.

use toolgate_discovery::built_in::NamedBuiltIn;
use toolgate_execution::content::write_json_string;

use super::lists::{write_raw_member, write_text_member};

/// Writes the definition of a built-in tool in a list.
pub(super) fn write_built_in(built_in: &NamedBuiltIn, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"name\":");
    write_json_string(&built_in.name, out);
    write_text_member("description", &built_in.description, out);
    write_raw_member("inputSchema", built_in.tool.input_schema(), out);
    out.push(b'}');
}
