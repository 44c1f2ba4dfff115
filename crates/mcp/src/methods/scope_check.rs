//! Refuses calls that the scopes of the caller's token do not include.

use toolgate_domain::oauth::scopes::McpScope;

use super::calls;
use super::tools::CallParams;
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::message::RpcRequest;
use crate::mcp_request::{McpRequest, MessageContext};
use crate::method::McpMethod;

/// Refuses a call of a tool that may change something, if the caller's token is for reading only. The decision does not
/// depend on the arguments of the tool.
pub(crate) fn check(context: &MessageContext, request: &RpcRequest) -> Result<(), RpcError> {
    if request.method != Some(McpMethod::ToolsCall) || may_write(&context.mcp_request) {
        return Ok(());
    }
    // Faults of the request are reported later, as for callers with all scopes.
    let Ok(params) = CallParams::parse(&request.params) else { return Ok(()) };
    match calls::called_tool(context, &params) {
        Some(tool) if !tool.only_reads => Err(context.mcp_request.insufficient_scope(McpScope::Write)),
        _ => Ok(()),
    }
}

/// Whether the caller may use all tools.
pub(crate) fn may_write(mcp_request: &McpRequest) -> bool {
    mcp_request.caller.scopes().is_none_or(|scopes| scopes.allow(McpScope::Write))
}
