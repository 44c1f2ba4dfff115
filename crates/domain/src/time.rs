//! Time as the product knows it: UTC, milliseconds inside, `YYYY-MM-DDTHH:MM:SS` on the wire.
//!
//! jiff has not reached 1.0, so it is named here and nowhere else; and the clock is a value that is
//! passed in, so that tests decide what time it is.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Serialize, Serializer};

/// A moment, in milliseconds since 1970 (UTC).
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

    /// Reads `YYYY-MM-DDTHH:MM:SS`, with an optional `Z`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_suffix('Z').unwrap_or(text);
        // Not its own parser: that reads an offset from UTC and then ignores it.
        let moment = jiff::civil::DateTime::strptime("%Y-%m-%dT%H:%M:%S", text).ok()?;
        let zoned = moment.to_zoned(TimeZone::UTC).ok()?;
        Some(Self(zoned.timestamp().as_millisecond()))
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let moment = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        write!(f, "{}", TimeZone::UTC.to_datetime(moment).strftime("%Y-%m-%dT%H:%M:%S"))
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
    /// Reads exactly `YYYY-MM-DD`; impossible dates are refused.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 10 {
            return None;
        }
        text.parse().ok().map(Self)
    }

    /// Its first moment.
    pub fn start(self) -> Timestamp {
        // Not by way of jiff's own moments: they end before the last day of the calendar.
        let days = Date::constant(1970, 1, 1).until(self.0).map_or(0, |span| span.get_days());
        Timestamp(i64::from(days) * 24 * 60 * 60 * 1000)
    }

    /// The day a moment falls in.
    pub fn of(moment: Timestamp) -> Self {
        let moment = jiff::Timestamp::from_millisecond(moment.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        Self(TimeZone::UTC.to_datetime(moment).date())
    }
}

/// Where the time comes from.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place where the machine's clock is read")]
    fn now(&self) -> Timestamp {
        Timestamp(jiff::Timestamp::now().as_millisecond())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_format_has_seconds_and_no_zone() {
        assert_eq!(Timestamp::from_millis(1_792_000_000_999).to_string(), "2026-10-14T17:46:40");
        assert_eq!(Timestamp::parse("2026-10-14T17:46:40"), Some(Timestamp::from_millis(1_792_000_000_000)));
        for bad in ["2026-10-14T17:46:40+02:00", "2026-10-14T17:46:40-01", "2026-10-14", "2026-02-30T00:00:00", ""] {
            assert_eq!(Timestamp::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn days_are_exact() {
        assert_eq!(Day::parse("2026-02-28").unwrap().start().to_string(), "2026-02-28T00:00:00");
        assert_eq!(Day::parse("0001-01-01").unwrap().start().as_millis(), -62_135_596_800_000);
        assert_eq!(Day::parse("9999-12-31").unwrap().start().as_millis(), 253_402_214_400_000);
        for bad in ["2026-02-30", "2026-2-3", "20260203", "2026-02-03T00:00:00", "", "-26-02-0301"] {
            assert_eq!(Day::parse(bad), None, "{bad}");
        }
    }
}
