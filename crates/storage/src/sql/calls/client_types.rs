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
const TYPES_PER_DAY_MAX: usize = 200;
/// Those that come when there are as many.
const OTHER: &str = "other";
/// How many are remembered.
const REMEMBERED_MAX: usize = 20_000;

/// A server and the start of a day.
type ServerDay = (i64, i64);
type Types = HashMap<ServerDay, HashSet<Arc<str>>>;

/// The types that are in the sums already, as far as they are remembered. Once there, they stay.
#[derive(Debug, Default)]
pub(super) struct AdmittedTypes(Mutex<Types>);

impl AdmittedTypes {
    fn look_up(&self, server_day: ServerDay, name: &str) -> Admission {
        let types = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(types) = types.get(&server_day) else { return Admission::Unknown };
        match types.get(name) {
            Some(known) => Admission::Admitted(Arc::clone(known)),
            None if types.len() >= TYPES_PER_DAY_MAX => Admission::Full,
            None => Admission::Unknown,
        }
    }

    /// Remembers what a transaction that is committed has read and added.
    pub(super) fn remember(&self, new: Types) {
        if new.is_empty() {
            return;
        }
        let mut types = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if types.values().chain(new.values()).map(HashSet::len).sum::<usize>() > REMEMBERED_MAX {
            types.clear();
        }
        // One batch may bring more than there is room for.
        let mut capacity = REMEMBERED_MAX.saturating_sub(types.values().map(HashSet::len).sum());
        types.extend(new.into_iter().take_while(|(_, names)| {
            let fits = names.len() <= capacity;
            capacity = capacity.saturating_sub(names.len());
            fits
        }));
    }
}

enum Admission {
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
    known: &'k AdmittedTypes,
    /// Sets that were read from the database, with what was added to them.
    read: Types,
    /// What is decided already.
    decided: HashMap<ServerDay, HashMap<String, Arc<str>>>,
}

impl<'k> BatchTypes<'k> {
    pub(super) fn new(known: &'k AdmittedTypes) -> Self {
        Self { known, read: Types::new(), decided: HashMap::new() }
    }

    /// The type under which a call counts.
    pub(super) async fn resolve(&mut self, tx: &mut Tx, record: &CallRecord, id: CallId) -> Result<Arc<str>> {
        let server_day = (record.server_id.0, Grain::Day.start_of(id.time()).as_millis());
        if let Some(decided) = self.decided.get(&server_day).and_then(|types| types.get(&record.client_type)) {
            return Ok(Arc::clone(decided));
        }
        let decided = self.decide(tx, server_day, &record.client_type).await?;
        self.decided.entry(server_day).or_default().insert(record.client_type.clone(), Arc::clone(&decided));
        Ok(decided)
    }

    async fn decide(&mut self, tx: &mut Tx, server_day: ServerDay, name: &str) -> Result<Arc<str>> {
        let name = stored_type(name);
        if name == OTHER || is_common(&name) {
            return Ok(name.into());
        }
        match self.known.look_up(server_day, &name) {
            Admission::Admitted(name) => return Ok(name),
            Admission::Full => return Ok(OTHER.into()),
            Admission::Unknown => {}
        }
        let types = match self.read.entry(server_day) {
            Entry::Occupied(read) => read.into_mut(),
            Entry::Vacant(unread) => unread.insert(tx.stored_client_types(server_day).await?),
        };
        if types.len() >= TYPES_PER_DAY_MAX && !types.contains(&*name) {
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
    async fn stored_client_types(&mut self, (server, day): ServerDay) -> Result<HashSet<Arc<str>>> {
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
        let known = AdmittedTypes::default();
        assert!(matches!(known.look_up((1, 0), "client-1"), Admission::Unknown));
        known.remember(Types::from([((1, 0), types(TYPES_PER_DAY_MAX - 1))]));
        assert!(matches!(known.look_up((1, 0), "client-1"), Admission::Admitted(name) if &*name == "client-1"));
        assert!(matches!(known.look_up((1, 0), "new"), Admission::Unknown));
        known.remember(Types::from([((1, 0), types(TYPES_PER_DAY_MAX))]));
        assert!(matches!(known.look_up((1, 0), "new"), Admission::Full));
        assert!(matches!(known.look_up((1, 86_400_000), "new"), Admission::Unknown));
    }

    #[test]
    fn what_is_remembered_stays_small() {
        let known = AdmittedTypes::default();
        for server in 0..1000 {
            known.remember(Types::from([((server, 0), types(TYPES_PER_DAY_MAX))]));
            let remembered: usize = known.0.lock().unwrap().values().map(HashSet::len).sum();
            assert!(remembered <= REMEMBERED_MAX);
        }
        assert!(matches!(known.look_up((999, 0), "client-1"), Admission::Admitted(_)));
        known.remember((0..1000).map(|server| ((server, 1), types(TYPES_PER_DAY_MAX))).collect());
        let remembered: usize = known.0.lock().unwrap().values().map(HashSet::len).sum();
        assert_eq!(remembered, REMEMBERED_MAX);
    }
}
