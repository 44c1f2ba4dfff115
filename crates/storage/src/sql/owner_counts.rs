//! Reads the counters of owners, which triggers maintain.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::Columns as _;
use super::locks::owner_filter;
use super::row::params;
use crate::error::Result;
use crate::owner_counts::{OwnerCounts, OwnerCountsReader};

#[async_trait]
impl OwnerCountsReader for SqlStorage {
    async fn owner_counts(&self, visibility: Visibility) -> Result<OwnerCounts> {
        // The table has one row per user. The casts are needed because `SUM` returns NUMERIC on PostgreSQL.
        let sum = |name: &str| format!("CAST(COALESCE(SUM({name}), 0) AS BIGINT) AS {name}");
        let sums: Vec<String> = OwnerCounts::names().into_iter().map(sum).collect();
        let sql = format!("SELECT {} FROM owner_counts WHERE $1 IS NULL OR user_id = $1", sums.join(", "));
        OwnerCounts::from_row(&self.db.fetch_one(AssertSqlSafe(sql), params![owner_filter(visibility)]).await?)
    }
}
