//! Tracks whether a connection is idle. An idle connection gives up its HTTP buffers.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};

/// The activity of one connection. One task reads, writes and handles requests, so relaxed ordering is enough.
#[derive(Debug, Default)]
pub(super) struct Activity {
    /// Complete heads that were read. With pipelining, all but the first wait in hyper's buffer.
    heads: AtomicUsize,
    /// Requests whose handling has started.
    started: AtomicUsize,
    /// Started requests whose response body is not dropped yet.
    active: AtomicUsize,
    /// A request was read in part.
    is_reading: AtomicBool,
    /// Bytes were written and not flushed yet.
    is_writing: AtomicBool,
    /// Number of reads from the socket.
    reads: AtomicUsize,
}

impl Activity {
    /// Marks a request as active until the returned value is dropped.
    pub(super) fn start_request(self: &Arc<Self>) -> ActiveRequest {
        self.started.fetch_add(1, Relaxed);
        self.active.fetch_add(1, Relaxed);
        ActiveRequest(Arc::clone(self))
    }

    /// Records a read; `heads` is the number of complete heads on this connection.
    pub(super) fn on_read(&self, heads: usize, is_within_request: bool) {
        self.reads.fetch_add(1, Relaxed);
        self.heads.store(heads, Relaxed);
        self.is_reading.store(is_within_request, Relaxed);
    }

    /// The number of reads: the same number twice means that nothing was read in between.
    pub(super) fn reads(&self) -> usize {
        self.reads.load(Relaxed)
    }

    /// Records a write.
    pub(super) fn on_write(&self) {
        self.is_writing.store(true, Relaxed);
    }

    /// Records that all bytes were flushed.
    pub(super) fn on_flush(&self) {
        self.is_writing.store(false, Relaxed);
    }

    /// Whether the last request was read in part. This is always true after a chunked body or a refused head, whose
    /// ends are not known.
    pub(super) fn is_within_request(&self) -> bool {
        self.is_reading.load(Relaxed)
    }

    /// Whether all requests are answered and the next event can only be a new request.
    pub(super) fn is_idle(&self) -> bool {
        self.active.load(Relaxed) == 0
            && self.heads.load(Relaxed) == self.started.load(Relaxed)
            && !self.is_within_request()
            && !self.is_writing.load(Relaxed)
    }
}

/// A request that is being handled.
#[derive(Debug)]
pub(super) struct ActiveRequest(Arc<Activity>);

impl ActiveRequest {
    /// Ties the request to the body of its response: it is active until the body is dropped.
    pub(super) fn track_body(self, body: Body) -> TrackedBody {
        TrackedBody { body, _request: self }
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        self.0.active.fetch_sub(1, Relaxed);
    }
}

/// A response body that marks its request as active.
#[derive(Debug)]
pub(super) struct TrackedBody {
    body: Body,
    _request: ActiveRequest,
}

impl http_body::Body for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_idle_once_all_requests_are_answered_and_flushed() {
        let activity = Arc::new(Activity::default());
        assert!(activity.is_idle());
        activity.on_read(0, true);
        assert!(!activity.is_idle(), "half a head was read");
        activity.on_read(2, false);
        assert!(!activity.is_idle(), "two requests were read and their handling has not started");
        drop(activity.start_request());
        assert!(!activity.is_idle(), "the handling of the second request has not started");
        let body = activity.start_request().track_body(Body::empty());
        assert!(!activity.is_idle(), "a response is being sent");
        activity.on_write();
        drop(body);
        assert!(!activity.is_idle(), "bytes are not flushed");
        activity.on_flush();
        assert!(activity.is_idle());
    }
}
