//! The calls since the start of the process, by outcome and duration. Counting takes no lock and allocates nothing.

use toolgate_domain::call::{CallRecord, FailureReason};
use toolgate_domain::counters::{DurationHistogram, HistogramSnapshot, ShardedCounters};

/// Number of outcomes. Success has the index 0, a failure reason has its stored number as index.
const OUTCOME_COUNT: usize = FailureReason::NAMES.len() + 1;
/// Index of the size of all arguments.
const REQUEST_BYTES: usize = OUTCOME_COUNT;
/// Index of the size of all response bodies.
const RESPONSE_BYTES: usize = OUTCOME_COUNT + 1;

/// The counters of all calls.
#[derive(Debug, Default)]
pub(crate) struct CallCounters {
    sums: ShardedCounters<{ OUTCOME_COUNT + 2 }>,
    successes: DurationHistogram,
    failures: DurationHistogram,
    upstream: DurationHistogram,
}

impl CallCounters {
    /// Counts a call that has ended.
    pub(crate) fn count(&self, record: &CallRecord) {
        self.sums.add(record.failure.map_or(0, |reason| usize::from(reason.number())), 1);
        self.sums.add(REQUEST_BYTES, record.request_bytes);
        self.sums.add(RESPONSE_BYTES, record.response_bytes);
        let durations = if record.failure.is_none() { &self.successes } else { &self.failures };
        durations.observe_us(record.duration_us);
        // Calls without an upstream request would distort the latency of upstreams.
        if record.upstream_us > 0 && !record.cache_hit {
            self.upstream.observe_us(record.upstream_us);
        }
    }

    pub(crate) fn totals(&self) -> CallTotals {
        let sums = self.sums.sums();
        let sum = |index: usize| sums.get(index).copied().unwrap_or_default();
        let failures =
            (1..).zip(FailureReason::NAMES).filter_map(|(index, name)| Some((FailureReason::parse(name)?, sum(index))));
        CallTotals {
            successes: sum(0),
            failures: failures.collect(),
            request_bytes: sum(REQUEST_BYTES),
            response_bytes: sum(RESPONSE_BYTES),
            success_durations: self.successes.snapshot(),
            failure_durations: self.failures.snapshot(),
            upstream_durations: self.upstream.snapshot(),
        }
    }
}

/// The calls of this process.
#[derive(Clone, Debug, Default)]
pub struct CallTotals {
    /// Calls that succeeded.
    pub successes: u64,
    /// Calls that failed, for every reason.
    pub failures: Vec<(FailureReason, u64)>,
    /// The size of all arguments.
    pub request_bytes: u64,
    /// The size of all response bodies.
    pub response_bytes: u64,
    /// Durations of the calls that succeeded.
    pub success_durations: HistogramSnapshot,
    /// Durations of the calls that failed.
    pub failure_durations: HistogramSnapshot,
    /// How long calls waited for an upstream, without calls that sent no upstream request.
    pub upstream_durations: HistogramSnapshot,
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::{ServerId, ToolId, UserId};

    use super::*;

    #[test]
    fn calls_are_counted_by_outcome_and_cached_responses_have_no_upstream_duration() {
        let counters = CallCounters::default();
        let call = CallRecord {
            duration_us: 1_500,
            upstream_us: 900,
            request_bytes: 10,
            response_bytes: 20,
            ..CallRecord::new(UserId(1), ServerId(1), ToolId(1), "x".to_owned())
        };
        counters.count(&CallRecord { failure: None, ..call.clone() });
        counters.count(&CallRecord { failure: None, cache_hit: true, ..call.clone() });
        counters.count(&CallRecord { failure: Some(FailureReason::Timeout), ..call.clone() });
        counters.count(&CallRecord { failure: Some(FailureReason::BadArguments), upstream_us: 0, ..call });
        let totals = counters.totals();
        let failures: Vec<_> = totals.failures.into_iter().filter(|(_, calls)| *calls > 0).collect();
        assert_eq!((totals.successes, failures.len()), (2, 2));
        assert!(
            failures.contains(&(FailureReason::Timeout, 1)) && failures.contains(&(FailureReason::BadArguments, 1))
        );
        assert_eq!((totals.request_bytes, totals.response_bytes), (40, 80));
        assert_eq!((totals.success_durations.buckets[1], totals.failure_durations.buckets[1]), (2, 2));
        assert_eq!((totals.upstream_durations.buckets[0], totals.upstream_durations.sum_us), (2, 1_800));
    }
}
