//! What a fake upstream says, when it says it, and what it does afterwards.

use std::fmt::Write;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use tokio::sync::watch;

/// An answer: a status, headers, a body, gates it may wait behind, and an ending.
#[must_use = "an answer does nothing until an upstream gives it"]
#[derive(Debug, Clone)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Bytes,
    is_chunked: bool,
    is_raw: bool,
    pub(super) ending: Ending,
    /// Nothing is said before this opens.
    pub(super) gate: Option<Gate>,
    /// The head is said, and nothing more before this opens.
    pub(super) body_gate: Option<Gate>,
}

/// What an upstream does after the last byte of an answer.
#[derive(Debug, Clone)]
pub(super) enum Ending {
    /// It waits for the next request.
    Stay,
    /// It closes the connection.
    Close,
    /// It breaks the connection off without closing it.
    Reset,
    /// It says nothing more, and the connection stays open.
    Silence,
    /// It goes on with this until the client leaves: each time after a pause, or as fast as the client reads.
    Repeat { piece: Bytes, pause: Option<Duration> },
}

/// Holds answers back until it is opened; its clones are the same gate.
#[derive(Debug, Clone)]
pub struct Gate(watch::Sender<bool>);

/// The bytes of an answer to one request.
pub(super) struct Written {
    pub(super) head: Bytes,
    pub(super) body: Bytes,
}

impl Answer {
    /// An empty answer of this status.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Bytes::new(),
            is_chunked: false,
            is_raw: false,
            ending: Ending::Stay,
            gate: None,
            body_gate: None,
        }
    }

    /// 200 and a text.
    pub fn text(text: impl Into<Bytes>) -> Self {
        Self::bytes("text/plain; charset=utf-8", text)
    }

    /// 200 and a JSON document.
    #[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
    pub fn json(value: Value) -> Self {
        Self::bytes("application/json", value.to_string())
    }

    /// 200 and a body of this type.
    pub fn bytes(content_type: &str, body: impl Into<Bytes>) -> Self {
        Self::status(200).header("content-type", content_type).body(body)
    }

    /// These bytes in place of a whole answer, after which the connection is closed: for what no server says.
    pub fn raw(bytes: impl Into<Bytes>) -> Self {
        Self { is_raw: true, ending: Ending::Close, ..Self::status(200).body(bytes) }
    }

    /// Keeps the connection for the next request, also after [`Answer::raw`].
    pub fn then_stay(mut self) -> Self {
        self.ending = Ending::Stay;
        self
    }

    /// Breaks the connection off afterwards, as a machine does that lost its power and came back.
    pub fn then_reset(mut self) -> Self {
        self.ending = Ending::Reset;
        self
    }

    /// Leaves the connection open afterwards and says nothing more.
    pub fn then_silence(mut self) -> Self {
        self.ending = Ending::Silence;
        self
    }

    /// Goes on with `piece` again and again, as fast as the client reads.
    pub fn then_forever(mut self, piece: impl Into<Bytes>) -> Self {
        self.ending = Ending::Repeat { piece: piece.into(), pause: None };
        self
    }

    /// Goes on with `piece` again and again, with a pause before each.
    pub fn then_drip(mut self, piece: impl Into<Bytes>, pause: Duration) -> Self {
        self.ending = Ending::Repeat { piece: piece.into(), pause: Some(pause) };
        self
    }

    /// The same with another status.
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Adds a header beside those of the same name. `content-length` and the like are ours; see [`Answer::raw`].
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the body.
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends the body in chunks, without its length.
    pub fn chunked(mut self) -> Self {
        self.is_chunked = true;
        self
    }

    /// Says nothing until the gate opens.
    pub fn held_by(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    /// Sends the head at once and the body when the gate opens.
    pub fn body_held_by(mut self, gate: &Gate) -> Self {
        self.body_gate = Some(gate.clone());
        self
    }

    pub(super) fn write(&self, to_method: &str) -> Written {
        if self.is_raw {
            return Written { head: Bytes::new(), body: self.body.clone() };
        }
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &self.headers {
            // Writing to a String cannot fail.
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let has_body = to_method != "HEAD" && self.status >= 200 && ![204, 304].contains(&self.status);
        if self.is_chunked {
            head.push_str("transfer-encoding: chunked\r\n");
        } else if has_body || to_method == "HEAD" {
            let _ = write!(head, "content-length: {}\r\n", self.body.len());
        }
        head.push_str("\r\n");
        let body = if has_body { self.framed_body() } else { Bytes::new() };
        Written { head: head.into(), body }
    }

    fn framed_body(&self) -> Bytes {
        if !self.is_chunked {
            return self.body.clone();
        }
        let mut framed = Vec::new();
        for chunk in self.body.chunks(1000) {
            framed.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
            framed.extend_from_slice(chunk);
            framed.extend_from_slice(b"\r\n");
        }
        framed.extend_from_slice(b"0\r\n\r\n");
        framed.into()
    }
}

impl Gate {
    /// A gate that is shut.
    #[expect(clippy::new_without_default, reason = "`Gate::default()` would not say that it is shut")]
    pub fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Lets everything through, now and later.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    /// Holds back again what comes from now on.
    pub fn shut(&self) {
        self.0.send_replace(false);
    }

    pub(super) async fn wait(&self) {
        // The sender is ours, so the channel cannot be closed.
        let _ = self.0.subscribe().wait_for(|is_open| *is_open).await;
    }
}

fn reason(status: u16) -> &'static str {
    http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("Unnamed")
}
