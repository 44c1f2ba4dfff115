//! HTTP errors of an upstream: the messages and the advice for the model and for the tool's owner.

use std::borrow::Cow;

use http::StatusCode;
use toolgate_domain::call::FailureReason;

use super::error_message::{self, ErrorMessage};
use super::to_text;
use crate::egress::message::UpstreamResponse;
use crate::failure::Failure;
use crate::retry_after::RetryAfter;

/// Error bodies are truncated to this size: the rest rarely helps a reader.
const ERROR_BODY_BYTES_MAX: usize = 4 * 1024;

/// Advice for a model after a failed call that may have had an effect.
pub(crate) const LOOK_FIRST_ADVICE: &str = "It may have been done all the same: look before you repeat it.";

/// The failure for a response with status 400 or above.
pub fn to_failure(response: &UpstreamResponse) -> Option<Failure> {
    let status = response.status;
    let reason = match status.as_u16() {
        ..400 => return None,
        429 => FailureReason::RateLimitedUpstream,
        400..500 => FailureReason::Upstream4xx,
        500.. => FailureReason::Upstream5xx,
    };
    let mut message = status_line(status);
    if let Some(text) = to_text(response).filter(|_| !response.body.is_empty()) {
        message.extend([": ", &text.head(ERROR_BODY_BYTES_MAX)]);
    }
    let advice = advice(response).unwrap_or(reason.advice().into());
    let upstream_message = error_message::read(response, &|_| None);
    let model_message = message_for_model(status, &upstream_message);
    let failure = Failure::new(reason, message).with_advice(advice);
    Some(failure.with_model_text(model_message, advice_for_model(response, true)))
}

/// `Upstream returned HTTP 404 Not Found`.
fn status_line(status: StatusCode) -> String {
    let phrase = status.canonical_reason().map(|phrase| format!(" {phrase}")).unwrap_or_default();
    format!("Upstream returned HTTP {}{phrase}", status.as_str())
}

/// The status, and the message of the upstream if there is one.
pub(crate) fn message_for_model(status: StatusCode, message: &ErrorMessage) -> String {
    let line = status_line(status);
    if message.text.is_empty() { line } else { format!("{line}: {}", message.text) }
}

/// Specific advice for some statuses; `None` for the general advice of the failure reason.
fn advice(response: &UpstreamResponse) -> Option<Cow<'static, str>> {
    match response.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Some("Check the tool's credential: it may be missing, wrong, or lack the permission for this call.".into())
        }
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            let RetryAfter::After(wait) = RetryAfter::from_headers(&response.headers) else { return None };
            Some(format!("Wait {} s before the next call, as the API requests.", wait.as_secs()).into())
        }
        _ => None,
    }
}

/// Advice for a model after a response with an error status. A call that is not repeatable may have had an effect.
pub(crate) fn advice_for_model(response: &UpstreamResponse, is_repeatable: bool) -> Cow<'static, str> {
    match response.status.as_u16() {
        401 | 403 | 407 => {
            "The API refused the credential of this tool. Calling again will not help. Tell the user that the tool's \
             credential needs attention."
                .into()
        }
        402 => "Calling again will not help. Tell the user that the API asks for a payment.".into(),
        404 | 410 => "Nothing was found. Check the arguments.".into(),
        405 | 406 | 415 | 501 | 505 => {
            "Calling again will not help. Tell the user that this tool does not fit the API and needs attention.".into()
        }
        409 | 412 | 428 => "The API is in another state than you assume. Read it again, then decide.".into(),
        413 | 414 | 431 => "The request is too large for the API. Send less and call again.".into(),
        429 | 503 => wait_advice(response),
        400..=499 => "The API refused the arguments. Correct them and call again.".into(),
        _ if is_repeatable => "The API failed. Try once more later; the arguments are not the cause.".into(),
        _ => format!("The API failed; the arguments are not the cause. {LOOK_FIRST_ADVICE}").into(),
    }
}

fn wait_advice(response: &UpstreamResponse) -> Cow<'static, str> {
    let state = match response.status {
        StatusCode::TOO_MANY_REQUESTS => "The API allows no more calls now.",
        _ => "The API is not available now; the arguments are not the cause.",
    };
    match RetryAfter::from_headers(&response.headers) {
        RetryAfter::After(wait) => format!("{state} Wait {} s, then call again.", wait.as_secs().max(1)).into(),
        RetryAfter::Absent | RetryAfter::Invalid => format!("{state} Wait a minute before the next try.").into(),
    }
}
