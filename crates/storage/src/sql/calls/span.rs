//! Spans: fixed time ranges of ten seconds. All calls of a block lie in one span, so blocks of different journals
//! overlap only within a span, and a call is found by the span of its id.

use toolgate_domain::call::CallId;
use toolgate_domain::time::Timestamp;

/// Length of a span. An hour must be a multiple of it.
const LENGTH_MS: i64 = 10_000;

/// First id of the span that contains `id`.
pub(super) fn start(id: CallId) -> CallId {
    CallId::first_at(Timestamp::from_millis(id.time().as_millis().div_euclid(LENGTH_MS) * LENGTH_MS))
}

/// First id of the span after the one that contains `id`.
pub(super) fn end(id: CallId) -> CallId {
    CallId::first_at(start(id).time().plus_millis(LENGTH_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_contains_its_first_and_its_last_id() {
        let at = |millis| CallId::first_at(Timestamp::from_millis(millis));
        for id in [at(120_000), at(123_456), CallId(at(130_000).0 - 1)] {
            assert_eq!((start(id), end(id)), (at(120_000), at(130_000)));
        }
        // The largest id does not overflow. A millisecond has 1024 ids.
        assert!(end(CallId(i64::MAX)) > CallId(i64::MAX - 1024 * LENGTH_MS));
    }
}
