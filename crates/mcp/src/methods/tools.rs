//! `tools/call`.

use domain::call::FailureReason;
use execution::{CallInput, Execution, Failure, Round, Stages, ToolOutput};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::rich;
use crate::call_scope::CallScope;
use crate::catalog::PublishedTool;
use crate::era::check_headers;
use crate::exchange::Context;
use crate::jsonrpc::{Params, RpcError};
use crate::outcome::Outcome;
use crate::request_state::StateScope;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallParams {
    name: String,
    arguments: Option<Box<RawValue>>,
    input_responses: Option<Box<RawValue>>,
    request_state: Option<String>,
}

pub(super) async fn call(context: &Context, params: &Params, stages: &dyn Stages) -> Result<Outcome, RpcError> {
    let params: CallParams = params.read()?;
    let tool = context.published().tools.get(&params.name).ok_or_else(|| unknown(&params.name))?;
    let arguments = params.arguments.as_deref();
    if arguments.is_some_and(|arguments| !arguments.get().starts_with('{') && arguments.get() != "null") {
        return Err(RpcError::invalid_params("Invalid params: arguments must be an object"));
    }
    let mut scope = CallScope::open(context, tool, arguments.map_or(0, |arguments| arguments.get().len()));
    match execute(context, tool, &params, stages).await {
        Ok(execution) => {
            scope.executed(&execution);
            rich::finish(context, tool, execution.output).map(Outcome::Called)
        }
        Err(error) => {
            scope.refused(FailureReason::BadArguments);
            Err(error)
        }
    }
}

fn unknown(name: &str) -> RpcError {
    let shown: String = name.chars().take(200).collect();
    RpcError::invalid_params(format!("Unknown tool: {shown}"))
}

/// What must hold before a call is made, then the call.
async fn execute(
    context: &Context,
    tool: &PublishedTool,
    params: &CallParams,
    stages: &dyn Stages,
) -> Result<Execution, RpcError> {
    let Some(compiled) = &tool.compiled else { return Ok(broken()) };
    if let Some(meta) = &context.meta {
        if let Some(required) = &compiled.required_client_capabilities {
            let missing = meta.lacks(required.to_value().as_object().unwrap_or(&Map::new()));
            if !missing.is_empty() {
                return Err(RpcError::missing_capability(&missing.into()));
            }
        }
        if !compiled.mirrored.is_empty() {
            let arguments = params.arguments.as_ref().and_then(|text| serde_json::from_str(text.get()).ok());
            check_headers(&compiled.mirrored, &arguments.unwrap_or(Value::Null), &context.exchange.headers)?;
        }
    }
    let state = params.request_state.as_deref().map(|state| open_state(context, tool, state)).transpose()?;
    let capabilities =
        context.meta.as_ref().map(|meta| domain::json::raw(Value::Object(meta.capabilities.clone()).to_string()));
    let input = CallInput {
        arguments: params.arguments.as_deref(),
        round: Round {
            input_responses: params.input_responses.as_deref(),
            request_state: state.as_deref(),
            client_capabilities: capabilities.as_deref(),
        },
        may_be_cached: true,
    };
    Ok(context.gate().executor.call(compiled, input, stages).await)
}

/// A tool whose stored schema does not compile: nothing is sent, and its owner's log says why.
fn broken() -> Execution {
    let message = "This tool cannot be used: its input_schema does not compile. Its owner has to correct it.";
    Execution::refused(Failure::new(FailureReason::Internal, message))
}

fn open_state(context: &Context, tool: &PublishedTool, state: &str) -> Result<String, RpcError> {
    let gate = context.gate();
    state_scope(context, tool).open(&gate.signer, state, gate.clock.now()).ok_or_else(|| {
        RpcError::invalid_params("Invalid params: requestState is invalid or has expired; call again without it")
    })
}

pub(super) fn state_scope<'a>(context: &'a Context, tool: &PublishedTool) -> StateScope<'a> {
    let exchange = &context.exchange;
    StateScope { server: &exchange.published.server.public_id, tool: tool.id, caller: &exchange.caller }
}

/// A tool of the same server, called for a resource: no client's call, so no record.
pub(super) async fn call_for_resource(
    context: &Context,
    name: &str,
    arguments: &RawValue,
) -> Result<ToolOutput, Failure> {
    let missing = || Failure::new(FailureReason::Internal, format!("The tool {name} of this resource does not exist"));
    let tool = context.published().tools.get(name).ok_or_else(missing)?;
    let compiled = tool.compiled.as_ref().ok_or_else(missing)?;
    let input = CallInput { arguments: Some(arguments), round: Round::default(), may_be_cached: true };
    context.gate().executor.call(compiled, input, &()).await.output
}
