//! The handshake: `initialize` for legacy clients, `server/discover` for modern ones.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::era::Revision;
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::params::RpcParams;
use crate::mcp_request::MessageContext;
use crate::method::McpMethod;
use crate::outcome::MethodOutcome;
use crate::session::id::SessionScope;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[serde(expecting = "an object")]
struct InitializeParams {
    protocol_version: String,
    client_info: Option<ClientInfo>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ClientInfo {
    #[serde(default)]
    name: String,
}

pub(super) fn initialize(context: &MessageContext, params: &RpcParams) -> Result<MethodOutcome, RpcError> {
    let params: InitializeParams = params.read()?;
    let requested = Revision::parse(&params.protocol_version);
    let revision = requested.filter(|revision| *revision <= Revision::NEWEST_LEGACY).unwrap_or(Revision::NEWEST_LEGACY);
    let json = server_description(context, "protocolVersion", &json!(revision));
    let name = params.client_info.map(|info| info.name).unwrap_or_default();
    context.client_connected(McpMethod::Initialize, Some(&name));
    let service = context.service();
    let server = &context.snapshot().server.public_id;
    let scope = SessionScope { server, person: context.mcp_request.caller.person() };
    let session_id = service.sessions.issue(&scope, &name, revision, service.clock.now());
    Ok(MethodOutcome::Object { json: json.into(), freshness: None, session_id })
}

pub(super) fn discover(context: &MessageContext) -> MethodOutcome {
    context.client_connected(McpMethod::ServerDiscover, None);
    let json = server_description(context, "supportedVersions", &json!(Revision::supported()));
    MethodOutcome::cacheable(json, context.snapshot().list_freshness())
}

/// The result of both methods, which name the protocol revisions differently. The capabilities are the same for every
/// server: owners can change any list, and clients are notified.
fn server_description(context: &MessageContext, revisions_key: &str, revisions: &Value) -> String {
    let snapshot = context.snapshot();
    let server_info: Value = serde_json::from_str(&snapshot.server_info_json).unwrap_or_default();
    let mut description = json!({
        revisions_key: revisions,
        "capabilities": {
            "tools": {"listChanged": true},
            "prompts": {"listChanged": true},
            "resources": {"subscribe": true, "listChanged": true},
            "completions": {},
            "logging": {},
        },
        "serverInfo": server_info,
    });
    if let Some(instructions) = &snapshot.instructions {
        description["instructions"] = instructions.as_str().into();
    }
    description.to_string()
}
