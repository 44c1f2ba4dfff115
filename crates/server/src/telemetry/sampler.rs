//! Decides which requests are traced.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use toolgate_domain::trace::TraceParent;

const NANOS_PER_SEC: u64 = 1_000_000_000;

/// The share of requests that are traced, and the rate limit for requests that callers ask to trace.
#[derive(Debug)]
pub(super) struct Sampler {
    /// A request without a caller's trace is traced if a random number is below it.
    threshold: u64,
    is_tracing_all: bool,
    caller_limit: CallerLimit,
}

impl Sampler {
    /// `ratio` is from 0 to 1; `parent_rate` is a number of requests a second.
    pub(super) fn new(ratio: f64, parent_rate: u32) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "the ratio is from 0 to 1, and the last bits of a share do not matter"
        )]
        let threshold = (ratio * u64::MAX as f64) as u64;
        Self { threshold, is_tracing_all: ratio >= 1.0, caller_limit: CallerLimit::new(parent_rate) }
    }

    /// Whether a request is traced. If the caller traces it, so does the service, up to a limit, so that callers cannot
    /// make the service trace everything. If the caller decided not to trace it, neither does the service: the trace
    /// would begin in the middle.
    pub(super) fn is_traced(&self, caller: Option<TraceParent>) -> bool {
        match caller {
            Some(caller) if !caller.is_sampled => false,
            Some(_) if self.caller_limit.admit() => true,
            _ => self.is_tracing_all || random() < self.threshold,
        }
    }
}

/// A rate limit by the generic cell rate algorithm (GCRA): a request is admitted if evenly spaced requests would not
/// be more than a second ahead of the clock.
#[derive(Debug)]
struct CallerLimit {
    /// `None` admits nothing.
    spacing_nanos: Option<u64>,
    epoch: Instant,
    /// When all admitted requests would be done if they were evenly spaced, in nanoseconds since `epoch`.
    busy_until: AtomicU64,
}

impl CallerLimit {
    fn new(rate: u32) -> Self {
        let spacing_nanos = NANOS_PER_SEC.checked_div(rate.into());
        Self { spacing_nanos, epoch: Instant::now(), busy_until: AtomicU64::new(0) }
    }

    fn admit(&self) -> bool {
        let Some(spacing) = self.spacing_nanos else { return false };
        let now = u64::try_from(self.epoch.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let admitted = self.busy_until.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |busy_until| {
            let next = busy_until.max(now).saturating_add(spacing);
            // A burst of as many requests as the limit allows in a second is admitted.
            (next - now <= NANOS_PER_SEC).then_some(next)
        });
        admitted.is_ok()
    }
}

/// A random number that is cheap and need not be unpredictable.
fn random() -> u64 {
    thread_local! {
        static STATE: Cell<u64> = Cell::new(getrandom::u64().unwrap_or(0) | 1);
    }
    STATE.with(|state| {
        // Xorshift, multiplied because its low bits are weak.
        let mut number = state.get();
        number ^= number << 13;
        number ^= number >> 7;
        number ^= number << 17;
        state.set(number);
        number.wrapping_mul(0x2545_f491_4f6c_dd1d)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(is_sampled: bool) -> TraceParent {
        TraceParent { trace_id: 1, span_id: 2, is_sampled }
    }

    #[test]
    fn the_ratio_decides_about_requests_without_a_trace() {
        let traced = |ratio| {
            let sampler = Sampler::new(ratio, 0);
            (0..100_000).filter(|_| sampler.is_traced(None)).count()
        };
        assert_eq!((traced(0.0), traced(1.0)), (0, 100_000));
        assert!((9_000..11_000).contains(&traced(0.1)), "a tenth of the requests is traced");
    }

    #[test]
    fn a_request_that_its_caller_does_not_trace_is_not_traced() {
        assert!(!Sampler::new(1.0, 1000).is_traced(Some(caller(false))));
    }

    #[test]
    fn callers_cannot_have_more_requests_traced_than_the_limit() {
        let sampler = Sampler::new(0.0, 10);
        let traced = (0..10_000).filter(|_| sampler.is_traced(Some(caller(true)))).count();
        assert!((10..=12).contains(&traced), "{traced}");
        assert!(!Sampler::new(0.0, 0).is_traced(Some(caller(true))));
    }
}
