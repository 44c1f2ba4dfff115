//! Timestamps and days: UTC, stored in milliseconds, serialised as `YYYY-MM-DDTHH:MM:SS`.
//!
//! Only this module uses jiff, which has not reached 1.0. The clock is injected, so that tests control the time.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};
use serde::{Serialize, Serializer};

const FORMAT: &str = "%Y-%m-%dT%H:%M:%S";
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// An hour, in milliseconds.
pub const HOUR_MS: i64 = 60 * 60 * 1000;
/// A day, in milliseconds; leap seconds are not counted.
pub const DAY_MS: i64 = 24 * HOUR_MS;

/// A point in time, in milliseconds since 1970 (UTC).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From milliseconds since 1970, as stored.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970, to store.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Adds milliseconds, which may be negative; saturates.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Parses `YYYY-MM-DDTHH:MM:SS`, with an optional `Z`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_suffix('Z').unwrap_or(text);
        // Not jiff's `FromStr`: it accepts a UTC offset and ignores it.
        let time = DateTime::strptime(FORMAT, text).ok()?;
        // jiff parses a leap second (`:60`) as the second before it; such a text is refused.
        (time.strftime(FORMAT).to_string() == text).then_some(())?;
        i64::try_from(time.duration_since(EPOCH).as_millis()).ok().map(Self)
    }

    /// The civil date and time, clamped to the range of the calendar. It does not use jiff's timestamps, whose range
    /// ends before the last day of the calendar.
    fn civil(self) -> DateTime {
        let end = if self.0 < 0 { DateTime::MIN } else { DateTime::MAX };
        EPOCH.checked_add(SignedDuration::from_millis(self.0)).unwrap_or(end)
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.civil().strftime(FORMAT))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A whole UTC day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(Date);

impl Day {
    /// Parses exactly `YYYY-MM-DD`; impossible dates are rejected.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 10 {
            return None;
        }
        text.parse().ok().map(Self)
    }

    /// Midnight at its start.
    pub fn start(self) -> Timestamp {
        let millis = self.0.to_datetime(Time::midnight()).duration_since(EPOCH).as_millis();
        Timestamp(i64::try_from(millis).unwrap_or(0))
    }

    /// The day of a timestamp.
    pub fn from_timestamp(time: Timestamp) -> Self {
        Self(time.civil().date())
    }
}

/// A source of the current time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The current time.
    fn now(&self) -> Timestamp;

    /// The current time in nanoseconds since 1970, for the spans of traces; only as exact as the clock.
    fn unix_nanos(&self) -> u64 {
        u64::try_from(self.now().as_millis()).unwrap_or_default().saturating_mul(1_000_000)
    }
}

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the only place that reads the system clock")]
    fn now(&self) -> Timestamp {
        Timestamp(jiff::Timestamp::now().as_millisecond())
    }

    #[expect(clippy::disallowed_methods, reason = "the only place that reads the system clock")]
    fn unix_nanos(&self) -> u64 {
        u64::try_from(jiff::Timestamp::now().as_nanosecond()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_format_has_seconds_and_no_zone() {
        assert_eq!(Timestamp::from_millis(1_792_000_000_999).to_string(), "2026-10-14T17:46:40");
        assert_eq!(Timestamp::parse("2026-10-14T17:46:40"), Some(Timestamp::from_millis(1_792_000_000_000)));
        for bad in [
            "2026-10-14T17:46:60",
            "9999-12-31T23:59:60",
            "2026-10-14T17:46:40+02:00",
            "2026-10-14T17:46:40-01",
            "2026-10-14",
            "2026-02-30T00:00:00",
            "",
        ] {
            assert_eq!(Timestamp::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_time_of_the_calendar_prints_as_it_was_parsed() {
        for text in ["0000-01-01T00:00:00", "9999-12-30T22:00:01", "9999-12-31T23:59:59"] {
            assert_eq!(Timestamp::parse(text).unwrap().to_string(), text);
            assert_eq!(
                Day::from_timestamp(Timestamp::parse(text).unwrap()),
                Day::parse(text.split_once('T').unwrap().0).unwrap()
            );
        }
        let last_day = Day::parse("9999-12-31").unwrap().start().as_millis();
        assert_eq!(Timestamp::from_millis(last_day + DAY_MS).to_string(), "9999-12-31T23:59:59");
        assert_eq!(Timestamp::from_millis(i64::MAX).to_string(), "9999-12-31T23:59:59");
    }

    #[test]
    fn days_start_at_midnight_and_invalid_dates_are_refused() {
        assert_eq!(Day::parse("2026-02-28").unwrap().start().to_string(), "2026-02-28T00:00:00");
        assert_eq!(Day::parse("0001-01-01").unwrap().start().as_millis(), -62_135_596_800_000);
        assert_eq!(Day::parse("9999-12-31").unwrap().start().as_millis(), 253_402_214_400_000);
        for bad in ["2026-02-30", "2026-2-3", "20260203", "2026-02-03T00:00:00", "", "-26-02-0301"] {
            assert_eq!(Day::parse(bad), None, "{bad}");
        }
    }
}
