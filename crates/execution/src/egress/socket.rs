//! A socket to an upstream that yields to other tasks: hyper reads for as long as data is available, so a flood of
//! interim responses, which are discarded, would occupy a thread and delay deadlines.

use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::yield_now;

/// The number of reads, of at most 128 KiB each, before the task yields. From then on it yields after every read, until
/// the socket has no data.
const READS_MAX: u8 = 2;

/// A TCP connection to an upstream.
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
        if self.reads >= READS_MAX {
            self.reads = READS_MAX - 1;
            // Unlike waking the task directly, `yield_now` lets the runtime process timers and other sockets first.
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
