//! The result of a tool test.

use std::borrow::Cow;
use std::time::Duration;

use http::HeaderMap;
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::value::RawValue;
use toolgate_domain::call::FailureReason;
use toolgate_domain::headers::{MASK, is_secret};
use toolgate_domain::json;
use toolgate_execution::content::{self, ContentBlock};
use toolgate_execution::egress::UpstreamResponse;
use toolgate_execution::tool::{CompiledTool, ValidArguments};
use toolgate_execution::{Execution, ToolOutput};
use utoipa::ToSchema;

/// The result of a tool test.
#[derive(Serialize, ToSchema)]
pub(crate) struct TestResultOut {
    /// Whether the upstream status is below 400 and the response matches the tool's declaration.
    success: bool,
    /// Upstream status; 0 without a response.
    status_code: u16,
    response_time_ms: u64,
    /// Content blocks.
    #[schema(value_type = Vec<Object>)]
    content: Box<RawValue>,
    /// Failure reason; only after a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    reason: Option<&'static str>,
    /// How to fix the failure; only after a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    advice: Option<String>,
    /// The request as sent, with secrets masked; only with `debug`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    request: Option<SentRequestOut>,
    /// The raw response; only with `debug`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    raw: Option<RawResponseOut>,
}

/// The request as sent.
#[derive(Serialize, ToSchema)]
pub(crate) struct SentRequestOut {
    method: String,
    url: String,
    #[schema(value_type = HashMap<String, String>)]
    headers: IndexMap<String, String>,
    body: String,
}

/// The raw response.
#[derive(Serialize, ToSchema)]
pub(crate) struct RawResponseOut {
    status: u16,
    #[schema(value_type = HashMap<String, String>)]
    headers: IndexMap<String, String>,
    body: String,
}

impl TestResultOut {
    /// The fields of every result.
    pub(crate) const REQUIRED_FIELDS: &[&str] = &["success", "status_code", "response_time_ms", "content"];

    pub(crate) fn new(execution: &Execution, duration: Duration) -> Self {
        let failure = failure(execution);
        Self {
            success: failure.is_none(),
            status_code: execution.trace.upstream_status.unwrap_or(0),
            response_time_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
            content: content_blocks(execution),
            reason: failure.as_ref().map(|(reason, _)| reason.as_str()),
            advice: failure.map(|(_, advice)| advice.into_owned()),
            request: None,
            raw: None,
        }
    }

    pub(crate) fn with_details(self, tool: &CompiledTool, arguments: &ValidArguments, execution: &Execution) -> Self {
        let request = tool.masked_request(arguments).ok().map(|request| SentRequestOut {
            method: request.method.to_string(),
            url: request.uri.to_string(),
            headers: masked_headers(&request.headers),
            body: String::from_utf8_lossy(&request.body).into_owned(),
        });
        let raw = execution.response.as_ref().map(|response| RawResponseOut {
            status: response.status.as_u16(),
            headers: masked_headers(&response.headers),
            body: body_text(response),
        });
        Self { request, raw, ..self }
    }
}

/// The failure reason and advice.
fn failure(execution: &Execution) -> Option<(FailureReason, Cow<'static, str>)> {
    match &execution.output {
        Ok(output) => output.failure().map(|reason| (reason, reason.advice().into())),
        Err(failure) => Some((failure.reason, failure.advice.clone())),
    }
}

/// The content blocks: those of the result; after a failure, the body of the upstream's error response if there is one,
/// else the failure message.
fn content_blocks(execution: &Execution) -> Box<RawValue> {
    let mut out = b"[".to_vec();
    match (&execution.output, &execution.response) {
        (Ok(ToolOutput::McpResult(result)), _) => {
            let content = result.members.get("content");
            return content.cloned().unwrap_or_else(|| json::raw("[]".to_owned()));
        }
        (Ok(ToolOutput::Content { block, .. }), _) => content::write_json(block, &mut out),
        (Err(_), Some(response)) if response.status.as_u16() >= 400 => {
            content::write_json(&content::to_block(response), &mut out);
        }
        (Err(failure), _) => content::write_json(&ContentBlock::text(failure.message.as_str()), &mut out),
    }
    out.push(b']');
    json::raw(String::from_utf8(out).unwrap_or_default())
}

/// Headers by name; repeated headers are joined, secret values are masked.
fn masked_headers(headers: &HeaderMap) -> IndexMap<String, String> {
    let mut masked: IndexMap<String, String> = IndexMap::new();
    for (name, value) in headers {
        let text = if value.is_sensitive() || is_secret(name.as_str()) {
            MASK.into()
        } else {
            String::from_utf8_lossy(value.as_bytes())
        };
        masked
            .entry(name.to_string())
            .and_modify(|joined| {
                joined.push_str(", ");
                joined.push_str(&text);
            })
            .or_insert_with(|| text.into_owned());
    }
    masked
}

fn body_text(response: &UpstreamResponse) -> String {
    String::from_utf8_lossy(&response.body).into_owned()
}
