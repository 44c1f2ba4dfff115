//! `GET /analytics/timeseries`.

use toolgate_analytics::{Interval, POINTS_MAX, TimeseriesQuery, TooManyPoints};
use toolgate_domain::fault::{Fault, FaultKind};

use crate::error::RestError;
use crate::params::Arg;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Format, Route, handler};
use crate::routes::call_filter::CallFilter;
use crate::routes::{format_arg, list_doc, range};
use crate::wire::PointOut;

pub(super) fn route() -> Route {
    let interval = "Distance between points. Default: hour for a range of up to a week, else day.";
    let mut args = vec![Arg::one_of("interval", Interval::NAMES, interval).in_query().may_be_empty()];
    args.extend(range::time_args(
        "Start: a date (YYYY-MM-DD) or a time (YYYY-MM-DDTHH:MM:SS), UTC. Default: thirty days before the end.",
        "End, inclusive: a date or a time. Default: now.",
    ));
    args.extend(CallFilter::args());
    args.push(format_arg());
    Route::read(
        "/analytics/timeseries",
        "getTimeseries",
        "Get calls, failures and latencies by hour or day, oldest first. Periods without calls are included.",
        handler!(timeseries),
    )
    .args(args)
    .rules(|args, _| range::parse_times(args).map(drop))
    .reply(list_doc::<PointOut>().format(Format::JsonOrCsv))
}

async fn timeseries(request: ApiRequest) -> Result<ApiReply, RestError> {
    let query = timeseries_query(&request)?;
    request.context.recorder.flush().await;
    let points = toolgate_analytics::timeseries(request.storage(), &query).await?;
    let rows: Vec<PointOut> = points.iter().map(PointOut::from).collect();
    ApiReply::rows(&request, "timeseries", &rows)
}

fn timeseries_query(request: &ApiRequest) -> Result<TimeseriesQuery, RestError> {
    let args = &request.args;
    let (from, until) = range::parse_times(args)?.with_defaults(request.context.clock.now());
    let CallFilter { server, tool, client } = CallFilter::from_args(args);
    let query = TimeseriesQuery {
        visibility: request.visibility(),
        interval: args.text("interval").and_then(Interval::parse).unwrap_or(Interval::for_range(from, until)),
        from,
        until,
        server,
        tool,
        client_type: client,
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
