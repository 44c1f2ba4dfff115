//! A fake upstream on the loopback address: it answers as told and remembers what it was asked.
//!
//! ```ignore
//! let upstream = Upstream::builder().route("/text", Answer::text("hello")).start();
//! call_a_tool_at(&upstream.url("/text")).await;
//! assert_eq!(upstream.requests()[0].target, "/text");
//! ```
//!
//! It runs on a thread of its own, so a test may block (starting an [`App`](crate::App), for instance)
//! while it serves. Nothing here waits by the clock, but for answers that drip: a slow answer is one whose [`Gate`] is
//! still shut, and arrivals, departures and abandoned requests are events to wait for. What only a hostile
//! upstream says is in [`hostile`](crate::hostile).

mod answer;
mod builder;
mod connection;
mod received;

pub use answer::{Answer, Gate};
pub use builder::UpstreamBuilder;
pub use received::Received;

use std::net::SocketAddr;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::{oneshot, watch};

/// How long an event may take: far longer than it does, far shorter than a test runner's patience.
const PATIENCE: Duration = Duration::from_secs(20);

/// A fake upstream that serves until it is dropped.
#[derive(Debug)]
pub struct Upstream {
    address: SocketAddr,
    seen: watch::Receiver<Seen>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What the upstream saw so far.
#[derive(Debug, Clone, Default)]
struct Seen {
    requests: Vec<Received>,
    connections: Connections,
    abandoned: usize,
}

/// How many connections came and went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Connections {
    /// All that were accepted.
    pub opened: usize,
    /// Those of them that are closed, by either side.
    pub closed: usize,
}

impl Upstream {
    /// An upstream to be told its answers; what it was not told is a 404.
    pub fn builder() -> UpstreamBuilder {
        UpstreamBuilder::new()
    }

    /// An upstream that answers everything with `answer`.
    pub fn answering(answer: impl Fn(&Received) -> Answer + Send + Sync + 'static) -> Self {
        Self::builder().otherwise(answer).start()
    }

    /// The address of `path`, which begins with a slash and may have a query.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// `host:port`, for raw sockets and settings.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many requests came so far.
    pub fn hits(&self) -> usize {
        self.seen.borrow().requests.len()
    }

    /// How many requests came for this path, whatever their query.
    pub fn hits_of(&self, path: &str) -> usize {
        self.seen.borrow().requests.iter().filter(|request| request.path() == path).count()
    }

    /// All requests so far, in the order in which they were complete.
    pub fn requests(&self) -> Vec<Received> {
        self.seen.borrow().requests.clone()
    }

    /// The latest request.
    #[track_caller]
    pub fn last(&self) -> Received {
        let last = self.seen.borrow().requests.last().cloned();
        last.unwrap_or_else(|| panic!("the upstream was asked nothing"))
    }

    /// How many connections came and went so far.
    pub fn connections(&self) -> Connections {
        self.seen.borrow().connections
    }

    /// How many requests lost their client before they were answered.
    pub fn abandoned(&self) -> usize {
        self.seen.borrow().abandoned
    }

    /// Waits until `count` requests came, whether they are answered or not, and returns the last of them.
    pub async fn wait_for_requests(&self, count: usize) -> Received {
        self.wait("requests", count, |seen| seen.requests.len()).await;
        let requests = &self.seen.borrow().requests;
        requests.get(count.saturating_sub(1)).cloned().unwrap_or_else(|| panic!("there is no request number {count}"))
    }

    /// Waits until `count` requests lost their client before they were answered: calls that were given up.
    pub async fn wait_for_abandoned(&self, count: usize) {
        self.wait("abandoned requests", count, |seen| seen.abandoned).await;
    }

    /// Waits until `count` connections are closed.
    pub async fn wait_for_closed(&self, count: usize) {
        self.wait("closed connections", count, |seen| seen.connections.closed).await;
    }

    async fn wait(&self, what: &str, count: usize, number: impl Fn(&Seen) -> usize) {
        let mut seen = self.seen.clone();
        let come = seen.wait_for(|seen| number(seen) >= count);
        let in_time = matches!(tokio::time::timeout(PATIENCE, come).await, Ok(Ok(_)));
        assert!(in_time, "the upstream waited for {count} {what} and saw this: {:#?}", self.seen.borrow());
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread panics only while a test fails anyway.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
