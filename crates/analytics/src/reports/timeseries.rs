//! Calls over time: one point per hour or day of a range, including those without calls.

use std::collections::BTreeMap;

use toolgate_domain::closed_set;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::time::{DAY_MS, HOUR_MS, Timestamp};
use toolgate_domain::usage::{Grain, Totals, UsageScope};
use toolgate_domain::user::Visibility;
use toolgate_storage::{Result, Storage, StorageError, UsageQuery};

/// Maximum number of points in one report.
pub const POINTS_MAX: i64 = 10_000;

/// The longest range whose default interval is an hour.
const HOURLY_MAX_MS: i64 = 7 * DAY_MS;

closed_set! {
    /// The interval between points.
    pub enum Interval {
        /// An hour.
        Hour = "hour",
        /// A day (UTC).
        Day = "day",
    }
}

impl Interval {
    /// The default interval for a range: an hour up to a week, else a day.
    pub fn for_range(from: Timestamp, until: Timestamp) -> Self {
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

/// The calls to report.
#[derive(Clone, Debug)]
pub struct TimeseriesQuery {
    /// The objects that the caller can see.
    pub visibility: Visibility,
    /// The interval between points.
    pub interval: Interval,
    /// Start of the range; the first point is the hour or day that contains it.
    pub from: Timestamp,
    /// End of the range (exclusive).
    pub until: Timestamp,
    /// Only calls to this server.
    pub server: Option<ServerId>,
    /// Only calls of this tool.
    pub tool: Option<ToolId>,
    /// Only calls of this client type.
    pub client_type: Option<String>,
}

/// The range has more points than [`POINTS_MAX`]; contains their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyPoints(pub i64);

/// The calls of one hour or day.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Start of the hour or day.
    pub start: Timestamp,
    /// Its calls.
    pub totals: Totals,
}

impl TimeseriesQuery {
    /// Checks the number of points.
    pub fn check(&self) -> std::result::Result<(), TooManyPoints> {
        let first = self.interval.grain().start_of(self.from).as_millis();
        let (length, interval_ms) = (self.until.as_millis().saturating_sub(first), self.interval.millis());
        let points = length / interval_ms + i64::from(length % interval_ms > 0);
        if points > POINTS_MAX { Err(TooManyPoints(points)) } else { Ok(()) }
    }

    /// Every point of the range, with totals from the rollups.
    fn points(&self, rollups: Vec<(Timestamp, Totals)>) -> Vec<Point> {
        let mut rollups: BTreeMap<i64, Totals> =
            rollups.into_iter().map(|(start, totals)| (start.as_millis(), totals)).collect();
        let first = self.interval.grain().start_of(self.from).as_millis();
        let starts = std::iter::successors(Some(first), |start| start.checked_add(self.interval.millis()));
        starts
            .take_while(|start| *start < self.until.as_millis())
            .map(|start| Point {
                start: Timestamp::from_millis(start),
                totals: rollups.remove(&start).unwrap_or_default(),
            })
            .collect()
    }
}

/// The points of a series, oldest first.
pub async fn timeseries(storage: &dyn Storage, series: &TimeseriesQuery) -> Result<Vec<Point>> {
    let Some(scope) = scope(storage, series).await? else { return Ok(series.points(vec![])) };
    let query = UsageQuery {
        visibility: series.visibility,
        scope,
        client_type: series.client_type.clone(),
        grain: series.interval.grain(),
        from: Some(series.interval.grain().start_of(series.from)),
        until: Some(series.until),
    };
    Ok(series.points(storage.usage(&query).await?))
}

/// The scope of the rollups; `None` if no call can match: the tool belongs to another server.
async fn scope(storage: &dyn Storage, series: &TimeseriesQuery) -> Result<Option<UsageScope>> {
    let (Some(tool), Some(server)) = (series.tool, series.server) else {
        let scope = series.tool.map(UsageScope::Tool).or(series.server.map(UsageScope::Server));
        return Ok(Some(scope.unwrap_or(super::visible_scope(series.visibility))));
    };
    match storage.tool(series.visibility, tool).await {
        Ok(stored) if stored.server_id != server => Ok(None),
        // The server of a deleted tool is unknown, so its calls are reported for any server.
        Ok(_) | Err(StorageError::NotFound(_)) => Ok(Some(UsageScope::Tool(tool))),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn series(interval: Interval, from: &str, until: &str) -> TimeseriesQuery {
        TimeseriesQuery {
            visibility: Visibility::All,
            interval,
            from: at(from),
            until: at(until),
            server: None,
            tool: None,
            client_type: None,
        }
    }

    fn totals(calls: u64) -> Totals {
        Totals { calls, ..Totals::default() }
    }

    #[test]
    fn every_hour_of_the_range_is_reported_with_or_without_calls() {
        let series = series(Interval::Hour, "2026-11-15T22:30:00", "2026-11-16T01:00:01");
        let points =
            series.points(vec![(at("2026-11-15T23:00:00"), totals(3)), (at("2026-11-16T01:00:00"), totals(1))]);
        let reported: Vec<(String, u64)> =
            points.iter().map(|point| (point.start.to_string(), point.totals.calls)).collect();
        let expected = [
            ("2026-11-15T22:00:00".to_owned(), 0),
            ("2026-11-15T23:00:00".to_owned(), 3),
            ("2026-11-16T00:00:00".to_owned(), 0),
            ("2026-11-16T01:00:00".to_owned(), 1),
        ];
        assert_eq!(reported, expected);
    }

    #[test]
    fn a_range_that_ends_at_midnight_does_not_include_the_next_day() {
        let series = series(Interval::Day, "2026-02-27T00:00:00", "2026-03-02T00:00:00");
        let days: Vec<String> = series.points(vec![]).iter().map(|point| point.start.to_string()).collect();
        assert_eq!(days, ["2026-02-27T00:00:00", "2026-02-28T00:00:00", "2026-03-01T00:00:00"]);
    }

    #[test]
    fn a_range_of_too_many_points_is_refused_with_their_number() {
        let ten_thousand_hours = |interval| series(interval, "2025-01-01T00:30:00", "2026-02-21T16:00:00");
        assert_eq!(ten_thousand_hours(Interval::Hour).check(), Ok(()));
        assert_eq!(ten_thousand_hours(Interval::Hour).points(vec![]).len(), 10_000);
        assert_eq!(
            series(Interval::Hour, "2025-01-01T00:30:00", "2026-02-21T16:00:01").check(),
            Err(TooManyPoints(10_001))
        );
        assert_eq!(ten_thousand_hours(Interval::Day).check(), Ok(()));
        assert!(series(Interval::Day, "0001-01-01T00:00:00", "9999-12-30T00:00:00").check().is_err());
    }

    #[test]
    fn a_week_is_reported_by_hour_and_longer_ranges_by_day() {
        let for_range = |from, until| Interval::for_range(at(from), at(until));
        assert_eq!(for_range("2026-01-01T00:00:00", "2026-01-08T00:00:00"), Interval::Hour);
        assert_eq!(for_range("2026-01-01T00:00:00", "2026-01-08T00:00:01"), Interval::Day);
    }
}
