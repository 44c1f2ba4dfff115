//! One batch, from a journal into the database: calls, sums and position in one transaction. It is worked through in
//! parts of a block each, so that what is in memory stays small beside what the calls themselves need.

use std::sync::Arc;

use toolgate_domain::call::{CallId, CallRecord};
use toolgate_domain::time::Timestamp;

use super::NOT_FOUND;
use super::batch_rollups::BatchRollups;
use super::call_ids::IdAllocator;
use super::client_types::BatchTypes;
use super::log_rows::LogRows;
use crate::sql::SqlStorage;
use crate::sql::tx::Tx;
use crate::{CallBatch, Result};

/// The lock by which those who move calls into one PostgreSQL database take turns: `toolgate` in ASCII, nearly.
const INGEST_LOCK: i64 = 0x0074_6f6f_6c67_6174;

/// Most calls of a block: so many that what a block costs by itself is little for each, so few that a look into it is
/// quickly taken.
const BLOCK_CALLS_MAX: usize = 512;

/// What no call takes or moves: so large that nothing true is cut, so small that sums of it stay numbers.
const AMOUNT_MAX: u64 = 1 << 42;

/// A call on its way in.
pub(super) struct IncomingCall {
    pub(super) id: CallId,
    /// The type of client under which it counts.
    pub(super) client_type: Arc<str>,
    /// Its time is that of its id, so that the log and the sums agree.
    pub(super) record: CallRecord,
}

/// What has been read of a batch.
struct BatchIngest<'s> {
    storage: &'s SqlStorage,
    id_allocator: IdAllocator,
    types: BatchTypes<'s>,
    new_days: Vec<Timestamp>,
    log_rows: LogRows,
    rollups: BatchRollups,
    last: Option<CallId>,
}

impl SqlStorage {
    pub(super) async fn ingest(&self, batch: CallBatch<'_>) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.lock_ingest().await?;
        let position = tx.position(batch.journal).await?.ok_or(NOT_FOUND)?;
        if batch.through <= position {
            return Ok(());
        }
        let (already_stored, lost) = stored_and_lost(&batch, position);
        let mut calls = batch.calls.skip(already_stored);
        let mut ingest = BatchIngest::new(self, tx.id_allocator().await?);
        loop {
            let records: Vec<CallRecord> = calls.by_ref().take(BLOCK_CALLS_MAX).collect();
            if records.is_empty() {
                break;
            }
            ingest.add(&mut tx, records).await?;
        }
        let BatchIngest { types, new_days, log_rows, rollups, last, .. } = ingest;
        tx.insert_log_rows(log_rows).await?;
        tx.add_to_rollups(rollups).await?;
        tx.record_lost(lost, last).await?;
        tx.set_position(batch.journal, batch.through).await?;
        tx.commit().await?;
        self.ingest_cache.days.remember(new_days);
        self.ingest_cache.client_types.remember(types.admitted());
        Ok(())
    }
}

impl<'s> BatchIngest<'s> {
    fn new(storage: &'s SqlStorage, id_allocator: IdAllocator) -> Self {
        Self {
            storage,
            id_allocator,
            types: BatchTypes::new(&storage.ingest_cache.client_types),
            new_days: Vec::new(),
            log_rows: LogRows::default(),
            rollups: BatchRollups::default(),
            last: None,
        }
    }

    /// Takes in some calls: at most a block, usually one.
    async fn add(&mut self, tx: &mut Tx, records: Vec<CallRecord>) -> Result<()> {
        let ids = tx.allocate_ids(&mut self.id_allocator, &records).await?;
        self.new_days
            .extend(tx.create_missing_partitions(&self.storage.ingest_cache.days, &self.new_days, &ids).await?);
        let mut calls = Vec::with_capacity(records.len());
        for (record, id) in records.into_iter().zip(ids) {
            let client_type = self.types.resolve(tx, &record, id).await?;
            calls.push(IncomingCall { id, client_type, record: clamped(record, id) });
        }
        calls.sort_unstable_by_key(|call| call.id);
        self.last = self.last.max(calls.last().map(|call| call.id));
        self.rollups.add(&calls);
        self.log_rows.add(&mut calls)
    }
}

/// How many of a batch are here already, given a position, and how many of those after it were given up.
fn stored_and_lost(batch: &CallBatch<'_>, position: u64) -> (usize, u64) {
    let already_stored = position.saturating_add(1).saturating_sub(batch.first);
    let new = u64::try_from(batch.calls.len()).unwrap_or(u64::MAX).saturating_sub(already_stored);
    let missing = batch.through.saturating_sub(position).saturating_sub(new);
    (usize::try_from(already_stored).unwrap_or(usize::MAX), batch.lost.min(missing))
}

/// A record as it can be stored; nearly always as it is.
fn clamped(mut record: CallRecord, id: CallId) -> CallRecord {
    record.at = id.time();
    let CallRecord { duration_us, upstream_us, request_bytes, response_bytes, .. } = &mut record;
    for amount in [duration_us, upstream_us, request_bytes, response_bytes] {
        *amount = AMOUNT_MAX.min(*amount);
    }
    record
}

impl Tx {
    /// SQLite has one writer at a time anyway. Nobody waits for ever, neither here nor for what follows.
    pub(super) async fn lock_ingest(&mut self) -> Result<()> {
        if self.is_postgres() {
            let sql = "SELECT set_config('lock_timeout', '10s', TRUE), pg_advisory_xact_lock($1)";
            self.execute(sql, vec![INGEST_LOCK.into()]).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::{ServerId, ToolId, UserId};

    use super::*;
    use crate::JournalId;

    #[test]
    fn what_is_here_is_passed_over_and_its_losses_too() {
        let journal = JournalId("j".to_owned());
        let call = CallRecord::new(UserId(1), ServerId(1), ToolId(1), String::new());
        let calls = Box::new(vec![call; 10].into_iter());
        let batch = CallBatch { journal: &journal, first: 11, calls, through: 22, lost: 12 };
        for (position, already_stored, lost) in [(0, 0, 12), (4, 0, 8), (10, 0, 2), (13, 3, 2), (21, 11, 1)] {
            assert_eq!(stored_and_lost(&batch, position), (already_stored, lost), "after {position}");
        }
    }
}
