//! Usage rollups: totals of calls per hour or day, for all servers, an owner, a server or a tool, for all client types
//! together and for each. Reports read rollups, so that their cost does not grow with the number of calls.

mod latencies;

use crate::call::CallRecord;
use crate::ids::{ServerId, ToolId, UserId};
use crate::time::{DAY_MS, HOUR_MS, Timestamp};

pub use latencies::Latencies;

/// The calls that a rollup covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UsageScope {
    /// All calls.
    All,
    /// Calls to the servers of one user.
    Owner(UserId),
    /// Calls to one server.
    Server(ServerId),
    /// Calls of one tool.
    Tool(ToolId),
}

/// The period that a rollup covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grain {
    /// An hour.
    Hour,
    /// A day (UTC).
    Day,
    /// All time.
    AllTime,
}

impl Grain {
    /// The start of the period that contains a time.
    pub const fn start_of(self, time: Timestamp) -> Timestamp {
        let length = match self {
            Self::Hour => HOUR_MS,
            Self::Day => DAY_MS,
            Self::AllTime => return Timestamp::from_millis(0),
        };
        Timestamp::from_millis(time.as_millis().div_euclid(length) * length)
    }
}

/// Totals of calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Number of calls.
    pub calls: u64,
    /// Number of failed calls.
    pub failures: u64,
    /// Sum of the durations, in microseconds.
    pub total_us: u64,
    /// Total size of the arguments, in bytes.
    pub request_bytes: u64,
    /// Total size of the upstream responses, in bytes.
    pub response_bytes: u64,
    /// Estimated tokens of the results that were shaped.
    pub tokens_out: u64,
    /// Estimated tokens that shaping left out.
    pub tokens_saved: u64,
    /// When the last call ended.
    pub last_at: Option<Timestamp>,
    /// Distribution of the durations, for percentiles.
    pub latencies: Latencies,
}

impl Totals {
    /// Adds a call.
    pub fn add(&mut self, call: &CallRecord) {
        self.calls += 1;
        self.failures += u64::from(call.failure.is_some());
        self.total_us = self.total_us.saturating_add(call.duration_us);
        self.request_bytes = self.request_bytes.saturating_add(call.request_bytes);
        self.response_bytes = self.response_bytes.saturating_add(call.response_bytes);
        let tokens = call.tokens.unwrap_or_default();
        self.tokens_out = self.tokens_out.saturating_add(tokens.out);
        self.tokens_saved = self.tokens_saved.saturating_add(tokens.saved);
        self.last_at = self.last_at.max(Some(call.at));
        self.latencies.add(call.duration_us);
    }

    /// Adds other totals.
    pub fn merge(&mut self, other: &Self) {
        self.calls += other.calls;
        self.failures += other.failures;
        self.total_us = self.total_us.saturating_add(other.total_us);
        self.request_bytes = self.request_bytes.saturating_add(other.request_bytes);
        self.response_bytes = self.response_bytes.saturating_add(other.response_bytes);
        self.tokens_out = self.tokens_out.saturating_add(other.tokens_out);
        self.tokens_saved = self.tokens_saved.saturating_add(other.tokens_saved);
        self.last_at = self.last_at.max(other.last_at);
        self.latencies.merge(&other.latencies);
    }

    /// Subtracts other totals, which must be part of these. `last_at` stays: it is the latest call that was ever added.
    pub fn subtract(&mut self, part: &Self) {
        self.calls = self.calls.saturating_sub(part.calls);
        self.failures = self.failures.saturating_sub(part.failures);
        self.total_us = self.total_us.saturating_sub(part.total_us);
        self.request_bytes = self.request_bytes.saturating_sub(part.request_bytes);
        self.response_bytes = self.response_bytes.saturating_sub(part.response_bytes);
        self.tokens_out = self.tokens_out.saturating_sub(part.tokens_out);
        self.tokens_saved = self.tokens_saved.saturating_sub(part.tokens_saved);
        self.latencies.subtract(&part.latencies);
    }

    /// Number of successful calls.
    pub fn successes(&self) -> u64 {
        self.calls.saturating_sub(self.failures)
    }

    /// Average duration in whole milliseconds; 0 without calls.
    pub fn average_ms(&self) -> u64 {
        let calls = self.calls.max(1);
        (self.total_us / calls + 500) / 1000
    }

    /// Percentage of successful calls, to two decimals; 0 without calls.
    #[expect(clippy::cast_precision_loss, reason = "a ratio of counts: the error beyond 2^53 calls is negligible")]
    pub fn success_rate(&self) -> f64 {
        if self.calls == 0 {
            return 0.0;
        }
        (self.successes() as f64 * 10_000.0 / self.calls as f64).round() / 100.0
    }
}
