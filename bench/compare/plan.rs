//! The environment variables that select what is measured and for how long: `ROUNDS`, `SECONDS`, `ONLY`, `SERVERS`,
//! `FULL`, `BASELINE`, `MINIMAL`.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Request numbers reserved for each measurement. Responses are verified by the number, so it must be unique.
const NUMBERS_PER_MEASUREMENT: u64 = 1_000_000_000;

/// The settings of a run, from the environment.
pub(crate) struct Plan {
    pub(crate) rounds: u64,
    /// Duration of each measurement.
    pub(crate) time: Duration,
    /// Number of servers in the largest database.
    pub(crate) servers: u64,
    /// Whether measurements that take minutes to set up are included.
    pub(crate) is_full: bool,
    /// Another build of the service to compare with: the path of its binary.
    pub(crate) baseline: Option<PathBuf>,
    /// Another build of the minimal program, measured in addition to the usual one: the path of its binary.
    pub(crate) minimal: Option<PathBuf>,
    /// Parts of the names of the measurements to make, separated by `|`; empty for all.
    name_filter: String,
    /// The first number that is not reserved.
    next_number: AtomicU64,
}

impl Plan {
    pub(crate) fn from_env() -> Self {
        Self {
            rounds: parse_variable("ROUNDS").unwrap_or(5),
            time: Duration::from_secs(parse_variable("SECONDS").unwrap_or(1)),
            servers: parse_variable("SERVERS").unwrap_or(100_000),
            is_full: parse_variable::<String>("FULL").is_some_and(|value| value == "1"),
            baseline: parse_variable("BASELINE"),
            minimal: parse_variable("MINIMAL"),
            name_filter: parse_variable("ONLY").unwrap_or_default(),
            next_number: AtomicU64::new(0),
        }
    }

    /// Whether the measurement with this name is made.
    pub(crate) fn includes(&self, name: &str) -> bool {
        self.name_filter.split('|').any(|part| name.contains(part))
    }

    /// Reserves the request numbers of a measurement and returns the first.
    pub(crate) fn reserve_numbers(&self) -> u64 {
        self.next_number.fetch_add(NUMBERS_PER_MEASUREMENT, Ordering::Relaxed)
    }
}

fn parse_variable<T: FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}
