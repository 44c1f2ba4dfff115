//! Allocation of call ids: the time in milliseconds and a sequence number within the millisecond. Usually a whole batch
//! is newer than all stored calls, so the only query is the one for the newest call.

use std::collections::BTreeSet;

use ahash::HashMap;
use toolgate_domain::call::{CallId, CallRecord};
use toolgate_domain::time::Timestamp;

use super::{block, span};
use crate::error::Result;
use crate::sql::row::params;
use crate::sql::tx::Tx;

/// Latest accepted end of a call: the last millisecond of the year 9998, the last year that date libraries support
/// completely.
const MILLISECOND_MAX: i64 = 253_370_764_799_999;
/// Number of milliseconds in one lookup after a full millisecond.
const LOOKAHEAD_MS: i64 = 64;
/// Maximum time range of one lookup for calls that are older than the newest stored call.
const LOOKUP_RANGE_MS: i64 = 500;

/// The next free id of each millisecond during a batch.
pub(super) struct IdAllocator {
    /// Millisecond of the newest stored call, or -1; the ids of all later milliseconds are free.
    newest_ms: i64,
    /// The next free id by millisecond.
    next_ids: HashMap<i64, i64>,
    /// For each full millisecond, a later one to continue with.
    spill: HashMap<i64, i64>,
}

impl IdAllocator {
    fn with_newest(newest: Option<CallId>) -> Self {
        let newest_ms = newest.map_or(-1, |id| id.time().as_millis());
        Self { newest_ms, next_ids: HashMap::default(), spill: HashMap::default() }
    }

    /// Allocates an id in the millisecond `requested`, or in the first later one with a free id. The error is a
    /// millisecond whose ids must be looked up in the database first.
    fn allocate(&mut self, requested: i64) -> std::result::Result<CallId, i64> {
        let mut millisecond = self.spill.get(&requested).copied().unwrap_or(requested);
        loop {
            let next = match self.next_ids.get_mut(&millisecond) {
                Some(next) => next,
                None if millisecond > self.newest_ms => {
                    self.next_ids.entry(millisecond).or_insert(first_id(millisecond))
                }
                None => return Err(millisecond),
            };
            if *next < first_id(millisecond + 1) {
                let id = CallId(*next);
                *next += 1;
                return Ok(id);
            }
            millisecond += 1;
            self.spill.insert(requested, millisecond);
        }
    }

    /// Marks a millisecond as looked up; without taken ids, its first id is free.
    fn mark_looked_up(&mut self, millisecond: i64) {
        self.next_ids.entry(millisecond).or_insert(first_id(millisecond));
    }

    /// Marks the ids that lie in `milliseconds` as taken and ignores all others.
    fn mark_taken(&mut self, ids: impl Iterator<Item = CallId>, milliseconds: &BTreeSet<i64>) {
        for id in ids {
            let millisecond = id.time().as_millis();
            if milliseconds.contains(&millisecond) {
                let next = self.next_ids.entry(millisecond).or_default();
                *next = id.0.saturating_add(1).max(*next);
            }
        }
    }
}

impl Tx {
    pub(super) async fn newest_call(&mut self) -> Result<Option<CallId>> {
        let newest = self.fetch_optional("SELECT newest FROM call_blocks ORDER BY newest DESC LIMIT 1", vec![]).await?;
        newest.map(|row| row.int("newest").map(CallId)).transpose()
    }

    /// Creates the allocator of a batch.
    pub(super) async fn id_allocator(&mut self) -> Result<IdAllocator> {
        self.newest_call().await.map(IdAllocator::with_newest)
    }

    /// Allocates an id for each record.
    pub(super) async fn allocate_ids(
        &mut self,
        id_allocator: &mut IdAllocator,
        records: &[CallRecord],
    ) -> Result<Vec<CallId>> {
        let old_milliseconds: BTreeSet<i64> =
            records.iter().map(end_millisecond).filter(|millisecond| *millisecond <= id_allocator.newest_ms).collect();
        self.look_up(id_allocator, old_milliseconds).await?;
        let mut ids = Vec::with_capacity(records.len());
        for record in records {
            ids.push(loop {
                match id_allocator.allocate(end_millisecond(record)) {
                    Ok(id) => break id,
                    Err(first) => {
                        self.look_up(id_allocator, (first..first + LOOKAHEAD_MS).collect()).await?;
                    }
                }
            });
        }
        Ok(ids)
    }

