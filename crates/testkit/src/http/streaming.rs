//! A response whose body is read as it arrives.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;

use super::request_error::RequestError;
use super::response::TestResponse;

/// The body of a response that is still to be read.
pub(super) type ResponseBody = UnsyncBoxBody<Bytes, Box<dyn std::error::Error + Send + Sync>>;

/// The head of a response, and its body chunk by chunk. Dropping it closes the connection.
#[derive(Debug)]
pub struct StreamingResponse {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    body: ResponseBody,
    request_line: String,
    timeout: Duration,
}

impl StreamingResponse {
    pub(super) fn new(request_line: String, timeout: Duration, response: http::Response<ResponseBody>) -> Self {
        let (head, body) = response.into_parts();
        Self { status: head.status.as_u16(), headers: head.headers, body, request_line, timeout }
    }

    /// The first header of this name, if it is valid text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The next chunk of the body; `None` at its end. Panics if nothing arrives in time.
    pub async fn next_chunk(&mut self) -> Option<Bytes> {
        loop {
            let frame = tokio::time::timeout(self.timeout, self.body.frame()).await;
            let Ok(frame) = frame else { panic!("no data arrived within {:?}: {}", self.timeout, self.request_line) };
            match frame?.map(http_body::Frame::into_data) {
                Ok(Ok(data)) => return Some(data),
                // Skips trailers.
                Ok(Err(_)) => {}
                Err(error) => panic!("the body broke off ({error}): {}", self.request_line),
            }
        }
    }

    /// Reads the body to its end.
    pub async fn read_to_end(mut self) -> TestResponse {
        let mut body = Vec::new();
        while let Some(chunk) = self.next_chunk().await {
            body.extend_from_slice(&chunk);
        }
        TestResponse { status: self.status, headers: self.headers, body: body.into(), request_line: self.request_line }
    }

    /// Reads the body to its end, for tests in which it may break off.
    pub async fn try_read_to_end(self) -> Result<TestResponse, RequestError> {
        let body = tokio::time::timeout(self.timeout, self.body.collect()).await;
        let body = body.map_err(|_| RequestError::TimedOut(self.timeout))?.map_err(RequestError::Body)?;
        Ok(TestResponse {
            status: self.status,
            headers: self.headers,
            body: body.to_bytes(),
            request_line: self.request_line,
        })
    }

    /// Drops the body and closes the connection.
    pub fn into_head(self) -> TestResponse {
        TestResponse { status: self.status, headers: self.headers, body: Bytes::new(), request_line: self.request_line }
    }
}
