//! Refuses messages that the scopes of the caller's token do not include.

use toolgate_domain::oauth::scopes::McpScope;

use super::tools::CallParams;
use super::{calls, resources};
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::message::RpcRequest;
use crate::mcp_request::{McpRequest, MessageContext};
use crate::method::McpMethod;

/// Refuses a call of a tool that may change something, and a resource whose content comes from such a request, if the
/// caller's token is for reading only. The decision does not depend on the arguments of the tool.
pub(crate) fn check(context: &MessageContext, request: &RpcRequest) -> Result<(), RpcError> {
    if may_write(&context.mcp_request) {
        return Ok(());
    }
    let only_reads = match request.method {
        Some(McpMethod::ToolsCall) => call_only_reads(context, request),
        Some(McpMethod::ResourcesRead) => resources::only_reads(context, &request.params),
        _ => true,
    };
    if only_reads { Ok(()) } else { Err(context.mcp_request.insufficient_scope(McpScope::Write)) }
}

/// Faults of the request are reported later, as for callers with all scopes.
fn call_only_reads(context: &MessageContext, request: &RpcRequest) -> bool {
    let Ok(params) = CallParams::parse(&request.params) else { return true };
    calls::called_tool(context, &params).is_none_or(|tool| tool.only_reads)
}

/// Whether the caller may use all tools.
pub(crate) fn may_write(mcp_request: &McpRequest) -> bool {
    mcp_request.caller.scopes().is_none_or(|scopes| scopes.allow(McpScope::Write))
}
