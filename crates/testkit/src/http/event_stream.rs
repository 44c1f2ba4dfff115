//! `text/event-stream`: events as they arrive, or all events of a complete body.

use std::collections::VecDeque;

use serde_json::Value;

use super::response::TestResponse;
use super::streaming::StreamingResponse;

/// One server-sent event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SseEvent {
    /// The event type, by default `message`.
    pub kind: String,
    /// Its data lines, joined with line feeds.
    pub data: String,
    /// The id of this event; the id of an earlier event is not inherited.
    pub id: Option<String>,
}

impl SseEvent {
    /// The data as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_else(|error| panic!("the data is not JSON ({error}): {self:?}"))
    }
}

/// An open stream of events. Dropping it closes the connection.
#[derive(Debug)]
pub struct EventStream {
    response: StreamingResponse,
    parser: EventParser,
    ready_events: VecDeque<SseEvent>,
}

impl EventStream {
    fn new(response: StreamingResponse) -> Self {
        Self { response, parser: EventParser::default(), ready_events: VecDeque::new() }
    }

    /// The head of the response.
    pub fn head(&self) -> &StreamingResponse {
        &self.response
    }

    /// The next event; `None` at the end of the stream. Panics if neither arrives in time.
    pub async fn next(&mut self) -> Option<SseEvent> {
        loop {
            if let Some(event) = self.ready_events.pop_front() {
                return Some(event);
            }
            let chunk = self.response.next_chunk().await?;
            self.ready_events.extend(self.parser.push(&chunk));
        }
    }

    /// The data of the next event as JSON; panics at the end of the stream.
    pub async fn next_json(&mut self) -> Value {
        match self.next().await {
            Some(event) => event.json(),
            None => panic!("the stream ended: {:?}", self.response),
        }
    }

    /// The number of comments so far; a server sends them to keep a quiet stream open.
    pub fn comment_count(&self) -> usize {
        self.parser.comment_count
    }
}

impl StreamingResponse {
    /// Reads the body as `text/event-stream`; panics with the response if it is something else.
    pub async fn events(self) -> EventStream {
        if self.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return EventStream::new(self);
        }
        panic!("expected an event stream, got: {:?}", self.read_to_end().await);
    }
}

impl TestResponse {
    /// The events of a body that is `text/event-stream`.
    pub fn events(&self) -> Vec<SseEvent> {
        EventParser::default().push(&self.body)
    }
}

/// Parses events from chunks; holds the fields of the event that is not complete yet.
#[derive(Debug, Default)]
struct EventParser {
    /// The bytes of a line whose line feed has not arrived yet.
    partial_line: Vec<u8>,
    kind: String,
    data: Option<String>,
    id: Option<String>,
    comment_count: usize,
}

impl EventParser {
    fn push(&mut self, bytes: &[u8]) -> Vec<SseEvent> {
        let mut events = Vec::new();
        for byte in bytes {
            match byte {
                b'\n' => {
                    let line = std::mem::take(&mut self.partial_line);
                    let line = String::from_utf8_lossy(&line);
                    events.extend(self.parse_line(line.trim_end_matches('\r')));
                }
                byte => self.partial_line.push(*byte),
            }
        }
        events
    }

    fn parse_line(&mut self, line: &str) -> Option<SseEvent> {
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" => self.comment_count += 1,
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

    fn dispatch(&mut self) -> Option<SseEvent> {
        let (kind, id) = (std::mem::take(&mut self.kind), self.id.take());
        let data = self.data.take()?;
        let kind = if kind.is_empty() { "message".to_owned() } else { kind };
        Some(SseEvent { kind, data, id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Client;
    use crate::upstream::{MockResponse, ResponseGate, Upstream};

    #[test]
    fn events_are_parsed_at_any_chunk_size() {
        let text =
            ": hello\r\n\r\nid: 1\ndata\n\nevent: x\ndata: {\"a\":\ndata:  1}\nretry: 5\n\ndata: ü\n\ndata: half";
        let event = |kind: &str, data: &str, id: Option<&str>| SseEvent {
            kind: kind.to_owned(),
            data: data.to_owned(),
            id: id.map(str::to_owned),
        };
        let expected = [event("message", "", Some("1")), event("x", "{\"a\":\n 1}", None), event("message", "ü", None)];
        for size in [1, 2, 3, 7, 1000] {
            let mut parser = EventParser::default();
            let events: Vec<SseEvent> = text.as_bytes().chunks(size).flat_map(|chunk| parser.push(chunk)).collect();
            assert_eq!(events, expected, "in chunks of {size}");
            assert_eq!(parser.comment_count, 1);
        }
        assert_eq!(expected[1].json(), serde_json::json!({"a": 1}));
    }

    #[tokio::test]
    async fn an_event_arrives_before_the_stream_ends() {
        let gate = ResponseGate::new();
        let upstream = Upstream::builder()
            .route("/now", MockResponse::bytes("text/event-stream", "data: 1\n\ndata: 2\n\n").chunked())
            .route("/held", MockResponse::bytes("text/event-stream", "data: 3\n\n").body_held_by(&gate))
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
    async fn dropping_a_stream_closes_its_connection() {
        let gate = ResponseGate::new();
        let handler_gate = gate.clone();
        let upstream = Upstream::with_handler(move |_| {
            MockResponse::bytes("text/event-stream", "data").body_held_by(&handler_gate)
        });
        let client = Client::new("http://127.0.0.1:1", None);
        drop(client.get(&upstream.url("/")).open().await);
        upstream.wait_for_abandoned(1).await;
    }

    #[tokio::test]
    #[should_panic(expected = "expected an event stream, got: GET")]
    async fn another_content_type_is_not_an_event_stream() {
        let upstream = Upstream::with_handler(|_| MockResponse::text("no"));
        Client::new("http://127.0.0.1:1", None).get(&upstream.url("/")).open().await.events().await;
    }
}
