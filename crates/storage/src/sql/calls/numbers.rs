//! Which id a call gets: the milliseconds of its time and a number among those of the same millisecond. Usually all of a
//! batch is newer than whatever is stored, and nothing has to be asked but how new that is.

use std::collections::{BTreeSet, HashMap};

use domain::call::{CallId, CallRecord};
use domain::time::Timestamp;

use crate::Result;
use crate::sql::bulk::{Bulk, Values, runs};
use crate::sql::tx::Tx;

/// The last millisecond that a call may be told to have ended in: of the year 9998, the last that is whole in every calendar.
const LATEST: i64 = 253_370_764_799_999;
/// So many milliseconds are looked at together where one is full.
const FURTHER: i64 = 64;

static NEWEST_OF: Bulk = Bulk::new(
    "WITH moments (first) AS (VALUES ",
    1,
    ") SELECT first, (SELECT c.id FROM calls c WHERE c.id >= first AND c.id < first + 1024 ORDER BY c.id DESC LIMIT 1) \
     AS newest FROM moments",
);

/// The next number of each millisecond.
struct Numbers {
    /// The millisecond of the newest call; what comes after it is free.
    newest: i64,
    next: HashMap<i64, i64>,
    /// Where there was room for calls of a millisecond that is full.
    room: HashMap<i64, i64>,
}

/// A millisecond about which the database has to be asked first.
#[derive(Debug, PartialEq, Eq)]
struct Unknown(i64);

impl Numbers {
    fn after(newest: Option<CallId>) -> Self {
        Self { newest: newest.map_or(-1, |id| id.time().as_millis()), next: HashMap::new(), room: HashMap::new() }
    }

    /// An id for a call of this millisecond, or of the first one after it that has room.
    fn take(&mut self, wanted: i64) -> std::result::Result<CallId, Unknown> {
        let mut millisecond = self.room.get(&wanted).copied().unwrap_or(wanted);
        loop {
            let next = match self.next.get_mut(&millisecond) {
                Some(next) => next,
                None if millisecond > self.newest => self.next.entry(millisecond).or_insert(first_id(millisecond)),
                None => return Err(Unknown(millisecond)),
            };
            if *next < first_id(millisecond + 1) {
                let id = CallId(*next);
                *next += 1;
                return Ok(id);
            }
            millisecond += 1;
            self.room.insert(wanted, millisecond);
        }
    }

    fn learn(&mut self, millisecond: i64, newest: Option<i64>) {
        self.next.insert(millisecond, newest.map_or(first_id(millisecond), |id| id + 1));
    }
}

impl Tx {
    pub(super) async fn newest_call(&mut self) -> Result<Option<CallId>> {
        let newest = self.fetch_optional("SELECT id FROM calls ORDER BY id DESC LIMIT 1", vec![]).await?;
        newest.map(|row| row.int("id").map(CallId)).transpose()
    }

    /// An id for each of these.
    pub(super) async fn number(&mut self, records: &[CallRecord]) -> Result<Vec<CallId>> {
        let mut numbers = Numbers::after(self.newest_call().await?);
        let old: BTreeSet<i64> = records.iter().map(millisecond).filter(|moment| *moment <= numbers.newest).collect();
        self.look_up(&mut numbers, old).await?;
        let mut ids = Vec::with_capacity(records.len());
        for record in records {
            ids.push(loop {
                match numbers.take(millisecond(record)) {
                    Ok(id) => break id,
                    Err(Unknown(first)) => self.look_up(&mut numbers, first..first + FURTHER).await?,
                }
            });
        }
        Ok(ids)
    }

    async fn look_up(&mut self, numbers: &mut Numbers, moments: impl IntoIterator<Item = i64>) -> Result<()> {
        let moments: Vec<i64> = moments.into_iter().filter(|moment| !numbers.next.contains_key(moment)).collect();
        for run in runs(&moments) {
            let mut values = Values::of(self, run.len());
            for moment in run {
                values.add(first_id(*moment));
            }
            for row in self.fetch_bound(NEWEST_OF.sql(run.len(), &values), values).await? {
                numbers.learn(CallId(row.int("first")?).time().as_millis(), row.opt_int("newest")?);
            }
        }
        Ok(())
    }
}

/// When a call ended, within what an id can tell.
fn millisecond(record: &CallRecord) -> i64 {
    record.at.as_millis().clamp(0, LATEST)
}

fn first_id(millisecond: i64) -> i64 {
    CallId::first_at(Timestamp::from_millis(millisecond)).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_millisecond_spills_into_the_next_that_has_room() {
        let mut numbers = Numbers::after(Some(CallId(first_id(10) + 7)));
        assert_eq!(numbers.take(10), Err(Unknown(10)));
        numbers.learn(10, Some(first_id(11) - 2));
        assert_eq!(numbers.take(11), Ok(CallId(first_id(11))));
        assert_eq!(numbers.take(10), Ok(CallId(first_id(11) - 1)));
        assert_eq!(numbers.take(10), Ok(CallId(first_id(11) + 1)));
        let ids: BTreeSet<i64> = (0..5000).map(|_| numbers.take(20).unwrap().0).collect();
        assert_eq!((ids.len(), ids.first(), ids.last()), (5000, Some(&first_id(20)), Some(&(first_id(20) + 4999))));
    }

    #[test]
    fn what_is_older_than_the_newest_call_is_asked_for() {
        let mut numbers = Numbers::after(Some(CallId(first_id(10))));
        assert_eq!(numbers.take(3), Err(Unknown(3)));
        numbers.learn(3, None);
        assert_eq!(numbers.take(3), Ok(CallId(first_id(3))));
        assert_eq!(Numbers::after(None).take(0), Ok(CallId(0)));
    }
}
