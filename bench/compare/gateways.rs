//! The compared gateways: Toolgate with a typical setup, and the minimal program.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use toolgate_testkit::http::Client;
use toolgate_testkit::objects::with_defaults;
use toolgate_testkit::process::{built_program, service_binary};
use toolgate_testkit::{McpClient, RunningService};

use crate::nginx::Nginx;
use crate::process::Process;
use crate::requests::{BenchClient, modern_meta};

/// Number of tools in most servers.
pub(crate) const TOOLS: u64 = 50;
/// Number of tools in the large server.
pub(crate) const MANY_TOOLS: u64 = 1000;
const ONE_DAY_SECS: u64 = 86_400;
/// So high that no call is rejected.
const RATE_LIMIT_PER_MIN: u64 = 10_000_000;

/// What the tools of a server do besides calling the upstream.
#[derive(Clone, Copy)]
pub(crate) enum ToolKind {
    Plain,
    /// Caches responses for a day.
    Cached,
    /// Sends a credential, which is masked in every response.
    WithCredential,
    /// Shapes every response as tools that are created in the console do.
    Shaped,
}

impl ToolKind {
    /// The fields that differ from those of a plain tool.
    fn fields(self) -> Value {
        match self {
            Self::Plain => json!({}),
            Self::Cached => json!({"cache_ttl": ONE_DAY_SECS}),
            Self::WithCredential => json!({"auth_type": "bearer", "auth_credentials": {"token": "b7e1c09a4f2d4e55"}}),
            Self::Shaped => {
                let shaping = json!({"max_tokens": 8000, "drop_empty": true, "html": "markdown", "blobs": "link"});
                json!({"shaping": shaping})
            }
        }
    }
}

/// Whether the service records calls.
#[derive(Clone, Copy)]
pub(crate) enum RecordingMode {
    On,
    Off,
}

impl RecordingMode {
    /// The value of `TOOLGATE_RECORDING`.
    fn as_str(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
        }
    }
}

/// A running Toolgate with servers that each require a key.
pub(crate) struct Toolgate {
    pub(crate) app: RunningService,
    /// A server whose tools send every call to the upstream.
    pub(crate) plain: ServerEndpoint,
    /// A server whose tools cache responses for a day.
    pub(crate) cached: ServerEndpoint,
    /// A server whose tools send a credential.
    pub(crate) with_credential: ServerEndpoint,
    /// A server whose tools shape responses.
    pub(crate) shaped: ServerEndpoint,
    /// A server with many tools.
    pub(crate) large: ServerEndpoint,
}

/// Another build of the service, which the current one is compared with.
pub(crate) struct Baseline {
    pub(crate) app: RunningService,
    /// A server whose tools send every call to the upstream.
    pub(crate) plain: ServerEndpoint,
    /// A server whose tools cache responses for a day.
    pub(crate) cached: ServerEndpoint,
}

impl Baseline {
    pub(crate) async fn start(program: &Path, upstream: &Nginx) -> Self {
        let app = start_program(program, RecordingMode::On);
        let (api, origin) = (app.client(), upstream.origin());
        let plain = create_endpoint(&api, &origin, TOOLS, ToolKind::Plain).await;
        let cached = create_endpoint(&api, &origin, TOOLS, ToolKind::Cached).await;
        Self { app, plain, cached }
    }
}

/// The endpoint of a server, with a key and a session for its clients.
pub(crate) struct ServerEndpoint {
    url: String,
    key: String,
    /// The session id that a legacy client got from `initialize`.
    session: String,
}

impl ServerEndpoint {
    /// A client that sends neither protocol version nor client info. Uses the current address of the service, because
    /// its port changes with a restart.
    pub(crate) fn bare(&self, app: &RunningService) -> BenchClient {
        let (_, path) = self.url.split_once("/mcp/").expect("the URL is an endpoint");
        let headers = format!("authorization: Bearer {}\r\n", self.key);
        let (host, path) = (app.address().to_owned(), format!("/mcp/{path}"));
        BenchClient { host, path, headers, meta: String::new(), is_modern: false }
    }

    pub(crate) fn legacy(&self, app: &RunningService) -> BenchClient {
        let session = format!("mcp-session-id: {}\r\n", self.session);
        self.bare(app).with_headers(&[&revision_headers(toolgate_testkit::mcp::NEWEST_LEGACY), &session])
    }

    pub(crate) fn modern(&self, app: &RunningService) -> BenchClient {
        let client = self.bare(app).with_headers(&[&revision_headers(toolgate_testkit::mcp::MODERN)]);
        BenchClient { meta: modern_meta(), is_modern: true, ..client }
    }
}

/// Starts a service with an empty database.
pub(crate) fn start_service(recording: RecordingMode) -> RunningService {
    start_program(&service_binary(), recording)
}

