//! The span of one message, with the attributes of OpenTelemetry's conventions for MCP. No attribute contains text of
//! the message, except its id and the name of an existing tool or prompt.

use toolgate_domain::call::FailureReason;
use toolgate_domain::ids::ServerId;
use toolgate_domain::trace::{SpanKind, TraceScope, TraceSpan};
use toolgate_execution::{Failure, ToolOutput};

use crate::era::{Era, Revision};
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::message::{RpcId, RpcRequest};
use crate::method::McpMethod;

/// The method name in the span of a method that does not exist.
const OTHER_METHOD: &str = "_OTHER";
/// Maximum size of a request id in a span, as JSON. Clients choose their ids; a longer one is left out.
const REQUEST_ID_BYTES_MAX: usize = 64;

/// The span of a message; records nothing if the request is not traced.
#[derive(Debug)]
pub(crate) struct MessageSpan(pub(crate) TraceSpan);

impl MessageSpan {
    /// Begins the span of a message to this server. `era` is the protocol generation that the caller speaks (bare,
    /// legacy or modern).
    pub(crate) fn start(parent: Option<&TraceScope>, server_id: ServerId, request: &RpcRequest, era: Era) -> Self {
        let span = TraceSpan::start(parent, SpanKind::Server, OTHER_METHOD);
        if span.scope().is_some() {
            describe(&span, server_id, request, era);
        }
        Self(span)
    }

    /// Names the tool that the message calls.
    pub(crate) fn set_tool(&self, name: &str) {
        self.0.rename(|| format!("{} {name}", McpMethod::ToolsCall.as_str()).into());
        self.0.set("gen_ai.tool.name", name);
        self.0.set("gen_ai.operation.name", "execute_tool");
    }

    /// Names the prompt that the message gets.
    pub(crate) fn set_prompt(&self, name: &str) {
        self.0.rename(|| format!("{} {name}", McpMethod::PromptsGet.as_str()).into());
        self.0.set("gen_ai.prompt.name", name);
    }

    /// Marks the message as failed: its reply is this error.
    pub(crate) fn set_error(&self, error: &RpcError) {
        self.0.set("rpc.response.status_code", error.code.to_string());
        self.0.fail(error.code.to_string());
    }

    /// Marks a call as failed if its result is a failure.
    pub(crate) fn set_result(&self, result: &Result<ToolOutput, Failure>) {
        let reason = match result {
            Ok(output) => output.failure(),
            Err(failure) => Some(failure.reason),
        };
        if let Some(reason) = reason.map(FailureReason::as_str) {
            self.0.fail(reason);
        }
    }
}

fn describe(span: &TraceSpan, server_id: ServerId, request: &RpcRequest, era: Era) {
    let method = request.method.map_or(OTHER_METHOD, McpMethod::as_str);
    span.rename(|| method.into());
    span.set("mcp.method.name", method);
    if let Some(id) = request_id(&request.id) {
        span.set("jsonrpc.request.id", id);
    }
    span.set("network.protocol.name", "http");
    span.set("network.transport", "tcp");
    if let Some(revision) = era.revision() {
        span.set("mcp.protocol.version", Revision::as_str(revision));
    }
    span.set("toolgate.server_id", server_id.0);
}

/// The text of a request id, unless it is long.
fn request_id(id: &RpcId) -> Option<String> {
    let json = Some(id.as_json()).filter(|json| json.len() <= REQUEST_ID_BYTES_MAX)?;
    Some(serde_json::from_str(json).unwrap_or_else(|_| json.to_owned()))
}
