//! Tools that the service itself provides on a server, in addition to the owner's tools.

use std::borrow::Cow;
use std::collections::HashSet;

use toolgate_execution::content::write_json_string;

use super::lists::{write_raw_member, write_text_member};

/// A tool that the service provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuiltInTool {
    /// Reads on in a response that was shortened.
    ReadMore,
    /// Finds tools that the list does not show.
    SearchTools,
    /// Shows how to call such tools.
    DescribeTool,
    /// Calls such a tool.
    CallTool,
}

/// A built-in tool under the name that clients call.
#[derive(Clone, Debug)]
pub(crate) struct NamedBuiltIn {
    pub(crate) name: String,
    pub(crate) tool: BuiltInTool,
    pub(super) description: Cow<'static, str>,
}

impl BuiltInTool {
    /// The tools of a list in which clients search.
    pub(super) const SEARCH: [Self; 3] = [Self::SearchTools, Self::DescribeTool, Self::CallTool];

    /// The tool under its own name, or with a number if a tool of the owner has that name.
    pub(super) fn with_unused_name(self, taken: &HashSet<String>) -> NamedBuiltIn {
        let name = self.preferred_name();
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let unused = std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken.contains(name));
        let name = unused.unwrap_or_else(|| name.to_owned());
        NamedBuiltIn { name, tool: self, description: self.description().into() }
    }

    /// Whether it is listed only where clients search for tools.
    pub(super) fn is_for_search(self) -> bool {
        Self::SEARCH.contains(&self)
    }

    fn preferred_name(self) -> &'static str {
        match self {
            Self::ReadMore => "read_more",
            Self::SearchTools => "search_tools",
            Self::DescribeTool => "describe_tool",
            Self::CallTool => "call_tool",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::ReadMore => "Reads on in a response that was shortened. Use the ref of its note.",
            Self::SearchTools => {
                "Finds tools of this server that are not listed. Returns one line for each: name(arguments, optional?) - what it does."
            }
            Self::DescribeTool => {
                "Returns the input schema and an example for up to 5 tools. Use it before call_tool if arguments are unclear."
            }
            Self::CallTool => "Calls any tool of this server by its name and returns its result.",
        }
    }

    fn input_schema(self) -> &'static str {
        match self {
            Self::ReadMore => {
                r#"{"type":"object","properties":{"ref":{"type":"string"},"path":{"type":"string","description":"Part to read, such as hits.hits"},"from":{"type":"integer","description":"First element or line"},"max_tokens":{"type":"integer"}},"required":["ref"]}"#
            }
            Self::SearchTools => {
                r#"{"type":"object","properties":{"query":{"type":"string","description":"What you want to do, in a few words"},"group":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":20,"default":8}},"required":["query"]}"#
            }
            Self::DescribeTool => {
                r#"{"type":"object","properties":{"names":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":5}},"required":["names"]}"#
            }
            Self::CallTool => {
                r#"{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object"}},"required":["name"]}"#
            }
        }
    }
}

/// Writes the definition of a built-in tool in a list.
pub(super) fn write_built_in(built_in: &NamedBuiltIn, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"name\":");
    write_json_string(&built_in.name, out);
    write_text_member("description", &built_in.description, out);
    write_raw_member("inputSchema", built_in.tool.input_schema(), out);
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgate_domain::tokens::estimate;

    #[test]
    fn names_that_are_taken_get_a_number() {
        let taken: HashSet<String> = ["call_tool", "call_tool_2"].map(str::to_owned).into();
        assert_eq!(BuiltInTool::CallTool.with_unused_name(&taken).name, "call_tool_3");
        assert_eq!(BuiltInTool::SearchTools.with_unused_name(&taken).name, "search_tools");
    }

    #[test]
    fn the_tools_for_search_take_at_most_300_tokens_without_groups() {
        let mut out = Vec::new();
        for tool in BuiltInTool::SEARCH {
            write_built_in(&tool.with_unused_name(&HashSet::new()), &mut out);
        }
        let tokens = estimate(std::str::from_utf8(&out).unwrap());
        assert!(tokens <= 300, "{tokens}");
    }
}
