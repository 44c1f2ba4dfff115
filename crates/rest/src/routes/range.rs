//! `from` and `to`: both ends included, each as long as it is written. A day is all of that day, a moment its whole
//! second or millisecond.

use serde_json::json;
use toolgate_domain::fault::{Fault, FaultKind, Faults};
use toolgate_domain::time::{DAY_MS, Day, Timestamp};
use toolgate_domain::usage::Grain;

use crate::params::{Arg, Args};

const SECOND_MS: i64 = 1000;

/// How long a range is where a request names no start: thirty days, the last one included.
const DEFAULT_DAYS: i64 = 30;

/// A range of time, open where nothing was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    /// Not before this moment.
    pub(super) from: Option<Timestamp>,
    /// Before this moment.
    pub(super) until: Option<Timestamp>,
}

/// What is written, and how long it lasts in milliseconds.
type Written = (Timestamp, i64);

/// `from` and `to` as whole days.
pub(super) fn day_args(from: &'static str, to: &'static str) -> [Arg; 2] {
    let day = |name, text| Arg::text(name, 100, text).shaped(json!({"format": "date"})).in_query().may_be_empty();
    [day("from", from), day("to", to)]
}

/// `from` and `to` as days or moments.
pub(super) fn moment_args(from: &'static str, to: &'static str) -> [Arg; 2] {
    [("from", from), ("to", to)].map(|(name, text)| Arg::text(name, 100, text).in_query().may_be_empty())
}

/// The range of a request that names days.
pub(super) fn days(args: &Args) -> Result<Range, Faults> {
    read(args, day)
}

/// The range of a request that names days or moments.
pub(super) fn moments(args: &Args) -> Result<Range, Faults> {
    read(args, moment)
}

fn read(args: &Args, rule: fn(&str, &str) -> Result<Written, Fault>) -> Result<Range, Faults> {
    let mut faults = Faults::default();
    let from = args.parse("from", &mut faults, rule).map(|(start, _)| start);
    let until = args.parse("to", &mut faults, rule).map(|(start, length)| start.plus_millis(length));
    if from.zip(until).is_some_and(|(from, until)| from >= until) {
        faults.push(Fault::value("from", "from must not be later than to."));
    }
    faults.or(Range { from, until })
}

impl Range {
    /// The same with both ends: thirty days up to its end, which is now unless something else was said.
    pub(super) fn closed(self, now: Timestamp) -> (Timestamp, Timestamp) {
        // A caller whose clock is ahead of ours asks for a moment that is yet to come: it gets that moment.
        let latest = now.max(self.from.unwrap_or(now));
        let until = self.until.unwrap_or(latest.plus_millis(1));
        let last_day = Grain::Day.start_of(until.plus_millis(-1));
        (self.from.unwrap_or(last_day.plus_millis((1 - DEFAULT_DAYS) * DAY_MS)), until)
    }
}

fn day(name: &str, text: &str) -> Result<Written, Fault> {
    let wrong = || Fault::new(name, FaultKind::InvalidPattern, format!("{name} must be a date like 2026-01-31."));
    Day::parse(text).map(|day| (day.start(), DAY_MS)).ok_or_else(wrong)
}

fn moment(name: &str, text: &str) -> Result<Written, Fault> {
    let wrong = || {
        let message = format!("{name} must be a date like 2026-01-31, or a moment (UTC) like 2026-01-31T23:59:59.");
        Fault::new(name, FaultKind::InvalidPattern, message)
    };
    day(name, text).ok().or_else(|| to_the_second(text)).or_else(|| to_the_millisecond(text)).ok_or_else(wrong)
}

fn to_the_second(text: &str) -> Option<Written> {
    Timestamp::parse(text).map(|start| (start, SECOND_MS))
}

/// As the log of calls writes times.
fn to_the_millisecond(text: &str) -> Option<Written> {
    let (second, fraction) = text.strip_suffix('Z').unwrap_or(text).split_once('.')?;
    let is_fraction = fraction.len() == 3 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let millis = is_fraction.then(|| fraction.parse().ok()).flatten()?;
    Timestamp::parse(second).map(|start| (start.plus_millis(millis), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Inputs;

    fn args(query: &str) -> Args {
        Args::read(&moment_args("", ""), &Inputs::from_query(query)).unwrap().0
    }

    fn at(text: &str) -> Timestamp {
        let (start, _) = moment("x", text).unwrap();
        start
    }

    #[test]
    fn both_ends_are_included_as_long_as_they_are_written() {
        let until = |query: &str| moments(&args(query)).unwrap().until.unwrap();
        assert_eq!(until("to=2026-02-28"), at("2026-03-01"));
        assert_eq!(until("to=2026-02-28T23:59:59"), at("2026-03-01"));
        assert_eq!(until("to=2026-02-28T23:59:59.998Z"), at("2026-02-28T23:59:59.999"));
        let same = moments(&args("from=2026-02-28T12:00:00&to=2026-02-28T12:00:00")).unwrap();
        assert_eq!(same.until.unwrap().as_millis() - same.from.unwrap().as_millis(), SECOND_MS);
        for nothing in ["", "from=&to="] {
            assert_eq!(moments(&args(nothing)).unwrap(), Range { from: None, until: None });
        }
        assert_eq!(until("to=9999-12-31T23:59:59.999"), at("9999-12-31").plus_millis(DAY_MS));
    }

    #[test]
    fn what_is_no_moment_is_refused_by_name() {
        for bad in [
            "2026-02-30",
            "2026-02-28T24:00:00",
            "2026-02-28T12:00",
            "2026-02-28T12:00:00.1",
            "2026-02-28T12:00:00.12a",
            "2026-02-28T12:00:00.123.456",
            "2026-02-28T12:00:00%2B02:00",
            "2026-02-28%2012:00:00",
            "now",
            "2026-02-28T12:00:60",
            "9999-12-31T23:59:60",
            "10000-01-01",
            "-0001-01-01",
        ] {
            let faults = moments(&args(&format!("from={bad}&to={bad}"))).unwrap_err();
            let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
            assert_eq!(fields, ["from", "to"], "{bad}");
        }
        let reversed = moments(&args("from=2026-02-28T12:00:01&to=2026-02-28T12:00:00")).unwrap_err();
        assert_eq!(reversed.iter().next().unwrap().field, "from");
        assert!(days(&args("from=2026-02-28T12:00:00")).is_err());
    }

    #[test]
    fn a_range_without_ends_is_thirty_days_up_to_now() {
        let now = at("2026-11-15T12:34:56");
        let closed = |query: &str| moments(&args(query)).unwrap().closed(now);
        assert_eq!(closed(""), (at("2026-10-17"), now.plus_millis(1)));
        assert_eq!(closed("to=2026-03-31"), (at("2026-03-02"), at("2026-04-01")));
        assert_eq!(closed("to=9999-12-31"), (at("9999-12-02"), at("9999-12-31").plus_millis(DAY_MS)));
        assert_eq!(closed("from=2026-11-01"), (at("2026-11-01"), now.plus_millis(1)));
        let ahead = at("2026-11-15T12:34:57");
        assert_eq!(closed("from=2026-11-15T12:34:57"), (ahead, ahead.plus_millis(1)));
    }
}
