//! Checks whether the scope of a scan can have calls that match the query.

use toolgate_domain::usage::UsageScope;

use super::scan::{IdRange, LogScan};
use crate::calls::CallQuery;
use crate::error::Result;
use crate::sql::calls::block::CallBlock;
use crate::sql::calls::log_rows::target_scopes;
use crate::sql::locks::owner_filter;
use crate::sql::tx::Tx;

impl Tx {
    /// Whether calls in the scope of the scan can match the owner and server of the query. A tool never changes its
    /// server, and a server never changes its owner, so one call is enough to decide.
    pub(super) async fn can_match(&mut self, scan: &LogScan, query: &CallQuery) -> Result<bool> {
        let (owner, server) = (owner_filter(query.visibility), query.server);
        let is_implied_by_scope = match scan.scope {
            UsageScope::All | UsageScope::Owner(_) => true,
            UsageScope::Server(_) => owner.is_none(),
            UsageScope::Tool(_) => owner.is_none() && server.is_none(),
        };
        if is_implied_by_scope {
            return Ok(true);
        }
        let keys = self.block_keys(&scan.without_filters(), IdRange::ALL, 1).await?;
        if keys.is_empty() {
            return Ok(false);
        }
        let packed = self.read_blocks(&keys).await?;
        let Some(packed) = packed.first() else { return Ok(false) };
        // The block is unreadable: the filter checks each call instead.
        let Ok(block) = CallBlock::open(packed) else { return Ok(true) };
        let mut targets = block.targets().iter().filter(|target| target_scopes(**target).contains(&scan.scope));
        Ok(targets.next().is_some_and(|target| {
            owner.is_none_or(|owner| owner == target.user) && server.is_none_or(|server| server.0 == target.server)
        }))
    }
}
