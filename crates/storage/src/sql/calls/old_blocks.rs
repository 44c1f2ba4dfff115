//! How SQLite forgets: a few blocks at a time, and what belongs to them.

use std::collections::HashSet;

use toolgate_domain::call::CallId;
use toolgate_domain::usage::Scope;

use super::block::Block;
use super::blocks::scopes_of;
use crate::Result;
use crate::sql::bulk::{Bulk, Values, runs};
use crate::sql::row::{Row, params};
use crate::sql::tx::Tx;
use crate::sql::usage::scope_numbers;

/// How many calls are deleted at once, about: others wait for no longer than that takes.
const STEP: u64 = 1000;
/// How many blocks, where they are small.
const BLOCKS: i64 = 250;

static DELETE_INDEX: Bulk = Bulk::new("DELETE FROM call_index WHERE (scope, scope_id, block) IN (VALUES ", 3, ")");

impl Tx {
    /// Deletes some blocks of which all is older than a call; says whether there are more. Oldest first, so that an
    /// interrupted clean-up leaves no holes.
    pub(super) async fn delete_some_blocks_before(&mut self, end: CallId) -> Result<bool> {
        let sql = "SELECT newest, calls FROM call_blocks WHERE newest < $1 ORDER BY newest LIMIT $2";
        let old = self.fetch_all(sql, params![end.0, BLOCKS]).await?;
        let Some((last, taken)) = a_step_of(&old)? else { return Ok(false) };
        self.delete_index_through(last).await?;
        for sql in ["DELETE FROM call_blocks WHERE newest <= $1", "DELETE FROM captured_calls WHERE id <= $1"] {
            self.execute(sql, params![last]).await?;
        }
        Ok(taken < old.len() || i64::try_from(taken).is_ok_and(|taken| taken == BLOCKS))
    }

    async fn delete_index_through(&mut self, last: i64) -> Result<()> {
        let mut keys = Vec::new();
        for row in self.fetch_all("SELECT newest, packed FROM call_blocks WHERE newest <= $1", params![last]).await? {
            let newest = row.int("newest")?;
            let packed = row.bytes("packed")?;
            let Ok(block) = Block::open(&packed) else {
                // Nobody knows its scopes, so all rows are looked at; but it goes.
                self.execute("DELETE FROM call_index WHERE block = $1", params![newest]).await?;
                continue;
            };
            let scopes: HashSet<Scope> = block.places().iter().copied().flat_map(scopes_of).collect();
            keys.extend(scopes.into_iter().map(|scope| (scope_numbers(scope), newest)));
        }
        for run in runs(&keys) {
            let mut values = Values::of(self, run.len() * 3);
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
fn a_step_of(blocks: &[Row]) -> Result<Option<(i64, usize)>> {
    let (mut last, mut calls) = (None, 0);
    for (number, row) in (1..).zip(blocks) {
        if calls >= STEP {
            break;
        }
        calls += row.count("calls")?;
        last = Some((row.int("newest")?, number));
    }
    Ok(last)
}
