//! `tools/call`: checks a call, executes it and records it.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use toolgate_domain::call::FailureReason;
use toolgate_domain::closest::probable_names;
use toolgate_domain::json::{JsonObject, Members, raw, raw_string};
use toolgate_execution::tool::CompiledTool;
use toolgate_execution::{
    CallAudience, CallInput, CallStage, Execution, Failure, InputRound, StageObserver, ToolOutput,
};

use super::{cached_call, mcp_result, shaped_call};
use crate::cached_results::ResultKey;
use crate::call_scope::CallScope;
use crate::catalog::resources::ResourceVariables;
use crate::catalog::tools::PublishedTool;
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::params::RpcParams;
use crate::mcp_request::MessageContext;
use crate::modern_client::{ModernClient, check_mirrored_headers};
use crate::outcome::MethodOutcome;
use crate::request_state::StateScope;

/// The parameters of `tools/call`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[serde(expecting = "an object")]
pub(super) struct CallParams {
    pub(super) name: String,
    /// Parsed with the message.
    #[serde(skip)]
    pub(super) arguments: Option<Arc<str>>,
    input_responses: Option<Box<RawValue>>,
    request_state: Option<String>,
}

impl CallParams {
    pub(super) fn parse(params: &RpcParams) -> Result<Self, RpcError> {
        let arguments = params.arguments.clone();
        match &params.name {
            // The fast path for nearly all calls: every parameter was already parsed with the message.
            Some(name) if !params.has_others => {
                Ok(Self { name: name.clone(), arguments, input_responses: None, request_state: None })
            }
            _ => Ok(Self { arguments, ..params.read()? }),
        }
    }

    /// The parameters of the call of another tool in the same request.
    pub(super) fn for_tool(self, name: String, arguments: Option<Arc<str>>) -> Self {
        Self { name, arguments, ..self }
    }
}

/// The most names that are suggested for an unknown one.
const PROBABLE_NAMES_MAX: usize = 3;

/// How a client calls a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallRoute {
    /// By its name.
    Direct,
    /// Through `call_tool`: the client may not know the tool's schema, so it mirrors no arguments in headers, and a
    /// refusal of its arguments includes the signature.
    CallTool,
}

/// A call that passed the checks of the protocol: the tool exists, and the request meets its requirements.
pub(crate) struct PreparedCall {
    tool: Arc<PublishedTool>,
    params: CallParams,
    /// The verified `requestState` of the upstream.
    state: Option<String>,
    scope: CallScope,
    route: CallRoute,
}

/// Checks arguments, capabilities, mirrored headers and `requestState`; returns the verified state.
fn check_call(
    context: &MessageContext,
    tool: &PublishedTool,
    params: &CallParams,
    route: CallRoute,
) -> Result<Option<String>, RpcError> {
    if params.arguments.as_ref().is_some_and(|arguments| !arguments.starts_with('{')) {
        return Err(RpcError::invalid_params("Invalid params: arguments must be an object"));
    }
    if let (Some(client), Some(compiled)) = (&context.modern_client, &tool.compiled) {
        if let Some(required) = &compiled.required_client_capabilities {
            client.require_capabilities(required.to_value().as_object().unwrap_or(&Map::new()))?;
        }
        if !compiled.mirrored_headers.is_empty() && route == CallRoute::Direct {
            let arguments = params.arguments.as_ref().and_then(|text| serde_json::from_str(text).ok());
            check_mirrored_headers(
                &compiled.mirrored_headers,
                &arguments.unwrap_or(Value::Null),
                &context.mcp_request.headers,
            )?;
        }
    }
    let Some(state) = &params.request_state else { return Ok(None) };
    let state = StateScope::new(context, tool).open(state);
    let expired = "Invalid params: requestState is invalid or has expired; call again without it";
    state.map(Some).ok_or_else(|| RpcError::invalid_params(expired))
}

impl PreparedCall {
    /// Checks a call before its response begins, because a protocol error needs an HTTP status.
    pub(super) fn check(
        context: &MessageContext,
        tool: &Arc<PublishedTool>,
        params: CallParams,
        route: CallRoute,
    ) -> Result<Self, RpcError> {
        let mut scope = CallScope::begin(context, tool, params.arguments.as_ref());
        context.span.set_tool(tool.name());
        let state = check_call(context, tool, &params, route).inspect_err(|error| scope.record_refusal(error))?;
        Ok(Self { tool: Arc::clone(tool), params, state, scope, route })
    }

    /// The key under which the result of the call is cached; `None` if it must be executed.
    fn cache_key(&self, context: &MessageContext) -> Option<ResultKey> {
        // A captured call needs the response of the upstream.
        let arguments = self.params.arguments.as_ref();
        (!self.scope.is_captured()).then(|| cached_call::key(context, &self.tool, arguments)).flatten()
    }

