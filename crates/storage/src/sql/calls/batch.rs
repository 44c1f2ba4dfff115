//! Ingest of batches: calls, rollups and journal positions in one transaction. They are processed one block at a
//! time, so that only one block of records is in memory before it is packed.

use ahash::HashMap;
use toolgate_domain::call::{CallId, CallRecord};
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::time::Timestamp;

use super::NOT_FOUND;
use super::batch_rollups::BatchRollups;
use super::call_ids::IdAllocator;
use super::client_types::BatchTypes;
use super::incoming_call::IncomingCall;
use super::key_rollups::KeyRollups;
use super::log_rows::LogRows;
use super::merged_calls::MergedCalls;
use crate::calls::{CallBatch, JournalId};
use crate::error::Result;
use crate::sql::SqlStorage;
use crate::sql::tx::Tx;

/// PostgreSQL advisory lock that serialises the ingest of all nodes: `toolgat` in ASCII.
const INGEST_LOCK: i64 = 0x0074_6f6f_6c67_6174;

/// Maximum number of calls in a block: large enough to make the overhead of a block small for each call, small enough
/// to search a block quickly.
const BLOCK_CALLS_MAX: usize = 512;

/// Maximum of a stored duration or size: above every real value, and small enough that totals do not overflow.
const AMOUNT_MAX: u64 = 1 << 42;

/// Rows and ids collected from the records of a batch.
struct BatchIngest<'s> {
    storage: &'s SqlStorage,
    /// Owners of servers that were handed over, possibly after the journal recorded a call.
    current_owners: HashMap<ServerId, UserId>,
    id_allocator: IdAllocator,
    types: BatchTypes<'s>,
    new_days: Vec<Timestamp>,
    log_rows: LogRows,
    rollups: BatchRollups,
    key_rollups: KeyRollups,
    newest_id: Option<CallId>,
}

impl SqlStorage {
    pub(super) async fn ingest(&self, batches: Vec<CallBatch<'_>>) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.lock_ingest().await?;
        let journals: Vec<&JournalId> = batches.iter().map(|batch| batch.journal).collect();
        let positions = tx.positions(&journals).await?;
        let (mut calls, mut lost, mut new_positions) = (MergedCalls::default(), 0, Vec::new());
        for (batch, position) in batches.into_iter().zip(positions) {
            let position = position.ok_or(NOT_FOUND)?;
            if batch.through > position {
                let (already_stored, lost_in_batch) = stored_and_lost(&batch, position);
                lost += lost_in_batch;
                new_positions.push((batch.journal, batch.through));
                calls.add(batch.calls, already_stored);
            }
        }
        if new_positions.is_empty() {
            return Ok(());
        }
        let mut ingest = BatchIngest::new(self, tx.id_allocator().await?, tx.current_owners().await?);
        loop {
            let records: Vec<CallRecord> = calls.by_ref().take(BLOCK_CALLS_MAX).collect();
            if records.is_empty() {
                break;
            }
            ingest.add(&mut tx, records).await?;
        }
        let BatchIngest { types, new_days, log_rows, rollups, key_rollups, newest_id, .. } = ingest;
        tx.insert_log_rows(log_rows).await?;
        tx.add_to_rollups(rollups).await?;
        tx.add_to_key_rollups(key_rollups).await?;
        tx.record_lost_calls(lost, newest_id).await?;
        tx.set_positions(&new_positions).await?;
        tx.commit().await?;
        // A rolled-back transaction must not leave anything in the cache.
        self.ingest_cache.days.extend(new_days);
        self.ingest_cache.client_types.extend(types.admitted);
        Ok(())
    }
}

impl<'s> BatchIngest<'s> {
    fn new(storage: &'s SqlStorage, id_allocator: IdAllocator, current_owners: HashMap<ServerId, UserId>) -> Self {
        Self {
            storage,
            current_owners,
            id_allocator,
            types: BatchTypes::new(&storage.ingest_cache.client_types),
            new_days: Vec::new(),
            log_rows: LogRows::default(),
            rollups: BatchRollups::default(),
            key_rollups: KeyRollups::default(),
            newest_id: None,
        }
    }

    /// Adds at most [`BLOCK_CALLS_MAX`] calls, which usually become one block.
    async fn add(&mut self, tx: &mut Tx, records: Vec<CallRecord>) -> Result<()> {
        let ids = tx.allocate_ids(&mut self.id_allocator, &records).await?;
        self.new_days
            .extend(tx.create_missing_partitions(&self.storage.ingest_cache.days, &self.new_days, &ids).await?);
        let mut calls = Vec::with_capacity(records.len());
        for (mut record, id) in records.into_iter().zip(ids) {
            record.user_id = self.current_owners.get(&record.server_id).copied().unwrap_or(record.user_id);
            clamp(&mut record, id);
            let client_type = self.types.resolve(tx, &record, id).await?;
            calls.push(IncomingCall { id, client_type, record });
        }
        calls.sort_unstable_by_key(|call| call.id);
        self.newest_id = self.newest_id.max(calls.last().map(|call| call.id));
        self.rollups.add(&calls);
        self.key_rollups.add(&calls);
        self.log_rows.add(&mut calls)
    }
}

/// Number of calls in the batch that are already stored at `position`, and number of lost calls after `position`.
fn stored_and_lost(batch: &CallBatch<'_>, position: u64) -> (usize, u64) {
    let already_stored = position.saturating_add(1).saturating_sub(batch.first);
    let new = u64::try_from(batch.calls.len()).unwrap_or(u64::MAX).saturating_sub(already_stored);
    let missing = batch.through.saturating_sub(position).saturating_sub(new);
    (usize::try_from(already_stored).unwrap_or(usize::MAX), batch.lost.min(missing))
}

/// Limits the values of a record to what can be stored.
fn clamp(record: &mut CallRecord, id: CallId) {
    record.at = id.time();
    let CallRecord { duration_us, upstream_us, request_bytes, response_bytes, .. } = record;
    for amount in [duration_us, upstream_us, request_bytes, response_bytes] {
        *amount = AMOUNT_MAX.min(*amount);
    }
    if let Some(tokens) = &mut record.tokens {
        (tokens.out, tokens.saved) = (AMOUNT_MAX.min(tokens.out), AMOUNT_MAX.min(tokens.saved));
    }
}

impl Tx {
    /// Serialises ingest and partition changes on PostgreSQL; SQLite has only one writer anyway.
    pub(super) async fn lock_ingest(&mut self) -> Result<()> {
        if self.is_postgres() {
            // The timeout bounds this lock and every later lock of the transaction.
            let sql = "SELECT set_config('lock_timeout', '10s', TRUE), pg_advisory_xact_lock($1)";
            self.execute(sql, vec![INGEST_LOCK.into()]).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::ToolId;

    use super::*;

    #[test]
    fn calls_and_losses_up_to_the_position_are_skipped() {
        let journal = JournalId("j".to_owned());
        let call = CallRecord::new(UserId(1), ServerId(1), ToolId(1), String::new());
        let calls = Box::new(vec![call; 10].into_iter());
        let batch = CallBatch { journal: &journal, first: 11, calls, through: 22, lost: 12 };
        for (position, already_stored, lost) in [(0, 0, 12), (4, 0, 8), (10, 0, 2), (13, 3, 2), (21, 11, 1)] {
            assert_eq!(stored_and_lost(&batch, position), (already_stored, lost), "after {position}");
        }
    }
}
