//! Equal work that is wanted by many at once is done once: the first leads, the others wait for its outcome.
//!
//! The leader works in its own caller's future, with that caller's deadline, and no task is spawned. Where it goes
//! away unfinished, the next in line leads. moka's own coalescing is not used for this: it panics in a waiter whose
//! leaders went away 200 times, and that many clients can hang up on a slow upstream.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use toolgate_domain::call::FailureReason;

use crate::Failure;

/// Stands for what is asked for, without holding any of it: equal for equal parts in equal order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Each part is preceded by its length, so that no two lists of parts run together into one.
    pub(crate) fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

type Outcome<T> = OnceCell<Result<T, Failure>>;

/// The work under way.
#[derive(Debug)]
pub(crate) struct Flights<T> {
    under_way: Mutex<HashMap<Fingerprint, Arc<Outcome<T>>>>,
    /// Failures that are about the leader's client and nobody else.
    own: &'static [FailureReason],
}

impl<T> Default for Flights<T> {
    fn default() -> Self {
        Self::with_own(&[FailureReason::Cancelled])
    }
}

impl<T> Flights<T> {
    /// Flights whose leaders keep these failures to themselves: then the next in line leads.
    pub(crate) fn with_own(own: &'static [FailureReason]) -> Self {
        Self { under_way: Mutex::default(), own }
    }
}

impl<T: Clone> Flights<T> {
    /// The outcome of `work`, or of equal work that was under way already; then `work` is never polled.
    ///
    /// Failures are shared like successes, for what just failed need not fail once per waiter; but for those that are
    /// the leader's own.
    pub(crate) async fn join(
        &self,
        key: Fingerprint,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        // Declared first, so that it goes last: it looks at who else holds the outcome.
        let _departure = Departure { flights: self, key };
        let outcome = Arc::clone(self.lock().entry(key).or_default());
        let lead = async || match work.await {
            Err(failure) if self.own.contains(&failure.reason) => Err(failure),
            outcome => Ok(outcome),
        };
        outcome.get_or_try_init(lead).await?.clone()
    }
}

impl<T> Flights<T> {
    fn lock(&self) -> MutexGuard<'_, HashMap<Fingerprint, Arc<Outcome<T>>>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Done when a caller leaves, with an outcome or without.
struct Departure<'a, T> {
    flights: &'a Flights<T>,
    key: Fingerprint,
}

impl<T> Drop for Departure<'_, T> {
    /// The first to leave with an outcome ends the flight: later callers start anew instead of hearing of a failure
    /// that is long past. Without one, the last to leave does, when only the map still knows of it. Both hold as
    /// well for a newer flight of the same key.
    fn drop(&mut self) {
        let mut under_way = self.flights.lock();
        let over = |outcome: &Arc<Outcome<T>>| outcome.initialized() || Arc::strong_count(outcome) == 1;
        if under_way.get(&self.key).is_some_and(over) {
            under_way.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests;
