//! A request being put together, and sending it.

use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use form_urlencoded::byte_serialize;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client as Connections;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::Value;

use super::{Reply, Streamed};

const PATIENCE: Duration = Duration::from_secs(30);

/// The body of a reply that is still to be read.
pub(super) type ReplyBody = UnsyncBoxBody<Bytes, Box<dyn std::error::Error + Send + Sync>>;

/// A request that has not been sent yet.
#[must_use = "a request does nothing until it is sent"]
#[derive(Debug, Clone)]
pub struct Request {
    connections: Connections<HttpConnector, Full<Bytes>>,
    method: Method,
    url: String,
    headers: HeaderMap,
    body: Bytes,
    patience: Duration,
}

/// Why no reply came.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The connection could not be opened, or broke before the head of the reply.
    #[error("the connection failed")]
    Connection(#[source] hyper_util::client::legacy::Error),
    /// The reply broke off within its body.
    #[error("the body of the reply broke off")]
    Body(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Nothing, or not everything, came in time.
    #[error("no reply within {0:?}")]
    TimedOut(Duration),
}

impl Request {
    pub(super) fn new(connections: Connections<HttpConnector, Full<Bytes>>, method: Method, url: String) -> Self {
        Self { connections, method, url, headers: HeaderMap::new(), body: Bytes::new(), patience: PATIENCE }
    }

    /// Sends `value` as the body, with its content type unless another was given.
    #[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
    pub fn json(mut self, value: Value) -> Self {
        self.headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static("application/json"));
        self.body(value.to_string())
    }

    /// Sends these bytes as the body.
    pub fn body(mut self, bytes: impl Into<Bytes>) -> Self {
        self.body = bytes.into();
        self
    }

    /// Sets a header, in place of one of the same name (the key's `authorization`, for instance).
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let (name, value) = parse_header(name, value);
        self.headers.insert(name, value);
        self
    }

    /// Adds a header beside those of the same name.
    pub fn extra_header(mut self, name: &str, value: &str) -> Self {
        let (name, value) = parse_header(name, value);
        self.headers.append(name, value);
        self
    }

    /// Adds one pair to the query, escaped.
    pub fn query(mut self, name: &str, value: impl Display) -> Self {
        self.url.push(if self.url.contains('?') { '&' } else { '?' });
        self.url.extend(byte_serialize(name.as_bytes()));
        self.url.push('=');
        let value = value.to_string();
        self.url.extend(byte_serialize(value.as_bytes()));
        self
    }

    /// How long the whole exchange may take; 30 seconds unless said otherwise.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Sends the request; panics when no reply comes.
    pub async fn send(self) -> Reply {
        let asked = self.asked();
        match self.try_send().await {
            Ok(reply) => reply,
            Err(error) => panic!("{asked}: {}", chain(&error)),
        }
    }

    /// Sends the request, for tests in which the reply may stay away.
    pub async fn try_send(self) -> Result<Reply, SendError> {
        let patience = self.patience;
        tokio::time::timeout(patience, self.exchange()).await.unwrap_or(Err(SendError::TimedOut(patience)))
    }

    /// Sends the request and returns with the head of the reply; the body is read as it comes.
    /// The patience holds for the head, and then for each piece of the body.
    pub async fn open(self) -> Streamed {
        let (asked, patience) = (self.asked(), self.patience);
        let response = tokio::time::timeout(patience, self.head()).await;
        match response.unwrap_or(Err(SendError::TimedOut(patience))) {
            Ok(response) => Streamed::new(asked, patience, response),
            Err(error) => panic!("{asked}: {}", chain(&error)),
        }
    }

    async fn exchange(self) -> Result<Reply, SendError> {
        let asked = self.asked();
        let (head, body) = self.head().await?.into_parts();
        let body = body.collect().await.map_err(SendError::Body)?;
        Ok(Reply { status: head.status.as_u16(), headers: head.headers, body: body.to_bytes(), asked })
    }

    async fn head(self) -> Result<http::Response<ReplyBody>, SendError> {
        let mut request = http::Request::new(Full::new(self.body));
        *request.method_mut() = self.method;
        *request.uri_mut() = self.url.parse().unwrap_or_else(|error| panic!("{} is not an address: {error}", self.url));
        *request.headers_mut() = self.headers;
        let response = self.connections.request(request).await.map_err(SendError::Connection)?;
        Ok(response.map(|body| body.map_err(Into::into).boxed_unsync()))
    }

    /// What is asked, for messages.
    fn asked(&self) -> String {
        format!("{} {}", self.method, self.url)
    }
}

fn parse_header(name: &str, value: &str) -> (HeaderName, HeaderValue) {
    let parsed_name = name.parse().unwrap_or_else(|error| panic!("{name:?} is not a header name: {error}"));
    let parsed_value = HeaderValue::from_bytes(value.as_bytes())
        .unwrap_or_else(|error| panic!("{value:?} is not a header value: {error}"));
    (parsed_name, parsed_value)
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
