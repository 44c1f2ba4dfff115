//! Coalesces equal concurrent work: the first caller (the leader) does it, the others wait for its outcome.
//!
//! The leader runs in its caller's future, with that caller's deadline; no task is spawned. If the leader is cancelled,
//! the next waiter becomes the leader. moka's coalescing is not used: it panics in a waiter after 200 cancelled
//! leaders, and that many clients can disconnect during one slow upstream call.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use toolgate_domain::call::FailureReason;
use toolgate_domain::sync::lock;

use crate::failure::Failure;

/// A hash that identifies the work: equal for equal parts in equal order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Hashes the parts. Each is preceded by its length, so that different lists of parts never have the same input.
    pub(crate) fn from_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

type SharedOutcome<T> = OnceCell<Result<T, Failure>>;

/// The work in progress.
#[derive(Debug)]
pub(crate) struct SingleFlight<T> {
    in_progress: Mutex<HashMap<Fingerprint, Arc<SharedOutcome<T>>>>,
    /// Reasons of failures that concern only the leader's caller.
    unshared_reasons: &'static [FailureReason],
}

impl<T> Default for SingleFlight<T> {
    fn default() -> Self {
        Self::with_unshared_reasons(&[FailureReason::Cancelled])
    }
}

impl<T> SingleFlight<T> {
    /// Failures with these reasons are not shared: the next waiter becomes the leader instead.
    pub(crate) fn with_unshared_reasons(unshared_reasons: &'static [FailureReason]) -> Self {
        Self { in_progress: Mutex::default(), unshared_reasons }
    }
}

impl<T: Clone> SingleFlight<T> {
    /// The outcome of `work`. If equal work is in progress already, returns its outcome and never polls `work`.
    ///
    /// Failures are shared like successes, so that failing work does not run once per waiter; the exceptions are the
    /// unshared failures.
    pub(crate) async fn join(
        &self,
        key: Fingerprint,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        // Declared first, so that it is dropped last: its `drop` counts the references to the outcome.
        let _guard = LeaveGuard { single_flight: self, key };
        let outcome = Arc::clone(lock(&self.in_progress).entry(key).or_default());
        let run_as_leader = async || match work.await {
            Err(failure) if self.unshared_reasons.contains(&failure.reason) => Err(failure),
            outcome => Ok(outcome),
        };
        outcome.get_or_try_init(run_as_leader).await?.clone()
    }
}

/// Removes finished work when a caller leaves, with or without an outcome.
struct LeaveGuard<'a, T> {
    single_flight: &'a SingleFlight<T>,
    key: Fingerprint,
}

impl<T> Drop for LeaveGuard<'_, T> {
    /// The first caller that leaves with an outcome removes the entry: later callers start again instead of getting an
    /// old failure. Without an outcome, the last caller removes it, when the map holds the only reference. Both
    /// conditions are also correct if the entry belongs to newer work with the same key.
    fn drop(&mut self) {
        let mut in_progress = lock(&self.single_flight.in_progress);
        let is_finished = |outcome: &Arc<SharedOutcome<T>>| outcome.initialized() || Arc::strong_count(outcome) == 1;
        if in_progress.get(&self.key).is_some_and(is_finished) {
            in_progress.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests;