    /// Looks up the taken ids of these milliseconds, one time range within a span at a time.
    async fn look_up(&mut self, id_allocator: &mut IdAllocator, mut milliseconds: BTreeSet<i64>) -> Result<()> {
        milliseconds.retain(|millisecond| !id_allocator.next_ids.contains_key(millisecond));
        while let Some(first) = milliseconds.first().copied() {
            let end = span::end(CallId(first_id(first))).time().as_millis().min(first + LOOKUP_RANGE_MS);
            let later = milliseconds.split_off(&end);
            self.look_up_in_span(id_allocator, &milliseconds).await?;
            milliseconds = later;
        }
        Ok(())
    }

    /// Looks up the taken ids of milliseconds that lie in one span.
    async fn look_up_in_span(&mut self, id_allocator: &mut IdAllocator, milliseconds: &BTreeSet<i64>) -> Result<()> {
        let (Some(first), Some(last)) = (milliseconds.first(), milliseconds.last()) else { return Ok(()) };
        let (first, end) = (CallId(first_id(*first)), first_id(last + 1));
        let sql = "SELECT newest, oldest, packed FROM call_blocks WHERE newest >= $1 AND newest < $2 AND oldest < $3";
        for row in self.fetch_all(sql, params![first.0, span::end(first).0, end]).await? {
            let (oldest, newest) = (CallId(row.int("oldest")?), CallId(row.int("newest")?));
            if let Ok(ids) = block::ids(&row.bytes("packed")?) {
                id_allocator.mark_taken(ids.into_iter().map(CallId), milliseconds);
            } else {
                // The block is unreadable: all milliseconds that it may cover are treated as full.
                let range = oldest.time().as_millis()..=newest.time().as_millis();
                let ids = milliseconds.range(range).map(|millisecond| CallId(first_id(millisecond + 1) - 1));
                id_allocator.mark_taken(ids, milliseconds);
            }
        }
        for millisecond in milliseconds {
            id_allocator.mark_looked_up(*millisecond);
        }
        Ok(())
    }
}

/// End of a call, limited to the range of ids.
fn end_millisecond(record: &CallRecord) -> i64 {
    record.at.as_millis().clamp(0, MILLISECOND_MAX)
}

fn first_id(millisecond: i64) -> i64 {
    CallId::first_at(Timestamp::from_millis(millisecond)).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_millisecond_spills_into_the_next_one_with_a_free_id() {
        let mut id_allocator = IdAllocator::with_newest(Some(CallId(first_id(10) + 7)));
        assert_eq!(id_allocator.allocate(10), Err(10));
        let taken = [first_id(11) - 2, first_id(10), first_id(20)].map(CallId);
        id_allocator.mark_taken(taken.into_iter(), &BTreeSet::from([10]));
        id_allocator.mark_looked_up(10);
        assert_eq!(id_allocator.allocate(11), Ok(CallId(first_id(11))));
        assert_eq!(id_allocator.allocate(10), Ok(CallId(first_id(11) - 1)));
        assert_eq!(id_allocator.allocate(10), Ok(CallId(first_id(11) + 1)));
        let ids: BTreeSet<i64> = (0..5000).map(|_| id_allocator.allocate(20).unwrap().0).collect();
        assert_eq!((ids.len(), ids.first(), ids.last()), (5000, Some(&first_id(20)), Some(&(first_id(20) + 4999))));
    }

    #[test]
    fn milliseconds_before_the_newest_call_are_looked_up() {
        let mut id_allocator = IdAllocator::with_newest(Some(CallId(first_id(10))));
        assert_eq!(id_allocator.allocate(3), Err(3));
        id_allocator.mark_looked_up(3);
        assert_eq!(id_allocator.allocate(3), Ok(CallId(first_id(3))));
        assert_eq!(IdAllocator::with_newest(None).allocate(0), Ok(CallId(0)));
    }
}
