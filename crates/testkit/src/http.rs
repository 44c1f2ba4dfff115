//! A small JSON client over plain HTTP, made for reading in tests.

mod events;
mod reply;
mod request;
mod streamed;

pub use events::{Event, Events};
pub use reply::Reply;
pub use request::{Request, SendError};
pub use streamed::Streamed;

use bytes::Bytes;
use http::Method;
use http_body_util::Full;
use hyper_util::client::legacy::Client as Connections;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

/// Sends requests below one base address, with one key or none.
///
/// Connections are kept open between requests, so a client belongs to the runtime of one test.
#[derive(Debug, Clone)]
pub struct Client {
    api_base: String,
    key: Option<String>,
    connections: Connections<HttpConnector, Full<Bytes>>,
}

impl Client {
    /// A client of `api_base` that presents `key` as a bearer token.
    pub fn new(api_base: &str, key: Option<&str>) -> Self {
        Self {
            api_base: api_base.trim_end_matches('/').to_owned(),
            key: key.map(str::to_owned),
            connections: Connections::builder(TokioExecutor::new()).build_http(),
        }
    }

    /// The address that paths are appended to.
    pub fn api_base(&self) -> &str {
        &self.api_base
    }

    /// A `GET` request.
    pub fn get(&self, path: &str) -> Request {
        self.request(Method::GET, path)
    }

    /// A `POST` request.
    pub fn post(&self, path: &str) -> Request {
        self.request(Method::POST, path)
    }

    /// A `PUT` request.
    pub fn put(&self, path: &str) -> Request {
        self.request(Method::PUT, path)
    }

    /// A `PATCH` request.
    pub fn patch(&self, path: &str) -> Request {
        self.request(Method::PATCH, path)
    }

    /// A `DELETE` request.
    pub fn delete(&self, path: &str) -> Request {
        self.request(Method::DELETE, path)
    }

    /// A `HEAD` request.
    pub fn head(&self, path: &str) -> Request {
        self.request(Method::HEAD, path)
    }

    /// An `OPTIONS` request.
    pub fn options(&self, path: &str) -> Request {
        self.request(Method::OPTIONS, path)
    }

    /// A request of any method. `path` is appended to the base address as it is (escape it where
    /// needed); a whole `http://` address is taken instead of it.
    pub fn request(&self, method: Method, path: &str) -> Request {
        let url = if path.starts_with("http://") { path.to_owned() } else { format!("{}{path}", self.api_base) };
        let request = Request::new(self.connections.clone(), method, url);
        match &self.key {
            Some(key) => request.header("authorization", &format!("Bearer {key}")),
            None => request,
        }
    }
}

#[cfg(test)]
mod tests;
