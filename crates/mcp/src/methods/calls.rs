//! Starts `tools/call` for a tool that the owner defined, or for a built-in tool.

use std::sync::Arc;

use toolgate_discovery::built_in::BuiltInTool;

use super::tools::{CallParams, CallRoute, PreparedCall, unknown_tool};
use super::{MethodStart, built_in};
use crate::catalog::tools::PublishedTool;
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::params::RpcParams;
use crate::mcp_request::MessageContext;

/// The tool that a request calls, directly or through `call_tool`; `None` for built-in tools.
pub(super) fn called_tool<'a>(context: &'a MessageContext, params: &CallParams) -> Option<&'a Arc<PublishedTool>> {
    let tools = &context.snapshot().tools;
    match tools.get(&params.name) {
        Some(tool) => Some(tool),
        None if tools.built_in(&params.name) == Some(BuiltInTool::CallTool) => {
            built_in::find_tool(context, &built_in::call_tool::inner_name(params)?)
        }
        None => built_in::find_tool(context, &params.name),
    }
}

/// Starts a call of a tool that the owner defined, or runs a built-in tool.
pub(super) async fn start(context: &MessageContext, params: &RpcParams) -> Result<MethodStart, RpcError> {
    let params = CallParams::parse(params)?;
    let tools = &context.snapshot().tools;
    if let Some(tool) = tools.get(&params.name) {
        return PreparedCall::check(context, tool, params, CallRoute::Direct).map(MethodStart::Call);
    }
    match tools.built_in(&params.name) {
        Some(BuiltInTool::CallTool) => built_in::call_tool::start(context, params).await,
        Some(built_in) => built_in::call(context, built_in, &params).await.map(MethodStart::Finished),
        None => match tools.get_adapted(context.client_profile(), &params.name) {
            Some(tool) => PreparedCall::check(context, tool, params, CallRoute::Direct).map(MethodStart::Call),
            None => Err(unknown_tool(context, &params.name)),
        },
    }
}
