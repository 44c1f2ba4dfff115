//! `tools/call`.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use toolgate_domain::call::FailureReason;
use toolgate_domain::json::{JsonObject, Members, raw, raw_string};
use toolgate_execution::tool::CompiledTool;
use toolgate_execution::{CallInput, Execution, Failure, Round, Stages, ToolOutput};

use super::rich;
use crate::call_scope::CallScope;
use crate::catalog::{PublishedTool, Variables};
use crate::era::check_headers;
use crate::exchange::Context;
use crate::jsonrpc::{Params, RpcError};
use crate::outcome::Outcome;
use crate::request_state::StateScope;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[serde(expecting = "an object")]
struct CallParams {
    name: String,
    /// Read with the message.
    #[serde(skip)]
    arguments: Option<Arc<str>>,
    input_responses: Option<Box<RawValue>>,
    request_state: Option<String>,
}

impl CallParams {
    fn of(params: &Params) -> Result<Self, RpcError> {
        let arguments = params.arguments().cloned();
        match params.name() {
            // As nearly all come: what there is of them was read with the message.
            Some(name) if !params.has_others() => {
                Ok(Self { name: name.to_owned(), arguments, input_responses: None, request_state: None })
            }
            _ => Ok(Self { arguments, ..params.read()? }),
        }
    }
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
    let params = CallParams::of(params)?;
    let tool = context.published().tools.get(&params.name).ok_or_else(|| unknown(&params.name))?;
    let mut scope = CallScope::open(context, tool, params.arguments.as_ref());
    match check(context, tool, &params) {
        Ok(state) => Ok(Prepared { tool: Arc::clone(tool), params, state, scope }),
        Err(error) => {
            scope.refused(&error);
            Err(error)
        }
    }
}

fn unknown(name: &str) -> RpcError {
    let shown: String = name.chars().take(200).collect();
    RpcError::invalid_params(format!("Unknown tool: {shown}"))
}

/// Arguments, capabilities, mirrored headers and the state of an earlier round; returns the latter.
fn check(context: &Context, tool: &PublishedTool, params: &CallParams) -> Result<Option<String>, RpcError> {
    if params.arguments.as_ref().is_some_and(|arguments| !arguments.starts_with('{')) {
        return Err(RpcError::invalid_params("Invalid params: arguments must be an object"));
    }
    if let (Some(sender), Some(compiled)) = (&context.sender, &tool.compiled) {
        if let Some(required) = &compiled.required_client_capabilities {
            let missing = sender.lacks(required.to_value().as_object().unwrap_or(&Map::new()));
            if !missing.is_empty() {
                return Err(RpcError::missing_capability(&missing.into()));
            }
        }
        if !compiled.mirrored.is_empty() {
            let arguments = params.arguments.as_ref().and_then(|text| serde_json::from_str(text).ok());
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
                let capabilities = context.sender.as_ref().map(|sender| &*sender.capabilities);
                context.gate().executor.call(compiled, self.input(capabilities), stages).await
            }
            None => Execution::refused(broken()),
        };
        self.scope.traced(&execution);
        match rich::finish(context, &self.tool, execution.output) {
            Ok(called) => {
                self.scope.answered(&called);
                Ok(Outcome::Called(called))
            }
            Err(error) => {
                self.scope.refused(&error);
                Err(error)
            }
        }
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
fn broken() -> Failure {
    Failure::new(FailureReason::Internal, "This tool cannot be used: its input_schema does not compile.")
        .advising("The tool's owner has to correct its input_schema.")
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
    arguments: &Members,
    variables: &Variables,
) -> Result<ToolOutput, Failure> {
    let tool = context.published().tools.get(name).ok_or_else(|| {
        Failure::new(FailureReason::Internal, format!("The tool {name} of this resource does not exist"))
            .advising("The resource's owner has to name an active tool of the same server.")
    })?;
    let compiled = tool.compiled.as_ref().ok_or_else(broken)?;
    let arguments = with_variables(compiled, arguments, variables);
    let input = CallInput { arguments: Some(arguments.as_str()), round: Round::default(), may_be_cached: true };
    context.gate().executor.call(compiled, input, &()).await.output
}

/// Variables of an address are text. Where the tool refuses one as text, and it reads as a number or a boolean, it is
/// passed as that.
fn with_variables(tool: &CompiledTool, arguments: &Members, variables: &Variables) -> JsonObject {
    let mut merged = arguments.clone();
    merged.extend(variables.iter().map(|(name, value)| (name.clone(), raw_string(value))));
    let as_text = JsonObject::from_members(&merged);
    let Err(failure) = tool.validate(Some(as_text.as_str())) else { return as_text };
    for (name, value) in variables {
        let is_scalar = serde_json::from_str::<Value>(value).is_ok_and(|value| value.is_number() || value.is_boolean());
        if is_scalar && failure.violations.iter().any(|violation| violation.argument == *name) {
            merged.insert(name.clone(), raw(value.clone()));
        }
    }
    JsonObject::from_members(&merged)
}
