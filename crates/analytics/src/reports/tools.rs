//! Calls by tool: the busy ones, the failing ones, and those that nobody uses.

use std::cmp::Reverse;

use toolgate_domain::ids::ServerId;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;
use toolgate_storage::{Result, Storage, ToolUsage, ToolUsageQuery, UsageByTool};

/// Most tools that are looked at together; whoever sees more names a server.
pub const TOOLS_MAX: u32 = 5_000;
/// Most days of tools that are added up: whoever wants more chooses a shorter range, or names a server.
pub const SUMS_MAX: u64 = 400_000;

/// Which tools to tell of.
#[derive(Clone, Copy, Debug)]
pub struct ToolsQuery {
    /// Who asks.
    pub visibility: Visibility,
    /// Tools of one server.
    pub server: Option<ServerId>,
    /// Calls of days that do not start before this moment.
    pub from: Timestamp,
    /// Calls of days that start before this moment.
    pub until: Timestamp,
    /// Only tools without calls, or only those with.
    pub unused: Option<bool>,
}

/// The tools there are, the busiest first, unless there are too many to look at.
pub async fn tools(storage: &dyn Storage, query: &ToolsQuery) -> Result<UsageByTool> {
    let ToolsQuery { visibility, server, from, until, unused } = *query;
    let query = ToolUsageQuery { visibility, server, from, until, tools_max: TOOLS_MAX, sums_max: SUMS_MAX };
    Ok(match storage.usage_by_tool(&query).await? {
        UsageByTool::Tools(tools) => UsageByTool::Tools(sorted(tools, unused)),
        too_many => too_many,
    })
}

fn sorted(mut tools: Vec<ToolUsage>, unused: Option<bool>) -> Vec<ToolUsage> {
    tools.retain(|tool| unused.is_none_or(|unused| unused == (tool.totals.calls == 0)));
    tools.sort_by_key(|tool| (Reverse(tool.totals.calls), tool.tool_id));
    tools
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::ToolId;
    use toolgate_domain::tool::ToolStatus;
    use toolgate_domain::usage::Totals;

    use super::*;

    fn tool(id: i64, calls: u64) -> ToolUsage {
        ToolUsage {
            tool_id: ToolId(id),
            tool_name: String::new(),
            status: ToolStatus::Active,
            server_id: ServerId(1),
            server_name: String::new(),
            totals: Totals { calls, ..Totals::default() },
            last_at: None,
        }
    }

    #[test]
    fn the_busiest_tool_comes_first_and_unused_ones_can_be_asked_for() {
        let ids = |unused| {
            let tools = sorted(vec![tool(3, 0), tool(1, 2), tool(2, 0), tool(4, 9)], unused);
            tools.iter().map(|tool| tool.tool_id.0).collect::<Vec<_>>()
        };
        assert_eq!(ids(None), [4, 1, 2, 3]);
        assert_eq!(ids(Some(true)), [2, 3]);
        assert_eq!(ids(Some(false)), [4, 1]);
    }
}
