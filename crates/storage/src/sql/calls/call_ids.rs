//! Which id a call gets: the milliseconds of its time and a number among those of the same millisecond. Usually all of a
//! batch is newer than whatever is stored, and nothing has to be asked but how new that is.

use std::collections::{BTreeSet, HashMap};

use toolgate_domain::call::{CallId, CallRecord};
use toolgate_domain::time::Timestamp;

use super::{block, span};
use crate::Result;
use crate::sql::row::params;
use crate::sql::tx::Tx;

/// The last millisecond that a call may be told to have ended in: of the year 9998, the last that is whole in every calendar.
const MILLISECOND_MAX: i64 = 253_370_764_799_999;
/// So many milliseconds are looked at together where one is full,
const LOOKAHEAD_MS: i64 = 64;
/// and calls as far apart as this, where many are older than the newest.
const LOOKUP_RANGE_MS: i64 = 500;

/// The next number of each millisecond, as far as a batch has come.
pub(super) struct IdAllocator {
    /// The millisecond of the newest call; what comes after it is free.
    newest: i64,
    next: HashMap<i64, i64>,
    /// Where there was room for calls of a millisecond that is full.
    spill: HashMap<i64, i64>,
}

/// A millisecond about which the database has to be asked first.
#[derive(Debug, PartialEq, Eq)]
struct UnknownMillisecond(i64);

impl IdAllocator {
    fn after(newest: Option<CallId>) -> Self {
        Self { newest: newest.map_or(-1, |id| id.time().as_millis()), next: HashMap::new(), spill: HashMap::new() }
    }

    /// An id for a call of this millisecond, or of the first one after it that has room.
    fn allocate(&mut self, wanted: i64) -> std::result::Result<CallId, UnknownMillisecond> {
        let mut millisecond = self.spill.get(&wanted).copied().unwrap_or(wanted);
        loop {
            let next = match self.next.get_mut(&millisecond) {
                Some(next) => next,
                None if millisecond > self.newest => self.next.entry(millisecond).or_insert(first_id(millisecond)),
                None => return Err(UnknownMillisecond(millisecond)),
            };
            if *next < first_id(millisecond + 1) {
                let id = CallId(*next);
                *next += 1;
                return Ok(id);
            }
            millisecond += 1;
            self.spill.insert(wanted, millisecond);
        }
    }

    /// Nothing is known of this millisecond but that there may be more of it.
    fn mark_looked_up(&mut self, millisecond: i64) {
        self.next.entry(millisecond).or_insert(first_id(millisecond));
    }

    /// These are taken, those of other milliseconds than these aside.
    fn mark_taken(&mut self, ids: impl Iterator<Item = CallId>, moments: &BTreeSet<i64>) {
        for id in ids {
            let moment = id.time().as_millis();
            if moments.contains(&moment) {
                let next = self.next.entry(moment).or_default();
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

    /// The numbers for a batch.
    pub(super) async fn id_allocator(&mut self) -> Result<IdAllocator> {
        self.newest_call().await.map(IdAllocator::after)
    }

    /// An id for each of these.
    pub(super) async fn allocate_ids(
        &mut self,
        id_allocator: &mut IdAllocator,
        records: &[CallRecord],
    ) -> Result<Vec<CallId>> {
        let old: BTreeSet<i64> =
            records.iter().map(millisecond).filter(|moment| *moment <= id_allocator.newest).collect();
        self.look_up(id_allocator, old).await?;
        let mut ids = Vec::with_capacity(records.len());
        for record in records {
            ids.push(loop {
                match id_allocator.allocate(millisecond(record)) {
                    Ok(id) => break id,
                    Err(UnknownMillisecond(first)) => {
                        self.look_up(id_allocator, (first..first + LOOKAHEAD_MS).collect()).await?;
                    }
                }
            });
        }
        Ok(ids)
    }

    /// Learns which ids of these milliseconds are taken, a few that lie together at a time.
    async fn look_up(&mut self, id_allocator: &mut IdAllocator, mut moments: BTreeSet<i64>) -> Result<()> {
        moments.retain(|moment| !id_allocator.next.contains_key(moment));
        while let Some(first) = moments.first().copied() {
            let far = span::end(CallId(first_id(first))).time().as_millis().min(first + LOOKUP_RANGE_MS);
            let later = moments.split_off(&far);
            self.look_up_span(id_allocator, &moments).await?;
            moments = later;
        }
        Ok(())
    }

    /// Learns about milliseconds of one span.
    async fn look_up_span(&mut self, id_allocator: &mut IdAllocator, moments: &BTreeSet<i64>) -> Result<()> {
        let (Some(first), Some(last)) = (moments.first(), moments.last()) else { return Ok(()) };
        let (first, end) = (CallId(first_id(*first)), first_id(last + 1));
        let sql = "SELECT newest, oldest, packed FROM call_blocks WHERE newest >= $1 AND newest < $2 AND oldest < $3";
        for row in self.fetch_all(sql, params![first.0, span::end(first).0, end]).await? {
            let (oldest, newest) = (CallId(row.int("oldest")?), CallId(row.int("newest")?));
            if let Ok(ids) = block::ids(&row.bytes("packed")?) {
                id_allocator.mark_taken(ids.into_iter().map(CallId), moments);
            } else {
                // Nobody knows which, so all that may be taken are.
                let range = oldest.time().as_millis()..=newest.time().as_millis();
                let ids = moments.range(range).map(|moment| CallId(first_id(moment + 1) - 1));
                id_allocator.mark_taken(ids, moments);
            }
        }
        for moment in moments {
            id_allocator.mark_looked_up(*moment);
        }
        Ok(())
    }
}

/// When a call ended, within what an id can tell.
fn millisecond(record: &CallRecord) -> i64 {
    record.at.as_millis().clamp(0, MILLISECOND_MAX)
}

fn first_id(millisecond: i64) -> i64 {
    CallId::first_at(Timestamp::from_millis(millisecond)).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_millisecond_spills_into_the_next_that_has_room() {
        let mut id_allocator = IdAllocator::after(Some(CallId(first_id(10) + 7)));
        assert_eq!(id_allocator.allocate(10), Err(UnknownMillisecond(10)));
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
    fn what_is_older_than_the_newest_call_is_asked_for() {
        let mut id_allocator = IdAllocator::after(Some(CallId(first_id(10))));
        assert_eq!(id_allocator.allocate(3), Err(UnknownMillisecond(3)));
        id_allocator.mark_looked_up(3);
        assert_eq!(id_allocator.allocate(3), Ok(CallId(first_id(3))));
        assert_eq!(IdAllocator::after(None).allocate(0), Ok(CallId(0)));
    }
}
