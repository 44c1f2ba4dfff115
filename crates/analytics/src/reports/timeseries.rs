//! Calls over time: one point for each hour or day of a range, those without calls included.

use std::collections::BTreeMap;

use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::time::{DAY_MS, HOUR_MS, Timestamp};
use toolgate_domain::usage::{Grain, Scope, Totals};
use toolgate_domain::user::Visibility;
use toolgate_storage::{Result, Storage, StorageError, UsageQuery};

/// Most points that one answer holds.
pub const POINTS_MAX: i64 = 10_000;

/// The longest range that is told by the hour unless its reader says otherwise.
const HOURLY_MAX_MS: i64 = 7 * DAY_MS;

/// How far apart points are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// An hour.
    Hour,
    /// A day (UTC).
    Day,
}

impl Interval {
    /// All names, as the API spells them.
    pub const NAMES: &[&str] = &["hour", "day"];

    /// Reads a name.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "hour" => Some(Self::Hour),
            "day" => Some(Self::Day),
            _ => None,
        }
    }

    /// What suits a range: hours for a week at most, else days.
    pub fn fitting(from: Timestamp, until: Timestamp) -> Self {
        let length = until.as_millis().saturating_sub(from.as_millis());
        if length <= HOURLY_MAX_MS { Self::Hour } else { Self::Day }
    }

    const fn grain(self) -> Grain {
        match self {
            Self::Hour => Grain::Hour,
            Self::Day => Grain::Day,
        }
    }

    const fn millis(self) -> i64 {
        match self {
            Self::Hour => HOUR_MS,
            Self::Day => DAY_MS,
        }
    }
}

/// Which calls to tell of.
#[derive(Clone, Debug)]
pub struct Series {
    /// Who asks.
    pub visibility: Visibility,
    /// How far apart points are.
    pub interval: Interval,
    /// The first point covers this moment.
    pub from: Timestamp,
    /// The last point covers the moment before this one.
    pub until: Timestamp,
    /// Calls of one server.
    pub server: Option<ServerId>,
    /// Calls of one tool.
    pub tool: Option<ToolId>,
    /// Calls of one type of client.
    pub client_type: Option<String>,
}

/// The range holds more points than are told at once: so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyPoints(pub i64);

/// The calls of one hour or day.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// When it starts.
    pub start: Timestamp,
    /// Its calls.
    pub totals: Totals,
}

impl Series {
    /// Whether the answer stays within bounds.
    pub fn check(&self) -> std::result::Result<(), TooManyPoints> {
        let first = self.interval.grain().start_of(self.from).as_millis();
        let (length, each) = (self.until.as_millis().saturating_sub(first), self.interval.millis());
        let points = length / each + i64::from(length % each > 0);
        if points > POINTS_MAX { Err(TooManyPoints(points)) } else { Ok(()) }
    }

    /// Every point of the range, with the sums that there are.
    fn filled(&self, sums: Vec<(Timestamp, Totals)>) -> Vec<Point> {
        let mut sums: BTreeMap<i64, Totals> =
            sums.into_iter().map(|(start, totals)| (start.as_millis(), totals)).collect();
        let first = self.interval.grain().start_of(self.from).as_millis();
        let starts = std::iter::successors(Some(first), |start| start.checked_add(self.interval.millis()));
        starts
            .take_while(|start| *start < self.until.as_millis())
            .map(|start| Point {
                start: Timestamp::from_millis(start),
                totals: sums.remove(&start).unwrap_or_default(),
            })
            .collect()
    }
}

/// The points of a series, oldest first.
pub async fn timeseries(storage: &dyn Storage, series: &Series) -> Result<Vec<Point>> {
    let Some(scope) = scope(storage, series).await? else { return Ok(series.filled(vec![])) };
    let query = UsageQuery {
        visibility: series.visibility,
        scope,
        client_type: series.client_type.clone(),
        grain: series.interval.grain(),
        from: Some(series.interval.grain().start_of(series.from)),
        until: Some(series.until),
    };
    Ok(series.filled(storage.usage(&query).await?))
}

/// What the sums are over; none where nothing can be: a tool of one server among the calls of another.
async fn scope(storage: &dyn Storage, series: &Series) -> Result<Option<Scope>> {
    let (Some(tool), Some(server)) = (series.tool, series.server) else {
        let narrow = series.tool.map(Scope::Tool).or(series.server.map(Scope::Server));
        return Ok(Some(narrow.unwrap_or(super::all_of(series.visibility))));
    };
    match storage.tool(series.visibility, tool).await {
        Ok(found) if found.server_id != server => Ok(None),
        // A tool that was deleted took its server's name along: what is known of it is its own.
        Ok(_) | Err(StorageError::NotFound(_)) => Ok(Some(Scope::Tool(tool))),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn series(interval: Interval, from: &str, until: &str) -> Series {
        Series {
            visibility: Visibility::All,
            interval,
            from: at(from),
            until: at(until),
            server: None,
            tool: None,
            client_type: None,
        }
    }

    fn called(times: u64) -> Totals {
        Totals { calls: times, ..Totals::default() }
    }

    #[test]
    fn every_hour_of_the_range_is_there_with_its_calls_or_without() {
        let series = series(Interval::Hour, "2026-11-15T22:30:00", "2026-11-16T01:00:01");
        let points =
            series.filled(vec![(at("2026-11-15T23:00:00"), called(3)), (at("2026-11-16T01:00:00"), called(1))]);
        let told: Vec<(String, u64)> =
            points.iter().map(|point| (point.start.to_string(), point.totals.calls)).collect();
        let expected = [
            ("2026-11-15T22:00:00".to_owned(), 0),
            ("2026-11-15T23:00:00".to_owned(), 3),
            ("2026-11-16T00:00:00".to_owned(), 0),
            ("2026-11-16T01:00:00".to_owned(), 1),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_range_that_ends_with_a_day_does_not_touch_the_next() {
        let series = series(Interval::Day, "2026-02-27T00:00:00", "2026-03-02T00:00:00");
        let days: Vec<String> = series.filled(vec![]).iter().map(|point| point.start.to_string()).collect();
        assert_eq!(days, ["2026-02-27T00:00:00", "2026-02-28T00:00:00", "2026-03-01T00:00:00"]);
    }

    #[test]
    fn ranges_of_too_many_points_are_refused_and_counted() {
        let year = |interval| series(interval, "2025-01-01T00:30:00", "2026-02-21T16:00:00");
        assert_eq!(year(Interval::Hour).check(), Ok(()));
        assert_eq!(year(Interval::Hour).filled(vec![]).len(), 10_000);
        assert_eq!(
            series(Interval::Hour, "2025-01-01T00:30:00", "2026-02-21T16:00:01").check(),
            Err(TooManyPoints(10_001))
        );
        assert_eq!(year(Interval::Day).check(), Ok(()));
        assert!(series(Interval::Day, "0001-01-01T00:00:00", "9999-12-30T00:00:00").check().is_err());
    }

    #[test]
    fn a_week_is_told_by_the_hour_and_more_by_the_day() {
        let fitting = |from, until| Interval::fitting(at(from), at(until));
        assert_eq!(fitting("2026-01-01T00:00:00", "2026-01-08T00:00:00"), Interval::Hour);
        assert_eq!(fitting("2026-01-01T00:00:00", "2026-01-08T00:00:01"), Interval::Day);
    }
}
