//! Calls of the tools that the service provides.

pub(super) mod call_tool;
mod describe_tool;
mod read_more;
mod search_tools;

use std::sync::Arc;

use toolgate_discovery::built_in::BuiltInTool;
use toolgate_domain::call::FailureReason;
use toolgate_execution::Failure;

use super::tools::CallParams;
use crate::catalog::tools::PublishedTool;
use crate::jsonrpc::error::RpcError;
use crate::mcp_request::MessageContext;
use crate::outcome::MethodOutcome;

/// The most characters of an unknown name that a message shows.
const SHOWN_NAME_MAX: usize = 64;

/// Runs a built-in tool.
pub(super) async fn call(
    context: &MessageContext,
    tool: BuiltInTool,
    params: &CallParams,
) -> Result<MethodOutcome, RpcError> {
    let arguments = params.arguments.as_deref();
    let result = match tool {
        BuiltInTool::ReadMore => read_more::call(context, params.arguments.as_ref()).await,
        BuiltInTool::SearchTools => search_tools::call(context, arguments).await,
        BuiltInTool::DescribeTool => describe_tool::call(context, arguments).await,
        BuiltInTool::CallTool => Err(call_tool::nested_call(context)),
    };
    Ok(MethodOutcome::ToolCall(result))
}

/// The failure of a call that names a tool that does not exist.
fn unknown_tool(context: &MessageContext, name: &str) -> Failure {
    let tools = &context.snapshot().tools;
    let shown: String = name.chars().take(SHOWN_NAME_MAX).collect();
    let close: Vec<String> = tools.search().closest(name).iter().map(|name| format!("\"{name}\"")).collect();
    let suggestion = if close.is_empty() { "." } else { &format!(": did you mean {}?", close.join(" or ")) };
    let search = tools.built_in_name(BuiltInTool::SearchTools);
    Failure::new(FailureReason::BadArguments, format!("There is no tool \"{shown}\"{suggestion}"))
        .with_model_advice(format!("Find tools with {search}, then call again with a name that it returns."))
}

/// The tool with this name, also under the name that an adapted list shows.
pub(super) fn find_tool<'a>(context: &'a MessageContext, name: &str) -> Option<&'a Arc<PublishedTool>> {
    let tools = &context.snapshot().tools;
    tools.get(name).or_else(|| tools.get_adapted(context.client_profile(), name))
}
