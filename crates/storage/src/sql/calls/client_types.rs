//! Limit of client types: each type has separate rollups and clients choose their names freely, so the number of types
//! per server and day is limited. Further types count as `other`; predefined types are always admitted.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use toolgate_domain::call::{CallId, CallRecord};
use toolgate_domain::client_type::{UNKNOWN, is_predefined};
use toolgate_domain::sync::lock;
use toolgate_domain::usage::Grain;

use super::without_nul;
use crate::error::Result;
use crate::sql::row::params;
use crate::sql::tx::Tx;

/// Maximum number of client types per server and day.
const TYPES_PER_DAY_MAX: usize = 200;
/// The type under which calls count when the limit is reached.
const OTHER: &str = "other";
/// Maximum number of cached types.
const CACHED_TYPES_MAX: usize = 20_000;

/// A server and the start of a day.
type ServerDay = (i64, i64);
type Types = HashMap<ServerDay, HashSet<Arc<str>>>;

/// Cache of types that have rollups already. An admitted type is never removed from a day.
#[derive(Debug, Default)]
pub(super) struct AdmittedTypes(Mutex<Types>);

impl AdmittedTypes {
    /// The type under which a name counts; `None` if the database must be queried.
    fn look_up(&self, server_day: ServerDay, name: &str) -> Option<Arc<str>> {
        let types = lock(&self.0);
        let types = types.get(&server_day)?;
        match types.get(name) {
            Some(known) => Some(Arc::clone(known)),
            None => (types.len() >= TYPES_PER_DAY_MAX).then(|| OTHER.into()),
        }
    }

    /// Adds the types that a committed transaction has read or admitted.
    pub(super) fn extend(&self, new: Types) {
        if new.is_empty() {
            return;
        }
        let mut types = lock(&self.0);
        if types.values().chain(new.values()).map(HashSet::len).sum::<usize>() > CACHED_TYPES_MAX {
            types.clear();
        }
        // One batch may have more types than the cache can hold.
        let mut capacity = CACHED_TYPES_MAX.saturating_sub(types.values().map(HashSet::len).sum());
        types.extend(new.into_iter().take_while(|(_, names)| {
            let fits = names.len() <= capacity;
            capacity = capacity.saturating_sub(names.len());
            fits
        }));
    }
}

/// The stored name of a type. An empty name becomes `unknown`, because an empty string means all types together.
pub(in crate::sql) fn stored_type(name: &str) -> Cow<'_, str> {
    if name.is_empty() { Cow::Borrowed(UNKNOWN) } else { without_nul(name) }
}

/// The types under which the calls of one batch count.
pub(super) struct BatchTypes<'c> {
    cache: &'c AdmittedTypes,
    /// Types read from the database, with those admitted by this batch; they are cached once the batch is committed.
    pub(super) admitted: Types,
    /// Results of [`Self::resolve`] by the name that the client sent.
    resolved: ahash::HashMap<ServerDay, ahash::HashMap<String, Arc<str>>>,
}

impl<'c> BatchTypes<'c> {
    pub(super) fn new(cache: &'c AdmittedTypes) -> Self {
        Self { cache, admitted: Types::new(), resolved: ahash::HashMap::default() }
    }

    /// Returns the type under which a call counts.
    pub(super) async fn resolve(&mut self, tx: &mut Tx, record: &CallRecord, id: CallId) -> Result<Arc<str>> {
        let server_day = (record.server_id.0, Grain::Day.start_of(id.time()).as_millis());
        if let Some(resolved) = self.resolved.get(&server_day).and_then(|types| types.get(&record.client_type)) {
            return Ok(Arc::clone(resolved));
        }
        let resolved = self.admit(tx, server_day, &record.client_type).await?;
        self.resolved.entry(server_day).or_default().insert(record.client_type.clone(), Arc::clone(&resolved));
        Ok(resolved)
    }

    async fn admit(&mut self, tx: &mut Tx, server_day: ServerDay, name: &str) -> Result<Arc<str>> {
        let name = stored_type(name);
        if name == OTHER || is_predefined(&name) {
            return Ok(name.into());
        }
        if let Some(known) = self.cache.look_up(server_day, &name) {
            return Ok(known);
        }
        let types = match self.admitted.entry(server_day) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(tx.stored_client_types(server_day).await?),
        };
        if types.len() >= TYPES_PER_DAY_MAX && !types.contains(&*name) {
            return Ok(OTHER.into());
        }
        let name: Arc<str> = name.into();
        types.insert(Arc::clone(&name));
        Ok(name)
    }
}

impl Tx {
    /// The types that have rollups for a server and day.
    async fn stored_client_types(&mut self, (server, day): ServerDay) -> Result<HashSet<Arc<str>>> {
        // The daily rollups (grain 1) of a server (scope 2).
        let sql = "SELECT client_type FROM usage WHERE scope = 2 AND grain = 1 AND scope_id = $1 AND start = $2 \
                   AND client_type <> '' AND client_type <> 'other'";
        let rows = self.fetch_all(sql, params![server, day]).await?;
        rows.iter().map(|row| row.text("client_type").map(Arc::from)).collect()
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::time::DAY_MS;

    use super::*;

    fn types(count: usize) -> HashSet<Arc<str>> {
        (0..count).map(|number| format!("client-{number}").into()).collect()
    }

    #[test]
    fn cached_types_are_admitted_and_a_full_day_admits_no_new_type() {
        let cache = AdmittedTypes::default();
        assert_eq!(cache.look_up((1, 0), "client-1"), None);
        cache.extend(Types::from([((1, 0), types(TYPES_PER_DAY_MAX - 1))]));
        assert_eq!(cache.look_up((1, 0), "client-1").as_deref(), Some("client-1"));
        assert_eq!(cache.look_up((1, 0), "new"), None);
        cache.extend(Types::from([((1, 0), types(TYPES_PER_DAY_MAX))]));
        assert_eq!(cache.look_up((1, 0), "new").as_deref(), Some(OTHER));
        assert_eq!(cache.look_up((1, DAY_MS), "new"), None);
    }

    #[test]
    fn the_cache_stays_within_its_limit() {
        let cache = AdmittedTypes::default();
        for server in 0..1000 {
            cache.extend(Types::from([((server, 0), types(TYPES_PER_DAY_MAX))]));
            let cached: usize = cache.0.lock().unwrap().values().map(HashSet::len).sum();
            assert!(cached <= CACHED_TYPES_MAX);
        }
        assert_eq!(cache.look_up((999, 0), "client-1").as_deref(), Some("client-1"));
        cache.extend((0..1000).map(|server| ((server, 1), types(TYPES_PER_DAY_MAX))).collect());
        let cached: usize = cache.0.lock().unwrap().values().map(HashSet::len).sum();
        assert_eq!(cached, CACHED_TYPES_MAX);
    }
}
