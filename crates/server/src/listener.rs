//! Accepting connections. Our own loop, because `axum::serve` sets no deadline for the head of a request
//! and no limit on connections.

mod connection;
mod framing;
mod write_deadline;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::web::Front;
use connection::Protocol;

/// Further connections wait in the system's queue until one of these ends.
const MAX_CONNECTIONS: usize = 12_000;
/// How long to wait when the system has no more descriptors: asking again at once would only burn time.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The socket and the connections that came from it.
pub(crate) struct Listener {
    socket: TcpListener,
    front: Front,
    protocol: Protocol,
    room: Arc<Semaphore>,
    connections: TaskTracker,
    graceful: GracefulShutdown,
    /// Ends connections that would not end by themselves.
    given_up: CancellationToken,
}

impl Listener {
    pub(crate) fn new(socket: TcpListener, front: Front) -> Self {
        Self {
            socket,
            front,
            protocol: Protocol::new(),
            room: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
            connections: TaskTracker::new(),
            graceful: GracefulShutdown::new(),
            given_up: CancellationToken::new(),
        }
    }

    /// Accepts and serves until it is dropped. A failed accept is a passing shortage, told once while it lasts.
    pub(crate) async fn accept_forever(&mut self) -> Infallible {
        let mut is_short = false;
        loop {
            let accepted = self.accept().await;
            if let Err(error) = &accepted {
                if !is_short {
                    tracing::warn!(%error, "cannot accept connections for now");
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
            is_short = accepted.is_err();
        }
    }

    async fn accept(&mut self) -> io::Result<()> {
        // The semaphore is never closed.
        let permit = Arc::clone(&self.room).acquire_owned().await.map_err(io::Error::other)?;
        let (stream, peer) = match self.socket.accept().await {
            Err(error) if is_peers_fault(&error) => return Ok(()),
            accepted => accepted?,
        };
        let connection = self.given_up.clone().run_until_cancelled_owned(self.serve(stream, peer));
        self.connections.spawn(async move {
            connection.await;
            drop(permit);
        });
        Ok(())
    }

    fn serve(&self, stream: TcpStream, peer: SocketAddr) -> impl Future<Output = ()> + use<> {
        // Replies are written whole; waiting to fill a packet would only delay them.
        let _ = stream.set_nodelay(true);
        self.protocol.serve(stream, peer, self.front.clone(), self.graceful.watcher())
    }

    /// Stops accepting, lets requests under way end and closes idle connections. What has not ended at the deadline is
    /// ended: when this returns, nobody is answered any more.
    pub(crate) async fn drain(self, deadline: Duration) {
        drop(self.socket);
        self.connections.close();
        tracing::info!(connections = self.connections.len(), "no new connections, requests under way may end");
        if tokio::time::timeout(deadline, self.graceful.shutdown()).await.is_err() {
            tracing::warn!(connections = self.connections.len(), "gave up on requests that did not end in time");
            self.given_up.cancel();
        }
        self.connections.wait().await;
    }
}

fn is_peers_fault(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
