//! Registered journals, the ingest position of each, and the number of lost calls.

use toolgate_domain::call::CallId;
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::Grain;

use crate::calls::JournalId;
use crate::error::Result;
use crate::sql::bulk::{BulkStatement, BulkValues};
use crate::sql::row::params;
use crate::sql::tx::Tx;

pub(super) const SELECT_POSITION: &str = "SELECT position FROM journals WHERE id = $1";

static READ_POSITIONS: BulkStatement = BulkStatement::new(
    "WITH wanted (number, id) AS (VALUES ",
    2,
    ") SELECT w.number, j.position FROM wanted w CROSS JOIN journals j WHERE j.id = w.id",
);

// Updates rows in bulk: each of them was read in the same transaction, so nothing is inserted.
static WRITE_POSITIONS: BulkStatement = BulkStatement::new(
    "INSERT INTO journals (id, position) VALUES ",
    2,
    " ON CONFLICT (id) DO UPDATE SET position = excluded.position",
);

impl Tx {
    /// Number of the last ingested record of each journal; `None` for a journal that is not registered.
    pub(super) async fn positions(&mut self, journals: &[&JournalId]) -> Result<Vec<Option<u64>>> {
        let numbered: Vec<(i64, &JournalId)> = (0..).zip(journals.iter().copied()).collect();
        let bind = |(number, journal): &(i64, &JournalId), values: &mut BulkValues| {
            values.add(*number);
            values.add(journal.0.as_str());
        };
        let mut positions = vec![None; numbered.len()];
        for row in self.fetch_bulk(&READ_POSITIONS, &numbered, bind).await? {
            let index = usize::try_from(row.int("number")?).unwrap_or(usize::MAX);
            if let Some(position) = positions.get_mut(index) {
                *position = Some(row.count("position")?);
            }
        }
        Ok(positions)
    }

    /// Sets the positions of journals that are registered.
    pub(super) async fn set_positions(&mut self, positions: &[(&JournalId, u64)]) -> Result<()> {
        let bind = |(journal, through): &(&JournalId, u64), values: &mut BulkValues| {
            values.add(journal.0.as_str());
            values.add(i64::try_from(*through).unwrap_or(i64::MAX));
        };
        self.fetch_bulk(&WRITE_POSITIONS, positions, bind).await.map(drop)
    }

    /// Counts lost calls under the day of the newest call in their batch. A batch without calls does not say when the
    /// lost calls ended, so the day of the newest stored call is used.
    pub(super) async fn record_lost_calls(&mut self, lost: u64, newest_in_batch: Option<CallId>) -> Result<()> {
        if lost == 0 {
            return Ok(());
        }
        let newest = if newest_in_batch.is_some() { newest_in_batch } else { self.newest_call().await? };
        let time = newest.map_or(Timestamp::from_millis(0), CallId::time);
        let sql = "INSERT INTO lost_calls (day, calls) VALUES ($1, $2) \
                   ON CONFLICT (day) DO UPDATE SET calls = lost_calls.calls + excluded.calls";
        let lost = i64::try_from(lost).unwrap_or(i64::MAX);
        self.execute(sql, params![Grain::Day.start_of(time), lost]).await
    }
}
