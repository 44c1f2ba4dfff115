//! HTTP errors of an upstream: the failure message and advice that the model receives.

use std::borrow::Cow;

use http::StatusCode;
use toolgate_domain::call::FailureReason;

use super::to_text;
use crate::egress::message::UpstreamResponse;
use crate::failure::Failure;
use crate::retry_after::RetryAfter;

/// Error bodies are truncated to this size: the rest rarely helps, and the model has to read all of it.
const ERROR_BODY_BYTES_MAX: usize = 4 * 1024;

/// The failure for a response with status 400 or above.
pub fn to_failure(response: &UpstreamResponse) -> Option<Failure> {
    let status = response.status;
    let reason = match status.as_u16() {
        ..400 => return None,
        429 => FailureReason::RateLimitedUpstream,
        400..500 => FailureReason::Upstream4xx,
        500.. => FailureReason::Upstream5xx,
    };
    let mut message = format!("Upstream returned HTTP {}", status.as_str());
    if let Some(phrase) = status.canonical_reason() {
        message.extend([" ", phrase]);
    }
    if let Some(text) = to_text(response).filter(|_| !response.body.is_empty()) {
        message.extend([": ", &text.head(ERROR_BODY_BYTES_MAX)]);
    }
    let advice = advice(response).unwrap_or(reason.advice().into());
    Some(Failure::new(reason, message).with_advice(advice))
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
