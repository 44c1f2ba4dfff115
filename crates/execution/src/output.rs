//! The output of a tool: the upstream response as one content block, with structured content if the tool has an
//! `output_schema`, or the whole MCP result of the upstream.

use bytes::Bytes;
use http::header::LOCATION;
use serde::de::IgnoredAny;
use toolgate_domain::call::FailureReason;
use toolgate_domain::json::{self, JsonObject, Members};

use crate::call_audience::CallAudience;
use crate::content::http_error::LOOK_FIRST_ADVICE;
use crate::content::media::MediaType;
use crate::content::{self, ContentBlock, error_message};
use crate::egress::message::{UpstreamResponse, is_redirect};
use crate::failure::Failure;
use crate::tool_advice::ToolCall;

/// The media type of a response that is a whole MCP result.
const MCP_RESULT: &str = "application/vnd.mcp.result+json";

/// Larger bodies are parsed only if their last character does not close the bracket at their start.
const CHECKED_JSON_BYTES_MAX: usize = 1024;

/// The output of a successful call.
#[derive(Clone, Debug)]
pub enum ToolOutput {
    /// One content block.
    Content {
        /// The upstream's body.
        block: ContentBlock,
        /// The body as JSON that matches the `output_schema`, if the tool has one.
        structured: Option<Bytes>,
        /// Further blocks: notes to the model, links.
        further: Vec<ContentBlock>,
    },
    /// An MCP result from the upstream.
    McpResult(McpResult),
}

/// An MCP result from an upstream.
#[derive(Clone, Debug)]
pub struct McpResult {
    /// Its members.
    pub members: Members,
}

impl ToolOutput {
    /// One block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Content { block: ContentBlock::text(text), structured: None, further: Vec::new() }
    }

    /// The failure that an MCP result reports with `isError`.
    pub fn failure(&self) -> Option<FailureReason> {
        match self {
            Self::McpResult(result) if result.is_error() => Some(FailureReason::UpstreamError),
            Self::McpResult(_) | Self::Content { .. } => None,
        }
    }
}

impl McpResult {
    /// Whether the upstream requests input before it returns a result.
    pub fn needs_input(&self) -> bool {
        self.members.get("resultType").is_some_and(|kind| kind.get() == "\"input_required\"")
    }

    /// Whether the upstream reports a failure.
    pub fn is_error(&self) -> bool {
        self.members.get("isError").is_some_and(|flag| flag.get() == "true")
    }
}

pub(crate) fn from_response(call: ToolCall<'_>, response: &UpstreamResponse) -> Result<ToolOutput, Failure> {
    read_response(call, response).map_err(|failure| with_note(call, failure))
}

/// A failure with a note about arguments that were not sent: they may be its cause.
pub(crate) fn with_note(call: ToolCall<'_>, mut failure: Failure) -> Failure {
    if let Some(note) = call.tool.unknown_arguments_note(call.arguments) {
        failure.for_model.advice = format!("{} {note}", failure.for_model.advice).into();
    }
    failure
}

fn read_response(call: ToolCall<'_>, response: &UpstreamResponse) -> Result<ToolOutput, Failure> {
    if let Some(failure) = call.http_failure(response) {
        return Err(failure);
    }
    let ToolCall { tool, audience, .. } = call;
    if tool.returns_mcp_result && MediaType::from_headers(&response.headers).essence == MCP_RESULT {
        return mcp_result(&response.body).map(ToolOutput::McpResult);
    }
    let structured = tool.output_schema.as_ref().map(|_| structured_content(call, &response.body)).transpose()?;
    if audience == CallAudience::Program {
        return Ok(ToolOutput::Content { block: content::to_block(response), structured, further: Vec::new() });
    }
    if structured.is_none() && is_broken_json(response) {
        return Err(broken_json(
            call,
            "The upstream's response is declared as JSON, but it is not complete.",
            response,
        ));
    }
    if is_redirect_to_nowhere(response) {
        return Err(redirect_to_nowhere(call, response));
    }
    let block = if response.body.is_empty() {
        ContentBlock::text(format!("Done (HTTP {}, no content).", response.status.as_str()))
    } else {
        content::to_block(response)
    };
    let further = tool.unknown_arguments_note(call.arguments).map(ContentBlock::text).into_iter().collect();
    Ok(ToolOutput::Content { block, structured, further })
}

/// Whether a body that is declared as JSON ends too early. Only bodies that may do so are parsed, because parsing would
/// cost every call.
fn is_broken_json(response: &UpstreamResponse) -> bool {
    let body = response.body.trim_ascii();
    let is_cut_off = match (body.first(), body.last()) {
        (Some(b'{'), last) => last != Some(&b'}'),
        (Some(b'['), last) => last != Some(&b']'),
        _ => false,
    };
    let is_complete = || body.len() > CHECKED_JSON_BYTES_MAX || has_closed_brackets(body);
    if body.is_empty() || !is_cut_off && is_complete() {
        return false;
    }
    let essence = MediaType::from_headers(&response.headers).essence;
    let is_json = essence == "application/json" || essence.ends_with("+json");
    // A body may have several values, one in each line. Other errors are passed on: some APIs write NaN.
    let mut values = serde_json::Deserializer::from_slice(body).into_iter::<IgnoredAny>();
    is_json && values.any(|value| value.is_err_and(|error| error.is_eof()))
}

