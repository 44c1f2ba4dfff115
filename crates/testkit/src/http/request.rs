//! Builds and sends one HTTP request.

use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use form_urlencoded::byte_serialize;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client as PooledClient;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::Value;

use super::request_error::RequestError;
use super::response::TestResponse;
use super::streaming::{ResponseBody, StreamingResponse};

const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);

/// A request that has not been sent yet.
#[must_use = "a request does nothing until it is sent"]
#[derive(Debug, Clone)]
pub struct TestRequest {
    pool: PooledClient<HttpConnector, Full<Bytes>>,
    method: Method,
    url: String,
    headers: HeaderMap,
    body: Bytes,
    timeout: Duration,
}

impl TestRequest {
    pub(super) fn new(pool: PooledClient<HttpConnector, Full<Bytes>>, method: Method, url: String) -> Self {
        Self { pool, method, url, headers: HeaderMap::new(), body: Bytes::new(), timeout: DEFAULT_TIMEOUT }
    }

    /// Sends `value` as the body, as `application/json` unless the request has a content type.
    #[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
    pub fn json(mut self, value: Value) -> Self {
        self.headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static("application/json"));
        self.body(value.to_string())
    }

    /// Sets the body.
    pub fn body(mut self, bytes: impl Into<Bytes>) -> Self {
        self.body = bytes.into();
        self
    }

    /// Sets a header and replaces one of the same name (the client's `authorization`, for instance).
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let (name, value) = parse_header(name, value);
        self.headers.insert(name, value);
        self
    }

    /// Adds a header without replacing others of the same name.
    pub fn append_header(mut self, name: &str, value: &str) -> Self {
        let (name, value) = parse_header(name, value);
        self.headers.append(name, value);
        self
    }

    /// Adds one percent-encoded pair to the query.
    pub fn query(mut self, name: &str, value: impl Display) -> Self {
        self.url.push(if self.url.contains('?') { '&' } else { '?' });
        self.url.extend(byte_serialize(name.as_bytes()));
        self.url.push('=');
        let value = value.to_string();
        self.url.extend(byte_serialize(value.as_bytes()));
        self
    }

    /// Sets how long the whole exchange may take (default: one minute).
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sends the request; panics if there is no response.
    pub async fn send(self) -> TestResponse {
        let request_line = self.request_line();
        match self.try_send().await {
            Ok(response) => response,
            Err(error) => panic!("{request_line}: {}", error_chain(&error)),
        }
    }

    /// Sends the request, for tests in which there may be no response.
    pub async fn try_send(self) -> Result<TestResponse, RequestError> {
        let timeout = self.timeout;
        tokio::time::timeout(timeout, self.send_and_read()).await.unwrap_or(Err(RequestError::TimedOut(timeout)))
    }

    /// Sends the request and returns with the head of the response; the body is read as it arrives.
    /// The timeout applies to the head, and then to each chunk of the body.
    pub async fn open(self) -> StreamingResponse {
        let (request_line, timeout) = (self.request_line(), self.timeout);
        let response = tokio::time::timeout(timeout, self.send_and_read_head()).await;
        match response.unwrap_or(Err(RequestError::TimedOut(timeout))) {
            Ok(response) => StreamingResponse::new(request_line, timeout, response),
            Err(error) => panic!("{request_line}: {}", error_chain(&error)),
        }
    }

    async fn send_and_read(self) -> Result<TestResponse, RequestError> {
        let request_line = self.request_line();
        let (head, body) = self.send_and_read_head().await?.into_parts();
        let body = body.collect().await.map_err(RequestError::Body)?;
        Ok(TestResponse { status: head.status.as_u16(), headers: head.headers, body: body.to_bytes(), request_line })
    }

    async fn send_and_read_head(self) -> Result<http::Response<ResponseBody>, RequestError> {
        let mut request = http::Request::new(Full::new(self.body));
        *request.method_mut() = self.method;
        *request.uri_mut() = self.url.parse().unwrap_or_else(|error| panic!("{} is not a URL: {error}", self.url));
        *request.headers_mut() = self.headers;
        let response = self.pool.request(request).await.map_err(RequestError::Connection)?;
        Ok(response.map(|body| body.map_err(Into::into).boxed_unsync()))
    }

    /// Method and URL, for messages.
    fn request_line(&self) -> String {
        format!("{} {}", self.method, self.url)
    }
}

fn parse_header(name: &str, value: &str) -> (HeaderName, HeaderValue) {
    let parsed_name = name.parse().unwrap_or_else(|error| panic!("{name:?} is not a header name: {error}"));
    let parsed_value = HeaderValue::from_bytes(value.as_bytes())
        .unwrap_or_else(|error| panic!("{value:?} is not a header value: {error}"));
    (parsed_name, parsed_value)
}

fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
