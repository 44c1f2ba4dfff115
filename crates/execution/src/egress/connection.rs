//! A socket to an upstream that makes way for others: hyper reads on for as long as there is something to read, and a
//! flood of interim answers, of which nothing is kept, would hold a thread and make deadlines late.

use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::yield_now;

/// How often is read, at most 128 KiB each time, before others have their turn; from then on after every time, until
/// there is a pause.
const TURN: u8 = 2;

/// The socket.
pub(super) struct UpstreamSocket {
    stream: TokioIo<TcpStream>,
    reads: u8,
}

impl UpstreamSocket {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream: TokioIo::new(stream), reads: 0 }
    }
}

impl Connection for UpstreamSocket {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl Read for UpstreamSocket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        if self.reads >= TURN {
            self.reads = TURN - 1;
            // Woken only once the runtime has looked at its clocks and other sockets.
            let _ = pin!(yield_now()).poll(cx);
            return Poll::Pending;
        }
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        self.reads = if read.is_ready() { self.reads + 1 } else { 0 };
        read
    }
}

impl Write for UpstreamSocket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }
}
