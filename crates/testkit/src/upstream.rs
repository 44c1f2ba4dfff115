//! A fake upstream on the loopback address: sends configured responses and records requests.
//!
//! ```ignore
//! let upstream = Upstream::builder().route("/text", MockResponse::text("hello")).start();
//! call_a_tool_at(&upstream.url("/text")).await;
//! assert_eq!(upstream.requests()[0].target, "/text");
//! ```
//!
//! It runs on its own thread, so a test may block (by starting a [`RunningService`](crate::RunningService), for
//! instance) while it serves. Nothing depends on the clock, except for responses that are sent piece by piece: a slow
//! response waits for its [`ResponseGate`], and tests wait for requests, closed connections and abandoned requests as
//! events. Responses of a hostile upstream are in [`hostile`](crate::hostile).

mod builder;
mod connection;
mod received_request;
mod response;
mod start;

pub use builder::UpstreamBuilder;
pub use received_request::ReceivedRequest;
pub use response::{MockResponse, ResponseGate};

use std::net::SocketAddr;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::{oneshot, watch};

/// How long a test waits for an event: far longer than an event takes, far shorter than the test runner's timeout.
const EVENT_TIMEOUT: Duration = Duration::from_mins(1);

/// A fake upstream that serves until it is dropped.
#[derive(Debug)]
pub struct Upstream {
    address: SocketAddr,
    activity: watch::Receiver<UpstreamActivity>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The requests and connections recorded so far.
#[derive(Debug, Clone, Default)]
struct UpstreamActivity {
    requests: Vec<ReceivedRequest>,
    connections: ConnectionCounts,
    abandoned: usize,
}

/// Counts of opened and closed connections.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConnectionCounts {
    /// All accepted connections.
    pub opened: usize,
    /// Those closed since, by either side.
    pub closed: usize,
}

impl Upstream {
    /// Configures an upstream; paths without a response return 404.
    pub fn builder() -> UpstreamBuilder {
        UpstreamBuilder::new()
    }

    /// An upstream whose responses all come from `handler`.
    pub fn with_handler(handler: impl Fn(&ReceivedRequest) -> MockResponse + Send + Sync + 'static) -> Self {
        Self::builder().fallback(handler).start()
    }

    /// The URL of `path`, which begins with a slash and may have a query.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// `host:port`, for raw sockets and settings.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of requests so far.
    pub fn request_count(&self) -> usize {
        self.activity.borrow().requests.len()
    }

    /// The number of requests for this path, independent of the query.
    pub fn request_count_for(&self, path: &str) -> usize {
        self.activity.borrow().requests.iter().filter(|request| request.path() == path).count()
    }

    /// All requests so far, in the order of their completion.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.activity.borrow().requests.clone()
    }

    /// The latest request.
    #[track_caller]
    pub fn last(&self) -> ReceivedRequest {
        let last = self.activity.borrow().requests.last().cloned();
        last.unwrap_or_else(|| panic!("the upstream received no request"))
    }

    /// The connections opened and closed so far.
    pub fn connections(&self) -> ConnectionCounts {
        self.activity.borrow().connections
    }

    /// The number of requests whose client disconnected before the response was complete.
    pub fn abandoned(&self) -> usize {
        self.activity.borrow().abandoned
    }

    /// Waits until `count` requests have arrived, answered or not, and returns the last of them.
    pub async fn wait_for_requests(&self, count: usize) -> ReceivedRequest {
        self.wait("requests", count, |activity| activity.requests.len()).await;
        let requests = &self.activity.borrow().requests;
        requests.get(count.saturating_sub(1)).cloned().unwrap_or_else(|| panic!("there is no request number {count}"))
    }

    /// Waits until the clients of `count` requests have disconnected before the response was complete.
    pub async fn wait_for_abandoned(&self, count: usize) {
        self.wait("abandoned requests", count, |activity| activity.abandoned).await;
    }

    /// Waits until `count` connections are closed.
    pub async fn wait_for_closed_connections(&self, count: usize) {
        self.wait("closed connections", count, |activity| activity.connections.closed).await;
    }

    async fn wait(&self, events: &str, count: usize, recorded: impl Fn(&UpstreamActivity) -> usize) {
        let mut activity = self.activity.clone();
        let reached = activity.wait_for(|activity| recorded(activity) >= count);
        let in_time = matches!(tokio::time::timeout(EVENT_TIMEOUT, reached).await, Ok(Ok(_)));
        assert!(in_time, "expected {count} {events}, recorded: {:#?}", self.activity.borrow());
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread does not panic: the runtime catches a panic of a handler, whose connection then ends without a
            // response.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
