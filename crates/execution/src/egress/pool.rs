//! The pool of idle connections.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use ahash::HashMap;
use hyper::client::conn::{http1, http2};
use hyper_util::client::legacy::connect::Connection as _;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::{Instant, sleep};
use tokio_util::task::TaskTracker;
use toolgate_domain::sync::lock;

use super::connector::Connector;
use super::error::EgressError;
use super::hop::Hop;
use super::origin::UpstreamOrigin;
use super::thread_shard::ThreadShards;
use super::upstream_connection::{Http1Connection, UpstreamConnection, UpstreamProtocol};

/// The maximum size of a response head.
const HEAD_BYTES_MAX: usize = 128 * 1024;
/// The maximum number of header lines in a response head.
pub(super) const HEADERS_MAX: usize = 200;
/// The maximum number of idle connections per origin and thread shard.
const IDLE_PER_ORIGIN_MAX: usize = 128;
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// The interval of pings on HTTP/2 connections: calls share a connection, and without pings all of them would wait for
/// a dead one.
const PING_INTERVAL: Duration = Duration::from_secs(10);

/// The connection pool. Clones share the connections.
#[derive(Clone)]
pub(super) struct Pool {
    inner: Arc<PoolInner>,
}

struct PoolInner {
    connector: Connector,
    idle: ThreadShards<Mutex<IdleConnections>>,
    /// The I/O tasks of HTTP/2 connections, and the sweep of idle connections.
    tasks: TaskTracker,
    is_sweep_scheduled: AtomicBool,
}

type IdleConnections = HashMap<UpstreamOrigin, Vec<IdleConnection>>;

/// A connection without a request.
struct IdleConnection {
    connection: UpstreamConnection,
    idle_since: Instant,
}

impl Pool {
    pub(super) fn new(connector: Connector) -> Self {
        let (idle, tasks) = (ThreadShards::default(), TaskTracker::new());
        Self { inner: Arc::new(PoolInner { connector, idle, tasks, is_sweep_scheduled: AtomicBool::new(false) }) }
    }

    /// Takes an idle connection to `origin`, if there is one.
    pub(super) fn take(&self, origin: &UpstreamOrigin) -> Option<UpstreamConnection> {
        self.inner.idle.current_first().find_map(|idle| take_from(idle, origin))
    }

    /// Returns a connection to the pool after its response has been read, if it can carry another request.
    pub(super) fn release(&self, origin: &UpstreamOrigin, mut connection: UpstreamConnection) {
        if !connection.is_ready() {
            return;
        }
        let mut idle = lock(self.inner.idle.get(connection.shard));
        let connections = match idle.get_mut(origin) {
            Some(connections) => connections,
            None => idle.entry(origin.clone()).or_default(),
        };
        // One connection per origin and shard is enough if requests can share it.
        let is_duplicate = connection.is_shared() && connections.iter().any(|idle| idle.connection.is_shared());
        if connections.len() < IDLE_PER_ORIGIN_MAX && !is_duplicate {
            connections.push(IdleConnection { connection, idle_since: Instant::now() });
        }
        drop(idle);
        if !self.inner.is_sweep_scheduled.swap(true, Ordering::Relaxed) {
            self.inner.tasks.spawn(sweep(Arc::downgrade(&self.inner)));
        }
    }

    /// How many idle connections this thread's shard holds.
    #[cfg(test)]
    pub(super) fn idle_count_on_this_thread(&self) -> usize {
        lock(self.inner.idle.get(super::thread_shard::ThreadShard::current())).values().map(Vec::len).sum()
    }

    /// Opens a new connection.
    pub(super) async fn open(&self, hop: &Hop<'_>) -> Result<UpstreamConnection, EgressError> {
        let socket = self.inner.connector.connect(hop.uri.clone()).await?;
        if socket.connected().is_negotiated_h2() {
            let mut builder = http2::Builder::new(TokioExecutor::new());
            builder.timer(TokioTimer::new()).max_header_list_size(u32::try_from(HEAD_BYTES_MAX).unwrap_or(u32::MAX));
            builder.keep_alive_interval(PING_INTERVAL).keep_alive_timeout(PING_INTERVAL);
            let (sender, connection) =
                builder.handshake(socket).await.map_err(|error| EgressError::from_head_error(&error))?;
            self.inner.tasks.spawn(connection);
            return Ok(UpstreamConnection::new(UpstreamProtocol::Http2(sender)));
        }
        let mut builder = http1::Builder::new();
        builder.max_buf_size(HEAD_BYTES_MAX).max_headers(HEADERS_MAX);
        let (sender, connection) =
            builder.handshake(socket).await.map_err(|error| EgressError::from_head_error(&error))?;
        Ok(UpstreamConnection::new(UpstreamProtocol::Http1(Http1Connection::new(sender, connection))))
    }
}

/// Takes the most recently used connection first: it is the least likely to have been closed.
fn take_from(idle: &Mutex<IdleConnections>, origin: &UpstreamOrigin) -> Option<UpstreamConnection> {
    loop {
        let mut idle = lock(idle);
        let connections = idle.get_mut(origin)?;
        let Some(IdleConnection { connection, idle_since }) = connections.pop() else {
            idle.remove(origin);
            return None;
        };
        if idle_since.elapsed() >= IDLE_TIMEOUT || !connection.may_be_ready() {
            continue;
        }
        if let Some(connection) = connection.share() {
            // A shared connection stays available to other calls.
            connections.push(IdleConnection { connection, idle_since: Instant::now() });
        }
        return Some(connection);
    }
}

/// Closes connections that are idle for too long or were closed by the upstream. Ends when no connection is idle.
async fn sweep(inner: Weak<PoolInner>) {
    loop {
        sleep(IDLE_TIMEOUT / 2).await;
        let Some(inner) = inner.upgrade() else { return };
        // Cleared before the shards are visited: a connection released from now on schedules another sweep.
        inner.is_sweep_scheduled.store(false, Ordering::Relaxed);
        let sweep_shard = |idle: &Mutex<IdleConnections>| {
            let mut idle = lock(idle);
            idle.retain(|_, connections| {
                connections.retain_mut(|idle| idle.idle_since.elapsed() < IDLE_TIMEOUT && idle.connection.is_ready());
                !connections.is_empty()
            });
            idle.is_empty()
        };
        let occupied_shards = inner.idle.current_first().filter(|idle| !sweep_shard(idle)).count();
        if occupied_shards == 0 || inner.is_sweep_scheduled.swap(true, Ordering::Relaxed) {
            return;
        }
    }
}
