//! Worker threads that serve connections, each with a single-threaded runtime. A connection stays on its thread, and so
//! do the upstream connections and the memory that its calls use. On a work-stealing runtime a call takes a fifth more
//! CPU time.
//!
//! Workers only handle MCP endpoints. Longer work runs on the main multi-threaded runtime and its blocking threads.

use std::convert::Infallible;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use std::{io, thread};

use tokio::runtime::{Builder, Handle};
use tokio_util::sync::CancellationToken;

/// Maximum number of connections to one listening address; further ones wait in the kernel's queue until one ends.
pub(crate) const CONNECTIONS_MAX: usize = 12_000;

/// How long stopping waits for the threads: a task that is running is not interrupted.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// The number of workers: one per core.
pub(crate) fn count() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// The worker threads.
pub(crate) struct Workers {
    threads: Vec<Arc<WorkerThread>>,
}

/// Dropping it stops the workers and all their tasks. It is separate from [`Workers`] because the tasks share those.
pub(crate) struct WorkersGuard {
    stopped: CancellationToken,
    /// Disconnected when all threads have ended.
    running: Receiver<Infallible>,
}

struct WorkerThread {
    runtime: Handle,
    connections: AtomicUsize,
}

impl Workers {
    pub(crate) fn start() -> io::Result<(Self, WorkersGuard)> {
        let (is_running, running) = channel();
        let stopped = CancellationToken::new();
        let guard = WorkersGuard { stopped: stopped.clone(), running };
        let start = move |number| WorkerThread::start(number, stopped.clone(), is_running.clone());
        let threads = (0..count()).map(start).collect::<io::Result<_>>()?;
        Ok((Self { threads }, guard))
    }

    /// The open connections of all workers.
    pub(crate) fn connections(&self) -> usize {
        self.threads.iter().map(|worker| worker.connections.load(Relaxed)).sum()
    }

    /// Reserves a slot on the worker with the fewest connections.
    pub(crate) fn assign(&self) -> WorkerSlot {
        let load = |number: &usize| self.threads[*number].connections.load(Relaxed);
        let worker = &self.threads[(0..self.threads.len()).min_by_key(load).unwrap_or_default()];
        worker.connections.fetch_add(1, Relaxed);
        WorkerSlot(Arc::clone(worker))
    }
}

impl WorkerThread {
    /// Starts a thread that holds `is_running` until it ends.
    fn start(number: usize, stopped: CancellationToken, is_running: Sender<Infallible>) -> io::Result<Arc<Self>> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let worker = Self { runtime: runtime.handle().clone(), connections: AtomicUsize::new(0) };
        thread::Builder::new().name(format!("worker-{number}")).spawn(move || {
            runtime.block_on(stopped.cancelled());
            runtime.shutdown_background();
            drop(is_running);
        })?;
        Ok(Arc::new(worker))
    }
}

impl Drop for WorkersGuard {
    fn drop(&mut self) {
        self.stopped.cancel();
        // The main runtime, which the tasks use, must not end before them.
        let _ = self.running.recv_timeout(STOP_TIMEOUT);
    }
}

/// Counts a connection on its worker until it is dropped.
pub(crate) struct WorkerSlot(Arc<WorkerThread>);

impl WorkerSlot {
    pub(crate) fn runtime(&self) -> Handle {
        self.0.runtime.clone()
    }
}

impl Drop for WorkerSlot {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot::error::TryRecvError;

    use super::*;

    #[test]
    fn connections_are_spread_evenly() {
        let (workers, _guard) = Workers::start().unwrap();
        let slots: Vec<WorkerSlot> = (0..workers.threads.len() * 3).map(|_| workers.assign()).collect();
        let counts = || workers.threads.iter().map(|worker| worker.connections.load(Relaxed)).collect::<Vec<_>>();
        assert!(counts().iter().all(|count| *count == 3), "{:?}", counts());
        drop(slots);
        assert!(counts().iter().all(|count| *count == 0), "{:?}", counts());
    }

    #[tokio::test]
    async fn dropping_the_guard_stops_the_tasks() {
        let (workers, guard) = Workers::start().unwrap();
        let (alive, mut ended) = tokio::sync::oneshot::channel::<()>();
        workers.assign().runtime().spawn(async move {
            let _alive = alive;
            std::future::pending::<()>().await;
        });
        drop(guard);
        assert_eq!(ended.try_recv(), Err(TryRecvError::Closed), "the task has ended with its worker");
    }
}
