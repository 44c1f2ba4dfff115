//! Reads the counters of owners, which triggers maintain.

use async_trait::async_trait;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::locks::owner_filter;
use super::row::params;
use crate::error::Result;
use crate::owner_counts::{OwnerCounts, OwnerCountsReader};

// The table has one row per user. The casts are needed because `SUM` returns NUMERIC on PostgreSQL.
const SELECT_COUNTS: &str = "SELECT CAST(COALESCE(SUM(active_servers), 0) AS BIGINT) AS active_servers, \
     CAST(COALESCE(SUM(paused_servers), 0) AS BIGINT) AS paused_servers, \
     CAST(COALESCE(SUM(draft_servers), 0) AS BIGINT) AS draft_servers, \
     CAST(COALESCE(SUM(tools), 0) AS BIGINT) AS tools, \
     CAST(COALESCE(SUM(active_tools), 0) AS BIGINT) AS active_tools \
     FROM owner_counts WHERE $1 IS NULL OR user_id = $1";

#[async_trait]
impl OwnerCountsReader for SqlStorage {
    async fn owner_counts(&self, visibility: Visibility) -> Result<OwnerCounts> {
        let row = self.db.fetch_one(SELECT_COUNTS, params![owner_filter(visibility)]).await?;
        Ok(OwnerCounts {
            active_servers: row.int("active_servers")?,
            paused_servers: row.int("paused_servers")?,
            draft_servers: row.int("draft_servers")?,
            tools: row.int("tools")?,
            active_tools: row.int("active_tools")?,
        })
    }
}
