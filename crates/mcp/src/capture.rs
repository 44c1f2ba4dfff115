//! What was said in a call, for servers whose settings want it kept. For all others nothing here is reached.

use std::borrow::Cow;
use std::sync::Arc;

use toolgate_domain::call::{Captured, FailureReason};
use toolgate_domain::capture::CaptureRule;
use toolgate_domain::headers::MASK;
use toolgate_domain::json::JsonObject;
use toolgate_execution::content::Block;
use toolgate_execution::egress::UpstreamResponse;
use toolgate_execution::tool::Said;
use toolgate_execution::{Execution, Failure, ToolOutput};

use crate::catalog::PublishedTool;

/// A call of which something may be kept.
pub(crate) struct Capture {
    rule: CaptureRule,
    tool: Arc<PublishedTool>,
    arguments: Option<Arc<str>>,
    response: Option<Arc<UpstreamResponse>>,
}

impl Capture {
    pub(crate) fn open(rule: CaptureRule, tool: &Arc<PublishedTool>, arguments: Option<&Arc<str>>) -> Self {
        Self { rule, tool: Arc::clone(tool), arguments: arguments.cloned(), response: None }
    }

    /// The answer knows with which tokens it was asked for.
    pub(crate) fn traced(&mut self, execution: &Execution) {
        self.response.clone_from(&execution.response);
    }

    /// What is kept, if anything, now that the outcome is known.
    pub(crate) fn end(self, failure: Option<FailureReason>, answer: &str) -> Option<Captured> {
        if self.rule.failures_only && failure.is_none() {
            return None;
        }
        let tokens = self.response.as_ref().map_or(&[][..], |response| &response.sent_tokens);
        let said = Said { arguments: self.arguments.as_deref(), answer, tokens };
        Some(match &self.tool.compiled {
            Some(tool) => tool.captured(said, self.rule.max_bytes),
            // Nobody knows which of its arguments are secret.
            None => Captured { arguments: MASK.to_owned(), response: answer.to_owned() },
        })
    }
}

/// What a client is answered, in words.
pub(crate) fn words(called: &Result<ToolOutput, Failure>) -> Cow<'_, str> {
    match called {
        Ok(ToolOutput::Content { block: Block::Text(text), .. }) => String::from_utf8_lossy(text.as_bytes()),
        Ok(ToolOutput::Content { block: Block::Image { data, mime } | Block::Audio { data, mime }, .. }) => {
            format!("[{mime}, {} bytes]", data.len()).into()
        }
        Ok(ToolOutput::McpResult(result)) => JsonObject::from_members(&result.members).as_str().to_owned().into(),
        Err(failure) => failure.message.as_str().into(),
    }
}
