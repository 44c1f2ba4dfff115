//! Adds the rollups of a batch to the stored ones: reads, merges and writes them back, many rows with each statement.

use std::sync::Arc;

use toolgate_domain::time::Timestamp;

use super::batch_rollups::{BatchRollups, Rollup, RollupKey, RollupTally};
use super::saturating_i64;
use crate::error::Result;
use crate::sql::bulk::{BulkStatement, BulkValues, power_of_two_chunks};
use crate::sql::tx::Tx;
use crate::sql::usage_columns::{grain_number, scope_numbers, totals_from_row};

/// Number of columns in `READ_ROLLUPS`: the index of the rollup in the batch, and the primary key.
const KEY_COLUMNS: usize = 6;
/// Number of columns in `WRITE_ROLLUPS`.
const ROW_COLUMNS: usize = 14;

/// `CROSS JOIN` makes SQLite iterate over the values and find each row by its primary key.
static READ_ROLLUPS: BulkStatement = BulkStatement::new(
    "WITH wanted (number, scope, scope_id, grain, client_type, start) AS (VALUES ",
    KEY_COLUMNS,
    ") SELECT w.number, u.calls, u.failures, u.total_us, u.request_bytes, u.response_bytes, u.last_at, u.outcomes, \
     u.latencies FROM wanted w CROSS JOIN usage u WHERE u.scope = w.scope AND u.scope_id = w.scope_id AND u.grain = w.grain \
     AND u.client_type = w.client_type AND u.start = w.start",
);

static WRITE_ROLLUPS: BulkStatement = BulkStatement::new(
    "INSERT INTO usage (scope, scope_id, grain, client_type, start, user_id, calls, failures, total_us, \
     request_bytes, response_bytes, last_at, outcomes, latencies) VALUES ",
    ROW_COLUMNS,
    " ON CONFLICT (scope, scope_id, grain, client_type, start) DO UPDATE SET user_id = excluded.user_id, \
     calls = excluded.calls, failures = excluded.failures, total_us = excluded.total_us, \
     request_bytes = excluded.request_bytes, response_bytes = excluded.response_bytes, last_at = excluded.last_at, \
     outcomes = excluded.outcomes, latencies = excluded.latencies",
);

impl Tx {
    pub(super) async fn add_to_rollups(&mut self, rollups: BatchRollups) -> Result<()> {
        let mut rollups = rollups.into_rows();
        self.merge_stored_rollups(&mut rollups).await?;
        for chunk in power_of_two_chunks(&rollups) {
            let mut values = self.bulk_values(chunk.len() * ROW_COLUMNS);
            for (key, rollup) in chunk {
                bind_key(key, &mut values);
                bind_rollup(rollup, &mut values);
            }
            self.execute_bound(WRITE_ROLLUPS.sql(chunk.len(), &values), values).await?;
        }
        Ok(())
    }

    async fn merge_stored_rollups(&mut self, rollups: &mut [(RollupKey, Rollup)]) -> Result<()> {
        let indexes: Vec<usize> = (0..rollups.len()).collect();
        for chunk in power_of_two_chunks(&indexes) {
            let mut values = self.bulk_values(chunk.len() * KEY_COLUMNS);
            for index in chunk {
                values.add(i64::try_from(*index).unwrap_or(i64::MAX));
                if let Some((key, _)) = rollups.get(*index) {
                    bind_key(key, &mut values);
                }
            }
            for row in self.fetch_bound(READ_ROLLUPS.sql(chunk.len(), &values), values).await? {
                let index = usize::try_from(row.int("number")?).unwrap_or(usize::MAX);
                if let Some((_, rollup)) = rollups.get_mut(index) {
                    rollup.tally.merge(&RollupTally { totals: totals_from_row(&row)?, outcomes: row.int("outcomes")? });
                }
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
    for count in [totals.calls, totals.failures, totals.total_us, totals.request_bytes, totals.response_bytes] {
        values.add(saturating_i64(count));
    }
    values.add(totals.last_at.map_or(0, Timestamp::as_millis));
    values.add(*outcomes);
    values.add(totals.latencies.to_bytes());
}

#[cfg(test)]
mod tests {
    use sqlx::AssertSqlSafe;

    use super::*;
    use crate::sql::database::SqlDatabase;
    use crate::sql::pools::IfMissing;

    #[tokio::test]
    async fn each_rollup_is_found_by_the_primary_key() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
        let db = SqlDatabase::open(&url, IfMissing::Create).await.unwrap();
        db.migrate().await.unwrap();
        let mut tx = db.begin().await.unwrap();
        let values = tx.bulk_values(0);
        let AssertSqlSafe(sql) = READ_ROLLUPS.sql(4, &values);
        let rows = tx.fetch_bound(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")), values).await.unwrap();
        let steps: Vec<String> = rows.iter().map(|row| row.text("detail").unwrap()).collect();
        let by_key = "SEARCH u USING PRIMARY KEY (scope=? AND scope_id=? AND grain=? AND client_type=? AND start=?)";
        assert_eq!(steps.last().map(String::as_str), Some(by_key), "{steps:?}");
    }
}
