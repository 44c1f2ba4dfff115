//! Sums over calls.

use async_trait::async_trait;
use domain::ids::ServerId;
use domain::time::Timestamp;
use domain::usage::Totals;
use domain::user::Visibility;

use super::SqlStorage;
use crate::{Result, ToolUsage, UsageQuery, UsageReader};

#[async_trait]
impl UsageReader for SqlStorage {
    async fn usage(&self, _: &UsageQuery) -> Result<Vec<(Timestamp, Totals)>> {
        Ok(vec![])
    }

    async fn usage_by_client(
        &self,
        _: Visibility,
        _: Option<Timestamp>,
        _: Option<Timestamp>,
    ) -> Result<Vec<(String, Totals)>> {
        Ok(vec![])
    }

    async fn usage_by_tool(
        &self,
        _: Visibility,
        _: Option<ServerId>,
        _: Option<Timestamp>,
        _: Option<Timestamp>,
        _: u32,
    ) -> Result<Vec<ToolUsage>> {
        Ok(vec![])
    }
}
