//! Calls of the tools that the service provides.

mod read_more;

use super::tools::CallParams;
use crate::catalog::built_in::BuiltInTool;
use crate::jsonrpc::error::RpcError;
use crate::mcp_request::MessageContext;
use crate::outcome::MethodOutcome;

/// Runs a built-in tool.
pub(super) async fn call(
    context: &MessageContext,
    tool: BuiltInTool,
    params: &CallParams,
) -> Result<MethodOutcome, RpcError> {
    let arguments = params.arguments.as_ref();
    let result = match tool {
        BuiltInTool::ReadMore => read_more::call(context, arguments).await,
    };
    Ok(MethodOutcome::ToolCall(result))
}
