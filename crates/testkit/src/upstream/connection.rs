//! One connection to the fake upstream: reads, records and answers requests until either side closes.
//!
//! It uses no HTTP library, because tests check the exact bytes of a request, send invalid responses, and must know
//! when a client disconnects.

use std::sync::Arc;

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::watch;

use super::UpstreamActivity;
use super::builder::UpstreamBuilder;
use super::received_request::ReceivedRequest;
use super::response::{EncodedResponse, Ending, MockResponse};

/// One connection to the fake upstream.
pub(super) struct MockConnection {
    reader: OwnedReadHalf,
    writer: OwnedWriteHalf,
    /// Bytes that were read and not parsed yet.
    buffer: BytesMut,
    handlers: Arc<UpstreamBuilder>,
    guard: ConnectionGuard,
}

/// Counts a connection as open until it is dropped.
pub(super) struct ConnectionGuard {
    activity: Arc<watch::Sender<UpstreamActivity>>,
}

impl ConnectionGuard {
    pub(super) fn new(activity: Arc<watch::Sender<UpstreamActivity>>) -> Self {
        activity.send_modify(|activity| activity.connections.opened += 1);
        Self { activity }
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.activity.send_modify(|activity| activity.connections.closed += 1);
    }
}

impl MockConnection {
    pub(super) fn new(stream: TcpStream, handlers: Arc<UpstreamBuilder>, guard: ConnectionGuard) -> Self {
        // Responses are small; Nagle's algorithm would delay some until an acknowledgement.
        let _ = stream.set_nodelay(true);
        let (reader, writer) = stream.into_split();
        Self { reader, writer, buffer: BytesMut::new(), handlers, guard }
    }

    pub(super) async fn serve(mut self) {
        while let Some(request) = self.read_request().await {
            let activity = Arc::clone(&self.guard.activity);
            activity.send_modify(|activity| activity.requests.push(request.clone()));
            let response = self.handlers.respond(&request);
            let is_last_request =
                request.header_values("connection").iter().any(|value| value.eq_ignore_ascii_case("close"));
            if self.send_or_detect_close(&response, &request.method).await.is_none() {
                return activity.send_modify(|activity| activity.abandoned += 1);
            }
            match response.ending {
                Ending::KeepAlive if !is_last_request => {}
                Ending::Reset => return self.reset(),
                _ => return,
            }
        }
    }

    /// Resets the connection, so that the client reads an error and not the end of the stream.
    fn reset(self) {
        let _ = self.writer.as_ref().set_zero_linger();
        // Dropping the write half would send FIN, and the client would read the end of the stream.
        self.writer.forget();
    }

    /// Sends a response. Returns `None` if the client disconnects before its end.
    async fn send_or_detect_close(&mut self, response: &MockResponse, method: &str) -> Option<()> {
        let Self { reader, writer, buffer, .. } = self;
        let encoded = response.encode(method);
        tokio::select! {
            // Polls the send first: a response that can be sent is sent, and only an unfinished one is abandoned.
            biased;
            sent = send(writer, response, &encoded) => sent,
            () = wait_for_close(reader, buffer) => None,
        }
    }

    async fn read_request(&mut self) -> Option<ReceivedRequest> {
        let end = loop {
            if let Some(index) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break index + 4;
            }
            self.read_more().await?;
        };
        let head = self.buffer.split_to(end);
        let mut request = ReceivedRequest::parse_head(&String::from_utf8_lossy(&head))?;
        request.body = if request.header("transfer-encoding").is_some() {
            self.read_chunks().await?
        } else {
            let length = request.header("content-length").map_or(Some(0), |length| length.parse().ok())?;
            self.read_exactly(length).await?
        };
        Some(request)
    }

    async fn read_chunks(&mut self) -> Option<Bytes> {
        let mut body = BytesMut::new();
        loop {
            let line = self.read_line().await?;
            let length = usize::from_str_radix(line.split(';').next()?.trim(), 16).ok()?;
            if length == 0 {
                // Skips trailers, up to the empty line.
                while !self.read_line().await?.is_empty() {}
                return Some(body.freeze());
            }
            body.extend_from_slice(&self.read_exactly(length).await?);
            self.read_line().await?;
        }
    }

    async fn read_line(&mut self) -> Option<String> {
        let end = loop {
            if let Some(index) = self.buffer.windows(2).position(|window| window == b"\r\n") {
                break index;
            }
            self.read_more().await?;
        };
        let line = self.buffer.split_to(end);
        self.buffer.advance(2);
        Some(String::from_utf8_lossy(&line).into_owned())
    }

    async fn read_exactly(&mut self, length: usize) -> Option<Bytes> {
        while self.buffer.len() < length {
            self.read_more().await?;
        }
        Some(self.buffer.split_to(length).freeze())
    }

    async fn read_more(&mut self) -> Option<()> {
        let read = self.reader.read_buf(&mut self.buffer).await.ok()?;
        (read > 0).then_some(())
    }
}

/// Sends a response and runs its ending. Returns `None` if the client has disconnected.
async fn send(writer: &mut OwnedWriteHalf, response: &MockResponse, encoded: &EncodedResponse) -> Option<()> {
    if let Some(gate) = &response.gate {
        gate.wait().await;
    }
    writer.write_all(&encoded.head).await.ok()?;
    if let Some(gate) = &response.body_gate {
        gate.wait().await;
    }
    writer.write_all(&encoded.body).await.ok()?;
    match &response.ending {
        Ending::KeepAlive | Ending::Close | Ending::Reset => writer.flush().await.ok(),
        Ending::Hang => std::future::pending().await,
        Ending::Repeat { piece, pause } => loop {
            if let Some(pause) = pause {
                tokio::time::sleep(*pause).await;
            }
            writer.write_all(piece).await.ok()?;
        },
    }
}

/// Returns when the client closes the connection; bytes that arrive until then belong to its next request.
async fn wait_for_close(reader: &mut OwnedReadHalf, buffer: &mut BytesMut) {
    while matches!(reader.read_buf(buffer).await, Ok(read) if read > 0) {}
}
