//! Connections that wait for their next request.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use ahash::HashMap;
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
use super::lane::Lanes;
use super::line::{Http1, Line, Wire};

pub(super) const HEAD_MAX: usize = 128 * 1024;
pub(super) const HEADERS_MAX: usize = 200;
/// On each thread.
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
    idle: Lanes<Mutex<Waiting>>,
    /// Connections of HTTP/2, and whoever looks for those that waited too long.
    tasks: TaskTracker,
    is_swept: AtomicBool,
}

type Waiting = HashMap<Destination, Vec<Idle>>;

/// A connection without a request.
struct Idle {
    line: Line,
    since: Instant,
}

impl Pool {
    pub(super) fn new(connector: Connector) -> Self {
        let (idle, tasks) = (Lanes::default(), TaskTracker::new());
        Self { shared: Arc::new(Shared { connector, idle, tasks, is_swept: AtomicBool::new(false) }) }
    }

    /// A connection that was in use before.
    pub(super) fn take(&self, destination: &Destination) -> Option<Line> {
        self.shared.idle.own_first().find_map(|waiting| take(waiting, destination))
    }

    /// Keeps a connection whose answer has been read, if another request can follow.
    pub(super) fn keep(&self, destination: &Destination, mut line: Line) {
        if !line.is_ready() {
            return;
        }
        let mut waiting = lock(self.shared.idle.of(line.lane));
        let lines = match waiting.get_mut(destination) {
            Some(lines) => lines,
            None => waiting.entry(destination.clone()).or_default(),
        };
        let is_there = line.is_shared() && lines.iter().any(|idle| idle.line.is_shared());
        if lines.len() < IDLE_PER_HOST_MAX && !is_there {
            lines.push(Idle { line, since: Instant::now() });
        }
        drop(waiting);
        if !self.shared.is_swept.swap(true, Ordering::Relaxed) {
            self.shared.tasks.spawn(sweep(Arc::downgrade(&self.shared)));
        }
    }

    /// How many wait with this thread.
    #[cfg(test)]
    pub(super) fn waiting_here(&self) -> usize {
        lock(self.shared.idle.of(super::lane::Lane::own())).values().map(Vec::len).sum()
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
            return Ok(Line::new(Wire::Http2(sender)));
        }
        let mut builder = http1::Builder::new();
        builder.max_buf_size(HEAD_MAX).max_headers(HEADERS_MAX);
        let (sender, connection) =
            builder.handshake(socket).await.map_err(|error| EgressError::without_head(&error))?;
        Ok(Line::new(Wire::Http1(Http1::new(sender, connection))))
    }
}

/// The last used first: it is the likeliest to live.
fn take(waiting: &Mutex<Waiting>, destination: &Destination) -> Option<Line> {
    loop {
        let mut waiting = lock(waiting);
        let lines = waiting.get_mut(destination)?;
        let Some(Idle { line, since }) = lines.pop() else {
            waiting.remove(destination);
            return None;
        };
        if since.elapsed() >= IDLE_FOR || !line.may_be_ready() {
            continue;
        }
        if let Some(line) = line.share() {
            // It stays for others, too.
            lines.push(Idle { line, since: Instant::now() });
        }
        return Some(line);
    }
}

fn lock(waiting: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Closes what waited too long or was hung up on, for as long as anything waits.
async fn sweep(shared: Weak<Shared>) {
    loop {
        sleep(IDLE_FOR / 2).await;
        let Some(shared) = shared.upgrade() else { return };
        // Before the look: whoever keeps a connection meanwhile sees to the next one.
        shared.is_swept.store(false, Ordering::Relaxed);
        let sweep = |waiting: &Mutex<Waiting>| {
            let mut waiting = lock(waiting);
            waiting.retain(|_, lines| {
                lines.retain_mut(|idle| idle.since.elapsed() < IDLE_FOR && idle.line.is_ready());
                !lines.is_empty()
            });
            waiting.is_empty()
        };
        let left = shared.idle.own_first().filter(|waiting| !sweep(waiting)).count();
        if left == 0 || shared.is_swept.swap(true, Ordering::Relaxed) {
            return;
        }
    }
}
