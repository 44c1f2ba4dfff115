//! `text/event-stream`: events as they come, or all of a body that is complete.

use std::collections::VecDeque;

use serde_json::Value;

use super::{Reply, Streamed};

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Event {
    /// Its kind; `message` unless it says otherwise.
    pub kind: String,
    /// Its lines of data, put together.
    pub data: String,
    /// Its own id, not one that an earlier event had.
    pub id: Option<String>,
}

impl Event {
    /// The data as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_else(|error| panic!("the data is not JSON ({error}): {self:?}"))
    }
}

/// A stream of events that is open. Dropping it closes the connection.
#[derive(Debug)]
pub struct Events {
    streamed: Streamed,
    lines: Lines,
    ready: VecDeque<Event>,
}

impl Events {
    pub(super) fn new(streamed: Streamed) -> Self {
        Self { streamed, lines: Lines::default(), ready: VecDeque::new() }
    }

    /// The reply's head.
    pub fn head(&self) -> &Streamed {
        &self.streamed
    }

    /// The next event; `None` when the stream is over. Panics when neither comes in time.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            let piece = self.streamed.piece().await?;
            self.ready.extend(self.lines.push(&piece));
        }
    }

    /// The data of the next event as JSON; panics when the stream is over.
    pub async fn next_json(&mut self) -> Value {
        match self.next().await {
            Some(event) => event.json(),
            None => panic!("the stream ended: {:?}", self.streamed),
        }
    }

    /// How many comments came so far: that is what keeps a quiet stream alive.
    pub fn comments(&self) -> usize {
        self.lines.comments
    }
}

impl Reply {
    /// The events of a body that is `text/event-stream`.
    pub fn events(&self) -> Vec<Event> {
        Lines::default().push(&self.body)
    }
}

/// What is known of an event that is not complete.
#[derive(Debug, Default)]
struct Lines {
    /// The bytes of a line that has no end yet.
    begun: Vec<u8>,
    kind: String,
    data: Option<String>,
    id: Option<String>,
    comments: usize,
}

impl Lines {
    fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for byte in bytes {
            match byte {
                b'\n' => {
                    let line = std::mem::take(&mut self.begun);
                    let line = String::from_utf8_lossy(&line);
                    events.extend(self.line(line.trim_end_matches('\r')));
                }
                byte => self.begun.push(*byte),
            }
        }
        events
    }

    fn line(&mut self, line: &str) -> Option<Event> {
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" => self.comments += 1,
            "event" => value.clone_into(&mut self.kind),
            "id" => self.id = Some(value.to_owned()),
            "data" => match &mut self.data {
                Some(data) => *data = format!("{data}\n{value}"),
                None => self.data = Some(value.to_owned()),
            },
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let (kind, id) = (std::mem::take(&mut self.kind), self.id.take());
        let data = self.data.take()?;
        let kind = if kind.is_empty() { "message".to_owned() } else { kind };
        Some(Event { kind, data, id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Client;
    use crate::upstream::{Answer, Gate, Upstream};

    #[test]
    fn events_are_read_wherever_the_pieces_break() {
        let text =
            ": hello\r\n\r\nid: 1\ndata\n\nevent: x\ndata: {\"a\":\ndata:  1}\nretry: 5\n\ndata: ü\n\ndata: half";
        let event = |kind: &str, data: &str, id: Option<&str>| Event {
            kind: kind.to_owned(),
            data: data.to_owned(),
            id: id.map(str::to_owned),
        };
        let expected = [event("message", "", Some("1")), event("x", "{\"a\":\n 1}", None), event("message", "ü", None)];
        for size in [1, 2, 3, 7, 1000] {
            let mut lines = Lines::default();
            let events: Vec<Event> = text.as_bytes().chunks(size).flat_map(|piece| lines.push(piece)).collect();
            assert_eq!(events, expected, "in pieces of {size}");
            assert_eq!(lines.comments, 1);
        }
        assert_eq!(expected[1].json(), serde_json::json!({"a": 1}));
    }

    #[tokio::test]
    async fn an_event_is_there_before_the_stream_ends() {
        let gate = Gate::new();
        let upstream = Upstream::builder()
            .route("/now", Answer::bytes("text/event-stream", "data: 1\n\ndata: 2\n\n").chunked())
            .route("/held", Answer::bytes("text/event-stream", "data: 3\n\n").body_held_by(&gate))
            .start();
        let client = Client::new("http://127.0.0.1:1", None);
        let mut events = client.get(&upstream.url("/now")).open().await.events().await;
        assert_eq!((events.next_json().await, events.next_json().await), (1.into(), 2.into()));
        assert_eq!(events.next().await, None);
        let mut events = client.get(&upstream.url("/held")).open().await.events().await;
        assert_eq!(events.head().status, 200);
        gate.open();
        assert_eq!(events.next_json().await, 3);
    }

    #[tokio::test]
    async fn leaving_a_stream_closes_its_connection() {
        let gate = Gate::new();
        let held = gate.clone();
        let upstream = Upstream::answering(move |_| Answer::bytes("text/event-stream", "data").body_held_by(&held));
        let client = Client::new("http://127.0.0.1:1", None);
        drop(client.get(&upstream.url("/")).open().await);
        upstream.wait_for_abandoned(1).await;
    }

    #[tokio::test]
    #[should_panic(expected = "expected a stream of events, not this: GET")]
    async fn another_kind_of_reply_is_no_stream() {
        let upstream = Upstream::answering(|_| Answer::text("no"));
        Client::new("http://127.0.0.1:1", None).get(&upstream.url("/")).open().await.events().await;
    }
}
