//! What calls add up to: sums over an hour or a day, for everything, an owner, a server or a tool, for all kinds of
//! clients together and for each. Every report reads such sums, so that its cost does not grow with the calls.

mod latencies;

use crate::call::CallRecord;
use crate::ids::{ServerId, ToolId, UserId};
use crate::time::{DAY_MS, HOUR_MS, Timestamp};

pub use latencies::Latencies;

/// What a sum is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Everything.
    All,
    /// The servers of one user.
    Owner(UserId),
    /// One server.
    Server(ServerId),
    /// One tool.
    Tool(ToolId),
}

/// How long a time one sum covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grain {
    /// An hour.
    Hour,
    /// A day (UTC).
    Day,
    /// All time.
    Ever,
}

impl Grain {
    /// The start of the period that a moment falls in.
    pub const fn start_of(self, moment: Timestamp) -> Timestamp {
        let length = match self {
            Self::Hour => HOUR_MS,
            Self::Day => DAY_MS,
            Self::Ever => return Timestamp::from_millis(0),
        };
        Timestamp::from_millis(moment.as_millis().div_euclid(length) * length)
    }
}

/// Sums over calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many calls.
    pub calls: u64,
    /// How many of them failed.
    pub failures: u64,
    /// How long they took together, in microseconds.
    pub total_us: u64,
    /// Bytes of their arguments.
    pub request_bytes: u64,
    /// Bytes of what upstreams answered.
    pub response_bytes: u64,
    /// When the last one ended.
    pub last_at: Option<Timestamp>,
    /// How long they took, one by one as far as percentiles need it.
    pub latencies: Latencies,
}

impl Totals {
    /// Counts a call.
    pub fn add(&mut self, call: &CallRecord) {
        self.calls += 1;
        self.failures += u64::from(call.failure.is_some());
        self.total_us = self.total_us.saturating_add(call.duration_us);
        self.request_bytes = self.request_bytes.saturating_add(call.request_bytes);
        self.response_bytes = self.response_bytes.saturating_add(call.response_bytes);
        self.last_at = self.last_at.max(Some(call.at));
        self.latencies.add(call.duration_us);
    }

    /// Counts what others counted.
    pub fn merge(&mut self, other: &Self) {
        self.calls += other.calls;
        self.failures += other.failures;
        self.total_us = self.total_us.saturating_add(other.total_us);
        self.request_bytes = self.request_bytes.saturating_add(other.request_bytes);
        self.response_bytes = self.response_bytes.saturating_add(other.response_bytes);
        self.last_at = self.last_at.max(other.last_at);
        self.latencies.merge(&other.latencies);
    }

    /// How many calls succeeded.
    pub fn successes(&self) -> u64 {
        self.calls.saturating_sub(self.failures)
    }

    /// How long a call took on average, in whole milliseconds; 0 without calls.
    pub fn average_ms(&self) -> u64 {
        let calls = self.calls.max(1);
        (self.total_us / calls + 500) / 1000
    }

    /// Percentage of calls that succeeded, to two decimals; 0 without calls.
    #[expect(clippy::cast_precision_loss, reason = "a share of counts; beyond 2^53 calls nobody sees the difference")]
    pub fn success_rate(&self) -> f64 {
        if self.calls == 0 {
            return 0.0;
        }
        (self.successes() as f64 * 10_000.0 / self.calls as f64).round() / 100.0
    }
}
