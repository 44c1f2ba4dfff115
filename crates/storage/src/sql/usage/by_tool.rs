//! Usage by tool, for all selected tools.

use std::collections::HashMap;

use sqlx::AssertSqlSafe;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::time::DAY_MS;
use toolgate_domain::tool::ToolStatus;
use toolgate_domain::usage::Totals;

use crate::error::Result;
use crate::sql::SqlStorage;
use crate::sql::conditions::Conditions;
use crate::sql::row::SqlRow;
use crate::sql::server_access::{VISIBLE_SERVERS, caller_param};
use crate::sql::tx::Tx;
use crate::sql::usage_columns::totals_from_row;
use crate::usage::{ToolUsage, ToolUsageQuery, UsageByTool};

/// Maximum number of rollups in one read, which bounds the memory of a report.
const ROLLUPS_PER_READ_MAX: u64 = 20_000;

impl SqlStorage {
    pub(super) async fn usage_of_tools(&self, query: &ToolUsageQuery) -> Result<UsageByTool> {
        let mut tx = self.db.begin_snapshot().await?;
        let page = ToolPage::new(query, None, u64::from(query.tools_max).saturating_add(1));
        let mut tools = tx.tools_with_all_time_rollups(&page).await?;
        let (tool_count, days) = (to_u64(tools.len()), day_count(query));
        if tool_count > u64::from(query.tools_max) {
            return Ok(UsageByTool::TooManyTools);
        }
        if tool_count.saturating_mul(days) > query.rollups_max {
            return Ok(UsageByTool::TooManyDays { tools: tool_count });
        }
        let tools_per_read = usize::try_from((ROLLUPS_PER_READ_MAX / days).max(1)).unwrap_or(usize::MAX);
        for chunk in tools.chunks_mut(tools_per_read) {
            let page = ToolPage::new(query, chunk.first().map(|tool| tool.tool_id), to_u64(chunk.len()));
            let mut rollups = tx.daily_rollups(&page, query).await?;
            for tool in chunk {
                tool.totals = rollups.remove(&tool.tool_id).unwrap_or_default();
            }
        }
        Ok(UsageByTool::Tools(tools))
    }
}

fn to_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Number of days in the range, at least one.
fn day_count(query: &ToolUsageQuery) -> u64 {
    let millis = query.until.as_millis().saturating_sub(query.from.as_millis());
    u64::try_from(millis).unwrap_or(0).div_ceil(DAY_MS.unsigned_abs()).max(1)
}

/// A subquery that selects tools, and its parameters. The statement has only the conditions of the query, so that each
/// combination uses the matching index.
struct ToolPage {
    sql: String,
    conditions: Conditions,
}

impl ToolPage {
    /// Selects up to `limit` tools in the order of their ids, starting with `first`.
    fn new(query: &ToolUsageQuery, first: Option<ToolId>, limit: u64) -> Self {
        let mut conditions = Conditions::default();
        if let Some(user) = caller_param(query.visibility) {
            conditions.add(&format!("t.server_id IN {VISIBLE_SERVERS}"), user);
        }
        if let Some(server) = query.server {
            conditions.add("t.server_id = $", server.0);
        }
        if let Some(first) = first {
            conditions.add("t.id >= $", first.0);
        }
        let limit = conditions.bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let sql = format!(
            "SELECT t.id, t.name, t.status, t.server_id, s.name AS server_name FROM tools t \
             JOIN servers s ON s.id = t.server_id {} ORDER BY t.id LIMIT {limit}",
            conditions.to_where_clause()
        );
        Self { sql, conditions }
    }
}

impl Tx {
    async fn tools_with_all_time_rollups(&mut self, page: &ToolPage) -> Result<Vec<ToolUsage>> {
        // Scope 3 is a tool, grain 2 all time.
        let sql = format!(
            "SELECT p.id, p.name, p.status, p.server_id, p.server_name, u.calls, u.failures, u.total_us, \
             u.request_bytes, u.response_bytes, u.tokens_out, u.tokens_saved, u.last_at, u.latencies \
             FROM ({}) p LEFT JOIN usage u ON u.scope = 3 AND u.scope_id = p.id AND u.grain = 2 AND u.client_type = '' AND u.start = 0 ORDER BY p.id",
            page.sql
        );
        let rows = self.fetch_all(AssertSqlSafe(sql), page.conditions.params.clone()).await?;
        rows.iter().map(tool_from_row).collect()
    }

    async fn daily_rollups(&mut self, page: &ToolPage, query: &ToolUsageQuery) -> Result<HashMap<ToolId, Totals>> {
        let mut conditions = page.conditions.clone();
        let (from, until) = (conditions.bind(query.from), conditions.bind(query.until));
        // Scope 3 is a tool, grain 1 a day.
        let sql = format!(
            "SELECT p.id, u.calls, u.failures, u.total_us, u.request_bytes, u.response_bytes, u.tokens_out, \
             u.tokens_saved, u.last_at, u.latencies FROM ({}) p CROSS JOIN usage u WHERE u.scope = 3 AND u.scope_id = p.id AND u.grain = 1 \
             AND u.client_type = '' AND u.start >= {from} AND u.start < {until}",
            page.sql,
        );
        let mut rollups: HashMap<ToolId, Totals> = HashMap::new();
        for row in self.fetch_all(AssertSqlSafe(sql), conditions.params).await? {
            rollups.entry(ToolId(row.int("id")?)).or_default().merge(&totals_from_row(&row)?);
        }
        Ok(rollups)
    }
}

fn tool_from_row(row: &SqlRow) -> Result<ToolUsage> {
    // The outer join returns NULL for a tool without calls.
    let was_called = row.opt_int("calls")?.is_some();
    let totals = if was_called { totals_from_row(row)? } else { Totals::default() };
    Ok(ToolUsage {
        tool_id: ToolId(row.int("id")?),
        tool_name: row.text("name")?,
        status: row.parsed("status", ToolStatus::parse)?,
        server_id: ServerId(row.int("server_id")?),
        server_name: row.text("server_name")?,
        last_at: totals.last_at,
        totals,
    })
}
