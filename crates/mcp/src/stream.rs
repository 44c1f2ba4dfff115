//! Answers as server-sent events: only where something must precede the result, or comes later.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, HeaderValue};
use tokio::sync::mpsc;
use tokio_util::sync::DropGuard;

/// Messages on their way to a client that reads slowly.
pub(crate) const QUEUE: usize = 32;

/// A response whose events come through a channel. `guard` is dropped when the client goes away.
pub(crate) fn response(events: mpsc::Receiver<Bytes>, guard: Option<DropGuard>) -> Response {
    let events = stream::unfold((events, guard), |(mut events, guard)| async move {
        let event = events.recv().await?;
        Some((Ok::<_, Infallible>(event), (events, guard)))
    });
    let mut response = Response::new(Body::from_stream(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A proxy that collects the answer would hold the events back.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

/// One message as an event.
pub(crate) fn event(json: &[u8]) -> Bytes {
    let mut out = Vec::with_capacity(json.len() + 32);
    out.extend_from_slice(b"event: message\ndata: ");
    for (index, line) in json.split(|byte| matches!(byte, b'\n' | b'\r')).enumerate() {
        // JSON has line breaks only between tokens; as an event, each line says that it is data.
        if index > 0 {
            out.extend_from_slice(b"\ndata: ");
        }
        out.extend_from_slice(line);
    }
    out.extend_from_slice(b"\n\n");
    out.into()
}

/// How long a stream may be silent.
pub(crate) const SILENCE: Duration = Duration::from_secs(15);
/// What keeps a silent connection open.
pub(crate) const KEEP_ALIVE: Bytes = Bytes::from_static(b": keep-alive\n\n");

/// Keeps a connection open beside something that takes its time.
pub(crate) async fn keep_alive(events: &mpsc::Sender<Bytes>) -> Infallible {
    loop {
        tokio::time::sleep(SILENCE).await;
        // A full queue is a sign of life as well.
        let _ = events.try_send(KEEP_ALIVE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_between_tokens_stay_inside_the_event() {
        assert_eq!(event(b"{}"), "event: message\ndata: {}\n\n");
        assert_eq!(event(b"{\r\n}"), "event: message\ndata: {\ndata: \ndata: }\n\n");
    }
}
