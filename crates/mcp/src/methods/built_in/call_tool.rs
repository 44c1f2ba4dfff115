//! `call_tool`: calls a tool that the list does not show. The call is checked, limited, executed and recorded exactly
//! like a call of the tool itself.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use toolgate_discovery::built_in::BuiltInTool;
use toolgate_domain::call::FailureReason;
use toolgate_domain::json;
use toolgate_execution::Failure;

use super::{find_tool, unknown_tool};
use crate::jsonrpc::error::RpcError;
use crate::mcp_request::MessageContext;
use crate::methods::MethodStart;
use crate::methods::tools::{CallParams, CallRoute, PreparedCall};
use crate::outcome::MethodOutcome;

#[derive(Deserialize)]
struct CallToolArguments {
    name: String,
    arguments: Option<Box<RawValue>>,
}

/// Starts the call of the named tool.
pub(in crate::methods) async fn start(context: &MessageContext, params: CallParams) -> Result<MethodStart, RpcError> {
    let inner = match inner_call(params) {
        Ok(inner) => inner,
        Err(failure) => return Ok(failed(failure)),
    };
    if let Some(tool) = find_tool(context, &inner.name) {
        return PreparedCall::check(context, tool, inner, CallRoute::CallTool).map(MethodStart::Call);
    }
    match context.snapshot().tools.built_in(&inner.name) {
        Some(built_in) => super::call(context, built_in, &inner).await.map(MethodStart::Finished),
        None => Ok(failed(unknown_tool(context, &inner.name))),
    }
}

/// The name of the tool that a call of `call_tool` calls.
pub(in crate::methods) fn inner_name(params: &CallParams) -> Option<String> {
    serde_json::from_str::<CallToolArguments>(params.arguments.as_deref()?).ok().map(|sent| sent.name)
}

/// The failure of a call of `call_tool` through itself.
pub(super) fn nested_call(context: &MessageContext) -> Failure {
    let name = context.snapshot().tools.built_in_name(BuiltInTool::CallTool);
    Failure::new(FailureReason::BadArguments, format!("{name} cannot call itself."))
        .with_model_advice("Call again with the name of another tool.")
}

fn failed(failure: Failure) -> MethodStart {
    MethodStart::Finished(MethodOutcome::ToolCall(Err(failure)))
}

/// The parameters of the call of the named tool.
fn inner_call(params: CallParams) -> Result<CallParams, Failure> {
    let sent: CallToolArguments =
        serde_json::from_str(params.arguments.as_deref().unwrap_or("{}")).map_err(|_| missing_name())?;
    let arguments = sent.arguments.filter(|arguments| !json::is_null(arguments));
    let arguments = arguments.map(|arguments| object_text(&arguments).ok_or_else(arguments_of_wrong_type));
    Ok(params.for_tool(sent.name, arguments.transpose()?))
}

/// The arguments as JSON. Models often send the object as a text.
fn object_text(arguments: &RawValue) -> Option<Arc<str>> {
    let is_object = |text: &str| text.trim_start().starts_with('{');
    if is_object(arguments.get()) {
        return Some(arguments.get().into());
    }
    let text = json::as_string(arguments).filter(|text| is_object(text))?;
    let checked = json::check(text.as_bytes()).ok()?;
    Some(checked.get().trim().into())
}

fn missing_name() -> Failure {
    Failure::new(FailureReason::BadArguments, "\"name\" is missing. It is the name of the tool to call.")
        .with_model_advice("Call again, for example with {\"name\":\"list_issues\",\"arguments\":{}}.")
}

fn arguments_of_wrong_type() -> Failure {
    Failure::new(FailureReason::BadArguments, "\"arguments\" must be an object.")
        .with_model_advice("Call again with an object, such as {}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(arguments: &str) -> Option<String> {
        object_text(&json::raw(arguments.to_owned())).map(|text| text.to_string())
    }

    #[test]
    fn arguments_may_be_an_object_or_its_text() {
        assert_eq!(text(r#"{"a":1}"#).as_deref(), Some(r#"{"a":1}"#));
        assert_eq!(text(r#""{\"a\":1}""#).as_deref(), Some(r#"{"a":1}"#));
        for bad in ["[1]", "7", r#""x""#, r#""{""#, r#""{\"a\":1,\"a\":2}""#] {
            assert_eq!(text(bad), None, "{bad}");
        }
    }
}
