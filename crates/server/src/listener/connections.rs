//! The accepted connections: limits their number and drains them on shutdown.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::connection::{ConnectionServer, ShutdownTokens};
use crate::web::App;
use crate::workers::{CONNECTIONS_MAX, Workers};

/// How long an idle connection may still send a request after the stop signal. A request that arrives while the
/// connection closes gets no response, and its client cannot know whether to repeat it. The grace period saves requests
/// that are already in transit, and lets busy clients see `connection: close` in their next response.
const IDLE_GRACE: Duration = Duration::from_millis(250);

/// All open connections.
pub(super) struct Connections {
    workers: Arc<Workers>,
    server: Arc<ConnectionServer>,
    permits: Arc<Semaphore>,
    tasks: TaskTracker,
    shutdown: ShutdownTokens,
}

impl Connections {
    pub(super) fn new(app: App, workers: Arc<Workers>, stopping: CancellationToken) -> Self {
        let shutdown = ShutdownTokens { stopping, ..ShutdownTokens::default() };
        Self {
            workers,
            server: Arc::new(ConnectionServer::new(app, shutdown.clone())),
            permits: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
            tasks: TaskTracker::new(),
            shutdown,
        }
    }

    /// Waits for a permit for one more connection.
    pub(super) async fn acquire(&self) -> io::Result<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        Arc::clone(&self.permits).acquire_owned().await.map_err(io::Error::other)
    }

    /// A permit for one more connection, if one is free.
    pub(super) fn try_acquire(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.permits).try_acquire_owned().ok()
    }

    /// Serves a connection on a worker thread, in a task that holds the permit until it ends.
    pub(super) fn serve(&self, stream: TcpStream, peer: SocketAddr, permit: OwnedSemaphorePermit) {
        let slot = self.workers.assign();
        let runtime = slot.runtime();
        let serving = Arc::clone(&self.server).serve(stream, peer, (permit, slot));
        self.tasks.spawn_on(serving, &runtime);
    }

    /// Closes idle connections, waits for active requests, and aborts those that have not finished at the deadline.
    pub(super) async fn drain(self, deadline: Duration) {
        let deadline = Instant::now() + deadline;
        self.tasks.close();
        tracing::info!(connections = self.tasks.len(), "accepting no new connections; waiting for active requests");
        // Returns immediately if there is no connection.
        let _ = timeout(IDLE_GRACE, self.tasks.wait()).await;
        self.shutdown.closing_idle.cancel();
        if timeout_at(deadline, self.tasks.wait()).await.is_err() {
            tracing::warn!(connections = self.tasks.len(), "gave up on requests that did not finish in time");
            self.shutdown.aborted.cancel();
            self.tasks.wait().await;
        }
    }
}
