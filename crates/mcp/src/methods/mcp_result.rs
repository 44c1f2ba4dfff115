//! Adapts MCP results of upstreams to the era of the caller, and signs their `requestState`.

use serde_json::{Map, Value, json};
use toolgate_domain::call::FailureReason;
use toolgate_domain::json::{JsonObject, raw, raw_string};
use toolgate_execution::{Failure, McpResult, ToolOutput};

use crate::catalog::tools::PublishedTool;
use crate::era::Era;
use crate::jsonrpc::error::RpcError;
use crate::mcp_request::MessageContext;
use crate::outcome::allows_structured_content;
use crate::request_state::StateScope;

/// The largest `requestState` of an upstream, in bytes.
const STATE_MAX: usize = 64 * 1024;

type CallResult = Result<ToolOutput, Failure>;

/// The result for a caller of this era. Results that are not from an MCP upstream stay unchanged.
pub(super) fn adapt(
    context: &MessageContext,
    tool: &PublishedTool,
    call_result: CallResult,
) -> Result<CallResult, RpcError> {
    let Ok(ToolOutput::McpResult(mut result)) = call_result else { return Ok(call_result) };
    if !result.needs_input() {
        adapt_final_result(context, &mut result);
        return Ok(Ok(ToolOutput::McpResult(result)));
    }
    if !context.era.is_modern() {
        return Ok(Err(input_not_supported()));
    }
    check_input_requests(context, &result)?;
    if let Some(state) = result.members.get("requestState") {
        let state = toolgate_domain::json::as_string(state).filter(|state| state.len() <= STATE_MAX);
        let Some(state) = state else { return Ok(Err(invalid_request_state())) };
        let sealed = StateScope::new(context, tool).seal(&state);
        result.members.insert("requestState".to_owned(), raw_string(&sealed));
    }
    add_server_meta(context, &mut result);
    Ok(Ok(ToolOutput::McpResult(result)))
}

fn invalid_request_state() -> Failure {
    let message = format!("The upstream's requestState is not a string of at most {STATE_MAX} bytes.");
    Failure::new(FailureReason::BadResponse, message)
}

fn input_not_supported() -> Failure {
    let message =
        "This tool needs input from the user, which only clients with protocol revision 2026-07-28 can provide.";
    Failure::new(FailureReason::BadResponse, message)
        .with_advice("Use a client that supports this revision.")
        .with_model_advice("Calling again will not help. Tell the user that this client cannot be asked for input.")
}

/// Adapts a final result: adds the members that the era requires, and removes those that it does not have.
fn adapt_final_result(context: &MessageContext, result: &mut McpResult) {
    match context.era {
        Era::Modern => {
            result.members.entry("resultType".to_owned()).or_insert_with(|| raw_string("complete"));
            add_server_meta(context, result);
        }
        Era::Bare => result.members.retain(|key, _| matches!(key.as_str(), "content" | "isError")),
        Era::Legacy(_) => {
            let is_known = |key: &str| !matches!(key, "resultType" | "inputRequests" | "requestState");
            result.members.retain(|key, _| is_known(key));
        }
    }
    let structured = result.members.get("structuredContent");
    if structured.is_some_and(|json| !allows_structured_content(context.era, json.get().as_bytes())) {
        result.members.shift_remove("structuredContent");
    }
    if result.members.get("isError").is_some_and(|flag| flag.get() != "true") {
        result.members.shift_remove("isError");
    }
}

/// Adds the name and version of the server to the `_meta` of the upstream's result.
fn add_server_meta(context: &MessageContext, result: &mut McpResult) {
    let server_meta = JsonObject::from_stored(context.snapshot().server_meta_json.clone());
    let mut members = result
        .members
        .get("_meta")
        .and_then(|meta| JsonObject::from_raw(meta))
        .map(|meta| meta.members())
        .unwrap_or_default();
    members.extend(server_meta.members());
    result.members.insert("_meta".to_owned(), raw(JsonObject::from_members(&members).as_str().to_owned()));
}

/// Checks that the client declared the capabilities that the input requests need.
fn check_input_requests(context: &MessageContext, result: &McpResult) -> Result<(), RpcError> {
    let requests: Map<String, Value> =
        result.members.get("inputRequests").and_then(|text| serde_json::from_str(text.get()).ok()).unwrap_or_default();
    let mut needed = Map::new();
    for request in requests.values() {
        match request.get("method").and_then(Value::as_str) {
            Some("elicitation/create") if request["params"]["mode"] == "url" => {
                needed.insert("elicitation".to_owned(), json!({"url": {}}));
            }
            Some("elicitation/create") => drop(needed.entry("elicitation").or_insert(json!({}))),
            Some("sampling/createMessage") => drop(needed.insert("sampling".to_owned(), json!({}))),
            Some("roots/list") => drop(needed.insert("roots".to_owned(), json!({}))),
            _ => {}
        }
    }
    context.modern_client.as_ref().map_or(Ok(()), |client| client.require_capabilities(&needed))
}
