//! The handshake: `initialize` for legacy clients, `server/discover` for modern ones.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::era::Revision;
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::params::RpcParams;
use crate::mcp_request::MessageContext;
use crate::method::McpMethod;
use crate::outcome::MethodOutcome;

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
    let snapshot = context.snapshot();
    let mut result = json!({
        "protocolVersion": revision.as_str(),
        "capabilities": capabilities(),
        "serverInfo": server_info(context),
    });
    if let Some(instructions) = &snapshot.instructions {
        result["instructions"] = instructions.as_str().into();
    }
    let name = params.client_info.map(|info| info.name).unwrap_or_default();
    context.client_connected(McpMethod::Initialize, Some(&name));
    let service = context.service();
    let session_id = service.sessions.issue(&snapshot.server.public_id, &name, revision, service.clock.now());
    Ok(MethodOutcome::Initialized { json: result.to_string().into(), session_id })
}

pub(super) fn discover(context: &MessageContext) -> MethodOutcome {
    context.client_connected(McpMethod::ServerDiscover, None);
    let snapshot = context.snapshot();
    let mut result = json!({
        "supportedVersions": Revision::NAMES,
        "capabilities": capabilities(),
        "serverInfo": server_info(context),
    });
    if let Some(instructions) = &snapshot.instructions {
        result["instructions"] = instructions.as_str().into();
    }
    MethodOutcome::cacheable(result.to_string(), snapshot.list_freshness())
}

fn server_info(context: &MessageContext) -> Value {
    serde_json::from_str(&context.snapshot().server_info_json).unwrap_or_default()
}

/// The capabilities, which are the same for every server: owners can change any list, and clients are notified.
fn capabilities() -> Value {
    json!({
        "tools": {"listChanged": true},
        "prompts": {"listChanged": true},
        "resources": {"subscribe": true, "listChanged": true},
        "completions": {},
        "logging": {},
    })
}
