//! An upstream in the hands of a test: it accepts, reads and writes when told to, and nothing by itself.

use std::net::TcpListener as Bound;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Somebody who listens.
pub(super) struct Upstream {
    listener: TcpListener,
}

impl Upstream {
    pub(super) fn new() -> Self {
        let bound = Bound::bind("127.0.0.1:0").unwrap();
        bound.set_nonblocking(true).unwrap();
        Self { listener: TcpListener::from_std(bound).unwrap() }
    }

    pub(super) fn port(&self) -> u16 {
        self.listener.local_addr().unwrap().port()
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port())
    }

    pub(super) async fn accept(&self) -> Peer {
        let (stream, _) = self.listener.accept().await.unwrap();
        Peer { stream, unread: Vec::new() }
    }

    /// Takes one connection, answers one request on it and closes it.
    pub(super) async fn serve_once(&self, reply: &str) -> String {
        let mut peer = self.accept().await;
        let request = peer.request().await;
        peer.reply(reply.as_bytes()).await;
        request
    }
}

/// One connection of a client.
pub(super) struct Peer {
    pub(super) stream: TcpStream,
    unread: Vec<u8>,
}

impl Peer {
    /// The next request, head and body, as it came.
    pub(super) async fn request(&mut self) -> String {
        loop {
            if let Some(length) = message_length(&self.unread) {
                let rest = self.unread.split_off(length);
                return String::from_utf8(std::mem::replace(&mut self.unread, rest)).unwrap();
            }
            assert_ne!(self.stream.read_buf(&mut self.unread).await.unwrap(), 0, "the client hung up");
        }
    }

    /// Writes as far as the client reads on.
    pub(super) async fn reply(&mut self, reply: &[u8]) {
        let _ = self.stream.write_all(reply).await;
    }

    /// Writes the same again and again until the client hangs up.
    pub(super) async fn reply_forever(&mut self, piece: &[u8]) {
        while self.stream.write_all(piece).await.is_ok() {}
    }

    /// Resolves when the client closes its side.
    pub(super) async fn hung_up(&mut self) {
        let mut rest = Vec::new();
        let _ = self.stream.read_to_end(&mut rest).await;
    }
}

/// Length of the first message, once it is all there.
fn message_length(bytes: &[u8]) -> Option<usize> {
    let head = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&bytes[..head]).unwrap();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
    let whole = head + length.map_or(0, |length| length.parse().unwrap());
    (bytes.len() >= whole).then_some(whole)
}

/// Listens, but nobody must come.
pub(super) struct Canary(Bound);

impl Canary {
    pub(super) fn at(address: &str) -> Self {
        let bound = Bound::bind((address, 0)).unwrap();
        bound.set_nonblocking(true).unwrap();
        Self(bound)
    }

    pub(super) fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    /// A connection that was made waits in the queue, whether or not the client is still there.
    #[track_caller]
    pub(super) fn assert_unvisited(&self, why: &str) {
        assert!(self.0.accept().is_err(), "somebody came: {why}");
    }
}
