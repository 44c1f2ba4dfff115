//! A peer that does not read must not hold a reply, and the memory it takes, for ever: when hardly a byte leaves for a
//! while although some wait, the connection breaks. A stream with nothing to say waits as long as it likes.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::AsyncWrite;
use tokio::time::{Sleep, sleep};

use super::activity::Activity;

/// How long a peer may take for the next [`SHARE`] of what waits for it.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// What a peer must take in that time: a few bytes now and then are not reading.
const SHARE: usize = 128 * 1024;

/// The way out of a connection, whose writes have a deadline, which each share written moves on.
pub(super) struct WriteDeadline<T> {
    inner: T,
    /// Runs from the first write that waits until all is written, or a share.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Bytes taken meanwhile.
    taken: usize,
    activity: Arc<Activity>,
}

impl<T> WriteDeadline<T> {
    pub(super) fn new(inner: T, activity: Arc<Activity>) -> Self {
        Self { inner, waiting: None, taken: 0, activity }
    }

    /// The outcome of a write, or the end of the patience with it.
    fn watch(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        self.activity.write();
        if let Poll::Ready(outcome) = written {
            self.taken += outcome.as_ref().copied().unwrap_or(0);
            if self.taken >= SHARE {
                self.rest();
            }
            return Poll::Ready(outcome);
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer does not read")))
    }

    /// Nothing waits any more, or enough was taken.
    fn rest(&mut self) {
        (self.waiting, self.taken) = (None, 0);
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for WriteDeadline<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, bytes);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = ready!(Pin::new(&mut self.inner).poll_flush(context));
        self.rest();
        self.activity.flush();
        Poll::Ready(flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_stops_reading_loses_its_connection() {
        let (ours, mut theirs) = duplex(8);
        let mut ours = WriteDeadline::new(ours, Arc::default());
        let began = Instant::now();
        let error = ours.write_all(&[0; 64]).await.unwrap_err();
        assert_eq!((error.kind(), began.elapsed()), (io::ErrorKind::TimedOut, PATIENCE));
        let mut taken = [0; 8];
        theirs.read_exact(&mut taken).await.unwrap();
    }

    /// A peer that takes `piece` bytes every ten seconds, and what becomes of a megabyte for it.
    async fn read_by(piece: usize) -> io::Result<()> {
        let (ours, mut theirs) = duplex(8);
        let mut ours = WriteDeadline::new(ours, Arc::default());
        let reading = async {
            let mut taken = vec![0; piece];
            while theirs.read_exact(&mut taken).await.is_ok() {
                sleep(Duration::from_secs(10)).await;
            }
        };
        let writing = async {
            let written = ours.write_all(&vec![0; 1024 * 1024]).await;
            drop(ours);
            written
        };
        tokio::join!(writing, reading).0
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_reads_slowly_keeps_it_and_one_that_nibbles_does_not() {
        read_by(64 * 1024).await.unwrap();
        assert_eq!(read_by(2048).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
