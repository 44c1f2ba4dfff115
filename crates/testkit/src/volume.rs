//! How much the heavy tests do: everything in CI, a sample on a developer's machine.

use std::str::FromStr;

/// `full` or `sample`. The default is `full` under `CI=true` and `sample` elsewhere.
const VOLUME_VARIABLE: &str = "TOOLGATE_TEST_VOLUME";

/// Whether heavy tests run in full. If not, tests that mainly wait for a long timeout return early.
pub fn is_full() -> bool {
    let is_ci = || variable("CI").as_deref() == Some("true");
    variable(VOLUME_VARIABLE).map_or_else(is_ci, |volume| volume == "full")
}

/// The volume of a heavy test: `full` in CI, `sample` on a developer's machine.
pub fn full_or_sample<T>(full: T, sample: T) -> T {
    if is_full() { full } else { sample }
}

/// The volume in the environment variable `name`, which only one test reads; `None` if it is not set.
pub fn configured<T: FromStr>(name: &str) -> Option<T> {
    let text = variable(name)?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a number (got {text:?})")))
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}
