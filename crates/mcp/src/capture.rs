//! Captures the arguments and results of calls, for servers whose settings request it.

use std::borrow::Cow;
use std::sync::Arc;

use toolgate_domain::call::{CapturedPayload, FailureReason};
use toolgate_domain::capture::{CaptureRule, MODEL_TEXT_MARK};
use toolgate_domain::headers::MASK;
use toolgate_domain::json::JsonObject;
use toolgate_execution::content::ContentBlock;
use toolgate_execution::egress::UpstreamResponse;
use toolgate_execution::tool::CallText;
use toolgate_execution::{Failure, ToolOutput};

use crate::catalog::tools::PublishedTool;

/// The captured texts of a running call.
pub(crate) struct Capture {
    rule: CaptureRule,
    tool: Arc<PublishedTool>,
    arguments: Option<Arc<str>>,
    /// The response of the upstream, if it sent one. It also has the tokens that were sent to the upstream, which are
    /// masked in the captured texts.
    pub(crate) upstream_response: Option<Arc<UpstreamResponse>>,
}

impl Capture {
    pub(crate) fn begin(rule: CaptureRule, tool: &Arc<PublishedTool>, arguments: Option<&Arc<str>>) -> Self {
        Self { rule, tool: Arc::clone(tool), arguments: arguments.cloned(), upstream_response: None }
    }

    /// The captured texts, if the rule applies to this result.
    pub(crate) fn finish(self, failure: Option<FailureReason>, response_text: &str) -> Option<CapturedPayload> {
        if self.rule.failures_only && failure.is_none() {
            return None;
        }
        let tokens = self.upstream_response.as_ref().map_or(&[][..], |response| &response.sent_tokens);
        let call_text = CallText { arguments: self.arguments.as_deref(), response: response_text, tokens };
        Some(match &self.tool.compiled {
            Some(tool) => tool.capture(call_text, self.rule.max_bytes),
            // Without a compiled schema it is unknown which arguments are secret.
            None => CapturedPayload { arguments: MASK.to_owned(), response: response_text.to_owned() },
        })
    }
}

/// The message for the owner, followed by the message for the model if they differ.
fn failure_text(failure: &Failure) -> Cow<'_, str> {
    let (owner, model) = (&failure.for_owner.message, &failure.for_model.message);
    if owner == model { owner.into() } else { format!("{owner}{MODEL_TEXT_MARK}{model}").into() }
}

/// The text of a result for its capture: media by type and size only, and a failure with its messages for the owner and
/// for the model.
pub(crate) fn output_text(result: &Result<ToolOutput, Failure>) -> Cow<'_, str> {
    match result {
        Ok(ToolOutput::Content { block: ContentBlock::Text(text), .. }) => String::from_utf8_lossy(text.as_bytes()),
        Ok(ToolOutput::Content { block: ContentBlock::Media { data, mime, .. }, .. }) => {
            format!("[{mime}, {} bytes]", data.len()).into()
        }
        Ok(ToolOutput::Content { block: ContentBlock::ResourceLink { uri, .. }, .. }) => uri.as_str().into(),
        Ok(ToolOutput::McpResult(result)) => JsonObject::from_members(&result.members).as_str().to_owned().into(),
        Err(failure) => failure_text(failure),
    }
}
