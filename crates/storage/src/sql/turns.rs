//! Waiting for one's turn at PostgreSQL. A pool alone cannot tell "all connections are busy", which passes,
//! from "the database is gone", which a caller should hear of soon. So callers queue here for as long as it
//! takes, and whoever has a turn finds a connection free, or the database gone.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Result, StorageError};

/// How long a caller waits behind others.
pub(super) const QUEUE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a failure to connect speaks for all who wait.
const FAILURE_HOLDS: Duration = Duration::from_secs(1);

/// As many turns as there are connections.
#[derive(Debug)]
pub(super) struct Turns {
    turns: Arc<Semaphore>,
    last_failure: Mutex<Option<Instant>>,
}

/// The right to use a connection.
#[derive(Debug)]
pub(super) struct Turn {
    _permit: OwnedSemaphorePermit,
}

impl Turns {
    pub(super) fn new(count: u32) -> Self {
        let turns = Arc::new(Semaphore::new(usize::try_from(count).unwrap_or(1)));
        Self { turns, last_failure: Mutex::new(None) }
    }

    /// Waits for a turn. Those who wait while the database turns out to be gone are told so together.
    pub(super) async fn take(&self) -> Result<Turn> {
        let came = Instant::now();
        let waiting = tokio::time::timeout(QUEUE_TIMEOUT, Arc::clone(&self.turns).acquire_owned());
        let Ok(Ok(permit)) = waiting.await else { return Err(gone()) };
        let last = *self.last_failure.lock().unwrap_or_else(PoisonError::into_inner);
        let waited_for_nothing = last.is_some_and(|at| at >= came && at.elapsed() < FAILURE_HOLDS);
        if waited_for_nothing { Err(gone()) } else { Ok(Turn { _permit: permit }) }
    }

    /// Remembers that the database could not be reached just now.
    pub(super) fn note<T>(&self, outcome: sqlx::Result<T>) -> sqlx::Result<T> {
        if matches!(outcome, Err(sqlx::Error::PoolTimedOut | sqlx::Error::Io(_))) {
            *self.last_failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        outcome
    }
}

fn gone() -> StorageError {
    StorageError::Unavailable(sqlx::Error::PoolTimedOut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_waits_behind_a_failure_is_told_at_once_and_who_comes_later_tries_again() {
        let turns = Turns::new(1);
        let first = turns.take().await.unwrap();
        let failure = async {
            tokio::task::yield_now().await;
            let _ = turns.note::<()>(Err(sqlx::Error::PoolTimedOut));
            drop(first);
        };
        let (second, ()) = tokio::join!(turns.take(), failure);
        assert!(second.is_err());
        assert!(turns.take().await.is_ok());
    }
}
