//! Limits concurrent calls, per tool or resource and in total.
//!
//! The executor owns the semaphores, not the compiled tool: a tool is recompiled whenever its server changes, while
//! calls of the previous version are still running. A call that waits for its next retry holds no permit.
//!
//! A call acquires the permit of its tool first, then the global one. In the opposite order, calls that wait for one
//! slow tool would hold the global permits that other tools need.

use std::sync::{Arc, Mutex};

use ahash::HashMap;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use toolgate_domain::sync::lock;

use crate::call_settings::CalledObject;

/// The maximum number of concurrent calls of one tool, or fetches of one resource.
pub const CONCURRENT_CALLS_MAX: usize = 256;

/// The maximum number of concurrent calls and fetches of all tools and resources.
pub const CONCURRENT_CALLS_TOTAL_MAX: usize = 4096;

/// When there are this many semaphores, unused ones are dropped before another is added.
const SEMAPHORES_BEFORE_CLEANUP: usize = 1024;

/// The semaphores of all tools and resources.
#[derive(Debug)]
pub(crate) struct Permits {
    per_object_max: usize,
    per_object: Mutex<HashMap<CalledObject, Arc<Semaphore>>>,
    global: Semaphore,
}

/// Permission for one running call; released on drop.
#[must_use = "the permit is released when this is dropped"]
#[derive(Debug)]
pub(crate) struct Permit<'a> {
    _object: Option<OwnedSemaphorePermit>,
    _global: Option<SemaphorePermit<'a>>,
}

impl Permits {
    pub(crate) fn new(per_object_max: usize, total_max: usize) -> Self {
        Self { per_object_max, per_object: Mutex::default(), global: Semaphore::new(total_max) }
    }

    /// Waits for a permit; waiters are served in order.
    pub(crate) async fn acquire(&self, called: CalledObject) -> Permit<'_> {
        // The semaphores are never closed, so acquiring cannot fail.
        let object = self.semaphore(called).acquire_owned().await.ok();
        Permit { _object: object, _global: self.global.acquire().await.ok() }
    }

    fn semaphore(&self, called: CalledObject) -> Arc<Semaphore> {
        let mut semaphores = lock(&self.per_object);
        if let Some(semaphore) = semaphores.get(&called) {
            return Arc::clone(semaphore);
        }
        if semaphores.len() >= SEMAPHORES_BEFORE_CLEANUP {
            // Every permit and every waiter holds a reference to its semaphore.
            semaphores.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
        }
        Arc::clone(semaphores.entry(called).or_insert_with(|| Arc::new(Semaphore::new(self.per_object_max))))
    }
}

impl Default for Permits {
    fn default() -> Self {
        Self::new(CONCURRENT_CALLS_MAX, CONCURRENT_CALLS_TOTAL_MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::future::{Future, ready};

    use toolgate_domain::ids::{ResourceId, ToolId};

    use super::*;

    const TOOL: CalledObject = tool(1);

    const fn tool(id: i64) -> CalledObject {
        CalledObject::Tool(ToolId(id))
    }

    /// The result of `work` if it is ready immediately; `None` if it has to wait.
    async fn if_ready<T>(work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            done = work => Some(done),
            () = ready(()) => None,
        }
    }

    #[tokio::test]
    async fn each_tool_and_each_resource_has_a_separate_limit() {
        let permits = Permits::new(2, 10);
        let held = [permits.acquire(TOOL).await, permits.acquire(TOOL).await];
        assert!(if_ready(permits.acquire(TOOL)).await.is_none());
        let others = [
            if_ready(permits.acquire(tool(2))).await,
            if_ready(permits.acquire(CalledObject::Resource(ResourceId(1)))).await,
        ];
        assert!(others.iter().all(Option::is_some));
        drop(held);
        assert!(if_ready(permits.acquire(TOOL)).await.is_some());
    }

    #[tokio::test]
    async fn calls_that_wait_for_their_tool_do_not_use_up_the_global_limit() {
        let permits = Permits::new(1, 2);
        let first = permits.acquire(TOOL).await;
        let mut waiting = Box::pin(permits.acquire(TOOL));
        assert!(if_ready(&mut waiting).await.is_none());
        let _second = if_ready(permits.acquire(tool(2))).await.expect("the waiting call holds no global permit");
        assert!(if_ready(permits.acquire(tool(3))).await.is_none());
        drop(first);
        assert!(if_ready(waiting).await.is_some());
    }

    #[tokio::test]
    async fn only_unused_semaphores_are_dropped() {
        let permits = Permits::new(1, 10);
        let _held = permits.acquire(TOOL).await;
        for id in 2..5_000 {
            drop(permits.acquire(tool(id)).await);
            assert!(lock(&permits.per_object).len() <= SEMAPHORES_BEFORE_CLEANUP);
        }
        assert!(if_ready(permits.acquire(TOOL)).await.is_none());
    }
}
