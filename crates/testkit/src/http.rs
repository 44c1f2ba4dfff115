//! A small JSON client over plain HTTP for tests.

mod event_stream;
mod request;
mod request_error;
mod response;
mod streaming;

pub use event_stream::{EventStream, SseEvent};
pub use request::TestRequest;
pub use request_error::RequestError;
pub use response::TestResponse;
pub use streaming::StreamingResponse;

use bytes::Bytes;
use http::Method;
use http_body_util::Full;
use hyper_util::client::legacy::Client as PooledClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

/// Sends requests to paths below one base URL, with or without an API key.
///
/// It pools connections, so a client belongs to the runtime of one test.
#[derive(Debug, Clone)]
pub struct Client {
    api_base: String,
    key: Option<String>,
    pool: PooledClient<HttpConnector, Full<Bytes>>,
}

impl Client {
    /// A client of `api_base` that presents `key` as a bearer token.
    pub fn new(api_base: &str, key: Option<&str>) -> Self {
        Self {
            api_base: api_base.trim_end_matches('/').to_owned(),
            key: key.map(str::to_owned),
            pool: PooledClient::builder(TokioExecutor::new()).build_http(),
        }
    }

    /// A client of the same URL with another key, or none.
    #[must_use]
    pub fn with_key(&self, key: Option<&str>) -> Self {
        Self::new(&self.api_base, key)
    }

    /// The URL that paths are appended to.
    pub fn api_base(&self) -> &str {
        &self.api_base
    }

    /// A `GET` request.
    pub fn get(&self, path: &str) -> TestRequest {
        self.request(Method::GET, path)
    }

    /// A `POST` request.
    pub fn post(&self, path: &str) -> TestRequest {
        self.request(Method::POST, path)
    }

    /// A `PUT` request.
    pub fn put(&self, path: &str) -> TestRequest {
        self.request(Method::PUT, path)
    }

    /// A `PATCH` request.
    pub fn patch(&self, path: &str) -> TestRequest {
        self.request(Method::PATCH, path)
    }

    /// A `DELETE` request.
    pub fn delete(&self, path: &str) -> TestRequest {
        self.request(Method::DELETE, path)
    }

    /// A `HEAD` request.
    pub fn head(&self, path: &str) -> TestRequest {
        self.request(Method::HEAD, path)
    }

    /// An `OPTIONS` request.
    pub fn options(&self, path: &str) -> TestRequest {
        self.request(Method::OPTIONS, path)
    }

    /// Creates an object with a `POST`, which must be answered with 201, and returns the object.
    pub async fn create(&self, path: &str, fields: Value) -> Value {
        self.post(path).json(fields).send().await.expect(201).json()
    }

    /// The body of a `GET`, which must be answered with 200.
    pub async fn read(&self, path: &str) -> Value {
        self.get(path).send().await.expect(200).json()
    }

    /// A request of any method. `path` is appended to the base URL unchanged (escape it where needed);
    /// an absolute `http://` URL replaces the base URL.
    pub fn request(&self, method: Method, path: &str) -> TestRequest {
        let url = if path.starts_with("http://") { path.to_owned() } else { format!("{}{path}", self.api_base) };
        let request = TestRequest::new(self.pool.clone(), method, url);
        match &self.key {
            Some(key) => request.header("authorization", &format!("Bearer {key}")),
            None => request,
        }
    }
}

#[cfg(test)]
mod tests;
