//! A response of a fake upstream: its bytes, when it is sent, and what happens to the connection afterwards.

use std::fmt::Write;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use tokio::sync::watch;

/// A response: status, headers, body, the gates that it waits for, and what the upstream does after it.
#[must_use = "a response does nothing until an upstream sends it"]
#[derive(Debug, Clone)]
pub struct MockResponse {
    status: u16,
    headers: Vec<(String, String)>,
    body: Bytes,
    is_chunked: bool,
    is_raw: bool,
    pub(super) ending: Ending,
    /// Nothing is sent before this gate opens.
    pub(super) gate: Option<ResponseGate>,
    /// The head is sent immediately, the body after this gate opens.
    pub(super) body_gate: Option<ResponseGate>,
}

/// What an upstream does after the last byte of a response.
#[derive(Debug, Clone)]
pub(super) enum Ending {
    /// Waits for the next request.
    KeepAlive,
    /// Closes the connection.
    Close,
    /// Resets the connection.
    Reset,
    /// Sends nothing more and leaves the connection open.
    Hang,
    /// Sends `piece` until the client disconnects: after a pause each time, or as fast as the client reads.
    Repeat { piece: Bytes, pause: Option<Duration> },
}

/// Holds responses back until it is opened; clones share its state.
#[derive(Debug, Clone)]
pub struct ResponseGate(watch::Sender<GateState>);

#[derive(Debug, Default)]
struct GateState {
    is_open: bool,
    /// Whether a response has waited for the gate, or passed it.
    is_reached: bool,
}

/// The bytes of a response to one request.
pub(super) struct EncodedResponse {
    pub(super) head: Bytes,
    pub(super) body: Bytes,
}

impl MockResponse {
    /// An empty response with this status.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Bytes::new(),
            is_chunked: false,
            is_raw: false,
            ending: Ending::KeepAlive,
            gate: None,
            body_gate: None,
        }
    }

    /// 200 with a text body.
    pub fn text(text: impl Into<Bytes>) -> Self {
        Self::bytes("text/plain; charset=utf-8", text)
    }

    /// 200 with a JSON body.
    #[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
    pub fn json(value: Value) -> Self {
        Self::bytes("application/json", value.to_string())
    }

    /// 200 with a body of this content type.
    pub fn bytes(content_type: &str, body: impl Into<Bytes>) -> Self {
        Self::status(200).header("content-type", content_type).body(body)
    }

    /// Sends exactly these bytes and closes the connection: for responses that no server would send.
    pub fn raw(bytes: impl Into<Bytes>) -> Self {
        Self { is_raw: true, ending: Ending::Close, ..Self::status(200).body(bytes) }
    }

    /// Leaves the connection open for the next request, also after [`MockResponse::raw`].
    pub fn then_keep_alive(mut self) -> Self {
        self.ending = Ending::KeepAlive;
        self
    }

    /// Resets the connection afterwards, as a machine does that has restarted after a crash.
    pub fn then_reset(mut self) -> Self {
        self.ending = Ending::Reset;
        self
    }

    /// Leaves the connection open afterwards and sends nothing more.
    pub fn then_hang(mut self) -> Self {
        self.ending = Ending::Hang;
        self
    }

    /// Sends `piece` repeatedly afterwards, as fast as the client reads.
    pub fn then_repeat(mut self, piece: impl Into<Bytes>) -> Self {
        self.ending = Ending::Repeat { piece: piece.into(), pause: None };
        self
    }

    /// Sends `piece` repeatedly afterwards, with a pause before each.
    pub fn then_repeat_slowly(mut self, piece: impl Into<Bytes>, pause: Duration) -> Self {
        self.ending = Ending::Repeat { piece: piece.into(), pause: Some(pause) };
        self
    }

    /// Replaces the status.
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Adds a header. Framing headers such as `content-length` are set automatically; see [`MockResponse::raw`].
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the body.
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends the body with chunked encoding, without `content-length`.
    pub fn chunked(mut self) -> Self {
        self.is_chunked = true;
        self
    }

    /// Sends nothing until the gate opens.
    pub fn held_by(mut self, gate: &ResponseGate) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    /// Sends the head immediately and the body when the gate opens.
    pub fn body_held_by(mut self, gate: &ResponseGate) -> Self {
        self.body_gate = Some(gate.clone());
        self
    }

    pub(super) fn encode(&self, request_method: &str) -> EncodedResponse {
        if self.is_raw {
            return EncodedResponse { head: Bytes::new(), body: self.body.clone() };
        }
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason_phrase(self.status));
        for (name, value) in &self.headers {
            // Writing to a String cannot fail.
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let has_body = request_method != "HEAD" && self.status >= 200 && ![204, 304].contains(&self.status);
        if self.is_chunked {
            head.push_str("transfer-encoding: chunked\r\n");
        } else if has_body || request_method == "HEAD" {
            let _ = write!(head, "content-length: {}\r\n", self.body.len());
        }
        head.push_str("\r\n");
        let body = if has_body { self.framed_body() } else { Bytes::new() };
        EncodedResponse { head: head.into(), body }
    }

    fn framed_body(&self) -> Bytes {
        if !self.is_chunked {
            return self.body.clone();
        }
        let mut framed = Vec::new();
        // Small chunks, so that most bodies have several.
        for chunk in self.body.chunks(1000) {
            framed.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
            framed.extend_from_slice(chunk);
            framed.extend_from_slice(b"\r\n");
        }
        framed.extend_from_slice(b"0\r\n\r\n");
        framed.into()
    }
}

impl ResponseGate {
    /// A closed gate.
    #[expect(clippy::new_without_default, reason = "`ResponseGate::default()` would not say that it is closed")]
    pub fn new() -> Self {
        Self(watch::Sender::default())
    }

    /// Releases all responses, now and later.
    pub fn open(&self) {
        self.0.send_modify(|state| state.is_open = true);
    }

    /// Holds responses back again from now on.
    pub fn shut(&self) {
        self.0.send_modify(|state| state.is_open = false);
    }

    /// Waits until a response that the handler of the upstream has returned is at the gate.
    pub async fn wait_until_reached(&self) {
        let _ = self.0.subscribe().wait_for(|state| state.is_reached).await;
    }

    pub(super) async fn wait(&self) {
        self.0.send_modify(|state| state.is_reached = true);
        // `self` owns the sender, so the channel cannot be closed.
        let _ = self.0.subscribe().wait_for(|state| state.is_open).await;
    }
}

fn reason_phrase(status: u16) -> &'static str {
    http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("Unnamed")
}
