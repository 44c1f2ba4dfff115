//! One connection, within limits that keep slow and greedy peers from holding the rest up.
//!
//! HTTP/1.1 only. Toolgate speaks plain HTTP behind whatever ends TLS, and that side of a proxy is HTTP/1.1
//! as a rule; HTTP/2 would add idle connections and streams without a deadline of their own.

use std::net::SocketAddr;
use std::time::Duration;

use std::convert::Infallible;

use axum::body::Body;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::Watcher;
use tokio::net::TcpStream;

use super::write_deadline::WriteDeadline;
use crate::web::Front;

/// For the head of a request, and for what an idle connection may wait for the next one.
const HEAD_DEADLINE: Duration = Duration::from_secs(10);
/// Request line and headers together. hyper's own limit of 100 headers stays as it is.
pub(crate) const MAX_HEAD: usize = 64 * 1024;

/// How bytes become requests.
#[derive(Clone, Debug)]
pub(super) struct Protocol(Builder);

impl Protocol {
    pub(super) fn new() -> Self {
        let mut builder = Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEAD_DEADLINE).max_buf_size(MAX_HEAD);
        Self(builder)
    }

    /// Serves one connection until it ends or `watcher` tells it to.
    pub(super) fn serve(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        front: Front,
        watcher: Watcher,
    ) -> impl Future<Output = ()> + use<> {
        let service = service_fn(move |request: Request<Incoming>| {
            let answering = front.clone().answer(request.map(Body::new), peer);
            async { Ok::<_, Infallible>(answering.await) }
        });
        let connection = watcher.watch(self.0.serve_connection(TokioIo::new(WriteDeadline::new(stream)), service));
        async move {
            if let Err(error) = connection.await {
                tracing::debug!(%peer, %error, "the connection broke");
            }
        }
    }
}
