//! Retention on SQLite: deletes a few blocks at a time, with their index entries and captured payloads.

use std::collections::HashSet;

use toolgate_domain::call::CallId;
use toolgate_domain::usage::UsageScope;

use super::block::CallBlock;
use super::log_rows::target_scopes;
use crate::error::Result;
use crate::sql::bulk::{BulkStatement, BulkValues};
use crate::sql::row::{SqlRow, params};
use crate::sql::tx::Tx;
use crate::sql::usage_columns::scope_numbers;

/// Approximate number of calls that one step deletes. It limits how long other writers wait.
const STEP_CALLS: u64 = 1000;
/// Maximum number of blocks that one step deletes, which matters if the blocks are small.
const STEP_BLOCKS_MAX: i64 = 250;

static DELETE_INDEX: BulkStatement =
    BulkStatement::new("DELETE FROM call_index WHERE (scope, scope_id, block) IN (VALUES ", 3, ")");

impl Tx {
    /// Deletes some blocks whose calls are all older than `end`, and returns whether there are more. The oldest blocks
    /// come first, so that an interrupted clean-up leaves no gaps.
    pub(super) async fn delete_some_blocks_before(&mut self, end: CallId) -> Result<bool> {
        let sql = "SELECT newest, calls FROM call_blocks WHERE newest < $1 ORDER BY newest LIMIT $2";
        let old = self.fetch_all(sql, params![end.0, STEP_BLOCKS_MAX]).await?;
        let Some((last, count)) = next_step(&old)? else { return Ok(false) };
        self.delete_index_through(last).await?;
        for sql in ["DELETE FROM call_blocks WHERE newest <= $1", "DELETE FROM captured_calls WHERE id <= $1"] {
            self.execute(sql, params![last]).await?;
        }
        Ok(count < old.len() || i64::try_from(count).is_ok_and(|count| count == STEP_BLOCKS_MAX))
    }

    async fn delete_index_through(&mut self, last: i64) -> Result<()> {
        let mut keys = Vec::new();
        for row in self.fetch_all("SELECT newest, packed FROM call_blocks WHERE newest <= $1", params![last]).await? {
            let newest = row.int("newest")?;
            let packed = row.bytes("packed")?;
            let Ok(block) = CallBlock::open(&packed) else {
                // The scopes of an unreadable block are unknown, so this scans the whole index.
                self.execute("DELETE FROM call_index WHERE block = $1", params![newest]).await?;
                continue;
            };
            let scopes: HashSet<UsageScope> = block.targets().iter().copied().flat_map(target_scopes).collect();
            keys.extend(scopes.into_iter().map(|scope| (scope_numbers(scope), newest)));
        }
        let bind = |((scope, scope_id), newest): &((i64, i64), i64), values: &mut BulkValues| {
            for value in [*scope, *scope_id, *newest] {
                values.add(value);
            }
        };
        self.fetch_bulk(&DELETE_INDEX, &keys, bind).await.map(drop)
    }
}

/// Id of the last block that one step deletes, and the number of deleted blocks.
fn next_step(blocks: &[SqlRow]) -> Result<Option<(i64, usize)>> {
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
