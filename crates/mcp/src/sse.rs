//! Responses as server-sent events, for results with preceding notifications and for change streams.

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

/// The most queued messages of one stream.
pub(crate) const QUEUE_CAPACITY: usize = 32;

/// A response with the events of a channel. `guard` is dropped when the client disconnects.
pub(crate) fn response(events: mpsc::Receiver<Bytes>, guard: Option<DropGuard>) -> Response {
    let events = stream::unfold((events, guard), |(mut events, guard)| async move {
        let event = events.recv().await?;
        Some((Ok::<_, Infallible>(event), (events, guard)))
    });
    let mut response = Response::new(Body::from_stream(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Prevents proxies from buffering the events.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

/// One message as an event.
pub(crate) fn event(json: &[u8]) -> Bytes {
    let mut out = Vec::with_capacity(json.len() + 32);
    out.extend_from_slice(b"event: message\ndata: ");
    for (index, line) in json.split(|byte| matches!(byte, b'\n' | b'\r')).enumerate() {
        // JSON has line breaks only between tokens; each line of an event needs a `data:` prefix.
        if index > 0 {
            out.extend_from_slice(b"\ndata: ");
        }
        out.extend_from_slice(line);
    }
    out.extend_from_slice(b"\n\n");
    out.into()
}

/// The interval of keep-alive comments on an idle stream.
pub(crate) const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// A comment that keeps an idle connection open.
pub(crate) const KEEP_ALIVE: Bytes = Bytes::from_static(b": keep-alive\n\n");

/// Sends keep-alive comments while a call runs.
pub(crate) async fn keep_alive(events: &mpsc::Sender<Bytes>) -> Infallible {
    loop {
        tokio::time::sleep(KEEP_ALIVE_INTERVAL).await;
        // If the queue is full, events are being sent anyway.
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