fn start_program(program: &Path, recording: RecordingMode) -> RunningService {
    RunningService::builder(program).env("TOOLGATE_RECORDING", recording.as_str()).env("TOOLGATE_LOG", "error").start()
}

impl Toolgate {
    pub(crate) async fn start(recording: RecordingMode, upstream: &Nginx) -> Self {
        let app = start_service(recording);
        let (api, origin) = (app.client(), upstream.origin());
        let plain = create_endpoint(&api, &origin, TOOLS, ToolKind::Plain).await;
        let cached = create_endpoint(&api, &origin, TOOLS, ToolKind::Cached).await;
        let with_credential = create_endpoint(&api, &origin, TOOLS, ToolKind::WithCredential).await;
        let shaped = create_endpoint(&api, &origin, TOOLS, ToolKind::Shaped).await;
        let large = create_endpoint(&api, &origin, MANY_TOOLS, ToolKind::Plain).await;
        Self { app, plain, cached, with_credential, shaped, large }
    }
}

fn revision_headers(revision: &str) -> String {
    format!("accept: application/json, text/event-stream\r\nmcp-protocol-version: {revision}\r\n")
}

/// Creates a server and a key over the REST API, and initializes a session.
pub(crate) async fn create_endpoint(api: &Client, base_url: &str, tools: u64, kind: ToolKind) -> ServerEndpoint {
    create_key_and_session(api, &create_server(api, base_url, tools, kind).await).await
}

/// Creates a server whose tools send requests to `base_url`, which has no trailing slash.
pub(crate) async fn create_server(api: &Client, base_url: &str, tools: u64, kind: ToolKind) -> Value {
    let server = json!({"name": "Bench", "auth_type": "api-key", "rate_limit_per_min": RATE_LIMIT_PER_MIN});
    let server = api.post("/servers").json(server).send().await.expect(201).json();
    for number in 0..tools {
        let tool = tool(number, base_url, kind);
        api.post(&format!("/servers/{}/tools", server["id"])).json(tool).send().await.expect(201);
    }
    server
}

/// Creates a key for a server, and initializes a session.
pub(crate) async fn create_key_and_session(api: &Client, server: &Value) -> ServerEndpoint {
    let key = api.post(&format!("/servers/{}/keys", server["id"])).json(json!({"name": "bench"})).send().await;
    let key = key.expect(201).json()["key"].as_str().expect("the response contains the key").to_owned();
    let url = server["endpoint_url"].as_str().expect("the server has an endpoint URL").to_owned();
    let params = json!({
        "protocolVersion": toolgate_testkit::mcp::NEWEST_LEGACY,
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1.0.0"},
    });
    let reply = McpClient::new(&url).bearer(&key).request("initialize", params).send().await;
    let session = reply.header("mcp-session-id").expect("the response contains a session id").to_owned();
    ServerEndpoint { url, key, session }
}

fn tool(number: u64, base_url: &str, kind: ToolKind) -> Value {
    let plain = json!({
        "name": format!("tool_{number}"),
        "description": "Reads an item by its number, together with information about a word.",
        "endpoint_url": format!("{base_url}/items/{{id}}"),
        "input_schema": {
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "The item's number", "maxLength": 20},
                "q": {"type": "string", "description": "A word to look for", "maxLength": 100},
            },
            "required": ["id", "q"],
        },
    });
    with_defaults(kind.fields(), &plain)
}

/// The result of `tools/list` for a client that sends no protocol version. Panics unless it contains `tools` tools.
pub(crate) async fn list_tools(endpoint: &ServerEndpoint, tools: u64) -> Value {
    let result = McpClient::new(&endpoint.url).bearer(&endpoint.key).result("tools/list", json!({})).await;
    let listed = result["tools"].as_array().expect("the result contains a list").len();
    assert_eq!(listed as u64, tools, "the list must be on one page");
    result
}

/// The minimal gateway (`bench/minimal`), with the same list of tools as Toolgate.
pub(crate) struct MinimalGatewayProcess {
    pub(crate) process: Process,
    pub(crate) address: String,
    /// Contains the list of tools. The file is deleted when this is dropped.
    _list_file: tempfile::NamedTempFile,
}

impl MinimalGatewayProcess {
    /// The program built together with this one.
    pub(crate) fn start(base_url: &str, list: &Value) -> Self {
        Self::start_program(&built_program("minimal"), base_url, list)
    }

    pub(crate) fn start_program(program: &Path, base_url: &str, list: &Value) -> Self {
        let file = tempfile::NamedTempFile::new().expect("a temporary file can be created");
        std::fs::write(file.path(), list.to_string()).expect("the file is writable");
        let (process, address) = Process::start_with_address(Command::new(program).arg(base_url).arg(file.path()));
        Self { process, address, _list_file: file }
    }

    pub(crate) fn client(&self) -> BenchClient {
        let (host, path) = (self.address.clone(), "/".to_owned());
        BenchClient { host, path, headers: String::new(), meta: String::new(), is_modern: false }
    }
}
