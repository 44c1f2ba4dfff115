//! `GET /analytics/timeseries`: calls by hour or day.

use toolgate_analytics::{Interval, POINTS_MAX, TimeseriesQuery, TooManyPoints};
use toolgate_domain::fault::{Fault, FaultKind};

use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Format, Operation, Route};
use crate::routes::call_filter::CallFilter;
use crate::routes::range;
use crate::routes::{FormatArgs, list_doc};
use crate::wire::report::TimePointOut;

pub(super) fn route() -> Route {
    Operation::new(
        "getTimeseries",
        "Get calls, failures and latencies by hour or day, oldest first. Periods without calls are included.",
    )
    .read("/analytics/timeseries", timeseries)
    .reply(list_doc::<TimePointOut>().format(Format::JsonOrCsv))
}

arguments! {
    struct TimeseriesArgs valid if range::parse_times(from, to) {
        ..filter: CallFilter,
        ..format: FormatArgs,
        interval: Option<Interval> =
            arg::one_of::<Interval>("Distance between points. Default: hour for a range of up to a week, else day.")
                .in_query()
                .may_be_empty(),
        from: Option<String> = range::time_arg(
            "Start: a date (YYYY-MM-DD) or a time (YYYY-MM-DDTHH:MM:SS), UTC. Default: thirty days before the end.",
        ),
        to: Option<String> = range::time_arg("End, inclusive: a date or a time. Default: now."),
    }
}

async fn timeseries(request: ApiRequest, args: TimeseriesArgs) -> Result<ApiReply, RestError> {
    let is_csv = args.format.is_csv();
    let query = timeseries_query(&request, args)?;
    request.context.services.recorder.flush().await;
    let points = toolgate_analytics::timeseries(request.storage(), &query).await?;
    let rows: Vec<TimePointOut> = points.iter().map(TimePointOut::new).collect();
    ApiReply::rows(is_csv, "timeseries", &rows)
}

fn timeseries_query(request: &ApiRequest, args: TimeseriesArgs) -> Result<TimeseriesQuery, RestError> {
    let (from, until) = range::parse_times(args.from.as_deref(), args.to.as_deref())?.with_defaults(request.now());
    let query = TimeseriesQuery {
        visibility: request.visibility(),
        interval: args.interval.unwrap_or(Interval::for_range(from, until)),
        from,
        until,
        server: args.filter.server,
        tool: args.filter.tool,
        client_type: args.filter.client,
    };
    query.check().map_err(|points| too_many_points(points, query.interval))?;
    Ok(query)
}

/// The fault for a range with too many points, with the remedy.
fn too_many_points(TooManyPoints(points): TooManyPoints, interval: Interval) -> Fault {
    let remedy = match interval {
        Interval::Hour => "Choose a later from, or interval=day",
        Interval::Day => "Choose a later from",
    };
    let message =
        format!("from is too early: the range has {points} points, but at most {POINTS_MAX} are allowed. {remedy}.");
    Fault::new("from", FaultKind::OutOfBounds, message)
}
