//! Checks whether the scope of a scan can have calls that match the query.

use toolgate_domain::usage::UsageScope;

use super::call_access::CallAccess;
use super::scan::{IdRange, LogScan};
use crate::calls::CallQuery;
use crate::error::Result;
use crate::sql::calls::block::CallBlock;
use crate::sql::calls::log_rows::target_scopes;
use crate::sql::tx::Tx;

impl Tx {
    /// Whether calls in the scope of the scan can match the caller and server of the query. A tool never changes its
    /// server, and the caller may see all calls of a server or none, so one call is enough to decide.
    pub(super) async fn can_match(&mut self, scan: &LogScan, query: &CallQuery, access: &CallAccess) -> Result<bool> {
        let (sees_all, server) = (access.user.is_none(), query.server);
        let scope = match scan.scopes.as_slice() {
            [scope @ UsageScope::Server(_)] if !sees_all => *scope,
            [scope @ UsageScope::Tool(_)] if !sees_all || server.is_some() => *scope,
            _ => return Ok(true), // the filters are implied by the scopes, or checked for each call
        };
        let keys = self.block_keys(&scan.without_filters(), IdRange::ALL, 1).await?;
        if keys.is_empty() {
            return Ok(false);
        }
        let packed = self.read_blocks(&keys).await?;
        let Some(packed) = packed.first() else { return Ok(false) };
        // The block is unreadable: the filter checks each call instead.
        let Ok(block) = CallBlock::open(packed) else { return Ok(true) };
        let mut targets = block.targets().iter().filter(|target| target_scopes(**target).contains(&scope));
        Ok(targets
            .next()
            .is_some_and(|target| access.allows(*target) && server.is_none_or(|server| server.0 == target.server)))
    }
}
