//! Threads that serve connections, each with a runtime of its own. A connection stays with its thread, and so do the
//! connections to upstreams that its calls use and the memory that they touch. On threads that share their work a call
//! pays a fifth more, for the ways between them.
//!
//! Only MCP endpoints are answered there. What takes longer is for the main runtime, whose threads stand in for each
//! other, and for threads of its own.

use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio_util::sync::{CancellationToken, DropGuard};

/// As many as there are cores. They end when this is dropped, with all that they were at.
pub(crate) struct Workers {
    each: Vec<Worker>,
    _until_dropped: DropGuard,
}

struct Worker {
    runtime: Handle,
    connections: Arc<AtomicUsize>,
}

impl Workers {
    pub(crate) fn start() -> io::Result<Self> {
        let dropped = CancellationToken::new();
        let count = thread::available_parallelism().map_or(1, NonZero::get);
        let each = (0..count).map(|number| Worker::start(number, dropped.clone())).collect::<io::Result<_>>()?;
        Ok(Self { each, _until_dropped: dropped.drop_guard() })
    }

    /// A place at the worker with the fewest connections.
    pub(crate) fn seat(&self) -> Seat {
        let load = |number: &usize| self.each[*number].connections.load(Relaxed);
        let Worker { runtime, connections } = &self.each[(0..self.each.len()).min_by_key(load).unwrap_or_default()];
        connections.fetch_add(1, Relaxed);
        Seat { runtime: runtime.clone(), connections: Arc::clone(connections) }
    }
}

impl Worker {
    fn start(number: usize, dropped: CancellationToken) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let worker = Self { runtime: runtime.handle().clone(), connections: Arc::default() };
        thread::Builder::new().name(format!("worker-{number}")).spawn(move || {
            runtime.block_on(dropped.cancelled());
            runtime.shutdown_background();
        })?;
        Ok(worker)
    }
}

/// The place of a connection at its worker, until it is dropped.
pub(crate) struct Seat {
    runtime: Handle,
    connections: Arc<AtomicUsize>,
}

impl Seat {
    pub(crate) fn runtime(&self) -> Handle {
        self.runtime.clone()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.connections.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_spread_evenly() {
        let workers = Workers::start().unwrap();
        let seats: Vec<Seat> = (0..workers.each.len() * 3).map(|_| workers.seat()).collect();
        let taken = || workers.each.iter().map(|worker| worker.connections.load(Relaxed)).collect::<Vec<_>>();
        assert!(taken().iter().all(|count| *count == 3), "{:?}", taken());
        drop(seats);
        assert!(taken().iter().all(|count| *count == 0), "{:?}", taken());
    }

    #[tokio::test]
    async fn they_end_when_nobody_needs_them_any_more() {
        let workers = Workers::start().unwrap();
        let (alive, ended) = tokio::sync::oneshot::channel::<()>();
        workers.seat().runtime().spawn(async move {
            let _alive = alive;
            std::future::pending::<()>().await;
        });
        drop(workers);
        assert!(ended.await.is_err(), "what it was at ends with it");
    }
}
