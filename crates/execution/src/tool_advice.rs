//! Advice about a failed upstream call. It names arguments of the tool: those to check, and those with which a call
//! asks for less data.

use toolgate_domain::call::FailureReason;

use crate::call_audience::CallAudience;
use crate::content::error_message;
use crate::content::http_error::{LOOK_FIRST_ADVICE, advice_for_model, message_for_model, to_failure};
use crate::egress::message::{UpstreamResponse, is_idempotent};
use crate::failure::Failure;
use crate::tool::CompiledTool;
use crate::tool::arguments::ValidArguments;

/// How many arguments an advice names.
const NAMES_MAX: usize = 4;

/// A call of a tool.
#[derive(Clone, Copy)]
pub(crate) struct ToolCall<'a> {
    pub(crate) tool: &'a CompiledTool,
    pub(crate) arguments: &'a ValidArguments,
    pub(crate) audience: CallAudience,
}

impl ToolCall<'_> {
    /// The failure for a response with status 400 or above.
    pub(crate) fn http_failure(&self, response: &UpstreamResponse) -> Option<Failure> {
        let mut failure = to_failure(response)?;
        let message = error_message::read(response, &|name| self.tool.argument_for(name).map(str::to_owned));
        // Programs get the body as it is, unless it is a page or has a stack trace.
        failure.for_model.message = match self.audience {
            CallAudience::Program if !message.has_trace => failure.for_owner.message.clone(),
            _ => message_for_model(response.status, &message),
        };
        failure.for_model.advice = match response.status.as_u16() {
            404 | 410 => self.not_found_advice().into(),
            400 | 422 => {
                format!("The API refused the arguments. Correct them and call {} again.", self.tool.name).into()
            }
            _ => advice_for_model(response, self.is_repeatable()),
        };
        Some(failure)
    }

    /// A failure without a response, with the advice for this tool.
    pub(crate) fn with_advice(&self, failure: Failure) -> Failure {
        let filters = self.tool.filter_arguments(NAMES_MAX).join(", ");
        match failure.reason {
            FailureReason::Timeout if !self.is_repeatable() => failure.with_model_advice(LOOK_FIRST_ADVICE),
            // The API may have received the request before the connection broke.
            FailureReason::ConnectionFailed | FailureReason::BadResponse
                if !self.is_repeatable()
                    && failure.for_model.advice == FailureReason::ConnectionFailed.advice_for_model() =>
            {
                failure.with_model_advice(LOOK_FIRST_ADVICE)
            }
            FailureReason::Timeout if filters.is_empty() => failure.with_model_advice("Try once more."),
            FailureReason::Timeout => failure.with_model_advice(format!("Ask for less ({filters}), or try once more.")),
            // Less data does not help against too many headers.
            FailureReason::TooLarge
                if !filters.is_empty() && failure.for_model.advice == failure.reason.advice_for_model() =>
            {
                failure.with_model_advice(format!("Ask for less: {filters}."))
            }
            _ => failure,
        }
    }

    /// Whether a repeated call does no harm.
    pub(crate) fn is_repeatable(&self) -> bool {
        is_idempotent(&self.tool.method)
    }

    /// `Nothing was found. Check ticket_id ("T-77").`
    fn not_found_advice(&self) -> String {
        let checked: Vec<String> = self.tool.shown_path_arguments(self.arguments).into_iter().take(NAMES_MAX).collect();
        if checked.is_empty() {
            return "Nothing was found. Check the arguments.".to_owned();
        }
        format!("Nothing was found. Check {}.", checked.join(", "))
    }
}
