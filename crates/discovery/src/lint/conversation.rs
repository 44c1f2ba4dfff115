//! Estimates the tool list that a client gets at the start of a conversation.

use std::collections::HashSet;

use toolgate_domain::discovery::DiscoveryMode;
use toolgate_domain::tokens::TokenCount;
use toolgate_domain::tool::PINNED_TOOLS_MAX;

use crate::built_in::{NamedBuiltIn, built_in_tools};
use crate::group::{count_groups, describe_groups};
use crate::lint::{LintedServer, LintedTool};

/// The list at the start of a conversation, with the tools that the service adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationList {
    /// Whether the client searches for tools instead of getting all of them.
    pub searches: bool,
    /// The number of its tools.
    pub tools: usize,
    /// Its estimated tokens.
    pub tokens: usize,
}

/// The list for a client that does not limit the number of tools and does not load tools on demand. `costs` are the
/// tokens of each tool's entry.
pub(super) fn list(server: &LintedServer<'_>, tools: &[LintedTool<'_>], costs: &[TokenCount]) -> ConversationList {
    let searches = match server.discovery.mode {
        DiscoveryMode::All => false,
        DiscoveryMode::Search => true,
        DiscoveryMode::Auto => {
            let whole: TokenCount = tools.iter().zip(costs).map(|(tool, cost)| *cost + tool.other_tokens).sum();
            whole.tokens() > server.discovery.list_budget as usize
        }
    };
    let shown_max = if searches { usize::try_from(PINNED_TOOLS_MAX).unwrap_or(usize::MAX) } else { usize::MAX };
    let shown = tools.iter().zip(costs).filter(|(tool, _)| !searches || tool.is_pinned).take(shown_max);
    let shown_costs: Vec<TokenCount> = shown.map(|(_, cost)| *cost).collect();
    let names: HashSet<&str> = tools.iter().map(|tool| tool.name).collect();
    let groups = searches.then(|| describe_groups(count_groups(tools.iter().map(|tool| tool.group))));
    let added =
        built_in_tools(tools.iter().any(|tool| tool.budget.is_some()), groups.as_deref(), |name| names.contains(name));
    let tokens = shown_costs.iter().copied().chain(added.iter().map(cost)).sum::<TokenCount>().tokens();
    ConversationList { searches, tools: shown_costs.len() + added.len(), tokens }
}

fn cost(tool: &NamedBuiltIn) -> TokenCount {
    let NamedBuiltIn { name, description, .. } = tool;
    let schema = tool.tool.input_schema();
    TokenCount::from_text(&format!(
        "{{\"name\":\"{name}\",\"description\":\"{description}\",\"inputSchema\":{schema}}},"
    ))
}
