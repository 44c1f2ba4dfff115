//! `from` and `to`. Both are inclusive: a date covers the whole day, a time covers its whole second or millisecond.

use serde_json::json;
use toolgate_domain::fault::{Fault, FaultKind, Faults};
use toolgate_domain::time::{DAY_MS, Day, Timestamp};
use toolgate_domain::usage::Grain;

use crate::params::typed_arg::{self as arg, TypedArg, kind};

const SECOND_MS: i64 = 1000;

/// Days of a range without a start, including the last day.
const DEFAULT_DAYS: i64 = 30;

/// A range of time; `None` means that the request sets no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TimeRange {
    /// Inclusive start.
    pub(super) from: Option<Timestamp>,
    /// Exclusive end.
    pub(super) until: Option<Timestamp>,
}

/// A start and a length in milliseconds.
type TimeSpan = (Timestamp, i64);

/// A bound of a range that is a date.
pub(super) fn date_arg(description: &'static str) -> TypedArg<kind::Text> {
    time_arg(description).with_schema(json!({"format": "date"}))
}

/// A bound of a range that is a date or a time.
pub(super) fn time_arg(description: &'static str) -> TypedArg<kind::Text> {
    arg::text(100, description).in_query().may_be_empty()
}

/// The range between two dates.
pub(super) fn parse_days(from: Option<&str>, to: Option<&str>) -> Result<TimeRange, Faults> {
    parse(from, to, parse_date)
}

/// The range between two dates or times.
pub(super) fn parse_times(from: Option<&str>, to: Option<&str>) -> Result<TimeRange, Faults> {
    parse(from, to, parse_time)
}

fn parse(
    from: Option<&str>,
    to: Option<&str>,
    rule: fn(&str, &str) -> Result<TimeSpan, Fault>,
) -> Result<TimeRange, Faults> {
    let mut faults = Faults::default();
    let from = from.and_then(|text| faults.ok_or_record(rule("from", text))).map(|(start, _)| start);
    let until = to.and_then(|text| faults.ok_or_record(rule("to", text)));
    let until = until.map(|(start, length)| start.plus_millis(length));
    if from.zip(until).is_some_and(|(from, until)| from >= until) {
        faults.push(Fault::invalid_value("from", "from must not be later than to."));
    }
    faults.into_result(TimeRange { from, until })
}

impl TimeRange {
    /// The range with both bounds set. By default it ends now and covers thirty days.
    pub(super) fn with_defaults(self, now: Timestamp) -> (Timestamp, Timestamp) {
        // A client whose clock is ahead may send a start in the future; the range then begins and ends there.
        let latest = now.max(self.from.unwrap_or(now));
        let until = self.until.unwrap_or(latest.plus_millis(1));
        let last_day = Grain::Day.start_of(until.plus_millis(-1));
        (self.from.unwrap_or(last_day.plus_millis((1 - DEFAULT_DAYS) * DAY_MS)), until)
    }
}

fn parse_date(name: &str, text: &str) -> Result<TimeSpan, Fault> {
    let fault = || Fault::new(name, FaultKind::InvalidPattern, format!("{name} must be a date such as 2026-01-31."));
    Day::parse(text).map(|day| (day.start(), DAY_MS)).ok_or_else(fault)
}

fn parse_time(name: &str, text: &str) -> Result<TimeSpan, Fault> {
    let fault = || {
        let message = format!("{name} must be a date such as 2026-01-31, or a time (UTC) such as 2026-01-31T23:59:59.");
        Fault::new(name, FaultKind::InvalidPattern, message)
    };
    parse_date(name, text)
        .ok()
        .or_else(|| Timestamp::parse(text).map(|start| (start, SECOND_MS)))
        .or_else(|| parse_to_millisecond(text))
        .ok_or_else(fault)
}

/// The format of times in the call log.
fn parse_to_millisecond(text: &str) -> Option<TimeSpan> {
    let (second, fraction) = text.strip_suffix('Z').unwrap_or(text).split_once('.')?;
    let is_fraction = fraction.len() == 3 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let millis = is_fraction.then(|| fraction.parse().ok()).flatten()?;
    Timestamp::parse(second).map(|start| (start.plus_millis(millis), 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timestamp(text: &str) -> Timestamp {
        let (start, _) = parse_time("x", text).unwrap();
        start
    }

    #[test]
    fn from_and_to_are_inclusive_at_their_precision() {
        let until = |to: &str| parse_times(None, Some(to)).unwrap().until.unwrap();
        assert_eq!(until("2026-02-28"), timestamp("2026-03-01"));
        assert_eq!(until("2026-02-28T23:59:59"), timestamp("2026-03-01"));
        assert_eq!(until("2026-02-28T23:59:59.998Z"), timestamp("2026-02-28T23:59:59.999"));
        let same = parse_times(Some("2026-02-28T12:00:00"), Some("2026-02-28T12:00:00")).unwrap();
        assert_eq!(same.until.unwrap().as_millis() - same.from.unwrap().as_millis(), SECOND_MS);
        assert_eq!(parse_times(None, None).unwrap(), TimeRange { from: None, until: None });
        assert_eq!(until("9999-12-31T23:59:59.999"), timestamp("9999-12-31").plus_millis(DAY_MS));
    }

    #[test]
    fn invalid_times_are_refused_with_the_name_of_the_field() {
        for bad in [
            "2026-02-30",
            "2026-02-28T24:00:00",
            "2026-02-28T12:00",
            "2026-02-28T12:00:00.1",
            "2026-02-28T12:00:00.12a",
            "2026-02-28T12:00:00.123.456",
            "2026-02-28T12:00:00+02:00",
            "2026-02-28 12:00:00",
            "now",
            "2026-02-28T12:00:60",
            "9999-12-31T23:59:60",
            "10000-01-01",
            "-0001-01-01",
        ] {
            let faults = parse_times(Some(bad), Some(bad)).unwrap_err();
            let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
            assert_eq!(fields, ["from", "to"], "{bad}");
        }
        let reversed = parse_times(Some("2026-02-28T12:00:01"), Some("2026-02-28T12:00:00")).unwrap_err();
        assert_eq!(reversed.iter().next().unwrap().field, "from");
        assert!(parse_days(Some("2026-02-28T12:00:00"), None).is_err());
    }

    #[test]
    fn a_range_without_bounds_is_thirty_days_up_to_now() {
        let now = timestamp("2026-11-15T12:34:56");
        let range = |from, to| parse_times(from, to).unwrap().with_defaults(now);
        assert_eq!(range(None, None), (timestamp("2026-10-17"), now.plus_millis(1)));
        assert_eq!(range(None, Some("2026-03-31")), (timestamp("2026-03-02"), timestamp("2026-04-01")));
        assert_eq!(
            range(None, Some("9999-12-31")),
            (timestamp("9999-12-02"), timestamp("9999-12-31").plus_millis(DAY_MS))
        );
        assert_eq!(range(Some("2026-11-01"), None), (timestamp("2026-11-01"), now.plus_millis(1)));
        let ahead = timestamp("2026-11-15T12:34:57");
        assert_eq!(range(Some("2026-11-15T12:34:57"), None), (ahead, ahead.plus_millis(1)));
    }
}
