//! How many calls may be under way at once: of one tool or resource, and of all together.
//!
//! The counts are the executor's and no compiled tool's: a tool is compiled anew whenever something of its server
//! changes, and calls of the one before are still under way. A call that only waits to try again has no permit.
//!
//! First comes the tool's own permit, then the common one. The other way round, those that wait for one slow tool
//! would hold what all the others need.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ahash::HashMap;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

/// How many calls of one tool, or fetches of one resource, may be under way at once.
pub const CONCURRENT_CALLS_MAX: usize = 256;

/// How many of all together.
pub const CONCURRENT_CALLS_OF_ALL_MAX: usize = 4096;

/// From so many on, those that nobody uses are forgotten before another is added.
const REMEMBERED_MAX: usize = 1024;

/// A kind of object and its id.
pub(crate) type Whose = (u8, i64);

/// What may still begin.
#[derive(Debug)]
pub(crate) struct Permits {
    each_max: usize,
    of_each: Mutex<HashMap<Whose, Arc<Semaphore>>>,
    of_all: Semaphore,
}

/// One call under way, until it is dropped.
#[must_use = "the call is over when this is dropped"]
#[derive(Debug)]
pub(crate) struct Permit<'a> {
    _own: Option<OwnedSemaphorePermit>,
    _common: Option<SemaphorePermit<'a>>,
}

impl Permits {
    pub(crate) fn new(each_max: usize, all_max: usize) -> Self {
        Self { each_max, of_each: Mutex::default(), of_all: Semaphore::new(all_max) }
    }

    /// Waits for its turn, in the order in which callers came.
    pub(crate) async fn acquire(&self, whose: Whose) -> Permit<'_> {
        // Neither is ever closed, so both are there.
        let own = self.of(whose).acquire_owned().await.ok();
        Permit { _own: own, _common: self.of_all.acquire().await.ok() }
    }

    fn of(&self, whose: Whose) -> Arc<Semaphore> {
        let mut known = self.lock();
        if let Some(permits) = known.get(&whose) {
            return Arc::clone(permits);
        }
        if known.len() >= REMEMBERED_MAX {
            // Whoever has a permit or waits for one holds on to them all.
            known.retain(|_, permits| Arc::strong_count(permits) > 1);
        }
        Arc::clone(known.entry(whose).or_insert_with(|| Arc::new(Semaphore::new(self.each_max))))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Whose, Arc<Semaphore>>> {
        self.of_each.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Permits {
    fn default() -> Self {
        Self::new(CONCURRENT_CALLS_MAX, CONCURRENT_CALLS_OF_ALL_MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::future::{Future, ready};

    use super::*;

    const TOOL: Whose = (b't', 1);

    /// What is there at once; `None` for whoever has to wait.
    async fn at_once<T>(work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            done = work => Some(done),
            () = ready(()) => None,
        }
    }

    #[tokio::test]
    async fn each_tool_and_each_resource_has_a_limit_of_its_own() {
        let permits = Permits::new(2, 10);
        let held = [permits.acquire(TOOL).await, permits.acquire(TOOL).await];
        assert!(at_once(permits.acquire(TOOL)).await.is_none());
        let others = [at_once(permits.acquire((b't', 2))).await, at_once(permits.acquire((b'r', 1))).await];
        assert!(others.iter().all(Option::is_some));
        drop(held);
        assert!(at_once(permits.acquire(TOOL)).await.is_some());
    }

    #[tokio::test]
    async fn all_together_have_a_limit_and_those_that_wait_for_their_own_do_not_use_it_up() {
        let permits = Permits::new(1, 2);
        let first = permits.acquire(TOOL).await;
        let mut waiting = Box::pin(permits.acquire(TOOL));
        assert!(at_once(&mut waiting).await.is_none());
        let _second = at_once(permits.acquire((b't', 2))).await.expect("the one that waits holds nothing common");
        assert!(at_once(permits.acquire((b't', 3))).await.is_none());
        drop(first);
        assert!(at_once(waiting).await.is_some());
    }

    #[tokio::test]
    async fn what_nobody_uses_is_forgotten_and_what_is_in_use_never() {
        let permits = Permits::new(1, 10);
        let _held = permits.acquire(TOOL).await;
        for id in 2..5_000 {
            drop(permits.acquire((b't', id)).await);
            assert!(permits.lock().len() <= REMEMBERED_MAX);
        }
        assert!(at_once(permits.acquire(TOOL)).await.is_none());
    }
}
