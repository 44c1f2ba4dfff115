//! When to try again: only what may be repeated, only what a repetition may mend, and only within the time there is.

use std::time::Duration;

use http::header::RETRY_AFTER;
use http::{Method, StatusCode};
use tokio::time::Instant;

use super::{SendError, Sent};
use crate::egress::UpstreamResponse;

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
            Ok((method, response)) if may_repeat(method) && may_mend(response.status) => retry_after(response),
            Err(SendError::Egress(method, error)) if may_repeat(method) && error.is_connection_error() => None,
            _ => return None,
        };
        if self.left == 0 {
            return None;
        }
        let pause = wanted.unwrap_or_else(|| back_off(self.done));
        self.left -= 1;
        self.done += 1;
        // Without time for another try, the answer at hand is better than a timeout.
        (Instant::now() + pause < self.deadline).then_some(pause)
    }
}

fn may_repeat(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::PUT | Method::DELETE | Method::OPTIONS)
}

fn may_mend(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
}

/// What the upstream asks for, in whole seconds; dates are not worth a clock.
fn retry_after(response: &UpstreamResponse) -> Option<Duration> {
    let seconds = response.headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
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
    use http::HeaderMap;

    fn answered(method: Method, status: u16, after: Option<&str>) -> (Method, UpstreamResponse) {
        let mut headers = HeaderMap::new();
        if let Some(after) = after {
            headers.insert(RETRY_AFTER, after.parse().unwrap());
        }
        let status = StatusCode::from_u16(status).unwrap();
        (method, UpstreamResponse { status, headers, body: Bytes::new() })
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
}
