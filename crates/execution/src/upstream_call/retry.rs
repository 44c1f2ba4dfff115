//! The retry policy: a request is retried only if the error is transient, and only within the deadline. The number of
//! retries is 0 if the method is not safe to repeat.

use std::time::Duration;

use http::StatusCode;
use tokio::time::Instant;

use crate::egress::error::EgressError;
use crate::egress::message::UpstreamResponse;
use crate::retry_after::RetryAfter;

const BACKOFF_MIN: Duration = Duration::from_millis(200);
const BACKOFF_MAX: Duration = Duration::from_secs(10);

/// The remaining retries of a call.
pub(super) struct RetryPolicy {
    retries_left: u32,
    retries_done: u32,
    deadline: Instant,
}

impl RetryPolicy {
    pub(super) fn new(retries_left: u32, deadline: Instant) -> Self {
        Self { retries_left, retries_done: 0, deadline }
    }

    /// The delay before the next attempt; `None` if this attempt is the last one.
    pub(super) fn next_delay(&mut self, attempt: &Result<UpstreamResponse, EgressError>) -> Option<Duration> {
        let retry_after = match attempt {
            Ok(response) if is_transient(response.status) => RetryAfter::from_headers(&response.headers),
            Err(error) if error.is_connection_error() => RetryAfter::Absent,
            _ => return None,
        };
        self.retries_left = self.retries_left.checked_sub(1)?;
        let delay = match retry_after {
            RetryAfter::Absent => backoff(self.retries_done),
            RetryAfter::After(delay) => delay,
            // The upstream asks for a delay that cannot be parsed, so any retry might be too early.
            RetryAfter::Invalid => return None,
        };
        self.retries_done += 1;
        // If the deadline comes first, this response is better than a timeout.
        (delay < self.deadline.saturating_duration_since(Instant::now())).then_some(delay)
    }
}

fn is_transient(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
}

/// Exponential backoff, shortened by a random part of up to half, so that calls that failed together do not retry
/// together.
fn backoff(retries_done: u32) -> Duration {
    // The bounded shift does not overflow and is long enough to reach `BACKOFF_MAX`.
    let longest_delay = BACKOFF_MIN.saturating_mul(1 << retries_done.min(8)).min(BACKOFF_MAX);
    let jitter = f64::from(getrandom::u32().unwrap_or(u32::MAX / 2)) / f64::from(u32::MAX);
    longest_delay.mul_f64(1.0 - jitter / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use http::HeaderMap;
    use http::header::{DATE, RETRY_AFTER};

    fn response_with(status: u16, retry_after: Option<&str>) -> UpstreamResponse {
        let mut headers = HeaderMap::new();
        headers.insert(DATE, "Fri, 31 Dec 1999 12:00:00 GMT".parse().unwrap());
        if let Some(retry_after) = retry_after {
            headers.insert(RETRY_AFTER, retry_after.parse().unwrap());
        }
        let status = StatusCode::from_u16(status).unwrap();
        UpstreamResponse { status, headers, body: Bytes::new(), sent_tokens: Vec::new() }
    }

    #[tokio::test]
    async fn only_transient_errors_are_retried() {
        let deadline = Instant::now() + Duration::from_mins(1);
        for (status, is_retried) in [(503, true), (429, true), (500, true), (404, false), (200, false), (501, false)] {
            let next_delay = RetryPolicy::new(1, deadline).next_delay(&Ok(response_with(status, None)));
            assert_eq!(next_delay.is_some(), is_retried, "{status}");
            assert_eq!(RetryPolicy::new(0, deadline).next_delay(&Ok(response_with(status, None))), None, "{status}");
        }
    }

    #[tokio::test]
    async fn retries_are_limited_in_number_and_by_the_deadline() {
        let mut retries = RetryPolicy::new(2, Instant::now() + Duration::from_mins(1));
        let unavailable = || Ok(response_with(503, None));
        let (first, second) =
            (retries.next_delay(&unavailable()).unwrap(), retries.next_delay(&unavailable()).unwrap());
        assert!(first <= BACKOFF_MIN && first >= BACKOFF_MIN / 2 && second <= BACKOFF_MIN * 2);
        assert_eq!(retries.next_delay(&unavailable()), None);
        let mut retries = RetryPolicy::new(5, Instant::now() + Duration::from_mins(1));
        assert_eq!(retries.next_delay(&Ok(response_with(429, Some("7")))), Some(Duration::from_secs(7)));
        assert_eq!(retries.next_delay(&Ok(response_with(429, Some("61")))), None);
    }

    #[tokio::test]
    async fn retry_after_sets_the_delay_and_an_invalid_one_prevents_the_retry() {
        for (retry_after, secs) in [
            ("7", Some(7)),
            ("Fri, 31 Dec 1999 12:00:07 GMT", Some(7)),
            ("Fri, 31 Dec 1999 12:02:00 GMT", None),
            ("18446744073709551615", None),
            ("99999999999999999999", None),
            ("in a while", None),
        ] {
            let mut retries = RetryPolicy::new(1, Instant::now() + Duration::from_mins(1));
            let next_delay = retries.next_delay(&Ok(response_with(429, Some(retry_after))));
            assert_eq!(next_delay, secs.map(Duration::from_secs), "{retry_after}");
        }
    }
}
