//! Tools that the service itself provides on a server, in addition to the owner's tools.

use std::borrow::Cow;

/// A tool that the service provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltInTool {
    /// Reads the next part of a response that was shortened.
    ReadMore,
    /// Finds tools that the list does not show.
    SearchTools,
    /// Describes the arguments of such tools.
    DescribeTool,
    /// Calls such a tool.
    CallTool,
}

/// A built-in tool under the name that clients call.
#[derive(Clone, Debug)]
pub struct NamedBuiltIn {
    /// The name.
    pub name: String,
    /// The tool.
    pub tool: BuiltInTool,
    /// What it does.
    pub description: Cow<'static, str>,
}

/// The tools that the service adds to those of the owner: `read_more` if a tool has a budget, and those for search if
/// `groups`, which the description of the search lists, is set. `is_taken` checks whether a tool of the owner has a
/// name.
pub fn built_in_tools(has_budget: bool, groups: Option<&str>, is_taken: impl Fn(&str) -> bool) -> Vec<NamedBuiltIn> {
    let mut built_in: Vec<NamedBuiltIn> =
        has_budget.then(|| BuiltInTool::ReadMore.with_unused_name(&is_taken)).into_iter().collect();
    let Some(groups) = groups else { return built_in };
    built_in.extend(BuiltInTool::SEARCH.map(|tool| tool.with_unused_name(&is_taken)));
    let search = built_in.iter_mut().find(|built_in| built_in.tool == BuiltInTool::SearchTools);
    if let Some(search) = search.filter(|_| !groups.is_empty()) {
        search.description = format!("{} Groups: {groups}.", search.description).into();
    }
    built_in
}

impl BuiltInTool {
    /// The tools that clients use to search.
    const SEARCH: [Self; 3] = [Self::SearchTools, Self::DescribeTool, Self::CallTool];

    /// The tool under its own name, or with a number if a tool of the owner has that name.
    fn with_unused_name(self, is_taken: &impl Fn(&str) -> bool) -> NamedBuiltIn {
        let name = self.preferred_name();
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let unused = std::iter::once(name.to_owned()).chain(numbered).find(|name| !is_taken(name));
        let name = unused.unwrap_or_else(|| name.to_owned());
        NamedBuiltIn { name, tool: self, description: self.description().into() }
    }

    /// Whether the tool is listed only if clients search for tools.
    pub fn is_for_search(self) -> bool {
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

    /// The schema of its arguments, as JSON.
    pub fn input_schema(self) -> &'static str {
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

#[cfg(test)]
mod tests {
    use super::*;
    use toolgate_domain::tokens::estimate;

    #[test]
    fn names_that_are_taken_get_a_number() {
        let is_taken = |name: &str| ["call_tool", "call_tool_2"].contains(&name);
        assert_eq!(BuiltInTool::CallTool.with_unused_name(&is_taken).name, "call_tool_3");
        assert_eq!(BuiltInTool::SearchTools.with_unused_name(&is_taken).name, "search_tools");
    }

    #[test]
    fn the_tools_for_search_take_at_most_300_tokens_without_groups() {
        let tools = built_in_tools(false, Some(""), |_| false);
        let texts = tools.iter().map(|tool| {
            let NamedBuiltIn { name, description, .. } = tool;
            let schema = tool.tool.input_schema();
            format!(r#"{{"name":"{name}","description":"{description}","inputSchema":{schema}}}"#)
        });
        let tokens = estimate(&texts.collect::<String>());
        assert!(tokens <= 300, "{tokens}");
    }
}
