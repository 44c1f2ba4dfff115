//! Daily rollups by server and credential: adds up the calls of a batch, and adds the sums to the stored ones.

use std::collections::BTreeMap;

use toolgate_domain::call::CallCredential;
use toolgate_domain::ids::ServerId;
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::{Grain, Totals};

use super::incoming_call::IncomingCall;
use crate::error::Result;
use crate::sql::bulk::{BulkStatement, BulkValues};
use crate::sql::tx::Tx;
use crate::sql::usage_columns::{bind_totals, totals_from_row};

/// Finds rollups by their primary keys, and returns their numbers in the batch. `CROSS JOIN` makes SQLite iterate over
/// the values and find each row by its primary key.
static READ_KEY_ROLLUPS: BulkStatement = BulkStatement::new(
    "WITH wanted (number, server_id, start, credential_kind, credential_id) AS (VALUES ",
    5,
    ") SELECT w.number, k.calls, k.failures, k.total_us, k.request_bytes, k.response_bytes, k.tokens_out, \
     k.tokens_saved, k.last_at, k.latencies FROM wanted w CROSS JOIN key_usage k WHERE k.server_id = w.server_id AND k.start = w.start \
     AND k.credential_kind = w.credential_kind AND k.credential_id = w.credential_id",
);

static WRITE_KEY_ROLLUPS: BulkStatement = BulkStatement::new(
    "INSERT INTO key_usage (server_id, start, credential_kind, credential_id, calls, failures, total_us, \
     request_bytes, response_bytes, tokens_out, tokens_saved, last_at, latencies) VALUES ",
    13,
    " ON CONFLICT (server_id, start, credential_kind, credential_id) DO UPDATE SET calls = excluded.calls, \
     failures = excluded.failures, total_us = excluded.total_us, request_bytes = excluded.request_bytes, \
     response_bytes = excluded.response_bytes, tokens_out = excluded.tokens_out, \
     tokens_saved = excluded.tokens_saved, last_at = excluded.last_at, latencies = excluded.latencies",
);

/// Server, start of the day, and credential: the primary key of a row of `key_usage`.
type KeyRollupKey = (ServerId, Timestamp, CallCredential);

/// Rollups of a batch, in the order of the primary key.
#[derive(Default)]
pub(super) struct KeyRollups(BTreeMap<KeyRollupKey, Totals>);

impl KeyRollups {
    pub(super) fn add(&mut self, calls: &[IncomingCall]) {
        for IncomingCall { record, .. } in calls {
            let key = (record.server_id, Grain::Day.start_of(record.at), record.origin.credential);
            self.0.entry(key).or_default().add(record);
        }
    }
}

impl Tx {
    pub(super) async fn add_to_key_rollups(&mut self, rollups: KeyRollups) -> Result<()> {
        let mut rollups: Vec<(KeyRollupKey, Totals)> = rollups.0.into_iter().collect();
        let numbered_keys: Vec<(i64, KeyRollupKey)> = (0..).zip(rollups.iter().map(|(key, _)| *key)).collect();
        let bind_number_and_key = |(number, key): &(i64, KeyRollupKey), values: &mut BulkValues| {
            values.add(*number);
            bind_key(*key, values);
        };
        for row in self.fetch_bulk(&READ_KEY_ROLLUPS, &numbered_keys, bind_number_and_key).await? {
            let index = usize::try_from(row.int("number")?).unwrap_or(usize::MAX);
            if let Some((_, totals)) = rollups.get_mut(index) {
                totals.merge(&totals_from_row(&row)?);
            }
        }
        let bind = |(key, totals): &(KeyRollupKey, Totals), values: &mut BulkValues| {
            bind_key(*key, values);
            bind_totals(totals, values);
        };
        self.fetch_bulk(&WRITE_KEY_ROLLUPS, &rollups, bind).await.map(drop)
    }
}

fn bind_key((server, day, credential): KeyRollupKey, values: &mut BulkValues) {
    let (kind, id) = credential.numbers();
    for value in [server.0, day.as_millis(), kind, id] {
        values.add(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::bulk::last_step_of_plan;

    #[tokio::test]
    async fn each_key_rollup_is_found_by_the_primary_key() {
        let by_key = "SEARCH k USING PRIMARY KEY (server_id=? AND start=? AND credential_kind=? AND credential_id=?)";
        assert_eq!(last_step_of_plan(&READ_KEY_ROLLUPS).await, by_key);
    }
}
