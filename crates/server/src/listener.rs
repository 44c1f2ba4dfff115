//! Accepts connections. Replaces `axum::serve`, which has no timeout for the head of a request and no
//! limit on connections.

mod activity;
mod connection;
mod connections;
mod framing;
mod lingering_close;
mod pooled_handler;
mod request_handler;
mod write_deadline;

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::web::App;
use crate::workers::Workers;
use connections::Connections;

/// Pause after a failed accept, for instance without free file descriptors, so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The listening socket and its open connections.
pub(crate) struct Listener {
    socket: TcpListener,
    connections: Connections,
}

impl Listener {
    /// After `stopping` is cancelled, each response closes its connection.
    pub(crate) fn new(socket: TcpListener, app: App, workers: Arc<Workers>, stopping: CancellationToken) -> Self {
        Self { socket, connections: Connections::new(app, workers, stopping) }
    }

    /// Accepts and serves connections until the future is dropped. A failed accept is retried; only the first of a
    /// series of failures is logged.
    pub(crate) async fn accept_forever(&mut self) -> Infallible {
        let mut is_failing = false;
        loop {
            let accepted = self.accept().await;
            if let Err(error) = &accepted {
                if !is_failing {
                    tracing::warn!(%error, "cannot accept connections, will retry");
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
            is_failing = accepted.is_err();
        }
    }

    async fn accept(&mut self) -> io::Result<()> {
        let permit = self.connections.acquire().await?;
        let (stream, peer) = match self.socket.accept().await {
            Err(error) if is_client_error(&error) => return Ok(()),
            accepted => accepted?,
        };
        self.connections.serve(stream.into_std()?, peer, permit);
        Ok(())
    }

    /// Stops accepting, closes idle connections and waits for active requests; aborts those that have not finished
    /// after `drain_timeout`. No request is handled after this returns.
    pub(crate) async fn drain(self, drain_timeout: Duration) {
        let Self { socket, connections } = self;
        if let Err(error) = accept_pending(socket, &connections) {
            tracing::debug!(%error, "connections that were not accepted yet are lost");
        }
        connections.drain(drain_timeout).await;
    }
}

/// Accepts the connections that the kernel has already completed, then closes the socket. Without this, the kernel
/// would reset them.
fn accept_pending(socket: TcpListener, connections: &Connections) -> io::Result<()> {
    // Uses the socket without the runtime, which may not have been notified of the latest connections yet. The socket
    // stays non-blocking.
    let socket = socket.into_std()?;
    while let Some(permit) = connections.try_acquire() {
        let (stream, peer) = match socket.accept() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) if is_client_error(&error) => continue,
            accepted => accepted?,
        };
        stream.set_nonblocking(true)?;
        connections.serve(stream, peer, permit);
    }
    Ok(())
}

fn is_client_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
