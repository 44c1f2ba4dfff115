//! The output of a tool: the upstream response as one content block, with structured content if the tool has an
//! `output_schema`, or the whole MCP result of the upstream.

use bytes::Bytes;
use toolgate_domain::call::FailureReason;
use toolgate_domain::json::{self, JsonObject, Members};

use crate::content::http_error;
use crate::content::media::MediaType;
use crate::content::{self, ContentBlock};
use crate::egress::message::UpstreamResponse;
use crate::failure::Failure;
use crate::tool::CompiledTool;

/// The media type of a response that is a whole MCP result.
const MCP_RESULT: &str = "application/vnd.mcp.result+json";

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

pub(crate) fn from_response(tool: &CompiledTool, response: &UpstreamResponse) -> Result<ToolOutput, Failure> {
    if let Some(failure) = http_error::to_failure(response) {
        return Err(failure);
    }
    if tool.returns_mcp_result && MediaType::from_headers(&response.headers).essence == MCP_RESULT {
        return mcp_result(&response.body).map(ToolOutput::McpResult);
    }
    let structured = tool.output_schema.as_ref().map(|_| structured_content(tool, &response.body)).transpose()?;
    Ok(ToolOutput::Content { block: content::to_block(response), structured, further: Vec::new() })
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
}

fn structured_content(tool: &CompiledTool, body: &Bytes) -> Result<Bytes, Failure> {
    let advice = "Correct the API's response or the tool's output_schema: they do not match.";
    let bad_response = |message: String| Failure::new(FailureReason::BadResponse, message).with_advice(advice);
    json::check(body).map_err(|fault| {
        bad_response(format!(
            "The upstream's response is not valid JSON, but the tool declares an output_schema: {fault}."
        ))
    })?;
    let value = serde_json::from_slice(body).unwrap_or_default();
    let Some(Err(violations)) = tool.output_schema.as_ref().map(|schema| schema.validate(&value)) else {
        return Ok(body.clone());
    };
    let messages: Vec<String> = violations.iter().map(ToString::to_string).collect();
    Err(bad_response(format!(
        "The upstream's response does not match the tool's output_schema: {}.",
        messages.join("; ")
    )))
}
