//! The gateways that are compared: Toolgate, with what an owner would set up, and the minimal program.

use std::process::Command;

use serde_json::{Value, json};
use toolgate_testkit::http::Client;
use toolgate_testkit::process::built_program;
use toolgate_testkit::{McpClient, RunningService};

use crate::nginx::Nginx;
use crate::process::Process;
use crate::requests::{McpCaller, modern_meta};

/// How many tools a server has, unless it has many.
pub(crate) const TOOLS: u64 = 50;
/// How many it has then.
pub(crate) const MANY_TOOLS: u64 = 1000;
const RATE_LIMIT: u64 = 10_000_000;

/// A running Toolgate with three servers, each of which wants a key.
pub(crate) struct Toolgate {
    pub(crate) app: RunningService,
    /// Its tools ask the upstream each time.
    pub(crate) plain: ServerEndpoint,
    /// Its tools keep answers for a day.
    pub(crate) cached: ServerEndpoint,
    /// It has many tools.
    pub(crate) large: ServerEndpoint,
}

/// A server as its clients see it.
pub(crate) struct ServerEndpoint {
    url: String,
    key: String,
    /// What a legacy caller got for its handshake.
    session: String,
}

impl ServerEndpoint {
    /// A caller who says nothing of itself. The service may have another port than when the server was defined.
    pub(crate) fn bare(&self, app: &RunningService) -> McpCaller {
        let (_, path) = self.url.split_once("/mcp/").expect("an endpoint");
        let headers = format!("authorization: Bearer {}\r\n", self.key);
        let (host, path) = (app.address().to_owned(), format!("/mcp/{path}"));
        McpCaller { host, path, headers, meta: String::new(), is_modern: false }
    }
}

/// A running service in which nothing is defined.
pub(crate) fn start_service(recording: &str) -> RunningService {
    RunningService::builder(built_program("toolgate"))
        .env("TOOLGATE_RECORDING", recording)
        .env("TOOLGATE_LOG", "error")
        .start()
}

impl Toolgate {
    pub(crate) async fn start(recording: &str, upstream: &Nginx) -> Self {
        let app = start_service(recording);
        let (api, origin) = (app.client(), upstream.origin());
        let plain = create_endpoint(&api, &origin, TOOLS, 0).await;
        let cached = create_endpoint(&api, &origin, TOOLS, 86_400).await;
        let large = create_endpoint(&api, &origin, MANY_TOOLS, 0).await;
        Self { app, plain, cached, large }
    }

    pub(crate) fn bare(&self) -> McpCaller {
        self.plain.bare(&self.app)
    }

    pub(crate) fn legacy(&self) -> McpCaller {
        let session = format!("mcp-session-id: {}\r\n", self.plain.session);
        self.bare().with_headers(&[&revision_headers(toolgate_testkit::mcp::NEWEST_LEGACY), &session])
    }

    pub(crate) fn modern(&self) -> McpCaller {
        let caller = self.bare().with_headers(&[&revision_headers(toolgate_testkit::mcp::MODERN)]);
        McpCaller { meta: modern_meta(), is_modern: true, ..caller }
    }
}

fn revision_headers(revision: &str) -> String {
    format!("accept: application/json, text/event-stream\r\nmcp-protocol-version: {revision}\r\n")
}

/// Defines a server over the REST API, and shakes hands with it.
pub(crate) async fn create_endpoint(api: &Client, origin: &str, tools: u64, cache_ttl: u64) -> ServerEndpoint {
    publish(api, &define(api, origin, tools, cache_ttl).await).await
}

/// Defines a server whose tools ask `origin`, which is an address without a slash at its end.
pub(crate) async fn define(api: &Client, origin: &str, tools: u64, cache_ttl: u64) -> Value {
    let server = json!({"name": "Bench", "auth_type": "api-key", "rate_limit_per_min": RATE_LIMIT});
    let server = api.post("/servers").json(server).send().await.expect(201).json();
    for number in 0..tools {
        let tool = tool(number, origin, cache_ttl);
        api.post(&format!("/servers/{}/tools", server["id"])).json(tool).send().await.expect(201);
    }
    server
}

/// Makes a key for a server, and shakes hands with it.
pub(crate) async fn publish(api: &Client, server: &Value) -> ServerEndpoint {
    let key = api.post(&format!("/servers/{}/keys", server["id"])).json(json!({"name": "bench"})).send().await;
    let key = key.expect(201).json()["key"].as_str().expect("a key").to_owned();
    let url = server["endpoint_url"].as_str().expect("an address").to_owned();
    let hello = json!({
        "protocolVersion": toolgate_testkit::mcp::NEWEST_LEGACY,
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1.0.0"},
    });
    let reply = McpClient::new(&url).bearer(&key).request("initialize", hello).send().await;
    let session = reply.header("mcp-session-id").expect("a session").to_owned();
    ServerEndpoint { url, key, session }
}

fn tool(number: u64, origin: &str, cache_ttl: u64) -> Value {
    json!({
        "name": format!("tool_{number}"),
        "description": "Reads an item by its number, together with what is known of a word.",
        "endpoint_url": format!("{origin}/items/{{id}}"),
        "input_schema": {
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "The item's number", "maxLength": 20},
                "q": {"type": "string", "description": "A word to look for", "maxLength": 100},
            },
            "required": ["id", "q"],
        },
        "cache_ttl": cache_ttl,
    })
}

/// The result of `tools/list`, as Toolgate gives it to a bare caller.
pub(crate) async fn list_tools(endpoint: &ServerEndpoint, tools: u64) -> Value {
    let result = McpClient::new(&endpoint.url).bearer(&endpoint.key).result("tools/list", json!({})).await;
    let listed = result["tools"].as_array().expect("a list").len();
    assert_eq!(listed as u64, tools, "all of them come at once");
    result
}

/// The minimal program, with a list of tools of the same bytes.
pub(crate) struct Minimal {
    pub(crate) process: Process,
    pub(crate) address: String,
    _list: tempfile::NamedTempFile,
}

impl Minimal {
    pub(crate) fn start(origin: &str, list: &Value) -> Self {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), list.to_string()).expect("it can be written");
        let program = built_program("examples/minimal");
        let (process, address) = Process::announced(Command::new(program).arg(origin).arg(file.path()));
        Self { process, address, _list: file }
    }

    pub(crate) fn caller(&self) -> McpCaller {
        let (host, path) = (self.address.clone(), "/".to_owned());
        McpCaller { host, path, headers: String::new(), meta: String::new(), is_modern: false }
    }
}
