//! A connection to an upstream, in the negotiated protocol.
//!
//! An HTTP/1.1 connection carries one request at a time and has no task: the caller that waits for the response drives
//! the connection. So a response needs no hop through another task, and cancelling a call closes its connection.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::{TrySendError, http1, http2};
use hyper_rustls::MaybeHttpsStream;

use super::socket::UpstreamSocket;
use super::thread_shard::ThreadShard;

pub(super) type WireRequest = Request<Full<Bytes>>;
type HyperHttp1 = http1::Connection<MaybeHttpsStream<UpstreamSocket>, Full<Bytes>>;

/// A connection to an upstream.
pub(super) struct UpstreamConnection {
    pub(super) protocol: UpstreamProtocol,
    /// The shard that holds the connection while it is idle.
    pub(super) shard: ThreadShard,
}

/// The negotiated protocol, with its sending half.
pub(super) enum UpstreamProtocol {
    /// One request at a time.
    Http1(Http1Connection),
    /// Shared among requests.
    Http2(http2::SendRequest<Full<Bytes>>),
}

/// Why a request got no response head.
pub(super) struct SendFailure {
    pub(super) error: hyper::Error,
    /// Whether nothing of the request was written.
    pub(super) is_unsent: bool,
}

impl From<TrySendError<WireRequest>> for SendFailure {
    fn from(mut error: TrySendError<WireRequest>) -> Self {
        let is_unsent = error.take_message().is_some();
        Self { error: error.into_error(), is_unsent }
    }
}

impl UpstreamConnection {
    /// A connection that the current thread opened.
    pub(super) fn new(protocol: UpstreamProtocol) -> Self {
        Self { protocol, shard: ThreadShard::current() }
    }

    /// A second handle to the connection, if the protocol allows concurrent requests.
    pub(super) fn share(&self) -> Option<Self> {
        match &self.protocol {
            UpstreamProtocol::Http1(_) => None,
            UpstreamProtocol::Http2(sender) => {
                Some(Self { protocol: UpstreamProtocol::Http2(sender.clone()), shard: self.shard })
            }
        }
    }

    pub(super) fn is_shared(&self) -> bool {
        matches!(self.protocol, UpstreamProtocol::Http2(_))
    }

    /// Sends a request and waits for the response head.
    pub(super) async fn send(&mut self, request: WireRequest) -> Result<Response<Incoming>, SendFailure> {
        match &mut self.protocol {
            UpstreamProtocol::Http1(http1) => {
                let response = pin!(http1.sender.try_send_request(request));
                Ok(http1.io.drive(response).await?)
            }
            UpstreamProtocol::Http2(sender) => Ok(sender.try_send_request(request).await?),
        }
    }

    /// Waits for a future that depends on the connection's I/O. Takes it pinned: passed by value, every call layer
    /// would reserve space for it in its own future.
    pub(super) async fn drive<T>(&mut self, future: Pin<&mut impl Future<Output = T>>) -> T {
        match &mut self.protocol {
            UpstreamProtocol::Http1(http1) => http1.io.drive(future).await,
            UpstreamProtocol::Http2(_) => future.await,
        }
    }

    /// Whether the connection was open when it was last polled. If the upstream has closed it since, hyper notices
    /// before it writes, and the request comes back unsent.
    pub(super) fn may_be_ready(&self) -> bool {
        match &self.protocol {
            UpstreamProtocol::Http1(_) => true,
            UpstreamProtocol::Http2(sender) => sender.is_ready(),
        }
    }

    /// Whether another request can be sent. The previous response must have been read.
    pub(super) fn is_ready(&mut self) -> bool {
        match &mut self.protocol {
            UpstreamProtocol::Http1(http1) => http1.is_ready(),
            UpstreamProtocol::Http2(sender) => sender.is_ready(),
        }
    }
}

/// An HTTP/1.1 connection.
pub(super) struct Http1Connection {
    sender: http1::SendRequest<Full<Bytes>>,
    io: Http1Io,
}

/// The I/O half of a connection; `None` once it has ended.
struct Http1Io(Option<Pin<Box<HyperHttp1>>>);

impl Http1Connection {
    pub(super) fn new(sender: http1::SendRequest<Full<Bytes>>, connection: HyperHttp1) -> Self {
        Self { sender, io: Http1Io(Some(Box::pin(connection))) }
    }

    /// Polls the socket once: the upstream may have closed it while the connection was idle.
    fn is_ready(&mut self) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        self.io.poll(&mut context);
        self.io.0.is_some() && self.sender.is_ready()
    }
}

impl Http1Io {
    /// Waits for a future that depends on the connection's I/O.
    async fn drive<T>(&mut self, mut future: Pin<&mut impl Future<Output = T>>) -> T {
        poll_fn(|task| {
            // The first poll may pass a request to the connection, which writes it in the same poll of the task.
            if let Poll::Ready(output) = future.as_mut().poll(task) {
                return Poll::Ready(output);
            }
            self.poll(task);
            future.as_mut().poll(task)
        })
        .await
    }

    fn poll(&mut self, context: &mut Context<'_>) {
        if let Some(connection) = &mut self.0
            && let Poll::Ready(result) = connection.as_mut().poll(context)
        {
            // Only logged: a pending request or body future reports the end of the connection to its caller.
            if let Err(error) = result {
                tracing::debug!(%error, "a connection to an upstream ended");
            }
            self.0 = None;
        }
    }
}
