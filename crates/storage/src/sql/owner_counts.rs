//! Reads the counters of owners, which triggers maintain.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::Columns as _;
use super::row::params;
use super::server_access::{SHARED_SERVERS, caller_param};
use crate::error::Result;
use crate::owner_counts::{OwnerCounts, OwnerCountsReader};

#[async_trait]
impl OwnerCountsReader for SqlStorage {
    async fn owner_counts(&self, visibility: Visibility) -> Result<OwnerCounts> {
        // The table has one row per user. The casts are needed because `SUM` returns NUMERIC on PostgreSQL.
        let sum = |name: &str| format!("CAST(COALESCE(SUM({name}), 0) AS BIGINT) AS {name}");
        let sums: Vec<String> = OwnerCounts::names().into_iter().map(sum).collect();
        let sql = format!(
            "SELECT {} FROM (SELECT {} FROM owner_counts WHERE $1 IS NULL OR user_id = $1 UNION ALL \
             SELECT CASE status WHEN 'active' THEN 1 ELSE 0 END, CASE status WHEN 'paused' THEN 1 ELSE 0 END, \
             CASE status WHEN 'draft' THEN 1 ELSE 0 END, tool_count, active_tool_count FROM servers WHERE id IN {}) counts",
            sums.join(", "),
            OwnerCounts::list(),
            SHARED_SERVERS.replace('$', "$1"),
        );
        OwnerCounts::from_row(&self.db.fetch_one(AssertSqlSafe(sql), params![caller_param(visibility)]).await?)
    }
}
