//! HTTP errors of an upstream: the failure message and advice that the model receives.

use std::borrow::Cow;

use http::StatusCode;
use toolgate_domain::call::FailureReason;

use super::media::MediaType;
use super::text;
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
    if let Some(body) = body_text(response) {
        message.extend([": ", &body]);
    }
    let failure = Failure::new(reason, message);
    Some(match advice(response) {
        Some(advice) => failure.with_advice(advice),
        None => failure,
    })
}

/// The beginning of the body; `None` if it is empty or not text.
fn body_text(response: &UpstreamResponse) -> Option<String> {
    let media = MediaType::from_headers(&response.headers);
    if response.body.is_empty() || media.is_image() || media.is_audio() {
        return None;
    }
    text::decode(&media, &response.body).map(|text| text.head(ERROR_BODY_BYTES_MAX).into_owned())
}

/// Specific advice for some statuses; `None` for the general advice of the failure reason.
fn advice(response: &UpstreamResponse) -> Option<Cow<'static, str>> {
    match response.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Some("Check the tool's credential: it may be missing, wrong, or lack the permission for this call.".into())
        }
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            match RetryAfter::from_headers(&response.headers) {
                RetryAfter::After(wait) => {
                    Some(format!("Wait {} s before the next call, as the API requests.", wait.as_secs()).into())
                }
                RetryAfter::Absent | RetryAfter::Invalid => None,
            }
        }
        _ => None,
    }
}
