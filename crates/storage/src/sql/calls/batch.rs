//! One batch, from a journal into the database: calls, sums and position in one transaction.

use std::borrow::Cow;
use std::sync::Arc;

use domain::call::{CallId, CallRecord};

use super::NOT_FOUND;
use crate::sql::SqlStorage;
use crate::sql::tx::Tx;
use crate::{CallBatch, Result};

/// The lock by which those who move calls into one PostgreSQL database take turns: `toolgate` in ASCII, nearly.
const MOVERS: i64 = 0x0074_6f6f_6c67_6174;

/// A call on its way in.
pub(super) struct Incoming<'a> {
    pub(super) id: CallId,
    /// The type of client under which it counts.
    pub(super) client_type: Arc<str>,
    /// Its time is that of its id, so that the log and the sums agree.
    pub(super) record: Cow<'a, CallRecord>,
}

/// What no call takes or moves: so large that nothing true is cut, so small that sums of it stay numbers.
const TOO_MUCH: u64 = 1 << 42;

impl SqlStorage {
    pub(super) async fn take_in(&self, batch: CallBatch<'_>) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.wait_for_other_movers().await?;
        let position = tx.position(batch.journal).await?.ok_or(NOT_FOUND)?;
        if batch.through <= position {
            return Ok(());
        }
        let (records, lost) = what_is_new(&batch, position);
        let ids = tx.number(records).await?;
        let new_days = tx.make_missing_days(&self.known.days, &ids).await?;
        let mut types = tx.client_types(&self.known.client_types);
        let mut calls = Vec::with_capacity(records.len());
        for (record, id) in records.iter().zip(ids) {
            calls.push(Incoming { id, client_type: types.of(record, id).await?, record: as_stored(record, id) });
        }
        let new_types = types.admitted();
        tx.insert_calls(&calls).await?;
        tx.add_to_sums(&calls).await?;
        tx.count_lost(lost, calls.last().map(|call| call.id)).await?;
        tx.advance(batch.journal, batch.through).await?;
        tx.commit().await?;
        self.known.days.learn(new_days);
        self.known.client_types.learn(new_types);
        Ok(())
    }
}

/// The records after a position, and how many of those after it were given up.
fn what_is_new<'a>(batch: &CallBatch<'a>, position: u64) -> (&'a [CallRecord], u64) {
    let is_here = usize::try_from(position.saturating_add(1).saturating_sub(batch.first)).unwrap_or(usize::MAX);
    let records = batch.calls.get(is_here..).unwrap_or_default();
    let numbers = batch.through.saturating_sub(position);
    let missing = numbers.saturating_sub(u64::try_from(records.len()).unwrap_or(u64::MAX));
    (records, batch.lost.min(missing))
}

/// A record as it can be stored; nearly always as it is.
fn as_stored(record: &CallRecord, id: CallId) -> Cow<'_, CallRecord> {
    let most = record.duration_us.max(record.upstream_us).max(record.request_bytes).max(record.response_bytes);
    if record.at == id.time() && most <= TOO_MUCH {
        return Cow::Borrowed(record);
    }
    Cow::Owned(CallRecord {
        at: id.time(),
        duration_us: record.duration_us.min(TOO_MUCH),
        upstream_us: record.upstream_us.min(TOO_MUCH),
        request_bytes: record.request_bytes.min(TOO_MUCH),
        response_bytes: record.response_bytes.min(TOO_MUCH),
        ..record.clone()
    })
}

impl Tx {
    /// SQLite has one writer at a time anyway. Nobody waits for ever, neither here nor for what follows.
    pub(super) async fn wait_for_other_movers(&mut self) -> Result<()> {
        if self.is_postgres() {
            let sql = "SELECT set_config('lock_timeout', '10s', TRUE), pg_advisory_xact_lock($1)";
            self.execute(sql, vec![MOVERS.into()]).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use domain::ids::{ServerId, ToolId, UserId};
    use domain::time::Timestamp;

    use super::*;
    use crate::JournalId;

    fn record(at: i64) -> CallRecord {
        CallRecord {
            at: Timestamp::from_millis(at),
            user_id: UserId(1),
            server_id: ServerId(1),
            tool_id: ToolId(1),
            client_type: String::new(),
            client_name: None,
            protocol_version: None,
            failure: None,
            upstream_status: None,
            duration_us: 0,
            upstream_us: 0,
            request_bytes: 0,
            response_bytes: 0,
            cache_hit: false,
            request_id: String::new(),
            captured: None,
        }
    }

    #[test]
    fn what_is_here_is_passed_over_and_its_losses_too() {
        let journal = JournalId("j".to_owned());
        let calls: Vec<CallRecord> = (11..=20).map(record).collect();
        let batch = CallBatch { journal: &journal, first: 11, calls: &calls, through: 22, lost: 12 };
        for (position, first, count, lost) in [(0, 11, 10, 12), (4, 11, 10, 8), (10, 11, 10, 2), (13, 14, 7, 2)] {
            let (records, missing) = what_is_new(&batch, position);
            let found = (records.first().map(|record| record.at.as_millis()), records.len(), missing);
            assert_eq!(found, (Some(first), count, lost), "after {position}");
        }
        assert_eq!(what_is_new(&batch, 21), (&[][..], 1));
    }
}
