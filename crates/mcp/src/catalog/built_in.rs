//! Tools that the service itself provides on a server, in addition to the owner's tools.

use std::collections::HashSet;

use toolgate_execution::content::write_json_string;

use super::lists::{write_raw_member, write_text_member};

/// A tool that the service provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuiltInTool {
    /// Reads on in a response that was shortened.
    ReadMore,
}

/// A built-in tool under the name that clients call.
#[derive(Clone, Debug)]
pub(crate) struct NamedBuiltIn {
    pub(crate) name: String,
    pub(crate) tool: BuiltInTool,
}

impl BuiltInTool {
    /// The tool under its own name, or with a number if a tool of the owner has that name.
    pub(super) fn with_unused_name(self, taken: &HashSet<String>) -> NamedBuiltIn {
        let name = self.preferred_name();
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let unused = std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken.contains(name));
        NamedBuiltIn { name: unused.unwrap_or_else(|| name.to_owned()), tool: self }
    }

    fn preferred_name(self) -> &'static str {
        match self {
            Self::ReadMore => "read_more",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::ReadMore => "Reads on in a response that was shortened. Use the ref of its note.",
        }
    }

    fn input_schema(self) -> &'static str {
        match self {
            Self::ReadMore => {
                r#"{"type":"object","properties":{"ref":{"type":"string"},"path":{"type":"string","description":"Part to read, such as hits.hits"},"from":{"type":"integer","description":"First element or line"},"max_tokens":{"type":"integer"}},"required":["ref"]}"#
            }
        }
    }
}

/// Writes the definition of a built-in tool in a list.
pub(super) fn write_built_in(built_in: &NamedBuiltIn, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"name\":");
    write_json_string(&built_in.name, out);
    write_text_member("description", built_in.tool.description(), out);
    write_raw_member("inputSchema", built_in.tool.input_schema(), out);
    out.push(b'}');
}
