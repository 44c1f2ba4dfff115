//! Decides which requests are traced.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use toolgate_domain::trace::TraceParent;

const NANOS_PER_SEC: u64 = 1_000_000_000;

/// The share of requests that are traced, and the limit for those that callers choose.
#[derive(Debug)]
pub(super) struct Sampler {
    /// A request without a caller's trace is traced if a random number is below it.
    threshold: u64,
    is_always: bool,
    callers: CallerLimit,
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
        Self { threshold, is_always: ratio >= 1.0, callers: CallerLimit::new(parent_rate) }
    }

    /// Whether a request is traced. A caller that traces its request gets the trace continued up to a limit, so that
    /// callers cannot make the service trace everything; one that does not trace it gets none, so that no trace
    /// begins in the middle.
    pub(super) fn is_traced(&self, caller: Option<TraceParent>) -> bool {
        match caller {
            Some(caller) if !caller.is_sampled => false,
            Some(_) if self.callers.admit() => true,
            _ => self.is_always || random() < self.threshold,
        }
    }
}

/// At most so many requests a second, by the times at which they would be evenly spaced.
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
            // As many as in a second may come at once.
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
    fn a_caller_that_does_not_trace_gets_no_trace() {
        assert!(!Sampler::new(1.0, 1000).is_traced(Some(caller(false))));
    }

    #[test]
    fn callers_cannot_choose_more_requests_than_the_limit() {
        let sampler = Sampler::new(0.0, 10);
        let traced = (0..10_000).filter(|_| sampler.is_traced(Some(caller(true)))).count();
        assert!((10..=12).contains(&traced), "{traced}");
        assert!(!Sampler::new(0.0, 0).is_traced(Some(caller(true))));
    }
}
