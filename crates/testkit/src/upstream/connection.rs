//! One connection to the fake upstream: requests are read, noted and answered until a side closes.
//!
//! Written by hand, because a test wants to see the bytes that a library would tidy up, to send some
//! that no library would, and to know the moment at which a client leaves.

use std::sync::Arc;

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::watch;

use super::answer::{Ending, Written};
use super::{Answer, Received, Seen, UpstreamBuilder};

pub(super) struct Connection {
    reader: OwnedReadHalf,
    writer: OwnedWriteHalf,
    /// What was read and not used yet.
    buffer: BytesMut,
    answers: Arc<UpstreamBuilder>,
    counted: Counted,
}

/// Counts a connection as long as it is open, however it ends.
pub(super) struct Counted {
    notes: Arc<watch::Sender<Seen>>,
}

impl Counted {
    pub(super) fn new(notes: Arc<watch::Sender<Seen>>) -> Self {
        notes.send_modify(|seen| seen.connections.opened += 1);
        Self { notes }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.notes.send_modify(|seen| seen.connections.closed += 1);
    }
}

impl Connection {
    pub(super) fn new(stream: TcpStream, answers: Arc<UpstreamBuilder>, counted: Counted) -> Self {
        // Answers are small; without this some would wait for an acknowledgement.
        let _ = stream.set_nodelay(true);
        let (reader, writer) = stream.into_split();
        Self { reader, writer, buffer: BytesMut::new(), answers, counted }
    }

    pub(super) async fn serve(mut self) {
        while let Some(request) = self.read_request().await {
            let notes = Arc::clone(&self.counted.notes);
            notes.send_modify(|seen| seen.requests.push(request.clone()));
            let answer = self.answers.answer(&request);
            let is_last = request.header_values("connection").iter().any(|value| value.eq_ignore_ascii_case("close"));
            if self.send_or_notice_leave(&answer, &request.method).await.is_none() {
                return notes.send_modify(|seen| seen.abandoned += 1);
            }
            match answer.ending {
                Ending::Stay if !is_last => {}
                Ending::Reset => return self.reset(),
                _ => return,
            }
        }
    }

    /// Breaks the connection off: what a client gets is an error and no end.
    fn reset(self) {
        let _ = self.writer.as_ref().set_zero_linger();
        // Dropped, it would say goodbye.
        self.writer.forget();
    }

    /// `None` when the client left before the end of the answer.
    async fn send_or_notice_leave(&mut self, answer: &Answer, method: &str) -> Option<()> {
        let Self { reader, writer, buffer, .. } = self;
        let written = answer.write(method);
        tokio::select! {
            // An answer that can be sent is sent: only a client that leaves a waiting one behind is noted.
            biased;
            sent = send(writer, answer, &written) => sent,
            () = until_closed(reader, buffer) => None,
        }
    }

    async fn read_request(&mut self) -> Option<Received> {
        let end = loop {
            if let Some(at) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break at + 4;
            }
            self.read_more().await?;
        };
        let head = self.buffer.split_to(end);
        let mut request = Received::parse_head(&String::from_utf8_lossy(&head))?;
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
                // Trailers, up to the empty line.
                while !self.read_line().await?.is_empty() {}
                return Some(body.freeze());
            }
            body.extend_from_slice(&self.read_exactly(length).await?);
            self.read_line().await?;
        }
    }

    async fn read_line(&mut self) -> Option<String> {
        let end = loop {
            if let Some(at) = self.buffer.windows(2).position(|window| window == b"\r\n") {
                break at;
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

/// `None` when the client is gone.
async fn send(writer: &mut OwnedWriteHalf, answer: &Answer, written: &Written) -> Option<()> {
    if let Some(gate) = &answer.gate {
        gate.wait().await;
    }
    writer.write_all(&written.head).await.ok()?;
    if let Some(gate) = &answer.body_gate {
        gate.wait().await;
    }
    writer.write_all(&written.body).await.ok()?;
    match &answer.ending {
        Ending::Stay | Ending::Close | Ending::Reset => writer.flush().await.ok(),
        Ending::Silence => std::future::pending().await,
        Ending::Repeat { piece, pause } => loop {
            if let Some(pause) = pause {
                tokio::time::sleep(*pause).await;
            }
            writer.write_all(piece).await.ok()?;
        },
    }
}

/// Ends when the client does; what it sends meanwhile is its next request.
async fn until_closed(reader: &mut OwnedReadHalf, buffer: &mut BytesMut) {
    while matches!(reader.read_buf(buffer).await, Ok(read) if read > 0) {}
}
