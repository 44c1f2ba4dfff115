//! Adding to the sums that are stored: read, merged, written back, many at a time.

use std::sync::Arc;

use toolgate_domain::time::Timestamp;

use super::stored;
use super::sums::{Key, Sum, Sums, Tally};
use crate::Result;
use crate::sql::bulk::{Bulk, Values, runs};
use crate::sql::tx::Tx;
use crate::sql::usage::{grain_number, scope_numbers, totals_of};

const KEY: usize = 6;
const ROW: usize = 14;

/// The values come first in the join, so that each finds its row by the primary key.
static READ: Bulk = Bulk::new(
    "WITH wanted (number, scope, scope_id, grain, client_type, start) AS (VALUES ",
    KEY,
    ") SELECT w.number, u.calls, u.failures, u.total_us, u.request_bytes, u.response_bytes, u.last_at, u.outcomes, \
     u.latencies FROM wanted w CROSS JOIN usage u WHERE u.scope = w.scope AND u.scope_id = w.scope_id AND u.grain = w.grain \
     AND u.client_type = w.client_type AND u.start = w.start",
);

static WRITE: Bulk = Bulk::new(
    "INSERT INTO usage (scope, scope_id, grain, client_type, start, user_id, calls, failures, total_us, \
     request_bytes, response_bytes, last_at, outcomes, latencies) VALUES ",
    ROW,
    " ON CONFLICT (scope, scope_id, grain, client_type, start) DO UPDATE SET user_id = excluded.user_id, \
     calls = excluded.calls, failures = excluded.failures, total_us = excluded.total_us, \
     request_bytes = excluded.request_bytes, response_bytes = excluded.response_bytes, last_at = excluded.last_at, \
     outcomes = excluded.outcomes, latencies = excluded.latencies",
);

impl Tx {
    pub(super) async fn add_to_sums(&mut self, sums: Sums) -> Result<()> {
        let mut sums = sums.into_rows();
        self.add_what_is_stored(&mut sums).await?;
        for run in runs(&sums) {
            let mut values = Values::of(self, run.len() * ROW);
            for (key, sum) in run {
                bind_key(key, &mut values);
                bind_sum(sum, &mut values);
            }
            self.execute_bound(WRITE.sql(run.len(), &values), values).await?;
        }
        Ok(())
    }

    async fn add_what_is_stored(&mut self, sums: &mut [(Key, Sum)]) -> Result<()> {
        let numbered: Vec<usize> = (0..sums.len()).collect();
        for run in runs(&numbered) {
            let mut values = Values::of(self, run.len() * KEY);
            for number in run {
                values.add(i64::try_from(*number).unwrap_or(i64::MAX));
                if let Some((key, _)) = sums.get(*number) {
                    bind_key(key, &mut values);
                }
            }
            for row in self.fetch_bound(READ.sql(run.len(), &values), values).await? {
                let number = usize::try_from(row.int("number")?).unwrap_or(usize::MAX);
                if let Some((_, sum)) = sums.get_mut(number) {
                    sum.tally.merge(&Tally { totals: totals_of(&row)?, outcomes: row.int("outcomes")? });
                }
            }
        }
        Ok(())
    }
}

fn bind_key(key: &Key, values: &mut Values) {
    let (scope, scope_id) = scope_numbers(key.scope);
    values.add(scope);
    values.add(scope_id);
    values.add(grain_number(key.grain));
    values.add(Arc::clone(&key.client_type));
    values.add(key.start.as_millis());
}

fn bind_sum(sum: &Sum, values: &mut Values) {
    let Tally { totals, outcomes } = &sum.tally;
    values.add(sum.user_id);
    for number in [totals.calls, totals.failures, totals.total_us, totals.request_bytes, totals.response_bytes] {
        values.add(stored(number));
    }
    values.add(totals.last_at.map_or(0, Timestamp::as_millis));
    values.add(*outcomes);
    values.add(totals.latencies.to_bytes());
}

#[cfg(test)]
mod tests {
    use sqlx::AssertSqlSafe;

    use super::*;
    use crate::sql::database::Database;
    use crate::sql::pools::IfMissing;

    #[tokio::test]
    async fn each_sum_is_found_by_the_primary_key() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
        let db = Database::open(&url, IfMissing::Create).await.unwrap();
        db.migrate().await.unwrap();
        let mut tx = db.begin().await.unwrap();
        let values = Values::of(&tx, 0);
        let AssertSqlSafe(sql) = READ.sql(4, &values);
        let rows = tx.fetch_bound(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")), values).await.unwrap();
        let steps: Vec<String> = rows.iter().map(|row| row.text("detail").unwrap()).collect();
        let by_key = "SEARCH u USING PRIMARY KEY (scope=? AND scope_id=? AND grain=? AND client_type=? AND start=?)";
        assert_eq!(steps.last().map(String::as_str), Some(by_key), "{steps:?}");
    }
}
