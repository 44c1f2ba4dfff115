//! An upstream that answered with an error: what a model is told of it, and what it can do about it.

use domain::call::FailureReason;
use http::StatusCode;

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
    if let Some(hint) = hint(response) {
        message.extend(["\n", &hint]);
    }
    Some(Failure::new(reason, message))
}

/// The beginning of the body; nothing for one that is empty or no text.
fn text_of(response: &UpstreamResponse) -> Option<String> {
    let media = MediaType::of(&response.headers);
    if response.body.is_empty() || media.is_image() || media.is_audio() {
        return None;
    }
    text::decode(&media, &response.body).map(|text| text.head(LONGEST_BODY).into_owned())
}

fn hint(response: &UpstreamResponse) -> Option<String> {
    match response.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Some("The tool's credential may be missing, wrong or without permission for this.".to_owned())
        }
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => match RetryAfter::of(&response.headers) {
            RetryAfter::In(wait) => Some(format!("The upstream asks to retry after {} s.", wait.as_secs())),
            RetryAfter::Untold | RetryAfter::Unclear => None,
        },
        _ => None,
    }
}
