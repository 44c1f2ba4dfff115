//! One connection, within limits that keep slow and greedy peers from holding the rest up.
//!
//! HTTP/1.1 only. Toolgate speaks plain HTTP behind whatever ends TLS, and that side of a proxy is HTTP/1.1
//! as a rule; HTTP/2 would add idle connections and streams without a deadline of their own.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::header::{CONNECTION, TRANSFER_ENCODING};
use http::{HeaderValue, Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1::{self, Builder};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{Join, join};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::activity::{Activity, Telling};
use super::clerk::Clerks;
use super::framing::Framed;
use super::write_deadline::WriteDeadline;
use crate::web::Front;
use crate::workers::Seat;

/// For the head of a request.
const HEAD_DEADLINE: Duration = Duration::from_secs(10);
/// After which an idle connection gives its buffers back; they are some twenty kilobytes.
const RESTLESS: Duration = Duration::from_millis(250);
/// How long it may wait for the next request from then on: for ten seconds in all.
const REST: Duration = Duration::from_millis(9_750);
/// Request line and headers together. hyper's own limit of 100 headers stays as it is.
const MAX_HEAD: usize = 64 * 1024;

type Stream = TokioIo<Join<Framed<OwnedReadHalf>, WriteDeadline<OwnedWriteHalf>>>;

/// The ways in which a connection is told to end.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// Answers close their connections.
    pub(super) stopping: CancellationToken,
    /// Idle connections close, requests under way end first.
    pub(super) closing: CancellationToken,
    /// Nothing is waited for any more.
    pub(super) given_up: CancellationToken,
}

impl Ends {
    /// The same, of one connection: what all ask at every turn would go from core to core.
    fn of_connection(&self) -> Self {
        let Self { stopping, closing, given_up } = self;
        Self { stopping: stopping.child_token(), closing: closing.child_token(), given_up: given_up.clone() }
    }
}

/// How bytes become requests.
#[derive(Debug)]
pub(super) struct Protocol {
    builder: Builder,
    ends: Ends,
}

impl Protocol {
    pub(super) fn new(ends: Ends) -> Self {
        let mut builder = Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEAD_DEADLINE);
        // The one bounds memory, but lets a head of up to twice its size pass.
        builder.max_buf_size(MAX_HEAD).max_header_size(MAX_HEAD);
        Self { builder, ends }
    }

    /// Serves one connection until it ends or is told to, and holds its place until then.
    pub(super) async fn serve(
        self: Arc<Self>,
        stream: std::net::TcpStream,
        peer: SocketAddr,
        front: Front,
        _place: (OwnedSemaphorePermit, Seat),
    ) {
        if let Err(error) = self.serve_here(stream, peer, front).await {
            tracing::debug!(%peer, %error, "the connection broke");
        }
    }

    /// On the runtime that watches the socket from now on.
    async fn serve_here(&self, stream: std::net::TcpStream, peer: SocketAddr, front: Front) -> anyhow::Result<()> {
        // Replies are written whole; waiting to fill a packet would only delay them.
        let _ = stream.set_nodelay(true);
        let (reader, writer) = TcpStream::from_std(stream)?.into_split();
        let activity = Arc::new(Activity::default());
        let reader = Framed::new(reader, Arc::clone(&activity));
        let stream = TokioIo::new(join(reader, WriteDeadline::new(writer, Arc::clone(&activity))));
        let ends = self.ends.of_connection();
        let answers = Arc::new(Answers { front, peer, stopping: ends.stopping.clone(), activity });
        Ok(self.serve_in_turns(stream, &answers, &ends).await?)
    }

    /// Requests, then rest, then requests.
    async fn serve_in_turns(&self, mut stream: Stream, answers: &Arc<Answers>, ends: &Ends) -> hyper::Result<()> {
        loop {
            let connection = self.builder.serve_connection(stream, Clerks(Arc::clone(answers)));
            let Some(idle) = serve_until_idle(connection, &answers.activity, ends).await? else { return Ok(()) };
            stream = idle;
            if !rest(&stream, ends).await {
                return Ok(());
            }
        }
    }
}

/// The stream of a connection in which nothing goes on; nothing where it ended.
async fn serve_until_idle(
    mut connection: http1::Connection<Stream, Clerks>,
    activity: &Activity,
    ends: &Ends,
) -> hyper::Result<Option<Stream>> {
    loop {
        let reads = activity.reads();
        tokio::select! {
            biased;
            ended = &mut connection => return ended.map(|()| None),
            () = ends.closing.cancelled() => break,
            () = sleep(RESTLESS) => {}
        }
        if activity.is_idle() && activity.reads() == reads {
            // What hyper has read and not used can only be empty lines, which mean nothing between requests.
            return Ok(Some(connection.into_parts().io));
        }
    }
    Pin::new(&mut connection).graceful_shutdown();
    ends.given_up.run_until_cancelled(connection).await.unwrap_or(Ok(())).map(|()| None)
}

/// Waits for the next request; false where the connection shall end without one.
async fn rest(stream: &Stream, ends: &Ends) -> bool {
    let woken = timeout(REST, stream.inner().reader().readable());
    matches!(ends.closing.run_until_cancelled(woken).await, Some(Ok(Ok(()))))
}

/// What the requests of a connection are answered with.
pub(super) struct Answers {
    front: Front,
    peer: SocketAddr,
    stopping: CancellationToken,
    activity: Arc<Activity>,
}

impl Answers {
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Response<Telling> {
        let under_way = self.activity.begin();
        // Nobody but hyper knows where a body in chunks ends, so nothing may follow it.
        let is_last = request.headers().contains_key(TRANSFER_ENCODING);
        let mut response = self.front.answer(request.map(Body::new), self.peer).await;
        if is_last || self.stopping.is_cancelled() {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response.map(|body| under_way.until_told(body))
    }
}
