//! Counts the operations that wait for a database connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of operations that wait for a connection. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct ConnectionWaiters(Arc<AtomicU32>);

struct WaitGuard<'a>(&'a AtomicU32);

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl ConnectionWaiters {
    /// Runs `acquire`, which is counted until it ends or is dropped. Returns its output.
    pub(super) async fn during<T>(&self, acquire: impl Future<Output = T>) -> T {
        self.0.fetch_add(1, Ordering::Relaxed);
        let _guard = WaitGuard(&self.0);
        acquire.await
    }

    pub(super) fn count(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_operation_counts_until_it_ends_or_is_dropped() {
        let waiters = ConnectionWaiters::default();
        assert_eq!(waiters.during(async { waiters.count() }).await, 1);
        let mut dropped = Box::pin(waiters.during(std::future::pending::<()>()));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(dropped.as_mut().poll(&mut context).is_pending() && waiters.count() == 1);
        drop(dropped);
        assert_eq!(waiters.count(), 0);
    }
}
