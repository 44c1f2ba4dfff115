//! `tools/call`.

use std::sync::Arc;

use domain::call::FailureReason;
use execution::{CallInput, Execution, Failure, Round, Stages, ToolOutput};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::rich;
use crate::call_scope::CallScope;
use crate::catalog::PublishedTool;
use crate::era::{ModernMeta, check_headers};
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

/// A call that may be made: the tool exists, and the request is what the tool asks for.
pub(crate) struct Prepared {
    tool: Arc<PublishedTool>,
    params: CallParams,
    /// What the upstream wanted to have back.
    state: Option<String>,
    scope: CallScope,
}

/// Everything that can refuse a call with a protocol error, so that it is known before anything is sent.
pub(crate) fn prepare(context: &Context, params: &Params) -> Result<Prepared, RpcError> {
    let params: CallParams = params.read()?;
    let tool = context.published().tools.get(&params.name).ok_or_else(|| unknown(&params.name))?;
    let arguments = params.arguments.as_ref().map_or("", |arguments| arguments.get());
    if !matches!(arguments.bytes().next(), None | Some(b'{' | b'n')) {
        return Err(RpcError::invalid_params("Invalid params: arguments must be an object"));
    }
    let mut scope = CallScope::open(context, tool, arguments.len());
    match check(context, tool, &params) {
        Ok(state) => Ok(Prepared { tool: Arc::clone(tool), params, state, scope }),
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

/// Capabilities, mirrored headers and the state of an earlier round; returns the latter.
fn check(context: &Context, tool: &PublishedTool, params: &CallParams) -> Result<Option<String>, RpcError> {
    if let (Some(meta), Some(compiled)) = (&context.meta, &tool.compiled) {
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
    params.request_state.as_deref().map(|state| open_state(context, tool, state)).transpose()
}

impl Prepared {
    /// Makes the call.
    pub(crate) async fn run(mut self, context: &Context, stages: &dyn Stages) -> Result<Outcome, RpcError> {
        let execution = match &self.tool.compiled {
            Some(compiled) => {
                let capabilities = context.meta.as_ref().map(ModernMeta::capabilities_json);
                context.gate().executor.call(compiled, self.input(capabilities.as_deref()), stages).await
            }
            None => broken(),
        };
        self.scope.executed(&execution);
        rich::finish(context, &self.tool, execution.output).map(Outcome::Called)
    }

    fn input<'a>(&'a self, client_capabilities: Option<&'a RawValue>) -> CallInput<'a> {
        CallInput {
            arguments: self.params.arguments.as_deref(),
            round: Round {
                input_responses: self.params.input_responses.as_deref(),
                request_state: self.state.as_deref(),
                client_capabilities,
            },
            may_be_cached: true,
        }
    }
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
