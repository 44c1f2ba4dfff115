//! A caller of one MCP endpoint that lets a test see every reply as it is.
//!
//! It speaks as one of three kinds: *bare* (JSON-RPC and nothing else), *legacy* (after an `initialize`
//! handshake, with its session) or *modern* (no handshake; revision and capabilities in each request).
//! Nothing is checked on the way: [`Mcp::send`] and [`Mcp::request`] give the raw exchange, and only
//! [`Mcp::result`] and its like insist on what they return.

mod era;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use http::Method;
use serde_json::{Value, json};

use crate::http::{Client, Events, Reply, Request};
use era::Era;

/// The revision without a handshake.
pub const MODERN: &str = "2026-07-28";
/// The newest revision with one.
pub const NEWEST_LEGACY: &str = "2025-11-25";

/// A caller of one endpoint. Its clones share their session and the numbering of requests.
#[derive(Debug, Clone)]
pub struct Mcp {
    client: Client,
    url: String,
    headers: Vec<(String, String)>,
    era: Era,
    last_id: Arc<AtomicI64>,
}

impl Mcp {
    /// A bare caller of the endpoint at `url`: no handshake, no revision, no `Accept`.
    pub fn at(url: &str) -> Self {
        Self {
            client: Client::new(url, None),
            url: url.to_owned(),
            headers: Vec::new(),
            era: Era::Bare,
            last_id: Arc::new(AtomicI64::new(0)),
        }
    }

    /// The same with a header on every request.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same with a key.
    #[must_use]
    pub fn bearer(self, key: &str) -> Self {
        self.header("authorization", &format!("Bearer {key}"))
    }

    /// The same as a modern caller without capabilities.
    #[must_use]
    pub fn modern(self) -> Self {
        self.modern_with(json!({}))
    }

    /// The same as a modern caller with these capabilities.
    #[must_use]
    pub fn modern_with(mut self, capabilities: Value) -> Self {
        self.era = Era::Modern { capabilities };
        self
    }

    /// The same as a legacy caller: asks for `revision`, takes what it is given and keeps the session.
    pub async fn legacy(mut self, revision: &str) -> Self {
        self.era = Era::Legacy { revision: None, session: None };
        let reply = self.send("initialize", initialize(revision)).await.expect(200);
        let result = Self::result_of(&reply, self.last_id());
        self.era = Era::Legacy {
            revision: result["protocolVersion"].as_str().map(str::to_owned),
            session: reply.header("mcp-session-id").map(str::to_owned),
        };
        self.notify("notifications/initialized", json!({})).await.expect(202);
        self
    }

    /// The id of a legacy caller's session.
    pub fn session(&self) -> Option<&str> {
        match &self.era {
            Era::Legacy { session, .. } => session.as_deref(),
            _ => None,
        }
    }

    /// The address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The id of the latest request.
    pub fn last_id(&self) -> i64 {
        self.last_id.load(Ordering::Relaxed)
    }

    /// A request as this kind of caller sends it, not sent yet: a test may change its headers.
    pub fn request(&self, method: &str, params: Value) -> Request {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        self.post(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": self.era.params(params)}))
    }

    /// Any message, with the headers that this kind of caller sends.
    pub fn post(&self, message: Value) -> Request {
        let headers = self.era.headers(&message);
        let request = self.plain(Method::POST).json(message);
        headers.into_iter().fold(request, |request, (name, value)| request.header(name, &value))
    }

    /// A request with nothing but the given headers (`GET`, `DELETE`, or a body of the test's own).
    pub fn plain(&self, method: Method) -> Request {
        let request = self.client.request(method, &self.url);
        self.headers.iter().fold(request, |request, (name, value)| request.header(name, value))
    }

    /// Sends a request; the reply is whatever came.
    pub async fn send(&self, method: &str, params: Value) -> Reply {
        self.request(method, params).send().await
    }

    /// Sends a notification.
    pub async fn notify(&self, method: &str, params: Value) -> Reply {
        self.post(json!({"jsonrpc": "2.0", "method": method, "params": self.era.params(params)})).send().await
    }

    /// The result of a request, whether it came as JSON or at the end of a stream; panics on anything else.
    pub async fn result(&self, method: &str, params: Value) -> Value {
        let request = self.request(method, params);
        let id = self.last_id();
        Self::result_of(&request.send().await.expect(200), id)
    }

    /// The error of a request and the status it came with; panics on anything else.
    pub async fn error(&self, method: &str, params: Value) -> (u16, Value) {
        let reply = self.send(method, params).await;
        let message = answer(&reply, |message| message.get("error").is_some());
        (reply.status, message["error"].clone())
    }

    /// The result of a tool, failed or not.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// The text of a tool that did not fail.
    pub async fn text(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert!(result.get("isError").is_none(), "the tool failed: {result}");
        result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("there is no text: {result}")).to_owned()
    }

    /// Sends a request whose reply is a stream of events.
    pub async fn open(&self, method: &str, params: Value) -> Events {
        self.request(method, params).open().await.events().await
    }

    /// Opens the stream from the server to a legacy caller.
    pub async fn listen(&self) -> Events {
        let request = self.with_session(Method::GET).header("accept", "text/event-stream");
        request.open().await.events().await
    }

    /// A request about the session itself (`GET` listens, `DELETE` ends it).
    pub fn with_session(&self, method: Method) -> Request {
        let headers = self.era.session_headers();
        headers.into_iter().fold(self.plain(method), |request, (name, value)| request.header(name, &value))
    }

    #[track_caller]
    fn result_of(reply: &Reply, id: i64) -> Value {
        let message = answer(reply, |message| message["id"] == id && message.get("result").is_some());
        message["result"].clone()
    }
}

/// The message that is looked for, in a reply of either kind.
#[track_caller]
fn answer(reply: &Reply, is_wanted: impl Fn(&Value) -> bool) -> Value {
    let is_stream = reply.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
    let mut messages =
        if is_stream { reply.events().iter().map(crate::http::Event::json).collect() } else { vec![reply.json()] };
    messages.retain(is_wanted);
    messages.pop().unwrap_or_else(|| panic!("the answer is missing: {reply:?}"))
}

fn initialize(revision: &str) -> Value {
    let info = json!({"name": "toolgate-test", "version": "1.0.0"});
    json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": info})
}

#[cfg(test)]
mod tests;
