//! What a tool gives back: the upstream's answer as one content block, with structured content where the tool
//! declares its shape, or a whole result of an upstream that speaks MCP.

use bytes::Bytes;
use toolgate_domain::call::FailureReason;
use toolgate_domain::json::{self, JsonObject, Members};

use crate::Failure;
use crate::content::{self, Block, MediaType};
use crate::egress::UpstreamResponse;
use crate::tool::CompiledTool;

/// The type of an answer that is a whole MCP result.
const MCP_RESULT: &str = "application/vnd.mcp.result+json";

/// The output of a call that succeeded.
#[derive(Clone, Debug)]
pub enum ToolOutput {
    /// One block.
    Content {
        /// The upstream's body.
        block: Block,
        /// The same as JSON, where the tool has an `output_schema` and it fits.
        structured: Option<Bytes>,
    },
    /// A result as the upstream wrote it.
    McpResult(McpResult),
}

/// A result of an upstream that speaks MCP.
#[derive(Clone, Debug)]
pub struct McpResult {
    /// Its members.
    pub members: Members,
}

impl ToolOutput {
    /// Why the call failed nevertheless: an upstream that speaks MCP can say so in its result.
    pub fn failure(&self) -> Option<FailureReason> {
        match self {
            Self::McpResult(result) if result.is_error() => Some(FailureReason::UpstreamError),
            Self::McpResult(_) | Self::Content { .. } => None,
        }
    }
}

impl McpResult {
    /// Whether the upstream asks back instead of answering.
    pub fn needs_input(&self) -> bool {
        self.members.get("resultType").is_some_and(|kind| kind.get() == "\"input_required\"")
    }

    /// Whether the upstream says that it failed.
    pub fn is_error(&self) -> bool {
        self.members.get("isError").is_some_and(|flag| flag.get() == "true")
    }
}

pub(crate) fn of(tool: &CompiledTool, response: &UpstreamResponse) -> Result<ToolOutput, Failure> {
    if let Some(failure) = content::failure(response) {
        return Err(failure);
    }
    if tool.returns_mcp_result && MediaType::of(&response.headers).essence == MCP_RESULT {
        return mcp_result(&response.body).map(ToolOutput::McpResult);
    }
    let structured = tool.output_schema.as_ref().map(|_| structured(tool, &response.body)).transpose()?;
    Ok(ToolOutput::Content { block: content::block(response), structured })
}

fn mcp_result(body: &[u8]) -> Result<McpResult, Failure> {
    let object = json::check(body).ok().and_then(JsonObject::from_raw);
    let result = McpResult { members: object.ok_or_else(|| bad("is not a JSON object"))?.members() };
    let is_array = |key: &str| result.members.get(key).is_some_and(|value| value.get().starts_with('['));
    let asks = result.members.contains_key("inputRequests") || result.members.contains_key("requestState");
    match result.needs_input() {
        true if !asks => Err(bad("asks for input, but has neither inputRequests nor requestState")),
        false if !is_array("content") => Err(bad("has no content array")),
        _ => Ok(result),
    }
}

fn bad(what: &str) -> Failure {
    Failure::new(FailureReason::BadResponse, format!("The upstream's MCP result {what}."))
        .advising("Have the API corrected: this is not how it has to write an MCP result.")
}

fn structured(tool: &CompiledTool, body: &Bytes) -> Result<Bytes, Failure> {
    let advice = "Have the API's answer or the tool's output_schema corrected: they do not fit each other.";
    let refuse = |what: String| Failure::new(FailureReason::BadResponse, what).advising(advice);
    json::check(body).map_err(|fault| {
        refuse(format!(
            "The upstream's answer cannot be read as JSON, but the tool declares an output_schema: {fault}."
        ))
    })?;
    let value = serde_json::from_slice(body).unwrap_or_default();
    let Some(Err(violations)) = tool.output_schema.as_ref().map(|schema| schema.validate(&value)) else {
        return Ok(body.clone());
    };
    let places: Vec<String> = violations.iter().map(ToString::to_string).collect();
    Err(refuse(format!("The upstream's answer does not fit the tool's output_schema: {}.", places.join("; "))))
}
