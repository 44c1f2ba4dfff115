//! Generators of the requests that the load sends: items of the upstream, tool calls, lists of tools.

use std::io::Write as _;

use memchr::memmem;
use serde_json::{Value, json};

use crate::load::RequestGenerator;

/// Requests an item of the upstream: `GET /items/{number}?q=word{number}`.
pub(crate) struct ItemRequests {
    pub(crate) host: String,
}

impl RequestGenerator for ItemRequests {
    fn write(&self, number: u64, request: &mut Vec<u8>) {
        let Self { host } = self;
        let _ = write!(request, "GET /items/{number}?q=word{number} HTTP/1.1\r\nhost: {host}\r\n\r\n");
    }

    fn is_response(&self, number: u64, body: &[u8]) -> bool {
        body.starts_with(format!(r#"{{"item":"{number}","q":"word{number}","text""#).as_bytes())
    }
}

/// Requests the file with the list of tools.
pub(crate) struct FileRequests {
    pub(crate) host: String,
    /// Size of the file.
    pub(crate) bytes: usize,
}

impl RequestGenerator for FileRequests {
    fn write(&self, _: u64, request: &mut Vec<u8>) {
        let Self { host, .. } = self;
        let _ = write!(request, "GET /list.json HTTP/1.1\r\nhost: {host}\r\n\r\n");
    }

    fn is_response(&self, _: u64, body: &[u8]) -> bool {
        body.len() == self.bytes
    }
}

/// A client that sends JSON-RPC requests.
#[derive(Clone)]
pub(crate) struct BenchClient {
    pub(crate) host: String,
    pub(crate) path: String,
    /// Additional header lines, each with its line end.
    pub(crate) headers: String,
    /// JSON members that are added to the parameters of each request, with a leading comma; empty for none.
    pub(crate) meta: String,
    /// Whether method and tool name are repeated in headers, as modern clients do.
    pub(crate) is_modern: bool,
}

impl BenchClient {
    /// Adds header lines, each with its line end.
    pub(crate) fn with_headers(mut self, lines: &[&str]) -> Self {
        self.headers += &lines.concat();
        self
    }

    /// Writes a request; `tool` is the name of the called tool.
    fn write(&self, method: &str, tool: Option<&str>, body: &str, request: &mut Vec<u8>) {
        let Self { host, path, headers, .. } = self;
        let _ = write!(
            request,
            "POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{headers}",
            body.len()
        );
        if self.is_modern {
            let _ = write!(request, "mcp-method: {method}\r\n");
        }
        if let Some(tool) = tool.filter(|_| self.is_modern) {
            let _ = write!(request, "mcp-name: {tool}\r\n");
        }
        let _ = write!(request, "\r\n{body}");
    }
}

/// Calls the tools of a server in turn.
pub(crate) struct ToolCallRequests {
    pub(crate) client: BenchClient,
    /// Number of tools in the server.
    pub(crate) tools: u64,
    /// Number of distinct items, for cached responses; if `None`, every request has a new item.
    pub(crate) items: Option<u64>,
}

impl ToolCallRequests {
    /// Calls with a new item in every request.
    pub(crate) fn new(client: BenchClient, tools: u64) -> Self {
        Self { client, tools, items: None }
    }

    fn item(&self, number: u64) -> u64 {
        self.items.map_or(number, |items| number % items)
    }
}

impl RequestGenerator for ToolCallRequests {
    fn write(&self, number: u64, request: &mut Vec<u8>) {
        let item = self.item(number);
        let name = format!("tool_{}", item % self.tools);
        let meta = &self.client.meta;
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"name":"{name}","arguments":{{"id":"{item}","q":"word{item}"}}{meta}}}}}"#
        );
        self.client.write("tools/call", Some(&name), &body, request);
    }

    fn is_response(&self, number: u64, body: &[u8]) -> bool {
        let item = self.item(number);
        let expected = format!(r#"{{\"item\":\"{item}\",\"q\":\"word{item}\",\"text\""#);
        is_result_of(number, body)
            && memmem::find(body, expected.as_bytes()).is_some()
            && memmem::find(body, br#""isError":true"#).is_none()
    }
}

/// Calls tools of several servers in turn.
pub(crate) struct RoundRobinCalls {
    pub(crate) calls: Vec<ToolCallRequests>,
}

impl RoundRobinCalls {
    fn call(&self, number: u64) -> &ToolCallRequests {
        let index = number % self.calls.len() as u64;
        usize::try_from(index).ok().and_then(|index| self.calls.get(index)).expect("there is at least one server")
    }
}

impl RequestGenerator for RoundRobinCalls {
    fn write(&self, number: u64, request: &mut Vec<u8>) {
        self.call(number).write(number, request);
    }

    fn is_response(&self, number: u64, body: &[u8]) -> bool {
        self.call(number).is_response(number, body)
    }
}

/// Calls tools that always return the same text.
pub(crate) struct FixedTextCalls {
    pub(crate) calls: ToolCallRequests,
    /// The expected text as a JSON string, quotes included.
    pub(crate) text: Vec<u8>,
}

impl RequestGenerator for FixedTextCalls {
    fn write(&self, number: u64, request: &mut Vec<u8>) {
        self.calls.write(number, request);
    }

    fn is_response(&self, number: u64, body: &[u8]) -> bool {
        const TEXT_KEY: &[u8] = br#""text":"#;
        let after_key = memmem::find(body, TEXT_KEY).and_then(|index| body.get(index + TEXT_KEY.len()..));
        let rest = after_key.and_then(|value| value.strip_prefix(self.text.as_slice()));
        is_result_of(number, body) && rest.is_some_and(|rest| memmem::find(rest, br#""isError":true"#).is_none())
    }
}

/// Requests the list of tools: `tools/list`.
pub(crate) struct ToolListRequests {
    pub(crate) client: BenchClient,
    /// Number of tools that the list must contain.
    pub(crate) tools: u64,
}

impl RequestGenerator for ToolListRequests {
    fn write(&self, number: u64, request: &mut Vec<u8>) {
        let meta = self.client.meta.trim_start_matches(',');
        let body = format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/list","params":{{{meta}}}}}"#);
        self.client.write("tools/list", None, &body, request);
    }

    fn is_response(&self, number: u64, body: &[u8]) -> bool {
        is_result_of(number, body) && memmem::find_iter(body, br#""inputSchema":"#).count() as u64 == self.tools
    }
}

fn is_result_of(number: u64, body: &[u8]) -> bool {
    body.starts_with(format!(r#"{{"jsonrpc":"2.0","id":{number},"result":"#).as_bytes())
}

/// The `_meta` member of a modern client's requests, with a leading comma.
pub(crate) fn modern_meta() -> String {
    let prefix = "io.modelcontextprotocol";
    let meta: Value = json!({
        format!("{prefix}/protocolVersion"): toolgate_testkit::mcp::MODERN,
        format!("{prefix}/clientInfo"): {"name": "bench", "version": "1.0.0"},
        format!("{prefix}/clientCapabilities"): {},
    });
    format!(r#","_meta":{meta}"#)
}
