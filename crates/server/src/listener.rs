//! Accepting connections. Our own loop, because `axum::serve` sets no deadline for the head of a request
//! and no limit on connections.

mod activity;
mod clerk;
mod connection;
mod connections;
mod framing;
mod write_deadline;

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::web::Front;
use crate::workers::Workers;
use connections::Connections;

/// How long to wait when the system has no more descriptors: asking again at once would only burn time.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The socket and the connections that came from it.
pub(crate) struct Listener {
    socket: TcpListener,
    connections: Connections,
}

impl Listener {
    /// Answers close their connections once `stopping` is cancelled.
    pub(crate) fn new(socket: TcpListener, front: Front, workers: Arc<Workers>, stopping: CancellationToken) -> Self {
        Self { socket, connections: Connections::new(front, workers, stopping) }
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
        let room = self.connections.room().await?;
        let (stream, peer) = match self.socket.accept().await {
            Err(error) if is_peers_fault(&error) => return Ok(()),
            accepted => accepted?,
        };
        self.connections.serve(stream.into_std()?, peer, room);
        Ok(())
    }

    /// Stops accepting, lets requests under way end and closes idle connections. What has not ended at the deadline is
    /// ended: when this returns, nobody is answered any more.
    pub(crate) async fn drain(self, deadline: Duration) {
        let Self { socket, connections } = self;
        if let Err(error) = accept_the_last(socket, &connections) {
            tracing::debug!(%error, "connections that nobody had accepted are lost");
        }
        connections.drain(deadline).await;
    }
}

/// Takes the connections that the system has made by now, of which nobody knew yet, and closes the socket: the system
/// breaks off those that are left.
fn accept_the_last(socket: TcpListener, connections: &Connections) -> io::Result<()> {
    // Asks the system itself: the runtime may not have heard of the latest.
    let socket = socket.into_std()?;
    while let Some(room) = connections.room_now() {
        let (stream, peer) = match socket.accept() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) if is_peers_fault(&error) => continue,
            accepted => accepted?,
        };
        stream.set_nonblocking(true)?;
        connections.serve(stream, peer, room);
    }
    Ok(())
}

fn is_peers_fault(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
