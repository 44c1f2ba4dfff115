//! An upstream that a test scripts: it accepts, reads and writes only when the test calls it.

use std::net::TcpListener as StdTcpListener;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A scripted upstream.
pub(super) struct ScriptedUpstream {
    listener: TcpListener,
}

impl ScriptedUpstream {
    pub(super) fn new() -> Self {
        let bound = StdTcpListener::bind("127.0.0.1:0").unwrap();
        bound.set_nonblocking(true).unwrap();
        Self { listener: TcpListener::from_std(bound).unwrap() }
    }

    pub(super) fn port(&self) -> u16 {
        self.listener.local_addr().unwrap().port()
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port())
    }

    pub(super) async fn accept(&self) -> ScriptedConnection {
        let (stream, _) = self.listener.accept().await.unwrap();
        ScriptedConnection { stream, unread: Vec::new() }
    }

    /// Accepts one connection, replies to one request on it and closes it. Returns the request.
    pub(super) async fn serve_once(&self, reply: &str) -> String {
        let mut connection = self.accept().await;
        let request = connection.read_request().await;
        connection.reply(reply.as_bytes()).await;
        request
    }
}

/// A connection that a client opened.
pub(super) struct ScriptedConnection {
    pub(super) stream: TcpStream,
    unread: Vec<u8>,
}

impl ScriptedConnection {
    /// Reads the next request, head and body, and returns it as received.
    pub(super) async fn read_request(&mut self) -> String {
        loop {
            if let Some(length) = message_length(&self.unread) {
                let rest = self.unread.split_off(length);
                return String::from_utf8(std::mem::replace(&mut self.unread, rest)).unwrap();
            }
            assert_ne!(self.stream.read_buf(&mut self.unread).await.unwrap(), 0, "the client closed the connection");
        }
    }

    /// Writes the reply, or as much of it as the client reads.
    pub(super) async fn reply(&mut self, reply: &[u8]) {
        let _ = self.stream.write_all(reply).await;
    }

    /// Repeats the chunk until the client closes the connection.
    pub(super) async fn reply_forever(&mut self, chunk: &[u8]) {
        while self.stream.write_all(chunk).await.is_ok() {}
    }

    /// Resolves when the client closes its side.
    pub(super) async fn wait_for_close(&mut self) {
        let mut rest = Vec::new();
        let _ = self.stream.read_to_end(&mut rest).await;
    }
}

/// Length of the first message, once it is complete.
fn message_length(bytes: &[u8]) -> Option<usize> {
    let head_length = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&bytes[..head_length]).unwrap();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
    let total = head_length + length.map_or(0, |length| length.parse().unwrap());
    (bytes.len() >= total).then_some(total)
}

/// A listener that must not receive a connection.
pub(super) struct EgressCanary(StdTcpListener);

impl EgressCanary {
    pub(super) fn at(address: &str) -> Self {
        let bound = StdTcpListener::bind((address, 0)).unwrap();
        bound.set_nonblocking(true).unwrap();
        Self(bound)
    }

    pub(super) fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    /// A connection stays in the accept queue even if the client has closed it.
    #[track_caller]
    pub(super) fn assert_unvisited(&self, context: &str) {
        assert!(self.0.accept().is_err(), "unexpected connection: {context}");
    }
}
