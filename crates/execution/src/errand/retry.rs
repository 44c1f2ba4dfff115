//! When to try again: only what may be repeated, only what a repetition may mend, and only within the time there is.

use std::time::Duration;

use http::StatusCode;
use tokio::time::Instant;

use super::{SendError, Sent};
use crate::egress::is_repeatable;
use crate::retry_after::RetryAfter;

const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// The tries that are left.
pub(super) struct Tries {
    left: u32,
    done: u32,
    deadline: Instant,
}

impl Tries {
    pub(super) fn new(left: u32, deadline: Instant) -> Self {
        Self { left, done: 0, deadline }
    }

    /// How long to wait before trying again; `None` to take what there is.
    pub(super) fn pause(&mut self, sent: &Sent) -> Option<Duration> {
        let wanted = match sent {
            Ok((method, response)) if is_repeatable(method) && may_mend(response.status) => {
                RetryAfter::of(&response.headers)
            }
            Err(SendError::Egress(method, error)) if is_repeatable(method) && error.is_connection_error() => {
                RetryAfter::Untold
            }
            _ => return None,
        };
        self.left = self.left.checked_sub(1)?;
        let pause = match wanted {
            RetryAfter::Untold => back_off(self.done),
            RetryAfter::In(pause) => pause,
            // Anything sooner than what was meant would be rude.
            RetryAfter::Unclear => return None,
        };
        self.done += 1;
        // Without time for another try, the answer at hand is better than a timeout.
        (pause < self.deadline.saturating_duration_since(Instant::now())).then_some(pause)
    }
}

fn may_mend(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
}

/// Twice as long each time, and by chance up to half of it less: those who failed together do not return together.
fn back_off(done: u32) -> Duration {
    let full = FIRST_PAUSE.saturating_mul(1 << done.min(8)).min(LONGEST_PAUSE);
    let chance = f64::from(getrandom::u32().unwrap_or(u32::MAX / 2)) / f64::from(u32::MAX);
    full.mul_f64(1.0 - chance / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use http::header::{DATE, RETRY_AFTER};
    use http::{HeaderMap, Method};

    use crate::egress::UpstreamResponse;

    fn answered(method: Method, status: u16, after: Option<&str>) -> (Method, UpstreamResponse) {
        let mut headers = HeaderMap::new();
        headers.insert(DATE, "Fri, 31 Dec 1999 12:00:00 GMT".parse().unwrap());
        if let Some(after) = after {
            headers.insert(RETRY_AFTER, after.parse().unwrap());
        }
        let status = StatusCode::from_u16(status).unwrap();
        (method, UpstreamResponse { status, headers, body: Bytes::new(), sent_tokens: Vec::new() })
    }

    #[tokio::test]
    async fn only_harmless_repetitions_that_may_help_are_made() {
        let soon = Instant::now() + Duration::from_mins(1);
        for (method, status, again) in [
            (Method::GET, 503, true),
            (Method::PUT, 429, true),
            (Method::DELETE, 500, true),
            (Method::POST, 503, false),
            (Method::PATCH, 503, false),
            (Method::GET, 404, false),
            (Method::GET, 200, false),
            (Method::GET, 501, false),
        ] {
            let pause = Tries::new(1, soon).pause(&Ok(answered(method.clone(), status, None)));
            assert_eq!(pause.is_some(), again, "{method} {status}");
        }
    }

    #[tokio::test]
    async fn tries_run_out_and_never_pass_the_deadline() {
        let mut tries = Tries::new(2, Instant::now() + Duration::from_mins(1));
        let failed = || Ok(answered(Method::GET, 503, None));
        let (first, second) = (tries.pause(&failed()).unwrap(), tries.pause(&failed()).unwrap());
        assert!(first <= FIRST_PAUSE && first >= FIRST_PAUSE / 2 && second <= FIRST_PAUSE * 2);
        assert_eq!(tries.pause(&failed()), None);
        let mut tries = Tries::new(5, Instant::now() + Duration::from_mins(1));
        assert_eq!(tries.pause(&Ok(answered(Method::GET, 429, Some("7")))), Some(Duration::from_secs(7)));
        assert_eq!(tries.pause(&Ok(answered(Method::GET, 429, Some("61")))), None);
    }

    #[tokio::test]
    async fn an_upstream_is_asked_again_when_it_says_and_not_at_all_when_it_is_not_understood() {
        for (after, secs) in [
            ("7", Some(7)),
            ("Fri, 31 Dec 1999 12:00:07 GMT", Some(7)),
            ("Fri, 31 Dec 1999 12:02:00 GMT", None),
            ("18446744073709551615", None),
            ("99999999999999999999", None),
            ("in a while", None),
        ] {
            let mut tries = Tries::new(1, Instant::now() + Duration::from_mins(1));
            let pause = tries.pause(&Ok(answered(Method::GET, 429, Some(after))));
            assert_eq!(pause, secs.map(Duration::from_secs), "{after}");
        }
    }
}
