//! From names to addresses. Each name is asked for once at a time and remembered for a few seconds: a burst of new
//! connections costs one lookup, and a name that moves is followed soon.
//!
//! The system's resolver blocks a thread for as long as a name server keeps silent, and nothing can interrupt it. So a
//! lookup that has begun goes on when those who wanted it are gone, and whoever asks next waits for the same one;
//! and only so many run at once, lest a server that swallows queries occupy every thread there is. A lookup that
//! still waits for its turn goes with those who want it.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use moka::sync::Cache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::error::EgressError;
use crate::flight::{Fingerprint, Flights};

const REMEMBERED_FOR: Duration = Duration::from_secs(10);
const NAMES_MAX: u64 = 1024;
const LOOKUPS_MAX: usize = 32;

type Answer = Result<Arc<[IpAddr]>, EgressError>;

/// Filled when the lookup ends; closed empty where it came to no end.
type Outcome = watch::Receiver<Option<Answer>>;

/// Blocks until it knows.
type LookUp = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

/// Remembers what names led to. Nothing is decided here: whoever dials checks the addresses each time.
pub(super) struct Resolver {
    names: Arc<Names>,
    /// Of those who want a name, one waits for a turn.
    flights: Flights<Answer>,
    turns: Arc<Semaphore>,
}

struct Names {
    look_up: Box<LookUp>,
    known: Cache<String, Arc<[IpAddr]>>,
    under_way: Mutex<HashMap<String, Outcome>>,
}

impl Resolver {
    pub(super) fn new() -> Self {
        Self::with(system)
    }

    fn with(look_up: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static) -> Self {
        let known = Cache::builder().time_to_live(REMEMBERED_FOR).max_capacity(NAMES_MAX).build();
        let names = Names { look_up: Box::new(look_up), known, under_way: Mutex::default() };
        Self { names: Arc::new(names), flights: Flights::default(), turns: Arc::new(Semaphore::new(LOOKUPS_MAX)) }
    }

    /// All addresses of a name, in the order of the system's resolver, which also reads the hosts file.
    pub(super) async fn resolve(&self, name: &str) -> Answer {
        if let Some(known) = self.names.known.get(name) {
            return Ok(known);
        }
        // A lookup that fails is an outcome like any other, so this is never the flight's failure.
        let asked = self.flights.join(Fingerprint::of([name.as_bytes()]), async { Ok(self.ask(name).await) });
        Box::pin(asked).await.unwrap_or(Err(EgressError::Dns))
    }

    /// Never at the same time for the same name.
    async fn ask(&self, name: &str) -> Answer {
        if let Some(known) = self.names.known.get(name) {
            return Ok(known);
        }
        let begun = self.names.lock().get(name).cloned();
        let mut outcome = match begun {
            Some(outcome) => outcome,
            None => self.begin(name).await?,
        };
        outcome.wait_for(Option::is_some).await.ok().and_then(|answer| answer.clone()).unwrap_or(Err(EgressError::Dns))
    }

    async fn begin(&self, name: &str) -> Result<Outcome, EgressError> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| EgressError::Dns)?;
        let (done, outcome) = watch::channel(None);
        self.names.lock().insert(name.to_owned(), outcome.clone());
        let names = Arc::clone(&self.names);
        let lookup = Lookup { names, name: name.to_owned(), turn: Some(turn), answer: None, done };
        tokio::task::spawn_blocking(move || lookup.run());
        Ok(outcome)
    }

    /// To be called when no address of a name answers: it may have moved.
    pub(super) fn forget(&self, name: &str) {
        self.names.known.invalidate(name);
    }

    /// Makes a name lead somewhere, for tests that must not ask a real resolver.
    #[cfg(test)]
    pub(super) fn remember(&self, name: &str, addresses: &[IpAddr]) {
        self.names.known.insert(name.to_owned(), addresses.into());
    }
}

impl Names {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Outcome>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One lookup under way, until it is dropped.
struct Lookup {
    names: Arc<Names>,
    name: String,
    turn: Option<OwnedSemaphorePermit>,
    answer: Option<Answer>,
    done: watch::Sender<Option<Answer>>,
}

impl Lookup {
    fn run(mut self) {
        self.answer = Some(self.find());
    }

    /// What is found is remembered, also when nobody waits for it any more.
    fn find(&self) -> Answer {
        let found = (self.names.look_up)(&self.name).map_err(|error| {
            tracing::debug!(name = self.name, %error, "an upstream's name does not resolve");
            EgressError::Dns
        })?;
        if found.is_empty() {
            return Err(EgressError::Dns);
        }
        let addresses: Arc<[IpAddr]> = found.into();
        self.names.known.insert(self.name.clone(), Arc::clone(&addresses));
        Ok(addresses)
    }
}

impl Drop for Lookup {
    /// Also after a panic: the way for another lookup is free before anybody hears of the end of this one.
    fn drop(&mut self) {
        self.names.lock().remove(&self.name);
        self.turn.take();
        self.done.send_replace(self.answer.take());
    }
}

fn system(name: &str) -> io::Result<Vec<IpAddr>> {
    Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect())
}

#[cfg(test)]
mod tests;
