//! What goes on in a connection, as those know who read, write and answer for it. One in which nothing goes on does
//! without the buffers of HTTP.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};

/// Of one connection, whose one task does all of it.
#[derive(Debug, Default)]
pub(super) struct Activity {
    /// Heads that were read. Of several at once, all but the first wait in hyper's buffer.
    heads: AtomicUsize,
    /// Requests that somebody began to answer.
    begun: AtomicUsize,
    /// Those of them under way, to the last of their answer.
    under_way: AtomicUsize,
    /// Part of a request was read, and more is to come.
    is_reading: AtomicBool,
    /// Something was written that has not all left.
    is_writing: AtomicBool,
    /// How often something was read.
    reads: AtomicUsize,
}

impl Activity {
    /// A request is under way until the answer is dropped.
    pub(super) fn begin(self: &Arc<Self>) -> UnderWay {
        self.begun.fetch_add(1, Relaxed);
        self.under_way.fetch_add(1, Relaxed);
        UnderWay(Arc::clone(self))
    }

    /// Bytes came in, with so many heads in all up to now.
    pub(super) fn read(&self, heads: usize, is_within_request: bool) {
        self.reads.fetch_add(1, Relaxed);
        self.heads.store(heads, Relaxed);
        self.is_reading.store(is_within_request, Relaxed);
    }

    /// How often something was read: the same number twice, and nobody came meanwhile.
    pub(super) fn reads(&self) -> usize {
        self.reads.load(Relaxed)
    }

    /// Bytes go out.
    pub(super) fn write(&self) {
        self.is_writing.store(true, Relaxed);
    }

    /// All of them are out.
    pub(super) fn flush(&self) {
        self.is_writing.store(false, Relaxed);
    }

    /// Whether the next thing to happen is a request, if anything.
    pub(super) fn is_idle(&self) -> bool {
        self.under_way.load(Relaxed) == 0
            && self.heads.load(Relaxed) == self.begun.load(Relaxed)
            && !self.is_reading.load(Relaxed)
            && !self.is_writing.load(Relaxed)
    }
}

/// A request under way.
#[derive(Debug)]
pub(super) struct UnderWay(Arc<Activity>);

impl UnderWay {
    /// The body of its answer: the request is under way until that is dropped.
    pub(super) fn until_told(self, body: Body) -> Telling {
        Telling { body, _under_way: self }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Relaxed);
    }
}

/// An answer on its way to the connection.
#[derive(Debug)]
pub(super) struct Telling {
    body: Body,
    _under_way: UnderWay,
}

impl http_body::Body for Telling {
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
    fn a_connection_is_idle_once_all_that_came_is_answered_and_gone() {
        let activity = Arc::new(Activity::default());
        assert!(activity.is_idle());
        activity.read(0, true);
        assert!(!activity.is_idle(), "half a head");
        activity.read(2, false);
        assert!(!activity.is_idle(), "two requests that nobody began to answer");
        drop(activity.begin());
        assert!(!activity.is_idle(), "the second waits");
        let telling = activity.begin().until_told(Body::empty());
        assert!(!activity.is_idle(), "an answer on its way");
        activity.write();
        drop(telling);
        assert!(!activity.is_idle(), "bytes on their way");
        activity.flush();
        assert!(activity.is_idle());
    }
}
