//! An upstream that answered with an error: what a model is told of it, and what can be done about it.

use std::borrow::Cow;

use http::StatusCode;
use toolgate_domain::call::FailureReason;

use super::media::MediaType;
use super::text;
use crate::Failure;
use crate::egress::UpstreamResponse;
use crate::retry_after::RetryAfter;

/// Of an error's body no more is told: the rest rarely says more, and a model reads all of it.
const LONGEST_BODY: usize = 4 * 1024;

/// The failure that an answer of 400 and above is.
pub fn failure(response: &UpstreamResponse) -> Option<Failure> {
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
    if let Some(body) = text_of(response) {
        message.extend([": ", &body]);
    }
    let failure = Failure::new(reason, message);
    Some(match advice(response) {
        Some(advice) => failure.advising(advice),
        None => failure,
    })
}

/// The beginning of the body; nothing for one that is empty or no text.
fn text_of(response: &UpstreamResponse) -> Option<String> {
    let media = MediaType::of(&response.headers);
    if response.body.is_empty() || media.is_image() || media.is_audio() {
        return None;
    }
    text::decode(&media, &response.body).map(|text| text.head(LONGEST_BODY).into_owned())
}

/// Where the answer tells more than its class.
fn advice(response: &UpstreamResponse) -> Option<Cow<'static, str>> {
    match response.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Some("Check the tool's credential: it may be missing, wrong or without permission for this.".into())
        }
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => match RetryAfter::of(&response.headers) {
            RetryAfter::In(wait) => {
                Some(format!("Wait {} s before the next call, as the API asks.", wait.as_secs()).into())
            }
            RetryAfter::Untold | RetryAfter::Unclear => None,
        },
        _ => None,
    }
}
