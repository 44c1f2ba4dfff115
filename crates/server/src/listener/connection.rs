//! Serves one connection, with limits so that slow or greedy peers do not affect others.
//!
//! HTTP/1.1 only. Toolgate serves plain HTTP behind a proxy that terminates TLS, and proxies usually use HTTP/1.1
//! there; HTTP/2 would need separate timeouts for idle connections and for streams.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use hyper::server::conn::http1::{self, Builder};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{Join, join};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::activity::Activity;
use super::framing::StrictReader;
use super::lingering_close::linger;
use super::pooled_handler::Handlers;
use super::request_handler::RequestHandler;
use super::write_deadline::WriteDeadline;
use crate::web::App;
use crate::workers::WorkerSlot;

/// How long the head of a request may take.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// After this time, an idle connection releases its buffers of about 20 kB.
const IDLE_BUFFERS_TIMEOUT: Duration = Duration::from_millis(250);
/// How long an idle connection may wait for the next request after it released its buffers: ten seconds in total.
const IDLE_TIMEOUT: Duration = Duration::from_millis(9_750);
/// Maximum size of the request line and headers together. hyper's limit of 100 headers applies as well.
const HEAD_BYTES_MAX: usize = 64 * 1024;

type Stream = TokioIo<Join<StrictReader<OwnedReadHalf>, WriteDeadline<OwnedWriteHalf>>>;

/// The tokens that end a connection, in the order in which they are cancelled.
#[derive(Clone, Debug, Default)]
pub(super) struct ShutdownTokens {
    /// Responses close their connections.
    pub(super) stopping: CancellationToken,
    /// Idle connections close; active requests finish first.
    pub(super) closing_idle: CancellationToken,
    /// Active requests are aborted.
    pub(super) aborted: CancellationToken,
}

impl ShutdownTokens {
    /// Tokens for one connection. A child token avoids cross-core contention on the shared one, which every request
    /// checks.
    fn for_connection(&self) -> Self {
        let Self { stopping, closing_idle, aborted } = self;
        Self { stopping: stopping.child_token(), closing_idle: closing_idle.child_token(), aborted: aborted.clone() }
    }
}

/// Serves connections with the HTTP/1.1 implementation of hyper.
pub(super) struct ConnectionServer {
    app: App,
    builder: Builder,
    shutdown: ShutdownTokens,
    late_requests: Arc<AtomicUsize>,
}

impl ConnectionServer {
    /// `late_requests` counts the requests that arrive after the stop signal.
    pub(super) fn new(app: App, shutdown: ShutdownTokens, late_requests: Arc<AtomicUsize>) -> Self {
        let mut builder = Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
        // `max_buf_size` bounds memory, but allows a head of up to twice its size; `max_header_size` rejects such a
        // head.
        builder.max_buf_size(HEAD_BYTES_MAX).max_header_size(HEAD_BYTES_MAX);
        Self { app, builder, shutdown, late_requests }
    }

    /// Serves one connection until it ends, and holds its permits until then.
    pub(super) async fn serve(
        self: Arc<Self>,
        stream: std::net::TcpStream,
        peer: SocketAddr,
        _permits: (OwnedSemaphorePermit, WorkerSlot),
    ) {
        if let Err(error) = self.try_serve(stream, peer).await {
            tracing::debug!(%peer, %error, "connection failed");
        }
    }

    /// Registers the socket with the current runtime and serves it there.
    async fn try_serve(&self, stream: std::net::TcpStream, peer: SocketAddr) -> anyhow::Result<()> {
        // Responses are written in one piece; Nagle's algorithm would only delay them.
        let _ = stream.set_nodelay(true);
        let (reader, writer) = TcpStream::from_std(stream)?.into_split();
        let activity = Arc::new(Activity::default());
        let reader = StrictReader::new(reader, Arc::clone(&activity));
        let stream = TokioIo::new(join(reader, WriteDeadline::new(writer, Arc::clone(&activity))));
        let shutdown = self.shutdown.for_connection();
        let (app, stopping) = (self.app.clone(), shutdown.stopping.clone());
        let late_requests = Arc::clone(&self.late_requests);
        let handler = Arc::new(RequestHandler { app, peer, stopping, late_requests, activity });
        Ok(self.serve_requests(stream, &handler, &shutdown).await?)
    }

    /// Alternates between serving requests and waiting without buffers.
    async fn serve_requests(
        &self,
        mut stream: Stream,
        handler: &Arc<RequestHandler>,
        shutdown: &ShutdownTokens,
    ) -> hyper::Result<()> {
        loop {
            let mut connection = self.builder.serve_connection(stream, Handlers(Arc::clone(handler)));
            let ended = serve_until_idle(&mut connection, &handler.activity, shutdown).await;
            // Bytes that hyper has read and not parsed can only be empty lines, which are ignored between requests.
            stream = connection.into_parts().io;
            if let Some(ended) = ended {
                // After success or a parse error, hyper has sent its response and shut down the write half, perhaps
                // before it read the whole request.
                let is_answered = ended.as_ref().err().is_none_or(hyper::Error::is_parse);
                if is_answered && handler.activity.is_within_request() {
                    shutdown.aborted.run_until_cancelled(linger(stream.inner_mut().reader_mut())).await;
                }
                return ended;
            }
            if !wait_for_request(&stream, shutdown).await {
                return Ok(());
            }
        }
    }
}

/// Serves requests until the connection is idle (`None`) or has ended.
async fn serve_until_idle(
    connection: &mut http1::Connection<Stream, Handlers>,
    activity: &Activity,
    shutdown: &ShutdownTokens,
) -> Option<hyper::Result<()>> {
    loop {
        let reads = activity.reads();
        tokio::select! {
            biased;
            ended = &mut *connection => return Some(ended),
            () = shutdown.closing_idle.cancelled() => break,
            () = sleep(IDLE_BUFFERS_TIMEOUT) => {}
        }
        if activity.is_idle() && activity.reads() == reads {
            return None;
        }
    }
    Pin::new(&mut *connection).graceful_shutdown();
    Some(shutdown.aborted.run_until_cancelled(connection).await.unwrap_or(Ok(())))
}

/// Waits for the next request; false if the connection must end without one.
async fn wait_for_request(stream: &Stream, shutdown: &ShutdownTokens) -> bool {
    let readable = timeout(IDLE_TIMEOUT, stream.inner().reader().readable());
    matches!(shutdown.closing_idle.run_until_cancelled(readable).await, Some(Ok(Ok(()))))
}
