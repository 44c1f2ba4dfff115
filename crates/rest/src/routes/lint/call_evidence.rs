//! Evidence about the tools of a server from its recent calls. Reads are bounded: the last calls within 30 days, and
//! the captured texts of some of them.

use std::collections::HashMap;

use serde_json::Value;
use toolgate_discovery::lint::{CallEvidence, SentArguments};
use toolgate_domain::call::{CallRecord, CapturedPayload, FailureReason};
use toolgate_domain::capture::MODEL_TEXT_MARK;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::json::{self, JsonObject};
use toolgate_execution::tool::without_truncation_note;
use toolgate_storage::{CallQuery, LoggedCall};

use crate::error::RestError;
use crate::request::ApiRequest;
use crate::routes::range::TimeRange;

/// The most calls that are read.
const CALLS_MAX: usize = 1_000;
/// Calls of a page, and the most pages. The scan for a page is bounded, so a page can be short.
const PAGE_SIZE: u32 = 500;
const PAGES_MAX: usize = 4;
/// The most refused calls whose captured text is read.
const REFUSALS_READ_MAX: usize = 50;
/// The most calls whose captured arguments are read, in all and of one tool.
const ARGUMENTS_READ_MAX: usize = 100;
const ARGUMENTS_READ_PER_TOOL: usize = 25;
/// The most captured texts in memory at once; each may have 64 KiB. Reading all of them takes at most three queries.
const PAYLOADS_PER_READ: usize = 50;
/// Captured arguments are read only for tools with at least this many arguments.
const MANY_ARGUMENTS: usize = 16;
/// The approximate size of a token, for results whose tokens are not recorded because they were not shaped.
const BYTES_PER_TOKEN: u64 = 4;

/// A tool whose calls are read.
pub(super) struct ObservedTool<'a> {
    pub(super) id: ToolId,
    pub(super) input_schema: &'a Value,
    /// Whether its responses are shaped now. A result without a token count is then not text.
    pub(super) is_shaped: bool,
    /// Whether its responses are text. The size of an MCP result says little about the tokens of its text.
    pub(super) is_text: bool,
}

