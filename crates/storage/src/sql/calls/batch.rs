//! One batch, from a journal into the database: calls, sums and position in one transaction. It is worked through in
//! parts of a block each, so that what is in memory stays small beside what the calls themselves need.

use std::sync::Arc;

use toolgate_domain::call::{CallId, CallRecord};
use toolgate_domain::time::Timestamp;

use super::NOT_FOUND;
use super::blocks::Blocks;
use super::client_types::BatchTypes;
use super::numbers::Numbers;
use super::sums::Sums;
use crate::sql::SqlStorage;
use crate::sql::tx::Tx;
use crate::{CallBatch, Result};

/// The lock by which those who move calls into one PostgreSQL database take turns: `toolgate` in ASCII, nearly.
const MOVERS: i64 = 0x0074_6f6f_6c67_6174;

/// Most calls of a block: so many that what a block costs by itself is little for each, so few that a look into it is
/// quickly taken.
const BLOCK: usize = 512;

/// What no call takes or moves: so large that nothing true is cut, so small that sums of it stay numbers.
const TOO_MUCH: u64 = 1 << 42;

/// A call on its way in.
pub(super) struct Incoming {
    pub(super) id: CallId,
    /// The type of client under which it counts.
    pub(super) client_type: Arc<str>,
    /// Its time is that of its id, so that the log and the sums agree.
    pub(super) record: CallRecord,
}

/// What has been read of a batch.
struct Intake<'s> {
    storage: &'s SqlStorage,
    numbers: Numbers,
    types: BatchTypes<'s>,
    new_days: Vec<Timestamp>,
    blocks: Blocks,
    sums: Sums,
    last: Option<CallId>,
}

impl SqlStorage {
    pub(super) async fn take_in(&self, batch: CallBatch<'_>) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.wait_for_other_movers().await?;
        let position = tx.position(batch.journal).await?.ok_or(NOT_FOUND)?;
        if batch.through <= position {
            return Ok(());
        }
        let (are_here, lost) = what_is_here(&batch, position);
        let mut calls = batch.calls.skip(are_here);
        let mut intake = Intake::new(self, tx.numbers().await?);
        loop {
            let some: Vec<CallRecord> = calls.by_ref().take(BLOCK).collect();
            if some.is_empty() {
                break;
            }
            intake.take(&mut tx, some).await?;
        }
        let Intake { types, new_days, blocks, sums, last, .. } = intake;
        tx.insert_blocks(blocks).await?;
        tx.add_to_sums(sums).await?;
        tx.count_lost(lost, last).await?;
        tx.advance(batch.journal, batch.through).await?;
        tx.commit().await?;
        self.known.days.learn(new_days);
        self.known.client_types.learn(types.admitted());
        Ok(())
    }
}

impl<'s> Intake<'s> {
    fn new(storage: &'s SqlStorage, numbers: Numbers) -> Self {
        Self {
            storage,
            numbers,
            types: BatchTypes::new(&storage.known.client_types),
            new_days: Vec::new(),
            blocks: Blocks::default(),
            sums: Sums::default(),
            last: None,
        }
    }

    /// Takes in some calls: at most a block, usually one.
    async fn take(&mut self, tx: &mut Tx, records: Vec<CallRecord>) -> Result<()> {
        let ids = tx.number(&mut self.numbers, &records).await?;
        self.new_days.extend(tx.make_missing_days(&self.storage.known.days, &self.new_days, &ids).await?);
        let mut calls = Vec::with_capacity(records.len());
        for (record, id) in records.into_iter().zip(ids) {
            let client_type = self.types.of(tx, &record, id).await?;
            calls.push(Incoming { id, client_type, record: as_stored(record, id) });
        }
        calls.sort_unstable_by_key(|call| call.id);
        self.last = self.last.max(calls.last().map(|call| call.id));
        self.sums.add(&calls);
        self.blocks.add(&mut calls)
    }
}

/// How many of a batch are here already, given a position, and how many of those after it were given up.
fn what_is_here(batch: &CallBatch<'_>, position: u64) -> (usize, u64) {
    let are_here = position.saturating_add(1).saturating_sub(batch.first);
    let new = u64::try_from(batch.calls.len()).unwrap_or(u64::MAX).saturating_sub(are_here);
    let missing = batch.through.saturating_sub(position).saturating_sub(new);
    (usize::try_from(are_here).unwrap_or(usize::MAX), batch.lost.min(missing))
}

/// A record as it can be stored; nearly always as it is.
fn as_stored(mut record: CallRecord, id: CallId) -> CallRecord {
    record.at = id.time();
    let CallRecord { duration_us, upstream_us, request_bytes, response_bytes, .. } = &mut record;
    for amount in [duration_us, upstream_us, request_bytes, response_bytes] {
        *amount = TOO_MUCH.min(*amount);
    }
    record
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
    use toolgate_domain::ids::{ServerId, ToolId, UserId};

    use super::*;
    use crate::JournalId;

    #[test]
    fn what_is_here_is_passed_over_and_its_losses_too() {
        let journal = JournalId("j".to_owned());
        let call = CallRecord::begun(UserId(1), ServerId(1), ToolId(1), String::new());
        let calls = Box::new(vec![call; 10].into_iter());
        let batch = CallBatch { journal: &journal, first: 11, calls, through: 22, lost: 12 };
        for (position, are_here, lost) in [(0, 0, 12), (4, 0, 8), (10, 0, 2), (13, 3, 2), (21, 11, 1)] {
            assert_eq!(what_is_here(&batch, position), (are_here, lost), "after {position}");
        }
    }
}
