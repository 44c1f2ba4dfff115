//! What of all this is run, and for how long: `ROUNDS`, `SECONDS`, `ONLY`, `SERVERS`, `FULL`.

use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A request's number is said in its answer, so no two measurements may share one.
const NUMBERS_EACH: u64 = 1_000_000_000;

/// What was asked for in the environment.
pub(crate) struct Plan {
    pub(crate) rounds: u64,
    /// For each measurement.
    pub(crate) time: Duration,
    /// How many servers the largest database has.
    pub(crate) servers: u64,
    /// Whether what takes long is measured too.
    pub(crate) is_full: bool,
    only: String,
    numbers: AtomicU64,
}

impl Plan {
    pub(crate) fn from_env() -> Self {
        Self {
            rounds: variable("ROUNDS").unwrap_or(5),
            time: Duration::from_secs(variable("SECONDS").unwrap_or(1)),
            servers: variable("SERVERS").unwrap_or(100_000),
            is_full: variable::<String>("FULL").is_some_and(|value| value == "1"),
            only: variable("ONLY").unwrap_or_default(),
            numbers: AtomicU64::new(0),
        }
    }

    /// Whether something of this name is measured.
    pub(crate) fn includes(&self, name: &str) -> bool {
        name.contains(&self.only)
    }

    /// Where the numbers of the next measurement's requests begin.
    pub(crate) fn next_first_number(&self) -> u64 {
        self.numbers.fetch_add(NUMBERS_EACH, Ordering::Relaxed)
    }
}

fn variable<T: FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}