/// Reads the last calls of the server.
pub(super) async fn read(
    request: &ApiRequest,
    server_id: ServerId,
    tools: &[ObservedTool<'_>],
) -> Result<HashMap<ToolId, CallEvidence>, RestError> {
    if tools.is_empty() {
        return Ok(HashMap::new());
    }
    let calls = last_calls(request, server_id).await?;
    let tools: HashMap<ToolId, &ObservedTool<'_>> = tools.iter().map(|tool| (tool.id, tool)).collect();
    let mut evidence: HashMap<ToolId, CallEvidence> = HashMap::new();
    for call in &calls {
        let Some(tool) = tools.get(&call.record.tool_id) else { continue };
        let evidence = evidence.entry(tool.id).or_default();
        evidence.calls += 1;
        evidence.result_tokens.extend(result_tokens(tool, &call.record));
    }
    add_refusals(request, &calls, &tools, &mut evidence).await?;
    add_sent_arguments(request, &calls, &tools, &mut evidence).await?;
    Ok(evidence)
}

/// The last calls, newest first.
async fn last_calls(request: &ApiRequest, server_id: ServerId) -> Result<Vec<LoggedCall>, RestError> {
    let (from, _) = TimeRange::default().with_defaults(request.now());
    let mut query =
        CallQuery { server: Some(server_id), from: Some(from), ..CallQuery::all(request.visibility(), PAGE_SIZE) };
    let mut calls = Vec::new();
    for _ in 0..PAGES_MAX {
        let page = request.storage().calls(&query).await?;
        calls.extend(page.calls);
        match page.next {
            Some(before) if calls.len() < CALLS_MAX => query.before = Some(before),
            _ => break,
        }
    }
    calls.truncate(CALLS_MAX);
    Ok(calls)
}

/// The tokens of a result, estimated from the bytes of the response if the tool's responses are not shaped.
fn result_tokens(tool: &ObservedTool<'_>, record: &CallRecord) -> Option<usize> {
    let estimate = || (tool.is_text && !tool.is_shaped).then_some(record.response_bytes / BYTES_PER_TOKEN);
    let tokens = record.tokens.map(|tokens| tokens.out).or_else(estimate).filter(|_| record.failure.is_none())?;
    usize::try_from(tokens).ok()
}

/// Adds which arguments were wrong, from the texts of refused calls. If only some of the texts are read, the counts are
/// extrapolated to all refused calls.
async fn add_refusals(
    request: &ApiRequest,
    calls: &[LoggedCall],
    tools: &HashMap<ToolId, &ObservedTool<'_>>,
    evidence: &mut HashMap<ToolId, CallEvidence>,
) -> Result<(), RestError> {
    let refused: Vec<&LoggedCall> =
        calls.iter().filter(|call| call.record.failure == Some(FailureReason::BadArguments)).collect();
    let captured = refused.iter().copied().filter(|call| call.is_captured && tools.contains_key(&call.record.tool_id));
    let captured: Vec<&LoggedCall> = captured.take(REFUSALS_READ_MAX).collect();
    let mut read: HashMap<ToolId, usize> = HashMap::new();
    for_each_payload(request, &captured, |tool, payload| {
        let Some(tool) = tools.get(&tool) else { return };
        let text = without_truncation_note(&payload.response);
        let text = text.split_once(MODEL_TEXT_MARK).map_or(text, |(_, for_model)| for_model);
        evidence.entry(tool.id).or_default().add_refusal(tool.input_schema, text, 1);
        *read.entry(tool.id).or_default() += 1;
    })
    .await?;
    for (tool, read) in read {
        let all = refused.iter().filter(|call| call.record.tool_id == tool).count();
        for failures in &mut evidence.entry(tool).or_default().argument_failures {
            failures.calls = failures.calls * all / read;
        }
    }
    Ok(())
}

/// Adds the names of the sent arguments, for tools with many arguments.
async fn add_sent_arguments(
    request: &ApiRequest,
    calls: &[LoggedCall],
    tools: &HashMap<ToolId, &ObservedTool<'_>>,
    evidence: &mut HashMap<ToolId, CallEvidence>,
) -> Result<(), RestError> {
    let mut read_counts: HashMap<ToolId, usize> =
        tools.values().filter(|tool| has_many_arguments(tool.input_schema)).map(|tool| (tool.id, 0)).collect();
    let captured = calls.iter().filter(|call| call.is_captured && call.record.failure.is_none());
    let is_read = |call: &&LoggedCall| {
        let Some(read) = read_counts.get_mut(&call.record.tool_id) else { return false };
        *read += 1;
        *read <= ARGUMENTS_READ_PER_TOOL
    };
    let captured: Vec<&LoggedCall> = captured.filter(is_read).take(ARGUMENTS_READ_MAX).collect();
    for_each_payload(request, &captured, |tool, payload| {
        add_names(evidence.entry(tool).or_default().sent_arguments.get_or_insert_default(), &payload.arguments);
    })
    .await
}

fn has_many_arguments(input_schema: &Value) -> bool {
    let properties = input_schema.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| properties.len() >= MANY_ARGUMENTS)
}

/// Skips truncated arguments, which are not valid JSON.
fn add_names(sent: &mut SentArguments, arguments: &str) {
    let object = json::check(arguments.as_bytes()).ok().and_then(JsonObject::from_raw);
    if let Some(object) = object {
        sent.calls += 1;
        sent.names.extend(object.members().into_keys());
    }
}

/// Passes the captured texts of calls to `read`, in their order. Texts that retention has deleted since are skipped.
async fn for_each_payload(
    request: &ApiRequest,
    calls: &[&LoggedCall],
    mut read: impl FnMut(ToolId, &CapturedPayload),
) -> Result<(), RestError> {
    for calls in calls.chunks(PAYLOADS_PER_READ) {
        let payloads = request.storage().captured_payloads(request.visibility(), calls).await?;
        for call in calls {
            if let Some(payload) = payloads.get(&call.id) {
                read(call.record.tool_id, payload);
            }
        }
    }
    Ok(())
}