/// Whether a JSON value begins with a bracket, and every bracket and text in it is closed.
fn has_closed_brackets(body: &[u8]) -> bool {
    let (mut depth, mut rest) = (0_usize, body);
    if !rest.starts_with(b"{") && !rest.starts_with(b"[") {
        return false;
    }
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => match after_text(after) {
                Some(after) => rest = after,
                None => return false,
            },
            _ => {}
        }
    }
    depth == 0
}

/// The bytes after a JSON string whose opening quotation mark is already read; `None` if the string has no end.
fn after_text(mut rest: &[u8]) -> Option<&[u8]> {
    loop {
        let index = memchr::memchr2(b'"', b'\\', rest)?;
        let is_end = rest.get(index) == Some(&b'"');
        // An escaped character, which may be a quotation mark, is skipped.
        rest = rest.get(index + if is_end { 1 } else { 2 }..)?;
        if is_end {
            return Some(rest);
        }
    }
}

fn broken_json(call: ToolCall<'_>, message: impl Into<String>, response: &UpstreamResponse) -> Failure {
    let body = String::from_utf8_lossy(response.body.get(..response.body.len().min(1024)).unwrap_or_default());
    let excerpt = error_message::excerpt(&body);
    let advice = if call.is_repeatable() { "Try once more." } else { LOOK_FIRST_ADVICE };
    Failure::new(FailureReason::BadResponse, message)
        .with_advice("Correct the API's response: it must be complete JSON.")
        .with_model_text(format!("The API's answer is not complete JSON; what came follows: {excerpt}"), advice)
}

/// Whether the response redirects, does not say where, and has no content either.
fn is_redirect_to_nowhere(response: &UpstreamResponse) -> bool {
    is_redirect(response.status) && !response.headers.contains_key(LOCATION) && response.body.is_empty()
}

/// The failure of a redirect without a `Location`, which cannot be followed.
fn redirect_to_nowhere(call: ToolCall<'_>, response: &UpstreamResponse) -> Failure {
    let status = response.status.as_str();
    let reason = FailureReason::BadResponse;
    let advice = if call.is_repeatable() { reason.advice_for_model() } else { LOOK_FIRST_ADVICE };
    Failure::new(reason, format!("The upstream's redirect (HTTP {status}) has no Location."))
        .with_advice("Correct the API, or the tool's endpoint_url: the redirect leads nowhere.")
        .with_model_text(format!("The API redirects the call, but does not say where (HTTP {status})."), advice)
}

fn mcp_result(body: &[u8]) -> Result<McpResult, Failure> {
    let object = json::check(body).ok().and_then(JsonObject::from_raw);
    let result = McpResult { members: object.ok_or_else(|| invalid_result("is not a JSON object"))?.members() };
    let is_array = |key: &str| result.members.get(key).is_some_and(|value| value.get().starts_with('['));
    let has_request = result.members.contains_key("inputRequests") || result.members.contains_key("requestState");
    match result.needs_input() {
        true if !has_request => Err(invalid_result("requests input, but has neither inputRequests nor requestState")),
        false if !is_array("content") => Err(invalid_result("has no content array")),
        _ => Ok(result),
    }
}

fn invalid_result(problem: &str) -> Failure {
    Failure::new(FailureReason::BadResponse, format!("The upstream's MCP result {problem}."))
        .with_advice("Correct the API: its response is not a valid MCP result.")
        .with_model_advice(FailureReason::Internal.advice_for_model())
}

fn structured_content(call: ToolCall<'_>, body: &Bytes) -> Result<Bytes, Failure> {
    let advice = "Correct the API's response or the tool's output_schema: they do not match.";
    let bad_response = |message: String| {
        let failure = Failure::new(FailureReason::BadResponse, message).with_advice(advice);
        failure.with_model_advice(FailureReason::Internal.advice_for_model())
    };
    json::check(body).map_err(|fault| {
        bad_response(format!(
            "The upstream's response is not valid JSON, but the tool declares an output_schema: {fault}."
        ))
    })?;
    let value = serde_json::from_slice(body).unwrap_or_default();
    let Some(schema) = &call.tool.output_schema else { return Ok(body.clone()) };
    let Err(violations) = schema.validate(&value) else { return Ok(body.clone()) };
    let messages: Vec<String> = violations.iter().map(ToString::to_string).collect();
    let does_not_match = "The upstream's response does not match the tool's output_schema";
    let problems = schema.explain_output(&value, &violations);
    let mut failure = bad_response(format!("{does_not_match}: {}.", messages.join("; ")));
    failure.for_model.message = format!("{does_not_match}: {problems}");
    Err(failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_that_ends_inside_a_bracket_or_a_text_is_not_complete() {
        for complete in ["{}", r#"[{"a":"]"},"\"}"]"#, r#"{"a":"\\"}"#, "{\"a\":1}\n{\"b\":2}"] {
            assert!(has_closed_brackets(complete.as_bytes()), "{complete}");
        }
        for incomplete in [r#"{"items":[{"id":1},{"id":2}"#, r#"[{"a":"b}]"#, r#"{"a":"\"}"#, r#"{"a":"\"#, "12", ""] {
            assert!(!has_closed_brackets(incomplete.as_bytes()), "{incomplete}");
        }
    }
}
