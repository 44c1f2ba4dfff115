//! The accepted connections: limits their number and drains them on shutdown.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::connection::{ConnectionServer, ShutdownTokens};
use crate::web::App;
use crate::workers::{CONNECTIONS_MAX, Workers};

/// After the stop signal, idle connections stay open until no request has arrived for this time. A request that arrives
/// while its connection closes gets no response, and its client cannot know whether to repeat it. Until then each
/// response closes its connection, so a proxy uses up its connections one by one, finds that no new ones are accepted,
/// and sends the next requests to other nodes.
const QUIET_TIME: Duration = Duration::from_millis(250);
/// How long idle connections stay open at most, for clients that have many and use each of them rarely.
const IDLE_GRACE_MAX: Duration = Duration::from_secs(5);

/// All open connections.
pub(super) struct Connections {
    workers: Arc<Workers>,
    server: Arc<ConnectionServer>,
    permits: Arc<Semaphore>,
    tasks: TaskTracker,
    shutdown: ShutdownTokens,
    /// Requests that arrived after the stop signal.
    late_requests: Arc<AtomicUsize>,
}

impl Connections {
    pub(super) fn new(app: App, workers: Arc<Workers>, stopping: CancellationToken) -> Self {
        let shutdown = ShutdownTokens { stopping, ..ShutdownTokens::default() };
        let late_requests = Arc::new(AtomicUsize::new(0));
        Self {
            workers,
            server: Arc::new(ConnectionServer::new(app, shutdown.clone(), Arc::clone(&late_requests))),
            permits: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
            tasks: TaskTracker::new(),
            shutdown,
            late_requests,
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

    /// Closes idle connections, waits for active requests, and aborts those that have not finished after
    /// `drain_timeout`.
    pub(super) async fn drain(self, drain_timeout: Duration) {
        let deadline = Instant::now() + drain_timeout;
        self.tasks.close();
        tracing::info!(connections = self.tasks.len(), "accepting no new connections; waiting for active requests");
        // Returns immediately if there is no connection.
        let _ = timeout(IDLE_GRACE_MAX, self.wait_until_quiet()).await;
        self.shutdown.closing_idle.cancel();
        if timeout_at(deadline, self.tasks.wait()).await.is_err() {
            tracing::warn!(connections = self.tasks.len(), "gave up on requests that did not finish in time");
            self.shutdown.aborted.cancel();
            self.tasks.wait().await;
        }
    }

    /// Waits until all connections have ended or no request has arrived for a while.
    async fn wait_until_quiet(&self) {
        loop {
            let arrived = self.late_requests.load(Ordering::Relaxed);
            let have_ended = timeout(QUIET_TIME, self.tasks.wait()).await.is_ok();
            if have_ended || self.late_requests.load(Ordering::Relaxed) == arrived {
                return;
            }
        }
    }
}
