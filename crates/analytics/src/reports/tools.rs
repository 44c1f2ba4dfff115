//! Calls by tool: busy, failing and unused tools.

use std::cmp::Reverse;

use toolgate_domain::ids::ServerId;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;
use toolgate_storage::{Result, Storage, ToolUsage, ToolUsageQuery, UsageByTool};

/// Maximum number of tools in one report; if there are more, the caller must select a server.
pub const TOOLS_MAX: u32 = 5_000;
/// Maximum number of daily rollups that one report reads; if there are more, the caller must select a shorter range or
/// a server.
pub const ROLLUPS_MAX: u64 = 400_000;

/// The tools to report.
#[derive(Clone, Copy, Debug)]
pub struct ToolsQuery {
    /// The objects that the caller can see.
    pub visibility: Visibility,
    /// Only tools of this server.
    pub server: Option<ServerId>,
    /// Only days that start at or after this time.
    pub from: Timestamp,
    /// Only days that start before this time.
    pub until: Timestamp,
    /// Only tools without calls (`true`) or with calls (`false`).
    pub unused: Option<bool>,
}

/// The tools with their calls, the busiest first, unless there are too many.
pub async fn tools(storage: &dyn Storage, query: &ToolsQuery) -> Result<UsageByTool> {
    let ToolsQuery { visibility, server, from, until, unused } = *query;
    let query = ToolUsageQuery { visibility, server, from, until, tools_max: TOOLS_MAX, rollups_max: ROLLUPS_MAX };
    Ok(match storage.usage_by_tool(&query).await? {
        UsageByTool::Tools(tools) => UsageByTool::Tools(filter_and_sort(tools, unused)),
        too_many => too_many,
    })
}

fn filter_and_sort(mut tools: Vec<ToolUsage>, unused: Option<bool>) -> Vec<ToolUsage> {
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
    fn the_busiest_tool_is_first_and_unused_tools_can_be_selected() {
        let ids = |unused| {
            let tools = filter_and_sort(vec![tool(3, 0), tool(1, 2), tool(2, 0), tool(4, 9)], unused);
            tools.iter().map(|tool| tool.tool_id.0).collect::<Vec<_>>()
        };
        assert_eq!(ids(None), [4, 1, 2, 3]);
        assert_eq!(ids(Some(true)), [2, 3]);
        assert_eq!(ids(Some(false)), [4, 1]);
    }
}
