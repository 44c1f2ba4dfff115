//! A reply whose body is read while it comes.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http_body_util::BodyExt;

use super::request::ReplyBody;
use super::{Events, Reply, SendError};

/// The head of a reply, and its body piece by piece. Dropping it closes the connection, as a client that leaves does.
#[derive(Debug)]
pub struct Streamed {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    body: ReplyBody,
    asked: String,
    patience: Duration,
}

impl Streamed {
    pub(super) fn new(asked: String, patience: Duration, response: http::Response<ReplyBody>) -> Self {
        let (head, body) = response.into_parts();
        Self { status: head.status.as_u16(), headers: head.headers, body, asked, patience }
    }

    /// The first header of this name, if it is there and readable.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The next piece of the body; `None` at its end. Panics when none comes in time.
    pub async fn piece(&mut self) -> Option<Bytes> {
        loop {
            let frame = tokio::time::timeout(self.patience, self.body.frame()).await;
            let Ok(frame) = frame else { panic!("nothing more came within {:?}: {}", self.patience, self.asked) };
            match frame?.map(http_body::Frame::into_data) {
                Ok(Ok(data)) => return Some(data),
                // Trailers.
                Ok(Err(_)) => {}
                Err(error) => panic!("the body broke off ({error}): {}", self.asked),
            }
        }
    }

    /// Reads the body to its end.
    pub async fn rest(mut self) -> Reply {
        let mut body = Vec::new();
        while let Some(piece) = self.piece().await {
            body.extend_from_slice(&piece);
        }
        Reply { status: self.status, headers: self.headers, body: body.into(), asked: self.asked }
    }

    /// Reads the body to its end, for tests in which it may break off.
    pub async fn try_rest(self) -> Result<Reply, SendError> {
        let body = tokio::time::timeout(self.patience, self.body.collect()).await;
        let body = body.map_err(|_| SendError::TimedOut(self.patience))?.map_err(SendError::Body)?;
        Ok(Reply { status: self.status, headers: self.headers, body: body.to_bytes(), asked: self.asked })
    }

    /// Leaves without the body.
    pub fn head(self) -> Reply {
        Reply { status: self.status, headers: self.headers, body: Bytes::new(), asked: self.asked }
    }

    /// Reads the body as `text/event-stream`; panics with the reply when it is none.
    pub async fn events(self) -> Events {
        if self.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return Events::new(self);
        }
        panic!("expected a stream of events, not this: {:?}", self.rest().await);
    }
}
