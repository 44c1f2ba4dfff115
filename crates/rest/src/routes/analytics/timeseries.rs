//! `GET /analytics/timeseries`.

use toolgate_analytics::{Interval, POINTS_MAX, Series, TooManyPoints};
use toolgate_domain::fault::{Fault, FaultKind};

use crate::call::Call;
use crate::error::RestError;
use crate::params::Arg;
use crate::reply::Reply;
use crate::route::{Format, Route, handler};
use crate::routes::call_filter::CallFilter;
use crate::routes::{all_of, format_arg, range};
use crate::wire::PointOut;

pub(super) fn route() -> Route {
    let interval = "How far apart points are; hour where the range is a week at most, else day.";
    let mut args = vec![Arg::name_of("interval", Interval::NAMES, interval).in_query().may_be_empty()];
    args.extend(range::moment_args(
        "Start: a day (YYYY-MM-DD) or a moment (YYYY-MM-DDTHH:MM:SS), UTC; thirty days before the end when omitted.",
        "End, included: a day or a moment; now when omitted.",
    ));
    args.extend(CallFilter::args());
    args.push(format_arg());
    Route::read(
        "/analytics/timeseries",
        "getTimeseries",
        "Calls, failures and times by hour or day, oldest first; every period of the range is there.",
        handler!(timeseries),
    )
    .args(args)
    .rules(|args, _| range::moments(args).map(drop))
    .reply(all_of::<PointOut>().format(Format::JsonOrCsv))
}

async fn timeseries(call: Call) -> Result<Reply, RestError> {
    let series = series(&call)?;
    call.context.recorder.settle().await;
    let points = toolgate_analytics::timeseries(call.storage(), &series).await?;
    let rows: Vec<PointOut> = points.iter().map(PointOut::from).collect();
    Reply::rows(&call, "timeseries", &rows)
}

fn series(call: &Call) -> Result<Series, RestError> {
    let args = &call.args;
    let (from, until) = range::moments(args)?.closed(call.context.clock.now());
    let CallFilter { server, tool, client } = CallFilter::read(args);
    let series = Series {
        visibility: call.visibility(),
        interval: args.text("interval").and_then(Interval::parse).unwrap_or(Interval::fitting(from, until)),
        from,
        until,
        server,
        tool,
        client_type: client,
    };
    series.check().map_err(|points| too_many(points, series.interval))?;
    Ok(series)
}

/// Names the end that is too far away, and the way out.
fn too_many(TooManyPoints(points): TooManyPoints, interval: Interval) -> Fault {
    let remedy = match interval {
        Interval::Hour => "choose a later from, or interval=day",
        Interval::Day => "choose a later from",
    };
    let message =
        format!("from is too early: the range has {points} points, and at most {POINTS_MAX} are told; {remedy}.");
    Fault::new("from", FaultKind::OutOfBounds, message)
}
