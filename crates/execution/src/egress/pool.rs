//! Connections that wait for their next request.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use hyper::client::conn::{http1, http2};
use hyper_util::client::legacy::connect::Connection as _;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::{Instant, sleep};
use tokio_util::task::TaskTracker;
use tower::Service as _;

use super::connector::Connector;
use super::destination::Destination;
use super::error::EgressError;
use super::hop::Hop;
use super::line::{Http1, Line};

pub(super) const HEAD_MAX: usize = 128 * 1024;
pub(super) const HEADERS_MAX: usize = 200;
const IDLE_PER_HOST_MAX: usize = 128;
const IDLE_FOR: Duration = Duration::from_secs(30);
/// A connection that HTTP/2 shares among calls is asked for a sign of life, lest all wait for a dead one.
const PING_AFTER: Duration = Duration::from_secs(10);

/// The connections. Clones share them.
#[derive(Clone)]
pub(super) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    connector: Connector,
    idle: Mutex<HashMap<Destination, Vec<Idle>>>,
    /// Connections of HTTP/2, and whoever looks for those that waited too long.
    tasks: TaskTracker,
    is_swept: AtomicBool,
}

/// A connection without a request.
struct Idle {
    line: Line,
    since: Instant,
}

impl Pool {
    pub(super) fn new(connector: Connector) -> Self {
        let (idle, tasks) = (Mutex::default(), TaskTracker::new());
        Self { shared: Arc::new(Shared { connector, idle, tasks, is_swept: AtomicBool::new(false) }) }
    }

    /// A connection that was in use before, the last used first: it is the likeliest to live.
    pub(super) fn take(&self, destination: &Destination) -> Option<Line> {
        loop {
            let mut idle = self.shared.idle();
            let lines = idle.get_mut(destination)?;
            let Some(Idle { line, since }) = lines.pop() else {
                idle.remove(destination);
                return None;
            };
            if let Line::Http2(sender) = &line {
                // It stays for others, too.
                lines.push(Idle { line: Line::Http2(sender.clone()), since: Instant::now() });
            }
            drop(idle);
            if since.elapsed() < IDLE_FOR && line.may_be_ready() {
                return Some(line);
            }
            self.forget_shared(destination, &line);
        }
    }

    /// Keeps a connection whose answer has been read, if another request can follow.
    pub(super) fn keep(&self, destination: &Destination, mut line: Line) {
        if !line.is_ready() {
            return;
        }
        let mut idle = self.shared.idle();
        let lines = match idle.get_mut(destination) {
            Some(lines) => lines,
            None => idle.entry(destination.clone()).or_default(),
        };
        let is_shared = matches!(line, Line::Http2(_)) && lines.iter().any(|idle| matches!(idle.line, Line::Http2(_)));
        if lines.len() < IDLE_PER_HOST_MAX && !is_shared {
            lines.push(Idle { line, since: Instant::now() });
        }
        drop(idle);
        if !self.shared.is_swept.swap(true, Ordering::Relaxed) {
            self.shared.tasks.spawn(sweep(Arc::downgrade(&self.shared)));
        }
    }

    /// A new connection.
    pub(super) async fn open(&self, hop: &Hop<'_>) -> Result<Line, EgressError> {
        let socket = self.shared.connector.clone().call(hop.uri.clone()).await?;
        if socket.connected().is_negotiated_h2() {
            let mut builder = http2::Builder::new(TokioExecutor::new());
            builder.timer(TokioTimer::new()).max_header_list_size(u32::try_from(HEAD_MAX).unwrap_or(u32::MAX));
            builder.keep_alive_interval(PING_AFTER).keep_alive_timeout(PING_AFTER);
            let (sender, connection) =
                builder.handshake(socket).await.map_err(|error| EgressError::without_head(&error))?;
            self.shared.tasks.spawn(connection);
            return Ok(Line::Http2(sender));
        }
        let mut builder = http1::Builder::new();
        builder.max_buf_size(HEAD_MAX).max_headers(HEADERS_MAX);
        let (sender, connection) =
            builder.handshake(socket).await.map_err(|error| EgressError::without_head(&error))?;
        Ok(Line::Http1(Http1::new(sender, connection)))
    }

    /// Takes a shared connection out that turned out to be dead.
    fn forget_shared(&self, destination: &Destination, line: &Line) {
        if matches!(line, Line::Http2(_))
            && let Some(lines) = self.shared.idle().get_mut(destination)
        {
            lines.retain(|idle| !matches!(idle.line, Line::Http2(_)));
        }
    }
}

impl Shared {
    fn idle(&self) -> MutexGuard<'_, HashMap<Destination, Vec<Idle>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes what waited too long or was hung up on, for as long as anything waits.
async fn sweep(shared: Weak<Shared>) {
    loop {
        sleep(IDLE_FOR / 2).await;
        let Some(shared) = shared.upgrade() else { return };
        let mut idle = shared.idle();
        idle.retain(|_, lines| {
            lines.retain_mut(|idle| idle.since.elapsed() < IDLE_FOR && idle.line.is_ready());
            !lines.is_empty()
        });
        if idle.is_empty() {
            shared.is_swept.store(false, Ordering::Relaxed);
            return;
        }
    }
}
