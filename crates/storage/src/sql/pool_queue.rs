//! A queue in front of the PostgreSQL pool. The pool alone cannot distinguish "all connections are busy", which passes,
//! from "the database is unreachable", which must fail callers quickly. Callers therefore wait here first; a caller
//! with a permit gets a free connection, or the database is unreachable.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use toolgate_domain::sync::lock;

use super::connection_waiters::ConnectionWaiters;
use crate::error::Result;

/// How long a caller waits for a permit.
pub(super) const QUEUE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a failure to connect also fails the callers that were waiting when it happened.
const FAILURE_TTL: Duration = Duration::from_secs(1);

/// Hands out one permit per connection of the pool.
#[derive(Debug)]
pub(super) struct PoolQueue {
    permits: Arc<Semaphore>,
    last_failure: Mutex<Option<Instant>>,
    pub(super) waiting: ConnectionWaiters,
}

impl PoolQueue {
    pub(super) fn new(connections: u32) -> Self {
        let permits = Arc::new(Semaphore::new(usize::try_from(connections).unwrap_or(1)));
        Self { permits, last_failure: Mutex::new(None), waiting: ConnectionWaiters::default() }
    }

    /// Waits for a permit. Fails immediately after the wait if the database became unreachable during it, so that
    /// waiting callers do not each run into their own connect timeout.
    pub(super) async fn acquire(&self) -> Result<OwnedSemaphorePermit> {
        let started = Instant::now();
        let waiting = tokio::time::timeout(QUEUE_TIMEOUT, Arc::clone(&self.permits).acquire_owned());
        let Ok(Ok(permit)) = self.waiting.during(waiting).await else { return Err(sqlx::Error::PoolTimedOut.into()) };
        let last = *lock(&self.last_failure);
        let failed_while_waiting = last.is_some_and(|at| at >= started && at.elapsed() < FAILURE_TTL);
        if failed_while_waiting { Err(sqlx::Error::PoolTimedOut.into()) } else { Ok(permit) }
    }

    /// Returns the outcome unchanged; records the time if it means that the database is unreachable.
    pub(super) fn record_outcome<T>(&self, outcome: sqlx::Result<T>) -> sqlx::Result<T> {
        if matches!(outcome, Err(sqlx::Error::PoolTimedOut | sqlx::Error::Io(_))) {
            *lock(&self.last_failure) = Some(Instant::now());
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_failure_fails_the_waiting_callers_and_not_later_ones() {
        let queue = PoolQueue::new(1);
        let first = queue.acquire().await.unwrap();
        let failure = async {
            tokio::task::yield_now().await;
            let _ = queue.record_outcome::<()>(Err(sqlx::Error::PoolTimedOut));
            drop(first);
        };
        let (second, ()) = tokio::join!(queue.acquire(), failure);
        assert!(second.is_err());
        assert!(queue.acquire().await.is_ok());
    }
}
