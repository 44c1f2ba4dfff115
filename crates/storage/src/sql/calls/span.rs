//! Spans: a block has calls of one only, so that blocks of several journals overlap no further than that, and a call is
//! never far from where its id says.

use toolgate_domain::call::CallId;
use toolgate_domain::time::Timestamp;

/// Ten seconds; an hour is a whole number of them.
const LENGTH_MS: i64 = 10_000;

/// The id with which the span of a call begins.
pub(super) fn start(id: CallId) -> CallId {
    CallId::first_at(Timestamp::from_millis(id.time().as_millis().div_euclid(LENGTH_MS) * LENGTH_MS))
}

/// The id with which the span after that of a call begins.
pub(super) fn end(id: CallId) -> CallId {
    CallId::first_at(start(id).time().plus_millis(LENGTH_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_its_first_and_its_last_id() {
        let at = |millis| CallId::first_at(Timestamp::from_millis(millis));
        for id in [at(120_000), at(123_456), CallId(at(130_000).0 - 1)] {
            assert_eq!((start(id), end(id)), (at(120_000), at(130_000)));
        }
        assert!(end(CallId(i64::MAX)) > CallId(i64::MAX - 1024 * LENGTH_MS));
    }
}
