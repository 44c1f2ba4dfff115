//! The connections that were accepted: how many there may be, and how they come to an end.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::connection::{Ends, Protocol};
use crate::web::Front;
use crate::workers::Workers;

/// Further connections wait in the system's queue until one of these ends.
const MAX_CONNECTIONS: usize = 12_000;
/// How long an idle connection may still bring a request after the stop. A request that crosses our goodbye gets no
/// answer, and its client cannot know whether to repeat it: what is on its way by now is not lost so, and a busy client
/// is told by its next answer to go elsewhere.
const IDLE_GRACE: Duration = Duration::from_millis(250);

/// All of them.
pub(super) struct Connections {
    front: Front,
    workers: Arc<Workers>,
    protocol: Arc<Protocol>,
    room: Arc<Semaphore>,
    tasks: TaskTracker,
    ends: Ends,
}

impl Connections {
    pub(super) fn new(front: Front, workers: Arc<Workers>, stopping: CancellationToken) -> Self {
        let ends = Ends { stopping, ..Ends::default() };
        Self {
            front,
            workers,
            protocol: Arc::new(Protocol::new(ends.clone())),
            room: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
            tasks: TaskTracker::new(),
            ends,
        }
    }

    /// Waits for room for one more.
    pub(super) async fn room(&self) -> io::Result<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        Arc::clone(&self.room).acquire_owned().await.map_err(io::Error::other)
    }

    /// Room for one more, if there is some.
    pub(super) fn room_now(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.room).try_acquire_owned().ok()
    }

    /// Serves a connection by a task of its own, which holds its place until it ends.
    pub(super) fn serve(&self, stream: TcpStream, peer: SocketAddr, room: OwnedSemaphorePermit) {
        let seat = self.workers.seat();
        let runtime = seat.runtime();
        let serving = Arc::clone(&self.protocol).serve(stream, peer, self.front.clone(), (room, seat));
        self.tasks.spawn_on(serving, &runtime);
    }

    /// Lets requests under way end, closes idle connections, and ends at the deadline what has not ended by itself.
    pub(super) async fn drain(self, deadline: Duration) {
        let deadline = Instant::now() + deadline;
        self.tasks.close();
        tracing::info!(connections = self.tasks.len(), "no new connections, requests under way may end");
        // Over at once where nobody is connected.
        let _ = timeout(IDLE_GRACE, self.tasks.wait()).await;
        self.ends.closing.cancel();
        if timeout_at(deadline, self.tasks.wait()).await.is_err() {
            tracing::warn!(connections = self.tasks.len(), "gave up on requests that did not end in time");
            self.ends.given_up.cancel();
            self.tasks.wait().await;
        }
    }
}
