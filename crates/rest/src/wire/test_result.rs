//! The result of a test of a tool.

use std::borrow::Cow;
use std::time::Duration;

use http::HeaderMap;
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::value::RawValue;
use toolgate_domain::call::FailureReason;
use toolgate_domain::headers::{MASK, is_secret};
use toolgate_domain::json;
use toolgate_execution::content::{self, Block};
use toolgate_execution::egress::UpstreamResponse;
use toolgate_execution::tool::{CompiledTool, ValidArguments};
use toolgate_execution::{Execution, ToolOutput};
use utoipa::ToSchema;

/// What became of a test.
#[derive(Serialize, ToSchema)]
pub(crate) struct TestOut {
    /// Whether the upstream answered below 400, and as the tool declares.
    success: bool,
    /// Status of the upstream's answer; 0 when there was none.
    status_code: u16,
    response_time_ms: u64,
    /// Content blocks.
    #[schema(value_type = Vec<Object>)]
    content: Box<RawValue>,
    /// Why it failed, one of few words; only then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    reason: Option<&'static str>,
    /// What to do about it; only then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    advice: Option<String>,
    /// The request as it was sent, secrets masked; with `debug` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    request: Option<RequestOut>,
    /// The answer as it came; with `debug` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    raw: Option<RawOut>,
}

/// A request as it was sent.
#[derive(Serialize, ToSchema)]
pub(crate) struct RequestOut {
    method: String,
    url: String,
    #[schema(value_type = HashMap<String, String>)]
    headers: IndexMap<String, String>,
    body: String,
}

/// An answer as it came.
#[derive(Serialize, ToSchema)]
pub(crate) struct RawOut {
    status: u16,
    #[schema(value_type = HashMap<String, String>)]
    headers: IndexMap<String, String>,
    body: String,
}

impl TestOut {
    /// What every result has.
    pub(crate) const ALWAYS: &[&str] = &["success", "status_code", "response_time_ms", "content"];

    pub(crate) fn new(execution: &Execution, took: Duration) -> Self {
        let failure = failure(execution);
        Self {
            success: failure.is_none(),
            status_code: execution.trace.upstream_status.unwrap_or(0),
            response_time_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            content: blocks(execution),
            reason: failure.as_ref().map(|(reason, _)| reason.as_str()),
            advice: failure.map(|(_, advice)| advice.into_owned()),
            request: None,
            raw: None,
        }
    }

    pub(crate) fn with_details(self, tool: &CompiledTool, arguments: &ValidArguments, execution: &Execution) -> Self {
        let request = tool.masked_request(arguments).ok().map(|request| RequestOut {
            method: request.method.to_string(),
            url: request.uri.to_string(),
            headers: shown(&request.headers),
            body: String::from_utf8_lossy(&request.body).into_owned(),
        });
        let raw = execution.response.as_ref().map(|response| RawOut {
            status: response.status.as_u16(),
            headers: shown(&response.headers),
            body: body_text(response),
        });
        Self { request, raw, ..self }
    }
}

/// Why it failed, and what to do.
fn failure(execution: &Execution) -> Option<(FailureReason, Cow<'static, str>)> {
    match &execution.output {
        Ok(output) => output.failure().map(|reason| (reason, reason.advice().into())),
        Err(failure) => Some((failure.reason, failure.advice.clone())),
    }
}

/// The upstream's body where it answered; else what went wrong.
fn blocks(execution: &Execution) -> Box<RawValue> {
    let mut out = b"[".to_vec();
    match (&execution.output, &execution.response) {
        (Ok(ToolOutput::McpResult(result)), _) => {
            let content = result.members.get("content");
            return content.cloned().unwrap_or_else(|| json::raw("[]".to_owned()));
        }
        (Ok(ToolOutput::Content { block, .. }), _) => content::write_json(block, &mut out),
        (Err(_), Some(response)) if response.status.as_u16() >= 400 => {
            content::write_json(&content::block(response), &mut out);
        }
        (Err(failure), _) => content::write_json(&Block::text(failure.message.as_str()), &mut out),
    }
    out.push(b']');
    json::raw(String::from_utf8(out).unwrap_or_default())
}

/// Headers by name; several of one name are joined. Values of secret ones are masked.
fn shown(headers: &HeaderMap) -> IndexMap<String, String> {
    let mut shown: IndexMap<String, String> = IndexMap::new();
    for (name, value) in headers {
        let text = if value.is_sensitive() || is_secret(name.as_str()) {
            MASK.into()
        } else {
            String::from_utf8_lossy(value.as_bytes())
        };
        shown
            .entry(name.to_string())
            .and_modify(|all| {
                all.push_str(", ");
                all.push_str(&text);
            })
            .or_insert_with(|| text.into_owned());
    }
    shown
}

fn body_text(response: &UpstreamResponse) -> String {
    String::from_utf8_lossy(&response.body).into_owned()
}
