//! Checks a tool list for problems that make models fail or cost tokens unnecessarily.

mod arguments;
mod calls;
mod conversation;
mod descriptions;
mod evidence;
mod finding;
mod list;
mod names;
mod prose;
mod prose_values;
mod schemas;
mod secrets;
mod similarity;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde_json::Value;
use toolgate_domain::discovery::DiscoveryRule;
use toolgate_domain::ids::ToolId;
use toolgate_domain::tokens::TokenCount;

pub use conversation::ConversationList;
pub use evidence::{ArgumentFailures, CallEvidence, SentArguments};
pub use finding::{Finding, FindingCode, FindingFix, FindingLevel};

/// A tool as clients see it in a list.
#[derive(Debug, Clone, Copy)]
pub struct LintedTool<'a> {
    /// Its id.
    pub id: ToolId,
    /// Its name in the list.
    pub name: &'a str,
    /// Its description.
    pub description: &'a str,
    /// The schema of its arguments.
    pub input_schema: &'a Value,
    /// Whether it describes its results with a schema.
    pub has_output_schema: bool,
    /// Whether it was called in the last 30 days.
    pub is_used: bool,
    /// Its group, which the description of `search_tools` lists.
    pub group: Option<&'a str>,
    /// Whether it stays in the list if clients search for tools.
    pub is_pinned: bool,
    /// The budget of its responses, in tokens.
    pub budget: Option<usize>,
    /// The tokens of its output schema and annotations, which clients get but do not pass to a model.
    pub other_tokens: TokenCount,
    /// Observations from its recent calls, if there were any.
    pub evidence: Option<&'a CallEvidence>,
}

/// The properties of a server on which findings depend.
#[derive(Debug, Clone, Copy)]
pub struct LintedServer<'a> {
    /// The name under which clients usually register the server.
    pub slug: &'a str,
    /// How clients discover its tools.
    pub discovery: &'a DiscoveryRule,
    /// Whether names in lists are rewritten to the characters that all clients accept.
    pub has_safe_names: bool,
}

/// The estimated tokens of one tool in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedTokens {
    /// The tool.
    pub tool_id: ToolId,
    /// Tokens of the name.
    pub name: usize,
    /// Tokens of the description.
    pub description: usize,
    /// Tokens of the schema of the arguments.
    pub schema: usize,
    /// Tokens of the whole entry.
    pub total: usize,
    /// Whether it was called in the last 30 days.
    pub is_used: bool,
}

/// The cost of a list, and the findings about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LintReport {
    /// The estimated tokens of all tools.
    pub tokens: usize,
    /// The list that a client without its own limit gets at the start of a conversation.
    pub conversation: ConversationList,
    /// The estimated tokens of each tool, in the order of the list.
    pub tools: Vec<ListedTokens>,
    /// The findings about the whole list, then those about each tool.
    pub findings: Vec<Finding>,
}

/// Checks the tools of a server in the order of its list.
pub fn lint(server: &LintedServer<'_>, tools: &[LintedTool<'_>]) -> LintReport {
    let (listed, costs): (Vec<ListedTokens>, Vec<TokenCount>) = tools.iter().map(listed_tokens).unzip();
    let tokens = costs.iter().copied().sum::<TokenCount>().tokens();
    let conversation = conversation::list(server, tools, &costs);
    let mut findings = Vec::new();
    list::check(server, tools, tokens, &mut findings);
    let median = list::median_tokens(&listed);
    let names: HashSet<&str> = tools.iter().map(|tool| tool.name).collect();
    for (tool, listed) in tools.iter().zip(&listed) {
        list::check_cost(tool, listed.total, median, &mut findings);
        names::check(server, tool, &names, &mut findings);
        descriptions::check(tool, &mut findings);
        schemas::check(server, tool, &mut findings);
        arguments::check(tool, &mut findings);
        calls::check(tool, &mut findings);
    }
    similarity::check(tools, &mut findings);
    LintReport { tokens, conversation, tools: listed, findings }
}

/// The tokens of a tool's entry by part, and those of the whole entry before rounding.
fn listed_tokens(tool: &LintedTool<'_>) -> (ListedTokens, TokenCount) {
    let part = |key: &str, value: Value| TokenCount::from_text(&format!("\"{key}\":{value},"));
    let name = part("name", tool.name.into());
    let description = part("description", tool.description.into());
    let schema = TokenCount::from_text(&format!("\"inputSchema\":{},", tool.input_schema));
    let total = name + description + schema;
    let listed = ListedTokens {
        tool_id: tool.id,
        name: name.tokens(),
        description: description.tokens(),
        schema: schema.tokens(),
        total: total.tokens(),
        is_used: tool.is_used,
    };
    (listed, total)
}
