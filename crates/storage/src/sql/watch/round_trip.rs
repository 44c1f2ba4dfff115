//! How long a reply of the database takes, estimated as TCP does for acknowledgements (RFC 6298). The estimate rises as
//! fast as there, but falls more slowly, because a database that was slow once is often slow again.

use std::time::Duration;

/// Far above the time that a reply takes in a local network, and short enough that a lost connection is replaced within
/// 100 ms.
const TIMEOUT_MIN: Duration = Duration::from_millis(25);
const TIMEOUT_MAX: Duration = Duration::from_secs(3);

/// How many heartbeats it takes, roughly, to forget a slow reply.
const FALLING_WEIGHT: u32 = 64;

/// A running estimate of the round-trip time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RoundTripEstimate {
    /// The smoothed time and its mean deviation; `None` before the first reply.
    mean: Option<(Duration, Duration)>,
}

impl RoundTripEstimate {
    /// After this time a reply is overdue.
    pub(super) fn timeout(&self) -> Duration {
        self.mean
            .map_or(TIMEOUT_MAX, |(smoothed, deviation)| (smoothed + 4 * deviation).clamp(TIMEOUT_MIN, TIMEOUT_MAX))
    }

    /// Adds the time that a reply took.
    pub(super) fn record(&mut self, elapsed: Duration) {
        // After an outage of hours the estimate must still return soon.
        let elapsed = elapsed.min(TIMEOUT_MAX);
        let (smoothed, deviation) = self.mean.unwrap_or((elapsed, elapsed));
        let difference = smoothed.abs_diff(elapsed);
        let deviation_weight = if difference > deviation { 4 } else { FALLING_WEIGHT };
        self.mean = Some((average(smoothed, elapsed, 8), average(deviation, difference, deviation_weight)));
    }
}

/// The moving average in which the new value has the weight 1 of `weight`.
fn average(old: Duration, new: Duration, weight: u32) -> Duration {
    ((weight - 1) * old + new) / weight
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAST: Duration = Duration::from_micros(200);
    const SLOW: Duration = Duration::from_millis(400);

    #[test]
    fn the_timeout_follows_a_slow_database_and_returns_within_seconds() {
        let mut estimate = RoundTripEstimate::default();
        assert_eq!(estimate.timeout(), TIMEOUT_MAX);
        estimate.record(FAST);
        assert_eq!(estimate.timeout(), TIMEOUT_MIN);
        estimate.record(SLOW);
        assert!(estimate.timeout() > SLOW, "{estimate:?}");
        for _ in 0..25 {
            estimate.record(FAST);
        }
        assert!(estimate.timeout() > SLOW / 2, "{estimate:?}");
        for _ in 0..200 {
            estimate.record(FAST);
        }
        assert_eq!(estimate.timeout(), TIMEOUT_MIN, "{estimate:?}");
        for _ in 0..50 {
            estimate.record(SLOW);
            assert!(estimate.timeout() > SLOW, "{estimate:?}");
        }
        estimate.record(Duration::from_hours(1));
        assert_eq!(estimate.timeout(), TIMEOUT_MAX);
    }
}
