//! The queries of reports on usage rollups.

mod by_key;
mod by_tool;

use std::collections::HashMap;

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::ids::ServerId;
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::{Totals, UsageScope};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::calls::client_types::stored_type;
use super::conditions::Conditions;
use super::locks::owner_filter;
use super::row::params;
use super::usage_columns::{grain_number, scope_numbers, totals_from_row, totals_without_latencies};
use crate::error::Result;
use crate::usage::{KeyUsageQuery, ServerUsageQuery, ToolUsageQuery, UsageByKey, UsageByTool, UsageQuery, UsageReader};

/// The bounds of a time range in milliseconds; an open end is the smallest or largest number.
fn bounds_ms(from: Option<Timestamp>, until: Option<Timestamp>) -> (i64, i64) {
    (from.map_or(i64::MIN, Timestamp::as_millis), until.map_or(i64::MAX, Timestamp::as_millis))
}

#[async_trait]
impl UsageReader for SqlStorage {
    async fn usage(&self, query: &UsageQuery) -> Result<Vec<(Timestamp, Totals)>> {
        // Only administrators may read the rollups of all owners together.
        if query.scope == UsageScope::All && query.visibility != Visibility::All {
            return Ok(Vec::new());
        }
        let sql = "SELECT start, calls, failures, total_us, request_bytes, response_bytes, last_at, latencies FROM usage \
                   WHERE scope = $1 AND scope_id = $2 AND grain = $3 AND client_type = $4 AND start >= $5 AND start < $6 \
                   AND ($7 IS NULL OR user_id = $7) ORDER BY start";
        let (scope, scope_id) = scope_numbers(query.scope);
        let client_type = query.client_type.as_deref().map(stored_type).unwrap_or_default();
        let (from, until) = bounds_ms(query.from, query.until);
        let user = owner_filter(query.visibility);
        let params = params![scope, scope_id, grain_number(query.grain), &*client_type, from, until, user];
        let rows = self.db.fetch_all(sql, params).await?;
        rows.iter().map(|row| Ok((row.time("start")?, totals_from_row(row)?))).collect()
    }

    async fn usage_by_client(
        &self,
        visibility: Visibility,
        from: Option<Timestamp>,
        until: Option<Timestamp>,
    ) -> Result<Vec<(String, Totals)>> {
        // Grain 1 is a day.
        let sql = "SELECT client_type, CAST(SUM(calls) AS BIGINT) AS calls, CAST(SUM(failures) AS BIGINT) AS failures, \
                   CAST(SUM(total_us) AS BIGINT) AS total_us, CAST(SUM(request_bytes) AS BIGINT) AS request_bytes, \
                   CAST(SUM(response_bytes) AS BIGINT) AS response_bytes, MAX(last_at) AS last_at FROM usage \
                   WHERE scope = $1 AND scope_id = $2 AND grain = 1 AND client_type > '' AND start >= $3 AND start < $4 \
                   GROUP BY client_type";
        let (scope, scope_id) = match visibility {
            Visibility::All => scope_numbers(UsageScope::All),
            Visibility::OwnedBy(user) => scope_numbers(UsageScope::Owner(user)),
        };
        let (from, until) = bounds_ms(from, until);
        let rows = self.db.fetch_all(sql, params![scope, scope_id, from, until]).await?;
        rows.iter().map(|row| Ok((row.text("client_type")?, totals_without_latencies(row)?))).collect()
    }

    async fn usage_by_server(&self, query: &ServerUsageQuery) -> Result<HashMap<ServerId, Totals>> {
        let mut totals: HashMap<ServerId, Totals> = HashMap::new();
        if query.servers.is_empty() {
            return Ok(totals);
        }
        let mut conditions = Conditions::default();
        let ids: Vec<String> = query.servers.iter().map(|id| conditions.bind(id.0)).collect();
        conditions.add("start >= $", query.from);
        conditions.add("start < $", query.until);
        if let Some(user) = owner_filter(query.visibility) {
            conditions.add("user_id = $", user);
        }
        // Scope 2 is a server, grain 1 a day. The days of a server are adjacent in the primary key, so only rows that
        // are added up are read.
        let sql = format!(
            "SELECT scope_id, calls, failures, total_us, request_bytes, response_bytes, last_at, latencies FROM usage {} \
             AND scope = 2 AND scope_id IN ({}) AND grain = 1 AND client_type = ''",
            conditions.to_where_clause(),
            ids.join(", ")
        );
        for row in self.db.fetch_all(AssertSqlSafe(sql), conditions.params).await? {
            totals.entry(ServerId(row.int("scope_id")?)).or_default().merge(&totals_from_row(&row)?);
        }
        Ok(totals)
    }

    async fn usage_by_tool(&self, query: &ToolUsageQuery) -> Result<UsageByTool> {
        self.usage_of_tools(query).await
    }

    async fn usage_by_key(&self, query: &KeyUsageQuery) -> Result<UsageByKey> {
        self.usage_of_keys(query).await
    }
}
