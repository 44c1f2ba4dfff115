//! Registered journals, the ingest position of each, and the number of lost calls.

use toolgate_domain::call::CallId;
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::Grain;

use crate::calls::JournalId;
use crate::error::Result;
use crate::sql::row::params;
use crate::sql::tx::Tx;

pub(super) const SELECT_POSITION: &str = "SELECT position FROM journals WHERE id = $1";

impl Tx {
    /// Number of the last ingested record of a journal; `None` if the journal is not registered.
    pub(super) async fn position(&mut self, journal: &JournalId) -> Result<Option<u64>> {
        let row = self.fetch_optional(SELECT_POSITION, params![journal.0.as_str()]).await?;
        row.map(|row| row.count("position")).transpose()
    }

    pub(super) async fn set_position(&mut self, journal: &JournalId, through: u64) -> Result<()> {
        let through = i64::try_from(through).unwrap_or(i64::MAX);
        let sql = "UPDATE journals SET position = $2 WHERE id = $1";
        self.execute(sql, params![journal.0.as_str(), through]).await
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
