//! The sums of tools, of all that there are.

use std::collections::HashMap;

use domain::ids::{ServerId, ToolId};
use domain::time::Timestamp;
use domain::tool::ToolStatus;
use domain::usage::Totals;
use domain::user::Visibility;
use sqlx::AssertSqlSafe;

use super::{range, totals_of};
use crate::sql::SqlStorage;
use crate::sql::conditions::Conditions;
use crate::sql::row::Row;
use crate::sql::server_lock::owner;
use crate::sql::tx::Tx;
use crate::{Result, ToolUsage};

/// From a moment, until another; either may be open.
type Range = (Option<Timestamp>, Option<Timestamp>);

impl SqlStorage {
    pub(super) async fn usage_of_tools(
        &self,
        visibility: Visibility,
        server: Option<ServerId>,
        range: Range,
        limit: u32,
    ) -> Result<Vec<ToolUsage>> {
        let mut tx = self.db.snapshot().await?;
        let page = ToolPage::of(visibility, server, limit);
        let mut tools = tx.tools_with_sums_of_all_time(&page).await?;
        if range != (None, None) {
            let mut sums = tx.sums_of_days(&page, range).await?;
            for tool in &mut tools {
                tool.totals = sums.remove(&tool.tool_id).unwrap_or_default();
            }
        }
        Ok(tools)
    }
}

/// Which tools: a subquery, and its values. What is not asked for is not in the statement, so that each goes along the
/// index made for it.
struct ToolPage {
    sql: String,
    conditions: Conditions,
}

impl ToolPage {
    fn of(visibility: Visibility, server: Option<ServerId>, limit: u32) -> Self {
        let mut conditions = Conditions::default();
        if let Some(user) = owner(visibility) {
            conditions.add("s.user_id = $", user);
        }
        if let Some(server) = server {
            conditions.add("t.server_id = $", server.0);
        }
        let limit = conditions.bind(i64::from(limit));
        let sql = format!(
            "SELECT t.id, t.name, t.status, t.server_id, s.name AS server_name FROM tools t \
             JOIN servers s ON s.id = t.server_id {} ORDER BY t.id LIMIT {limit}",
            conditions.to_where()
        );
        Self { sql, conditions }
    }
}

impl Tx {
    async fn tools_with_sums_of_all_time(&mut self, page: &ToolPage) -> Result<Vec<ToolUsage>> {
        let sql = format!(
            "SELECT p.id, p.name, p.status, p.server_id, p.server_name, u.calls, u.failures, u.total_us, \
             u.request_bytes, u.response_bytes, u.last_at, u.latencies FROM ({}) p LEFT JOIN usage u \
             ON u.scope = 3 AND u.scope_id = p.id AND u.grain = 2 AND u.client_type = '' AND u.start = 0 ORDER BY p.id",
            page.sql
        );
        let rows = self.fetch_all(AssertSqlSafe(sql), page.conditions.params.clone()).await?;
        rows.iter().map(tool_of).collect()
    }

    async fn sums_of_days(&mut self, page: &ToolPage, (from, until): Range) -> Result<HashMap<ToolId, Totals>> {
        let mut conditions = page.conditions.clone();
        let (from, until) = range(from, until);
        let (from, until) = (conditions.bind(from), conditions.bind(until));
        let sql = format!(
            "SELECT p.id, u.calls, u.failures, u.total_us, u.request_bytes, u.response_bytes, u.last_at, u.latencies \
             FROM ({}) p CROSS JOIN usage u WHERE u.scope = 3 AND u.scope_id = p.id AND u.grain = 1 \
             AND u.client_type = '' AND u.start >= {from} AND u.start < {until}",
            page.sql,
        );
        let mut sums: HashMap<ToolId, Totals> = HashMap::new();
        for row in self.fetch_all(AssertSqlSafe(sql), conditions.params).await? {
            sums.entry(ToolId(row.int("id")?)).or_default().merge(&totals_of(&row)?);
        }
        Ok(sums)
    }
}

/// A tool that was never called has no sums.
fn tool_of(row: &Row) -> Result<ToolUsage> {
    let was_called = row.opt_int("calls")?.is_some();
    let totals = if was_called { totals_of(row)? } else { Totals::default() };
    Ok(ToolUsage {
        tool_id: ToolId(row.int("id")?),
        tool_name: row.text("name")?,
        status: row.name_of("status", ToolStatus::parse)?,
        server_id: ServerId(row.int("server_id")?),
        server_name: row.text("server_name")?,
        last_at: totals.last_at,
        totals,
    })
}
