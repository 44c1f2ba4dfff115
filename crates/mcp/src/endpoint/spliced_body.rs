//! The body of a reply that contains a large stored result, such as a list: the result is sent from where it is stored,
//! between the bytes that differ from reply to reply.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// Three parts, of which the last is not empty. The connection writes them without joining them in memory, and together
/// if they are small enough for its buffer.
#[derive(Debug)]
pub(super) struct SplicedBody {
    parts: [Bytes; 3],
    /// The index of the part that is sent next.
    next: usize,
}

impl SplicedBody {
    pub(super) fn new(parts: [Bytes; 3]) -> Self {
        Self { parts, next: 0 }
    }

    fn unsent(&self) -> &[Bytes] {
        self.parts.get(self.next..).unwrap_or_default()
    }
}

impl Body for SplicedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let part = self.unsent().first().cloned();
        self.next += 1;
        Poll::Ready(part.map(|part| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.unsent().is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.unsent().iter().map(|part| part.len() as u64).sum())
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    #[tokio::test]
    async fn all_parts_are_sent_in_their_order_and_their_length_is_known_before() {
        let mut body = SplicedBody::new(["ab", "cde", "f"].map(|part| Bytes::from_static(part.as_bytes())));
        assert_eq!(body.size_hint().exact(), Some(6));
        let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!((first, body.size_hint().exact(), body.is_end_stream()), ("ab".into(), Some(4), false));
        assert_eq!(body.collect().await.unwrap().to_bytes(), "cdef");
        let mut body = SplicedBody { parts: Default::default(), next: 3 };
        assert!(body.is_end_stream() && body.frame().await.is_none());
    }
}
