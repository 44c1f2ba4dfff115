//! One connection, HTTP/1 or HTTP/2, within limits that keep slow and greedy peers from holding the rest up.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::Watcher;
use tokio::net::TcpStream;
use tower::ServiceExt;

/// For the head of a request, and for what an idle HTTP/1 connection may wait for the next one.
const HEAD_DEADLINE: Duration = Duration::from_secs(10);
/// Request line and headers together. hyper's own limit of 100 headers stays as it is.
const MAX_HEAD: u32 = 64 * 1024;
const MAX_STREAMS: u32 = 250;
/// An HTTP/2 peer that has gone without a word is noticed by a ping.
const PING_INTERVAL: Duration = Duration::from_secs(20);
const PING_DEADLINE: Duration = Duration::from_secs(10);

/// How bytes become requests.
#[derive(Clone, Debug)]
pub(super) struct Protocol(Builder<TokioExecutor>);

impl Protocol {
    pub(super) fn new() -> Self {
        let mut builder = Builder::new(TokioExecutor::new());
        builder
            .http1()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_DEADLINE)
            .max_buf_size(MAX_HEAD as usize)
            .http2()
            .timer(TokioTimer::new())
            .max_header_list_size(MAX_HEAD)
            .max_concurrent_streams(MAX_STREAMS)
            .keep_alive_interval(PING_INTERVAL)
            .keep_alive_timeout(PING_DEADLINE);
        Self(builder)
    }

    /// Serves one connection until it ends or `watcher` tells it to.
    pub(super) fn serve(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        app: Router,
        watcher: Watcher,
    ) -> impl Future<Output = ()> + use<> {
        let has_asked = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&has_asked);
        let service = service_fn(move |mut request: Request<Incoming>| {
            asked.store(true, Ordering::Relaxed);
            request.extensions_mut().insert(rest::Peer(peer));
            app.clone().oneshot(request)
        });
        let connection = self.0.serve_connection(TokioIo::new(stream), service).into_owned();
        let connection = watcher.watch(connection);
        async move {
            let mut connection = pin!(connection);
            let first = tokio::time::timeout(HEAD_DEADLINE, &mut connection).await;
            // hyper's own deadline begins once it knows the protocol: a peer that sends nothing, or only
            // the first bytes of HTTP/2, would stay for ever.
            let outcome = match first {
                Ok(outcome) => outcome,
                Err(_) if has_asked.load(Ordering::Relaxed) => connection.await,
                Err(_) => return,
            };
            if let Err(error) = outcome {
                tracing::debug!(%peer, error, "the connection broke");
            }
        }
    }
}
