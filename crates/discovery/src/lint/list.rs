//! Checks the cost and the length of a list, and the cost of each tool.

use toolgate_domain::client_profile::ClientProfile;
use toolgate_domain::discovery::DiscoveryMode;

use crate::lint::finding::{Finding, FindingCode, FindingFix};
use crate::lint::names::client_name;
use crate::lint::prose::with_separators;
use crate::lint::{LintedServer, LintedTool, ListedTokens};

/// Tokens up to which a tool is never reported as expensive.
const TOOL_TOKENS_MAX: usize = 600;
/// A tool is expensive if it costs more than this multiple of the median.
const MEDIAN_FACTOR: usize = 4;

/// Checks the list as a whole. Only the discovery mode `all` sends a list that is too long.
pub(super) fn check(server: &LintedServer<'_>, tools: &[LintedTool<'_>], tokens: usize, findings: &mut Vec<Finding>) {
    if server.discovery.mode != DiscoveryMode::All {
        return;
    }
    let budget = usize::try_from(server.discovery.list_budget).unwrap_or(usize::MAX);
    if tokens > budget {
        let unused = tools.iter().filter(|tool| !tool.is_used).count();
        let finding = Finding::list(
            FindingCode::ListBudget,
            format!(
                "The list costs {} tokens in every conversation; the list budget warns above {}. Switch discovery to \
                 search, or pause tools without calls ({}).",
                with_separators(tokens),
                with_separators(budget),
                with_separators(unused)
            ),
        );
        let fix = if unused > 0 { FindingFix::Pause } else { FindingFix::Search };
        findings.push(Finding { fix: Some(fix), ..finding });
    }
    check_count(tools.len(), findings);
}

/// Adds a finding for each client limit that the list exceeds, with the clients that have this limit.
fn check_count(tools: usize, findings: &mut Vec<Finding>) {
    let mut limits: Vec<usize> = ClientProfile::ALL.into_iter().filter_map(ClientProfile::tools_max).collect();
    limits.sort_unstable();
    limits.dedup();
    for limit in limits.into_iter().filter(|limit| tools > *limit) {
        let clients = ClientProfile::ALL.into_iter().filter(|profile| profile.tools_max() == Some(limit));
        let clients: Vec<&str> = clients.map(client_name).collect();
        let verb = if clients.len() == 1 { "shows" } else { "show" };
        findings.push(Finding::list(
            FindingCode::TooManyTools,
            format!("{} tools: {} {verb} only the first {limit}.", with_separators(tools), clients.join(", ")),
        ));
    }
}

pub(super) fn check_cost(tool: &LintedTool<'_>, tokens: usize, median: usize, findings: &mut Vec<Finding>) {
    if tokens > TOOL_TOKENS_MAX && tokens > MEDIAN_FACTOR * median {
        let message = format!(
            "\"{}\" costs {} tokens, {} times the median. Shorten the description or hide optional arguments.",
            tool.name,
            with_separators(tokens),
            tokens / median.max(1)
        );
        findings.push(Finding::tool(tool.id, FindingCode::ExpensiveTool, message));
    }
}

pub(super) fn median_tokens(tools: &[ListedTokens]) -> usize {
    let mut totals: Vec<usize> = tools.iter().map(|tool| tool.total).collect();
    totals.sort_unstable();
    totals.get(totals.len() / 2).copied().unwrap_or_default()
}
