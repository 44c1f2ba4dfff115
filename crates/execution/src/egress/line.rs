//! A connection to an upstream, in the protocol that was agreed on.
//!
//! One that speaks HTTP/1.1 carries one request at a time and has no task of its own: whoever waits for the answer drives
//! it. An answer then takes no way through another task, and a call that is given up takes its connection along.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::{TrySendError, http1, http2};
use hyper_rustls::MaybeHttpsStream;

use super::connection::UpstreamSocket;
use super::duet::Duet;
use super::lane::Lane;

pub(super) type Message = Request<Full<Bytes>>;
type Connection = http1::Connection<MaybeHttpsStream<UpstreamSocket>, Full<Bytes>>;

/// A connection.
pub(super) struct Line {
    pub(super) wire: Wire,
    /// Where it waits for its next request.
    pub(super) lane: Lane,
}

/// What it speaks.
pub(super) enum Wire {
    /// For one request at a time.
    Http1(Http1),
    /// Shared among requests.
    Http2(http2::SendRequest<Full<Bytes>>),
}

/// Why there is no head of an answer.
pub(super) struct Unanswered {
    pub(super) error: hyper::Error,
    /// Whether nothing of the request was written.
    pub(super) is_unsent: bool,
}

impl From<TrySendError<Message>> for Unanswered {
    fn from(mut refused: TrySendError<Message>) -> Self {
        let is_unsent = refused.take_message().is_some();
        Self { error: refused.into_error(), is_unsent }
    }
}

impl Line {
    /// One that this thread has opened.
    pub(super) fn new(wire: Wire) -> Self {
        Self { wire, lane: Lane::own() }
    }

    /// The same line, where it is shared among requests.
    pub(super) fn share(&self) -> Option<Self> {
        match &self.wire {
            Wire::Http1(_) => None,
            Wire::Http2(sender) => Some(Self { wire: Wire::Http2(sender.clone()), lane: self.lane }),
        }
    }

    pub(super) fn is_shared(&self) -> bool {
        matches!(self.wire, Wire::Http2(_))
    }

    /// Sends a request and waits for the head of its answer.
    pub(super) async fn send(&mut self, message: Message) -> Result<Response<Incoming>, Unanswered> {
        match &mut self.wire {
            Wire::Http1(line) => {
                let sent = pin!(line.sender.try_send_request(message));
                Ok(line.drive.run(sent).await?)
            }
            Wire::Http2(sender) => Ok(sender.try_send_request(message).await?),
        }
    }

    /// Waits for something that comes over the line. It is pinned already, or each step down would make room for it.
    pub(super) async fn drive<T>(&mut self, awaited: Pin<&mut impl Future<Output = T>>) -> T {
        match &mut self.wire {
            Wire::Http1(line) => line.drive.run(awaited).await,
            Wire::Http2(_) => awaited.await,
        }
    }

    /// Whether it was not known to be closed when it was last looked at. What an upstream closed since then is noticed
    /// before anything is written, and the request comes back unsent.
    pub(super) fn may_be_ready(&self) -> bool {
        match &self.wire {
            Wire::Http1(_) => true,
            Wire::Http2(sender) => sender.is_ready(),
        }
    }

    /// Whether another request can be sent over it. The answer to the one before has been read.
    pub(super) fn is_ready(&mut self) -> bool {
        match &mut self.wire {
            Wire::Http1(line) => line.is_ready(),
            Wire::Http2(sender) => sender.is_ready(),
        }
    }
}

/// A connection that speaks HTTP/1.1.
pub(super) struct Http1 {
    sender: http1::SendRequest<Full<Bytes>>,
    drive: Drive,
}

/// What moves bytes.
struct Drive {
    connection: Moving,
    duet: Duet,
}

/// A connection at work; none once it has ended.
struct Moving(Option<Pin<Box<Connection>>>);

impl Http1 {
    pub(super) fn new(sender: http1::SendRequest<Full<Bytes>>, connection: Connection) -> Self {
        Self { sender, drive: Drive { connection: Moving(Some(Box::pin(connection))), duet: Duet::default() } }
    }

    /// Looks at the socket too, for an upstream may have hung up meanwhile.
    fn is_ready(&mut self) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        self.drive.connection.poll(&mut context);
        self.drive.connection.0.is_some() && self.sender.is_ready()
    }
}

impl Drive {
    /// Waits for something that comes over the connection.
    async fn run<T>(&mut self, mut awaited: Pin<&mut impl Future<Output = T>>) -> T {
        let Self { connection, duet } = self;
        duet.begin();
        let mut drive = |context: &mut Context<'_>| {
            connection.poll(context);
            Poll::Pending
        };
        poll_fn(|task| duet.poll(task, &mut drive, |context| awaited.as_mut().poll(context))).await
    }
}

impl Moving {
    fn poll(&mut self, context: &mut Context<'_>) {
        if let Some(connection) = &mut self.0
            && let Poll::Ready(ended) = connection.as_mut().poll(context)
        {
            // Whoever waits for something hears of it from what it waits for.
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection to an upstream ended");
            }
            self.0 = None;
        }
    }
}
