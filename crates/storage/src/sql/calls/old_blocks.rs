//! How SQLite forgets: a few blocks at a time, and what belongs to them.

use std::collections::HashSet;

use toolgate_domain::call::CallId;
use toolgate_domain::usage::UsageScope;

use super::block::CallBlock;
use super::log_rows::target_scopes;
use crate::Result;
use crate::sql::bulk::{BulkStatement, BulkValues, power_of_two_chunks};
use crate::sql::row::{SqlRow, params};
use crate::sql::tx::Tx;
use crate::sql::usage::scope_numbers;

/// How many calls are deleted at once, about: others wait for no longer than that takes.
const STEP_CALLS: u64 = 1000;
/// How many blocks, where they are small.
const STEP_BLOCKS_MAX: i64 = 250;

static DELETE_INDEX: BulkStatement =
    BulkStatement::new("DELETE FROM call_index WHERE (scope, scope_id, block) IN (VALUES ", 3, ")");

impl Tx {
    /// Deletes some blocks of which all is older than a call; says whether there are more. Oldest first, so that an
    /// interrupted clean-up leaves no holes.
    pub(super) async fn delete_some_blocks_before(&mut self, end: CallId) -> Result<bool> {
        let sql = "SELECT newest, calls FROM call_blocks WHERE newest < $1 ORDER BY newest LIMIT $2";
        let old = self.fetch_all(sql, params![end.0, STEP_BLOCKS_MAX]).await?;
        let Some((last, taken)) = first_step(&old)? else { return Ok(false) };
        self.delete_index_through(last).await?;
        for sql in ["DELETE FROM call_blocks WHERE newest <= $1", "DELETE FROM captured_calls WHERE id <= $1"] {
            self.execute(sql, params![last]).await?;
        }
        Ok(taken < old.len() || i64::try_from(taken).is_ok_and(|taken| taken == STEP_BLOCKS_MAX))
    }

    async fn delete_index_through(&mut self, last: i64) -> Result<()> {
        let mut keys = Vec::new();
        for row in self.fetch_all("SELECT newest, packed FROM call_blocks WHERE newest <= $1", params![last]).await? {
            let newest = row.int("newest")?;
            let packed = row.bytes("packed")?;
            let Ok(block) = CallBlock::open(&packed) else {
                // Nobody knows its scopes, so all rows are looked at; but it goes.
                self.execute("DELETE FROM call_index WHERE block = $1", params![newest]).await?;
                continue;
            };
            let scopes: HashSet<UsageScope> = block.targets().iter().copied().flat_map(target_scopes).collect();
            keys.extend(scopes.into_iter().map(|scope| (scope_numbers(scope), newest)));
        }
        for run in power_of_two_chunks(&keys) {
            let mut values = BulkValues::with_capacity(self, run.len() * 3);
            for ((scope, scope_id), newest) in run {
                values.add(*scope);
                values.add(*scope_id);
                values.add(*newest);
            }
            self.execute_bound(DELETE_INDEX.sql(run.len(), &values), values).await?;
        }
        Ok(())
    }
}

/// The last of the blocks that one step takes, and how many those are.
fn first_step(blocks: &[SqlRow]) -> Result<Option<(i64, usize)>> {
    let (mut last, mut calls) = (None, 0);
    for (number, row) in (1..).zip(blocks) {
        if calls >= STEP_CALLS {
            break;
        }
        calls += row.count("calls")?;
        last = Some((row.int("newest")?, number));
    }
    Ok(last)
}
