//! One connection, within limits that keep slow and greedy peers from holding the rest up.
//!
//! HTTP/1.1 only. Toolgate speaks plain HTTP behind whatever ends TLS, and that side of a proxy is HTTP/1.1
//! as a rule; HTTP/2 would add idle connections and streams without a deadline of their own.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use http::header::{CONNECTION, TRANSFER_ENCODING};
use http::{HeaderValue, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::Watcher;
use tokio::io::join;
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use super::framing::Framed;
use super::write_deadline::WriteDeadline;
use crate::web::Front;

/// For the head of a request, and for what an idle connection may wait for the next one.
const HEAD_DEADLINE: Duration = Duration::from_secs(10);
/// Request line and headers together. hyper's own limit of 100 headers stays as it is.
const MAX_HEAD: usize = 64 * 1024;

/// How bytes become requests.
#[derive(Clone, Debug)]
pub(super) struct Protocol {
    builder: Builder,
    stopping: CancellationToken,
}

impl Protocol {
    /// Answers close their connections once `stopping` is cancelled.
    pub(super) fn new(stopping: CancellationToken) -> Self {
        let mut builder = Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEAD_DEADLINE);
        // The one bounds memory, but lets a head of up to twice its size pass.
        builder.max_buf_size(MAX_HEAD).max_header_size(MAX_HEAD);
        Self { builder, stopping }
    }

    /// Serves one connection until it ends or `watcher` tells it to.
    pub(super) fn serve(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        front: Front,
        watcher: Watcher,
    ) -> impl Future<Output = ()> + use<> {
        let stopping = self.stopping.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            // Nobody but hyper knows where a body in chunks ends, so nothing may follow it.
            let is_last = request.headers().contains_key(TRANSFER_ENCODING);
            let (front, stopping) = (front.clone(), stopping.clone());
            // Boxed, for hyper moves it about before it polls it.
            Box::pin(async move {
                let mut response = front.answer(request.map(Body::new), peer).await;
                if is_last || stopping.is_cancelled() {
                    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, Infallible>(response)
            })
        });
        let (reader, writer) = stream.into_split();
        let stream = join(Framed::new(reader), WriteDeadline::new(writer));
        let connection = watcher.watch(self.builder.serve_connection(TokioIo::new(stream), service));
        async move {
            if let Err(error) = connection.await {
                tracing::debug!(%peer, %error, "the connection broke");
            }
        }
    }
}