    /// Executes the call and records it.
    pub(crate) async fn run(
        mut self,
        context: &MessageContext,
        observer: &dyn StageObserver,
    ) -> Result<MethodOutcome, RpcError> {
        let key = self.cache_key(context);
        if let Some(cached) = key.as_ref().and_then(|key| cached_call::find(context, key)) {
            for stage in CallStage::ALL {
                observer.on_stage(stage);
            }
            self.scope.record_cached_result(&cached);
            return Ok(MethodOutcome::object(cached.json));
        }
        let mut execution = match &self.tool.compiled {
            Some(compiled) => {
                let round = InputRound {
                    input_responses: self.params.input_responses.as_deref(),
                    request_state: self.state.as_deref(),
                    client_capabilities: context.modern_client.as_ref().and_then(ModernClient::capabilities),
                };
                let input = CallInput {
                    arguments: self.params.arguments.as_deref(),
                    round,
                    may_use_cache: true,
                    coerces_arguments: context.snapshot().coerces_arguments,
                    audience: context.audience(),
                    trace: context.call_trace(),
                };
                let execution = context.service().executor.call(compiled, input, observer).await;
                with_listing_tool(context, compiled, execution)
            }
            None => Execution::refused(uncompiled_tool()),
        };
        self.scope.record_execution(&execution);
        let measurements = execution.measurements;
        if let Some(tokens) = shaped_call::shape_result(context, &self.tool, &mut execution).await {
            self.scope.record_tokens(tokens);
        }
        let adapted = mcp_result::adapt(context, &self.tool, execution.output);
        let result = adapted.inspect_err(|error| {
            self.scope.record_refusal(error);
            context.span.set_error(error);
        })?;
        let result = match result {
            Err(failure) if self.route == CallRoute::CallTool => Err(with_signature(context, &self.tool, failure)),
            result => result,
        };
        self.scope.record_result(&result);
        context.span.set_result(&result);
        let json = key.and_then(|key| cached_call::store(context, key, measurements, &result));
        Ok(json.map_or_else(|| MethodOutcome::ToolCall(result), MethodOutcome::object))
    }
}

/// The error for a name that no active tool has. A model also gets similar names.
pub(super) fn unknown_tool(context: &MessageContext, name: &str) -> RpcError {
    let error = RpcError::unknown_name("tool", name);
    if !is_for_model(context) {
        return error;
    }
    let probable = probable_names(name, context.snapshot().tools.names(), PROBABLE_NAMES_MAX);
    let probable: Vec<String> = probable.into_iter().map(|name| format!("\"{name}\"")).collect();
    match probable.as_slice() {
        [] => error.with_hint("use a tool of the list"),
        _ => error.with_hint(&format!("did you mean {}?", probable.join(" or "))),
    }
}

fn is_for_model(context: &MessageContext) -> bool {
    context.audience() == CallAudience::Model
}

/// If the upstream found nothing, adds the name of a tool that may list the existing objects to the advice.
fn with_listing_tool(context: &MessageContext, tool: &CompiledTool, mut execution: Execution) -> Execution {
    if let (Err(failure), Some(404 | 410)) = (&mut execution.output, execution.measurements.upstream_status)
        && let Some(name) = context.snapshot().tools.listing_tool(tool)
    {
        let advice = &failure.for_model.advice;
        failure.for_model.advice = format!("{advice} A tool that lists may give the right one: {name}.").into();
    }
    execution
}

/// Adds the signature of the tool to a failure that its arguments caused.
fn with_signature(context: &MessageContext, tool: &PublishedTool, failure: Failure) -> Failure {
    let is_wanted = failure.reason == FailureReason::BadArguments;
    match is_wanted.then(|| context.snapshot().tools.search().signature(tool.id)).flatten() {
        Some(signature) => {
            let advice = format!("{} Signature: {signature}", failure.for_model.advice);
            failure.with_model_advice(advice)
        }
        None => failure,
    }
}

/// The failure of a tool whose stored schema does not compile. The reason is in the log.
fn uncompiled_tool() -> Failure {
    Failure::new(FailureReason::Internal, "This tool cannot be used: its input_schema does not compile.")
        .with_advice("The owner of the tool must correct its input_schema.")
        .with_model_text(
            "This tool cannot be used: its definition is not valid.",
            FailureReason::Internal.advice_for_model(),
        )
}

/// What a client can do about a resource that cannot be read.
pub(super) const RESOURCE_ADVICE: &str =
    "Reading again will not help. Tell the user that the resource needs attention.";

/// Calls a tool of the same server for a resource. The call is not recorded, because no client made it.
pub(super) async fn call_for_resource(
    context: &MessageContext,
    name: &str,
    arguments: &Members,
    variables: &ResourceVariables,
) -> Result<ToolOutput, Failure> {
    let tool = context.snapshot().tools.get(name).ok_or_else(|| {
        Failure::new(FailureReason::Internal, format!("its tool {name} does not exist or is inactive"))
            .with_advice("The owner of the resource must name an active tool of the same server.")
            .with_model_advice(RESOURCE_ADVICE)
    })?;
    let compiled = tool.compiled.as_ref().ok_or_else(uncompiled_tool)?;
    let arguments = with_variables(compiled, arguments, variables);
    let trace = context.call_trace();
    let input = CallInput { arguments: Some(arguments.as_str()), may_use_cache: true, trace, ..CallInput::default() };
    context.service().executor.call(compiled, input, &()).await.output
}

/// The arguments, extended by the variables of the URI. A variable is passed as a string. If the tool's schema refuses
/// the string and the text is a number or boolean, it is passed as that.
fn with_variables(tool: &CompiledTool, arguments: &Members, variables: &ResourceVariables) -> JsonObject {
    let mut merged = arguments.clone();
    merged.extend(variables.iter().map(|(name, value)| (name.clone(), raw_string(value))));
    let as_strings = JsonObject::from_members(&merged);
    let Err(failure) = tool.validate(Some(as_strings.as_str())) else { return as_strings };
    for (name, value) in variables {
        let is_scalar = serde_json::from_str::<Value>(value).is_ok_and(|value| value.is_number() || value.is_boolean());
        if is_scalar && failure.violations.iter().any(|violation| violation.argument == *name) {
            merged.insert(name.clone(), raw(value.clone()));
        }
    }
    JsonObject::from_members(&merged)
}
