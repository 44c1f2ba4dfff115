//! Adds the rollups of a batch to the stored ones: reads, merges and writes them back, many rows with each statement.

use std::sync::Arc;

use super::batch_rollups::{BatchRollups, Rollup, RollupKey, RollupTally};
use crate::error::Result;
use crate::sql::bulk::{BulkStatement, BulkValues};
use crate::sql::tx::Tx;
use crate::sql::usage_columns::{bind_totals, grain_number, scope_numbers, totals_from_row};

/// Finds rollups by their primary keys, and returns their numbers in the batch. `CROSS JOIN` makes SQLite iterate over
/// the values and find each row by its primary key.
static READ_ROLLUPS: BulkStatement = BulkStatement::new(
    "WITH wanted (number, scope, scope_id, grain, client_type, start) AS (VALUES ",
    6,
    ") SELECT w.number, u.calls, u.failures, u.total_us, u.request_bytes, u.response_bytes, u.tokens_out, \
     u.tokens_saved, u.last_at, u.outcomes, u.latencies FROM wanted w CROSS JOIN usage u WHERE u.scope = w.scope AND u.scope_id = w.scope_id AND u.grain = w.grain \
     AND u.client_type = w.client_type AND u.start = w.start",
);

static WRITE_ROLLUPS: BulkStatement = BulkStatement::new(
    "INSERT INTO usage (scope, scope_id, grain, client_type, start, user_id, calls, failures, total_us, \
     request_bytes, response_bytes, tokens_out, tokens_saved, last_at, latencies, outcomes) VALUES ",
    16,
    " ON CONFLICT (scope, scope_id, grain, client_type, start) DO UPDATE SET user_id = excluded.user_id, \
     calls = excluded.calls, failures = excluded.failures, total_us = excluded.total_us, \
     request_bytes = excluded.request_bytes, response_bytes = excluded.response_bytes, \
     tokens_out = excluded.tokens_out, tokens_saved = excluded.tokens_saved, last_at = excluded.last_at, \
     outcomes = excluded.outcomes, latencies = excluded.latencies",
);

impl Tx {
    pub(super) async fn add_to_rollups(&mut self, rollups: BatchRollups) -> Result<()> {
        self.add_rollup_rows(rollups.into_rows()).await
    }

    /// Adds rows, which must be in the order of the primary key, to the stored ones.
    pub(super) async fn add_rollup_rows(&mut self, mut rollups: Vec<(RollupKey, Rollup)>) -> Result<()> {
        self.merge_stored_rollups(&mut rollups).await?;
        self.write_rollups(&rollups).await
    }

    pub(super) async fn write_rollups(&mut self, rollups: &[(RollupKey, Rollup)]) -> Result<()> {
        let bind = |(key, rollup): &(RollupKey, Rollup), values: &mut BulkValues| {
            bind_key(key, values);
            bind_rollup(rollup, values);
        };
        self.fetch_bulk(&WRITE_ROLLUPS, rollups, bind).await.map(drop)
    }

    pub(super) async fn merge_stored_rollups(&mut self, rollups: &mut [(RollupKey, Rollup)]) -> Result<()> {
        let numbered_keys: Vec<(i64, &RollupKey)> = (0..).zip(rollups.iter().map(|(key, _)| key)).collect();
        let bind = |(number, key): &(i64, &RollupKey), values: &mut BulkValues| {
            values.add(*number);
            bind_key(key, values);
        };
        for row in self.fetch_bulk(&READ_ROLLUPS, &numbered_keys, bind).await? {
            let index = usize::try_from(row.int("number")?).unwrap_or(usize::MAX);
            if let Some((_, rollup)) = rollups.get_mut(index) {
                rollup.tally.merge(&RollupTally { totals: totals_from_row(&row)?, outcomes: row.int("outcomes")? });
            }
        }
        Ok(())
    }
}

fn bind_key(key: &RollupKey, values: &mut BulkValues) {
    let (scope, scope_id) = scope_numbers(key.scope);
    values.add(scope);
    values.add(scope_id);
    values.add(grain_number(key.grain));
    values.add(Arc::clone(&key.client_type));
    values.add(key.start.as_millis());
}

fn bind_rollup(rollup: &Rollup, values: &mut BulkValues) {
    let RollupTally { totals, outcomes } = &rollup.tally;
    values.add(rollup.user_id);
    bind_totals(totals, values);
    values.add(*outcomes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::bulk::last_step_of_plan;

    #[tokio::test]
    async fn each_rollup_is_found_by_the_primary_key() {
        let by_key = "SEARCH u USING PRIMARY KEY (scope=? AND scope_id=? AND grain=? AND client_type=? AND start=?)";
        assert_eq!(last_step_of_plan(&READ_ROLLUPS).await, by_key);
    }
}
