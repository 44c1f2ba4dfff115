//! The queries of reports on usage rollups.

mod by_key;
mod by_tool;

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::{Totals, UsageScope};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::calls::client_types::stored_type;
use super::conditions::Conditions;
use super::row::{Param, params};
use super::server_access::{SHARED_SERVERS, caller_param};
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
        let mut periods = self.usage_of_scope(query).await?;
        if let (UsageScope::Owner(owner), Visibility::User(user)) = (query.scope, query.visibility)
            && owner == user
        {
            self.add_usage_of_shared_servers(query, owner, &mut periods).await?;
        }
        Ok(periods.into_iter().collect())
    }

    async fn usage_by_client(
        &self,
        visibility: Visibility,
        from: Option<Timestamp>,
        until: Option<Timestamp>,
    ) -> Result<Vec<(String, Totals)>> {
        let columns = "client_type, calls, failures, total_us, request_bytes, response_bytes, tokens_out, \
                       tokens_saved, last_at";
        // Grain 1 is a day, scope 2 a server.
        let days = "grain = 1 AND client_type > '' AND start >= $3 AND start < $4";
        let sql = format!(
            "SELECT client_type, CAST(SUM(calls) AS BIGINT) AS calls, CAST(SUM(failures) AS BIGINT) AS failures, \
             CAST(SUM(total_us) AS BIGINT) AS total_us, CAST(SUM(request_bytes) AS BIGINT) AS request_bytes, \
             CAST(SUM(response_bytes) AS BIGINT) AS response_bytes, CAST(SUM(tokens_out) AS BIGINT) AS tokens_out, \
             CAST(SUM(tokens_saved) AS BIGINT) AS tokens_saved, MAX(last_at) AS last_at FROM (\
             SELECT {columns} FROM usage WHERE scope = $1 AND scope_id = $2 AND {days} UNION ALL \
             SELECT {columns} FROM usage WHERE scope = 2 AND scope_id IN {} AND {days}) visible GROUP BY client_type",
            SHARED_SERVERS.replace('$', "$5")
        );
        let (scope, scope_id) = match visibility {
            Visibility::All => scope_numbers(UsageScope::All),
            Visibility::User(user) => scope_numbers(UsageScope::Owner(user)),
        };
        let (from, until) = bounds_ms(from, until);
        let params = params![scope, scope_id, from, until, caller_param(visibility)];
        let rows = self.db.fetch_all(AssertSqlSafe(sql), params).await?;
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
        if let Some(user) = caller_param(query.visibility) {
            conditions.add(&format!("(user_id = $ OR scope_id IN {SHARED_SERVERS})"), user);
        }
        // Scope 2 is a server, grain 1 a day. The days of a server are adjacent in the primary key, so only rows that
        // are added up are read.
        let sql = format!(
            "SELECT scope_id, calls, failures, total_us, request_bytes, response_bytes, tokens_out, tokens_saved, \
             last_at, latencies FROM usage {} AND scope = 2 AND scope_id IN ({}) AND grain = 1 AND client_type = ''",
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

const TOTALS_COLUMNS: &str = "start, calls, failures, total_us, request_bytes, response_bytes, tokens_out, \
     tokens_saved, last_at, latencies";

impl SqlStorage {
    /// The totals of one scope by start. `usage.user_id` is the current owner of the server, or its last one; members
    /// also see servers (scope 2) and tools (scope 3) that are shared with them. The audit log has the deleted tools.
    async fn usage_of_scope(&self, query: &UsageQuery) -> Result<BTreeMap<Timestamp, Totals>> {
        let shared = SHARED_SERVERS.replace('$', "$7");
        let sql = format!(
            "SELECT {TOTALS_COLUMNS} FROM usage WHERE scope = $1 AND scope_id = $2 AND {PERIODS} \
             AND ($7 IS NULL OR user_id = $7 OR (scope = 2 AND scope_id IN {shared}) \
             OR (scope = 3 AND scope_id IN (SELECT t.id FROM tools t WHERE t.server_id IN {shared} UNION \
             SELECT d.object_id FROM audit d WHERE d.object_kind = 'tool' AND d.server_id IN {shared})))"
        );
        let (scope, scope_id) = scope_numbers(query.scope);
        let mut params = params![scope, scope_id];
        params.extend(period_params(query));
        params.push(caller_param(query.visibility).into());
        let rows = self.db.fetch_all(AssertSqlSafe(sql), params).await?;
        rows.iter().map(|row| Ok((row.time("start")?, totals_from_row(row)?))).collect()
    }

    async fn add_usage_of_shared_servers(
        &self,
        query: &UsageQuery,
        user: UserId,
        periods: &mut BTreeMap<Timestamp, Totals>,
    ) -> Result<()> {
        // Scope 2 is a server.
        let shared = SHARED_SERVERS.replace('$', "$1");
        let sql = format!("SELECT {TOTALS_COLUMNS} FROM usage WHERE scope = $2 AND scope_id IN {shared} AND {PERIODS}");
        let mut params = params![user.0, 2];
        params.extend(period_params(query));
        for row in self.db.fetch_all(AssertSqlSafe(sql), params).await? {
            periods.entry(row.time("start")?).or_default().merge(&totals_from_row(&row)?);
        }
        Ok(())
    }
}

/// The condition on the other parts of the primary key.
const PERIODS: &str = "grain = $3 AND client_type = $4 AND start >= $5 AND start < $6";

/// The parameters of [`PERIODS`].
fn period_params(query: &UsageQuery) -> Vec<Param> {
    let client_type = query.client_type.as_deref().map(stored_type).unwrap_or_default();
    let (from, until) = bounds_ms(query.from, query.until);
    params![grain_number(query.grain), &*client_type, from, until]
}
