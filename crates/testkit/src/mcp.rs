//! A client of one MCP endpoint that gives a test access to every response.
//!
//! A client is one of three kinds: *bare* (JSON-RPC and nothing else), *legacy* (after an `initialize`
//! handshake, with its session) or *modern* (no handshake; revision and capabilities in each request).
//! [`McpClient::send`] returns any response unchecked; [`McpClient::result`] and similar methods panic on an unexpected
//! one.

mod client_kind;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use http::Method;
use serde_json::{Value, json};

use crate::http::{Client, EventStream, TestRequest, TestResponse};
use client_kind::McpClientKind;

/// The protocol revision without a handshake.
pub const MODERN: &str = "2026-07-28";
/// The newest protocol revision with a handshake.
pub const NEWEST_LEGACY: &str = "2025-11-25";

/// A client of one endpoint. Clones share the session and the numbering of requests.
#[derive(Debug, Clone)]
pub struct McpClient {
    client: Client,
    url: String,
    headers: Vec<(String, String)>,
    kind: McpClientKind,
    client_name: String,
    last_id: Arc<AtomicI64>,
}

impl McpClient {
    /// A bare client of the endpoint at `url`: no handshake, no revision, no `Accept`.
    pub fn new(url: &str) -> Self {
        Self {
            client: Client::new(url, None),
            url: url.to_owned(),
            headers: Vec::new(),
            kind: McpClientKind::Bare,
            client_name: "toolgate-test".to_owned(),
            last_id: Arc::new(AtomicI64::new(0)),
        }
    }

    /// Adds a header to every request.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a bearer token to every request.
    #[must_use]
    pub fn bearer(self, key: &str) -> Self {
        self.header("authorization", &format!("Bearer {key}"))
    }

    /// Introduces the client under this name: call it before `legacy`.
    #[must_use]
    pub fn named(mut self, client_name: &str) -> Self {
        client_name.clone_into(&mut self.client_name);
        self
    }

    /// Makes this a modern client without capabilities.
    #[must_use]
    pub fn modern(self) -> Self {
        self.modern_with_capabilities(json!({}))
    }

    /// Makes this a modern client with these capabilities.
    #[must_use]
    pub fn modern_with_capabilities(mut self, capabilities: Value) -> Self {
        self.kind = McpClientKind::Modern { capabilities };
        self
    }

    /// Makes this a legacy client: requests `revision`, then uses the negotiated one and the session.
    pub async fn legacy(mut self, revision: &str) -> Self {
        self.kind = McpClientKind::Legacy { revision: None, session: None };
        let reply = self.send("initialize", initialize_params(revision, &self.client_name)).await.expect(200);
        let result = Self::result_of(&reply, self.last_id());
        self.kind = McpClientKind::Legacy {
            revision: result["protocolVersion"].as_str().map(str::to_owned),
            session: reply.header("mcp-session-id").map(str::to_owned),
        };
        self.notify("notifications/initialized", json!({})).await.expect(202);
        self
    }

    /// The session id of a legacy client.
    pub fn session(&self) -> Option<&str> {
        match &self.kind {
            McpClientKind::Legacy { session, .. } => session.as_deref(),
            _ => None,
        }
    }

    /// This client with its session, but at the endpoint of `other`.
    #[must_use]
    pub fn at_endpoint_of(&self, other: &Self) -> Self {
        Self { client: other.client.clone(), url: other.url.clone(), ..self.clone() }
    }

    /// This client with its credential, but in the session of `other`.
    #[must_use]
    pub fn in_session_of(self, other: &Self) -> Self {
        Self { kind: other.kind.clone(), ..self }
    }

    /// The URL of the endpoint.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The id of the latest request.
    pub fn last_id(&self) -> i64 {
        self.last_id.load(Ordering::Relaxed)
    }

    /// A request of this kind of client, not sent yet: a test may change its headers.
    pub fn request(&self, method: &str, params: Value) -> TestRequest {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        self.post(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": self.kind.params(params, &self.client_name)}))
    }

    /// Any message, with the headers of this kind of client.
    pub fn post(&self, message: Value) -> TestRequest {
        let headers = self.kind.headers(&message);
        let request = self.raw_request(Method::POST).json(message);
        headers.into_iter().fold(request, |request, (name, value)| request.header(name, &value))
    }

    /// A request with the added headers only (`GET`, `DELETE`, or a body that the test sets).
    pub fn raw_request(&self, method: Method) -> TestRequest {
        let request = self.client.request(method, &self.url);
        self.headers.iter().fold(request, |request, (name, value)| request.header(name, value))
    }

    /// Sends a request and returns the response unchecked.
    pub async fn send(&self, method: &str, params: Value) -> TestResponse {
        self.request(method, params).send().await
    }

    /// Sends a notification.
    pub async fn notify(&self, method: &str, params: Value) -> TestResponse {
        self.post(json!({"jsonrpc": "2.0", "method": method, "params": self.kind.params(params, &self.client_name)}))
            .send()
            .await
    }

    /// The result of a request, as JSON or at the end of a stream; panics on anything else.
    pub async fn result(&self, method: &str, params: Value) -> Value {
        let request = self.request(method, params);
        let id = self.last_id();
        Self::result_of(&request.send().await.expect(200), id)
    }

    /// The status and the error of a request; panics on anything else.
    pub async fn error(&self, method: &str, params: Value) -> (u16, Value) {
        let reply = self.send(method, params).await;
        let message = find_message(&reply, |message| message.get("error").is_some());
        (reply.status, message["error"].clone())
    }

    /// The result of a tool call, successful or not.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// The text of a successful tool call.
    pub async fn text(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert!(result.get("isError").is_none(), "the tool failed: {result}");
        result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("the result has no text: {result}")).to_owned()
    }

    /// Sends a request whose response is an event stream.
    pub async fn open(&self, method: &str, params: Value) -> EventStream {
        self.request(method, params).open().await.events().await
    }

    /// Opens the stream from the server to a legacy client.
    pub async fn listen(&self) -> EventStream {
        let request = self.session_request(Method::GET).header("accept", "text/event-stream");
        request.open().await.events().await
    }

    /// A request about the session itself (`GET` listens, `DELETE` ends it).
    pub fn session_request(&self, method: Method) -> TestRequest {
        let headers = self.kind.session_headers();
        headers.into_iter().fold(self.raw_request(method), |request, (name, value)| request.header(name, &value))
    }

    #[track_caller]
    fn result_of(reply: &TestResponse, id: i64) -> Value {
        let message = find_message(reply, |message| message["id"] == id && message.get("result").is_some());
        message["result"].clone()
    }
}

/// The last message that matches, in a JSON response or an event stream.
#[track_caller]
fn find_message(reply: &TestResponse, matches: impl Fn(&Value) -> bool) -> Value {
    let is_stream = reply.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
    let mut messages =
        if is_stream { reply.events().iter().map(crate::http::SseEvent::json).collect() } else { vec![reply.json()] };
    messages.retain(matches);
    messages.pop().unwrap_or_else(|| panic!("the response has no matching message: {reply:?}"))
}

fn initialize_params(revision: &str, client_name: &str) -> Value {
    let info = json!({"name": client_name, "version": "1.0.0"});
    json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": info})
}

#[cfg(test)]
mod tests;
