//! Few types of clients: at most so many a server and day, for each has sums of its own, and what a client calls itself is
//! anybody's choice. Further ones count as `other`, but for those that many clients are of.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use toolgate_domain::call::{CallId, CallRecord};
use toolgate_domain::client_type::{UNKNOWN, is_common};
use toolgate_domain::usage::Grain;

use super::without_nul;
use crate::Result;
use crate::sql::row::params;
use crate::sql::tx::Tx;

/// How many types a server may have a day.
const MOST: usize = 200;
/// Those that come when there are as many.
const OTHER: &str = "other";
/// How many are remembered.
const REMEMBERED: usize = 20_000;

/// A server and the start of a day.
type ServerDay = (i64, i64);
type Types = HashMap<ServerDay, HashSet<Arc<str>>>;

/// The types that are in the sums already, as far as they are remembered. Once there, they stay.
#[derive(Debug, Default)]
pub(super) struct Admitted(Mutex<Types>);

impl Admitted {
    fn find(&self, of: ServerDay, name: &str) -> Found {
        let types = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(types) = types.get(&of) else { return Found::Unknown };
        match types.get(name) {
            Some(known) => Found::Admitted(Arc::clone(known)),
            None if types.len() >= MOST => Found::Full,
            None => Found::Unknown,
        }
    }

    /// Remembers what a transaction that is committed has read and added.
    pub(super) fn learn(&self, new: Types) {
        if new.is_empty() {
            return;
        }
        let mut types = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if types.values().chain(new.values()).map(HashSet::len).sum::<usize>() > REMEMBERED {
            types.clear();
        }
        // One batch may bring more than there is room for.
        let mut room = REMEMBERED.saturating_sub(types.values().map(HashSet::len).sum());
        types.extend(new.into_iter().take_while(|(_, names)| {
            let fits = names.len() <= room;
            room = room.saturating_sub(names.len());
            fits
        }));
    }
}

enum Found {
    Admitted(Arc<str>),
    Full,
    Unknown,
}

/// The name of a type as it is stored: an empty one would be all together.
pub(in crate::sql) fn stored_type(name: &str) -> Cow<'_, str> {
    if name.is_empty() { Cow::Borrowed(UNKNOWN) } else { without_nul(name) }
}

/// The types of one batch.
pub(super) struct BatchTypes<'k> {
    known: &'k Admitted,
    /// Sets that were read from the database, with what was added to them.
    read: Types,
    /// What is decided already.
    decided: HashMap<ServerDay, HashMap<String, Arc<str>>>,
}

impl<'k> BatchTypes<'k> {
    pub(super) fn new(known: &'k Admitted) -> Self {
        Self { known, read: Types::new(), decided: HashMap::new() }
    }

    /// The type under which a call counts.
    pub(super) async fn of(&mut self, tx: &mut Tx, record: &CallRecord, id: CallId) -> Result<Arc<str>> {
        let of = (record.server_id.0, Grain::Day.start_of(id.time()).as_millis());
        if let Some(decided) = self.decided.get(&of).and_then(|types| types.get(&record.client_type)) {
            return Ok(Arc::clone(decided));
        }
        let decided = self.decide(tx, of, &record.client_type).await?;
        self.decided.entry(of).or_default().insert(record.client_type.clone(), Arc::clone(&decided));
        Ok(decided)
    }

    async fn decide(&mut self, tx: &mut Tx, of: ServerDay, name: &str) -> Result<Arc<str>> {
        let name = stored_type(name);
        if name == OTHER || is_common(&name) {
            return Ok(name.into());
        }
        match self.known.find(of, &name) {
            Found::Admitted(name) => return Ok(name),
            Found::Full => return Ok(OTHER.into()),
            Found::Unknown => {}
        }
        let types = match self.read.entry(of) {
            Entry::Occupied(read) => read.into_mut(),
            Entry::Vacant(unread) => unread.insert(tx.types_of(of).await?),
        };
        if types.len() >= MOST && !types.contains(&*name) {
            return Ok(OTHER.into());
        }
        let name: Arc<str> = name.into();
        types.insert(Arc::clone(&name));
        Ok(name)
    }

    /// What there is to remember if the batch is committed.
    pub(super) fn admitted(self) -> Types {
        self.read
    }
}

impl Tx {
    /// The types that a server's sums of a day have.
    async fn types_of(&mut self, (server, day): ServerDay) -> Result<HashSet<Arc<str>>> {
        let sql = "SELECT client_type FROM usage WHERE scope = 2 AND grain = 1 AND scope_id = $1 AND start = $2 \
                   AND client_type <> '' AND client_type <> 'other'";
        let rows = self.fetch_all(sql, params![server, day]).await?;
        rows.iter().map(|row| row.text("client_type").map(Arc::from)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(count: usize) -> HashSet<Arc<str>> {
        (0..count).map(|number| format!("client-{number}").into()).collect()
    }

    #[test]
    fn who_is_remembered_is_not_asked_for_and_a_full_day_takes_nobody() {
        let known = Admitted::default();
        assert!(matches!(known.find((1, 0), "client-1"), Found::Unknown));
        known.learn(Types::from([((1, 0), types(MOST - 1))]));
        assert!(matches!(known.find((1, 0), "client-1"), Found::Admitted(name) if &*name == "client-1"));
        assert!(matches!(known.find((1, 0), "new"), Found::Unknown));
        known.learn(Types::from([((1, 0), types(MOST))]));
        assert!(matches!(known.find((1, 0), "new"), Found::Full));
        assert!(matches!(known.find((1, 86_400_000), "new"), Found::Unknown));
    }

    #[test]
    fn what_is_remembered_stays_small() {
        let known = Admitted::default();
        for server in 0..1000 {
            known.learn(Types::from([((server, 0), types(MOST))]));
            let remembered: usize = known.0.lock().unwrap().values().map(HashSet::len).sum();
            assert!(remembered <= REMEMBERED);
        }
        assert!(matches!(known.find((999, 0), "client-1"), Found::Admitted(_)));
        known.learn((0..1000).map(|server| ((server, 1), types(MOST))).collect());
        let remembered: usize = known.0.lock().unwrap().values().map(HashSet::len).sum();
        assert_eq!(remembered, REMEMBERED);
    }
}
