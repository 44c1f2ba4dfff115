//! Closes a connection whose last request was answered before it was read completely, for instance a large body that is
//! refused by its declared length. If the socket closed while the peer is still sending, the kernel would reset the
//! connection and discard the response at the peer. So the write half is shut down first, and the data of the peer is
//! discarded until it closes the connection or a limit is reached (RFC 9112, section 9.6).

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::time::timeout;

/// How long a peer may continue to send.
const LINGER_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of bytes of a peer that are discarded.
const LINGER_BYTES_MAX: usize = 128 * 1024 * 1024;
const READ_BYTES_MAX: usize = 16 * 1024;

/// Reads and discards until the peer closes the connection or a limit is reached. The write half must be shut down.
pub(super) async fn linger(reader: &mut (impl AsyncRead + Unpin)) {
    let discarding = async {
        let mut left = LINGER_BYTES_MAX;
        while let Ok(1..) = poll_fn(|context| poll_discard(reader, &mut left, context)).await {}
    };
    let _ = timeout(LINGER_TIMEOUT, discarding).await;
}

/// Discards some bytes and returns their number: 0 at the end of the stream and at the limit.
fn poll_discard(
    reader: &mut (impl AsyncRead + Unpin),
    left: &mut usize,
    context: &mut Context<'_>,
) -> Poll<io::Result<usize>> {
    // On the stack, so that a connection that waits for bytes holds no buffer.
    let mut bytes = [0; READ_BYTES_MAX];
    let mut buffer = ReadBuf::new(bytes.split_at_mut(READ_BYTES_MAX.min(*left)).0);
    ready!(Pin::new(reader).poll_read(context, &mut buffer))?;
    let read = buffer.filled().len();
    *left -= read;
    Poll::Ready(Ok(read))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncWriteExt, duplex};
    use tokio::time::{Instant, interval};

    #[tokio::test(start_paused = true)]
    async fn all_bytes_are_discarded_until_the_peer_closes() {
        let (mut stream, mut peer) = duplex(1024);
        let began = Instant::now();
        let sending = async {
            peer.write_all(&vec![0; 1024 * 1024]).await.unwrap();
            drop(peer);
        };
        tokio::join!(linger(&mut stream), sending);
        assert_eq!(began.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_sends_slowly_is_cut_off_after_the_timeout() {
        let (mut stream, mut peer) = duplex(1024);
        let began = Instant::now();
        let mut ticks = interval(Duration::from_millis(500));
        let sending = async {
            loop {
                ticks.tick().await;
                peer.write_all(b" ").await.unwrap();
            }
        };
        tokio::select! {
            () = linger(&mut stream) => {}
            () = sending => {}
        }
        assert_eq!(began.elapsed(), LINGER_TIMEOUT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_sends_endlessly_is_cut_off_at_the_limit() {
        let (mut endless, began) = (tokio::io::repeat(0), Instant::now());
        linger(&mut endless).await;
        assert_eq!(began.elapsed(), Duration::ZERO);
    }
}
