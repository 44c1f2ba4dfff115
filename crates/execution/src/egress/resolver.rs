//! DNS resolution. Each name has at most one lookup at a time, and the result is cached for a few seconds: a burst of
//! new connections costs one lookup, and a changed address is noticed soon.
//!
//! The system's resolver blocks a thread while a name server does not respond, and it cannot be interrupted. So a
//! lookup that has started continues when its callers are cancelled, and the next caller waits for the same lookup. The
//! number of concurrent lookups is limited, so that an unresponsive name server cannot occupy every blocking thread. A
//! lookup that still waits for a permit is cancelled with its callers.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use moka::sync::Cache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use toolgate_domain::sync::lock;

use super::error::EgressError;
use crate::single_flight::{Fingerprint, SingleFlight};

const NAME_TTL: Duration = Duration::from_secs(10);
const NAMES_MAX: u64 = 1024;
/// The maximum number of concurrent lookups.
const LOOKUPS_MAX: usize = 32;

type LookupResult = Result<Arc<[IpAddr]>, EgressError>;

/// Receives the result when the lookup ends; closes without a value if the lookup panicked.
type PendingLookup = watch::Receiver<Option<LookupResult>>;

/// Blocks until the name server responds.
type LookupFn = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

/// Caches the addresses of names. It makes no security decision: the dialer checks the addresses every time.
pub(super) struct Resolver {
    names: Arc<NameCache>,
    /// Of the callers that wait for the same name, only one waits for a permit.
    single_flight: SingleFlight<LookupResult>,
    permits: Arc<Semaphore>,
}

struct NameCache {
    look_up: Box<LookupFn>,
    cached: Cache<String, Arc<[IpAddr]>>,
    in_progress: Mutex<HashMap<String, PendingLookup>>,
}

impl Resolver {
    pub(super) fn new() -> Self {
        Self::with_lookup(system_lookup)
    }

    fn with_lookup(look_up: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static) -> Self {
        let cached = Cache::builder().time_to_live(NAME_TTL).max_capacity(NAMES_MAX).build();
        let names = NameCache { look_up: Box::new(look_up), cached, in_progress: Mutex::default() };
        let permits = Arc::new(Semaphore::new(LOOKUPS_MAX));
        Self { names: Arc::new(names), single_flight: SingleFlight::default(), permits }
    }

    /// All addresses of a name, in the order of the system's resolver, which also reads the hosts file.
    pub(super) async fn resolve(&self, name: &str) -> LookupResult {
        if let Some(addresses) = self.names.cached.get(name) {
            return Ok(addresses);
        }
        // A failed lookup is a success for the single flight, so that all waiting callers share the result.
        let key = Fingerprint::from_parts([name.as_bytes()]);
        let lookup = self.single_flight.join(key, async { Ok(self.look_up(name).await) });
        Box::pin(lookup).await.unwrap_or(Err(EgressError::Dns))
    }

    /// Looks up a name. At most one call per name runs at a time.
    async fn look_up(&self, name: &str) -> LookupResult {
        if let Some(addresses) = self.names.cached.get(name) {
            return Ok(addresses);
        }
        let in_progress = lock(&self.names.in_progress).get(name).cloned();
        let mut pending = match in_progress {
            Some(pending) => pending,
            None => self.start_lookup(name).await?,
        };
        pending.wait_for(Option::is_some).await.ok().and_then(|result| result.clone()).unwrap_or(Err(EgressError::Dns))
    }

    async fn start_lookup(&self, name: &str) -> Result<PendingLookup, EgressError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| EgressError::Dns)?;
        let (done, pending) = watch::channel(None);
        lock(&self.names.in_progress).insert(name.to_owned(), pending.clone());
        let names = Arc::clone(&self.names);
        let lookup = Lookup { names, name: name.to_owned(), permit: Some(permit), result: None, done };
        tokio::task::spawn_blocking(move || lookup.run());
        Ok(pending)
    }

    /// Drops the cached addresses of a name. Call it when none of them accepts a connection: they may have changed.
    pub(super) fn invalidate(&self, name: &str) {
        self.names.cached.invalidate(name);
    }

    /// Sets the addresses of a name, for tests that must not use a real resolver.
    #[cfg(test)]
    pub(super) fn insert(&self, name: &str, addresses: &[IpAddr]) {
        self.names.cached.insert(name.to_owned(), addresses.into());
    }
}

/// A lookup in progress; dropping it publishes the result.
struct Lookup {
    names: Arc<NameCache>,
    name: String,
    permit: Option<OwnedSemaphorePermit>,
    result: Option<LookupResult>,
    done: watch::Sender<Option<LookupResult>>,
}

impl Lookup {
    fn run(mut self) {
        self.result = Some(self.look_up());
    }

    /// Looks up the name and caches its addresses, even if no caller waits for them any more.
    fn look_up(&self) -> LookupResult {
        let found = (self.names.look_up)(&self.name).map_err(|error| {
            tracing::debug!(name = self.name, %error, "DNS lookup of an upstream failed");
            EgressError::Dns
        })?;
        if found.is_empty() {
            return Err(EgressError::Dns);
        }
        let addresses: Arc<[IpAddr]> = found.into();
        self.names.cached.insert(self.name.clone(), Arc::clone(&addresses));
        Ok(addresses)
    }
}

impl Drop for Lookup {
    /// Runs after a panic too. The entry and the permit are released before the result is published, so that a caller
    /// that sees the result can start another lookup.
    fn drop(&mut self) {
        lock(&self.names.in_progress).remove(&self.name);
        self.permit.take();
        self.done.send_replace(self.result.take());
    }
}

fn system_lookup(name: &str) -> io::Result<Vec<IpAddr>> {
    Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect())
}

#[cfg(test)]
mod tests;
