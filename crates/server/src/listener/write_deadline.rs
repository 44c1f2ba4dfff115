//! Closes connections whose peer does not read, so that a pending response does not hold its memory forever. Event
//! streams without pending bytes are not affected.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::AsyncWrite;
use tokio::time::{Sleep, sleep};

use super::activity::Activity;

/// How long a peer may take to read the next [`PROGRESS_BYTES_MIN`] of pending bytes.
pub(super) const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// How many bytes a peer must read in that time; single bytes are not enough progress.
const PROGRESS_BYTES_MIN: usize = 128 * 1024;

/// The write half of a connection with a write timeout, which restarts with each [`PROGRESS_BYTES_MIN`] written.
pub(super) struct WriteDeadline<T> {
    inner: T,
    /// Runs from the first pending write until everything is flushed or enough is written.
    timer: Option<Pin<Box<Sleep>>>,
    /// Bytes written since the timer was reset.
    progress: usize,
    activity: Arc<Activity>,
}

impl<T> WriteDeadline<T> {
    pub(super) fn new(inner: T, activity: Arc<Activity>) -> Self {
        Self { inner, timer: None, progress: 0, activity }
    }

    /// Returns the outcome of a write, or an error if the write timeout has expired.
    fn check(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        self.activity.on_write();
        if let Poll::Ready(outcome) = written {
            self.progress += outcome.as_ref().copied().unwrap_or(0);
            if self.progress >= PROGRESS_BYTES_MIN {
                self.reset();
            }
            return Poll::Ready(outcome);
        }
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(WRITE_TIMEOUT)));
        ready!(timer.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer does not read")))
    }

    /// Stops the timer: nothing is pending, or the peer has read enough.
    fn reset(&mut self) {
        (self.timer, self.progress) = (None, 0);
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for WriteDeadline<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.check(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, bytes);
        self.check(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = ready!(Pin::new(&mut self.inner).poll_flush(context));
        self.reset();
        self.activity.on_flush();
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
        let (stream, mut peer) = duplex(8);
        let mut writer = WriteDeadline::new(stream, Arc::default());
        let began = Instant::now();
        let error = writer.write_all(&[0; 64]).await.unwrap_err();
        assert_eq!((error.kind(), began.elapsed()), (io::ErrorKind::TimedOut, WRITE_TIMEOUT));
        let mut buffer = [0; 8];
        peer.read_exact(&mut buffer).await.unwrap();
    }

    /// Writes a megabyte to a peer that reads `piece` bytes every ten seconds.
    async fn write_to_slow_peer(piece: usize) -> io::Result<()> {
        let (stream, mut peer) = duplex(8);
        let mut writer = WriteDeadline::new(stream, Arc::default());
        let reading = async {
            let mut buffer = vec![0; piece];
            while peer.read_exact(&mut buffer).await.is_ok() {
                sleep(Duration::from_secs(10)).await;
            }
        };
        let writing = async {
            let written = writer.write_all(&vec![0; 1024 * 1024]).await;
            drop(writer);
            written
        };
        tokio::join!(writing, reading).0
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_reads_slowly_keeps_its_connection_and_one_that_reads_too_little_does_not() {
        write_to_slow_peer(64 * 1024).await.unwrap();
        assert_eq!(write_to_slow_peer(2048).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
