//! The result of a tool test.

use std::borrow::Cow;
use std::time::Duration;

use http::HeaderMap;
use serde::Serialize;
use serde_json::value::RawValue;
use toolgate_domain::call::FailureReason;
use toolgate_domain::headers::{MASK, PlainHeaders, is_secret};
use toolgate_domain::json;
use toolgate_execution::content::{self, ContentBlock};
use toolgate_execution::egress::{OutboundRequest, UpstreamResponse};
use toolgate_execution::tool::{CompiledTool, ValidArguments};
use toolgate_execution::{Execution, FailureText, ToolOutput};
use toolgate_shaping::ShapedText;

use crate::reply_object::reply_object;
use crate::schema::{Omittable, reply_values};

/// A list of content blocks as JSON.
#[derive(Serialize)]
struct ContentBlocks(Box<RawValue>);

reply_values! { ContentBlocks => {"type": "array", "items": {"type": "object"}}, }

reply_object! {
    /// The result of a tool test.
    pub(crate) struct TestResultOut(execution: &Execution, duration: Duration) {
        /// Whether the upstream status is below 400 and the response matches the tool's declaration.
        success: bool = failure(execution).is_none(),
        /// Upstream status; 0 without a response.
        status_code: u16 = execution.measurements.upstream_status.unwrap_or(0),
        response_time_ms: u64 = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
        /// Content blocks.
        content: ContentBlocks = content_blocks(execution),
        /// Failure reason; only after a failure.
        reason: Omittable<FailureReason> = Omittable(failure(execution).map(|(reason, _)| reason)),
        /// How to fix the failure; only after a failure.
        advice: Omittable<String> = Omittable(failure(execution).map(|(_, advice)| advice.into_owned())),
        for_model: Omittable<FailureTextOut> =
            Omittable(execution.output.as_ref().err().map(|failure| FailureTextOut::new(&failure.for_model))),
        for_owner: Omittable<FailureTextOut> =
            Omittable(execution.output.as_ref().err().map(|failure| FailureTextOut::new(&failure.for_owner))),
        tokens: Omittable<ShapedTokensOut> = Omittable(None),
        request: Omittable<SentRequestOut> = Omittable(None),
        raw: Omittable<RawResponseOut> = Omittable(None),
    }
}

reply_object! {
    /// Estimated tokens of the response before and after it was shaped; only if the tool shapes its responses.
    pub(crate) struct ShapedTokensOut(shaped: &ShapedText, overflow_minutes: u32) {
        before: usize = shaped.tokens_before,
        after: usize = shaped.tokens_after,
        /// How long clients can read on in the whole response, in minutes (0: not at all); only if a part of it does
        /// not fit into the budget.
        overflow_minutes: Omittable<u32> = Omittable(shaped.next.as_ref().map(|_| overflow_minutes)),
    }
}

reply_object! {
    /// What a model that calls the tool, or its owner, reads about a failure; only after a failure.
    pub(crate) struct FailureTextOut(text: &FailureText) {
        /// What happened.
        message: String = text.message.clone(),
        /// What the reader can do about it.
        advice: String = text.advice.to_string(),
    }
}

reply_object! {
    /// The request as sent, with secrets masked; only with `debug`.
    pub(crate) struct SentRequestOut(request: &OutboundRequest, mask: &dyn Fn(&str) -> String) {
        method: String = request.method.to_string(),
        url: String = mask(&request.uri.to_string()),
        headers: PlainHeaders =
            masked_headers(&request.headers).into_iter().map(|(name, value)| (name, mask(&value))).collect(),
        body: String = mask(&String::from_utf8_lossy(&request.body)),
    }
}

reply_object! {
    /// The raw response; only with `debug`.
    pub(crate) struct RawResponseOut(response: &UpstreamResponse, tool: &CompiledTool) {
        status: u16 = response.status.as_u16(),
        headers: PlainHeaders = response_headers(response, tool),
        body: String = String::from_utf8_lossy(&response.body).into_owned(),
    }
}

impl TestResultOut {
    /// Adds the tokens of a shaped response. Clients can read the rest of it for `overflow_minutes`.
    pub(crate) fn with_tokens(self, shaped: &ShapedText, overflow_minutes: u32) -> Self {
        Self { tokens: Omittable(Some(ShapedTokensOut::new(shaped, overflow_minutes))), ..self }
    }

    /// Adds the request and the raw response.
    pub(crate) fn with_details(self, tool: &CompiledTool, arguments: &ValidArguments, execution: &Execution) -> Self {
        let request = tool.masked_request(arguments).ok();
        let mask = |text: &str| tool.mask_sent_secrets(arguments, text);
        Self {
            request: Omittable(request.as_ref().map(|request| SentRequestOut::new(request, &mask))),
            raw: Omittable(execution.response.as_deref().map(|response| RawResponseOut::new(response, tool))),
            ..self
        }
    }
}

/// The failure reason and advice.
fn failure(execution: &Execution) -> Option<(FailureReason, Cow<'static, str>)> {
    match &execution.output {
        Ok(output) => output.failure().map(|reason| (reason, reason.advice().into())),
        Err(failure) => Some((failure.reason, failure.for_owner.advice.clone())),
    }
}

/// The content blocks: those of the result; after a failure, the body of the upstream's error response if there is one,
/// else the failure message.
fn content_blocks(execution: &Execution) -> ContentBlocks {
    let mut out = b"[".to_vec();
    match (&execution.output, &execution.response) {
        (Ok(ToolOutput::McpResult(result)), _) => {
            let content = result.members.get("content");
            return ContentBlocks(content.cloned().unwrap_or_else(|| json::raw("[]".to_owned())));
        }
        (Ok(ToolOutput::Content { block, further, .. }), _) => {
            content::write_json(block, &mut out);
            for block in further {
                out.push(b',');
                content::write_json(block, &mut out);
            }
        }
        (Err(_), Some(response)) if response.status.as_u16() >= 400 => {
            content::write_json(&content::to_block(response), &mut out);
        }
        (Err(failure), _) => content::write_json(&ContentBlock::text(failure.for_owner.message.as_str()), &mut out),
    }
    out.push(b']');
    ContentBlocks(json::raw(String::from_utf8(out).unwrap_or_default()))
}

/// Headers by name; repeated headers are joined, secret values are masked.
fn masked_headers(headers: &HeaderMap) -> PlainHeaders {
    let mut masked = PlainHeaders::new();
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

/// Like [`masked_headers`]; the secrets of the tool are masked in all values, because a `Location` may repeat the URL.
fn response_headers(response: &UpstreamResponse, tool: &CompiledTool) -> PlainHeaders {
    let mask = |value: &str| tool.mask_stored_secrets(value, &response.sent_tokens);
    masked_headers(&response.headers).into_iter().map(|(name, value)| (name, mask(&value))).collect()
}
