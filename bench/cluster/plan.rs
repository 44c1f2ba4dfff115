//! The environment variables that select what runs and for how long: `SECONDS`, `RATE`, `ROUNDS`, `STORE`,
//! `REDIS_TIMEOUT_MS`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The library that shifts the clock of a process; `scripts/require-faketime` prints its path.
const FAKETIME_VARIABLE: &str = "TOOLGATE_FAKETIME";

/// The settings of a run, from the environment.
pub(crate) struct ClusterPlan {
    /// How long each fault lasts.
    pub(crate) fault_time: Duration,
    /// Calls a second of all clients together.
    pub(crate) rate: u32,
    /// Rounds in which the CPU time of a call is measured; 0 leaves the measurement out.
    pub(crate) rounds: u64,
    pub(crate) is_valkey: bool,
    /// How long a node waits for Redis, as `TOOLGATE_REDIS_TIMEOUT_MS`. Busy machines need more than the default.
    pub(crate) redis_timeout_ms: u32,
    /// The library that shifts clocks; `None` if it is not installed.
    pub(crate) faketime: Option<PathBuf>,
}

impl ClusterPlan {
    pub(crate) fn from_env() -> Self {
        let store = parse_variable("STORE").unwrap_or_else(|| "redis".to_owned());
        assert!(matches!(store.as_str(), "redis" | "valkey"), "STORE must be redis or valkey (got {store:?})");
        let faketime = parse_variable::<PathBuf>(FAKETIME_VARIABLE).filter(|path| !path.as_os_str().is_empty());
        let is_ci = std::env::var("CI").as_deref() == Ok("true");
        assert!(!is_ci || faketime.is_some(), "{FAKETIME_VARIABLE} must be set under CI=true");
        Self {
            fault_time: Duration::from_secs(parse_variable("SECONDS").unwrap_or(15)),
            rate: parse_variable("RATE").unwrap_or(500),
            rounds: parse_variable("ROUNDS").unwrap_or(9),
            is_valkey: store == "valkey",
            redis_timeout_ms: parse_variable("REDIS_TIMEOUT_MS").unwrap_or(50),
            faketime,
        }
    }
}

fn parse_variable<T: FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is invalid: {text:?}")))
}
