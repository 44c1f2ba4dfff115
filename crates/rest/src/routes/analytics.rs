//! `/analytics`.

use domain::fault::{Fault, FaultKind, Faults};
use domain::time::Day;
use serde_json::json;

use super::{list, one};
use crate::call::Call;
use crate::error::RestError;
use crate::params::Arg;
use crate::reply::Reply;
use crate::route::{ReplyDoc, Route, handler};
use crate::wire::{ClientOut, OverviewOut};

pub(super) fn routes() -> Vec<Route> {
    let day = json!({"format": "date"});
    vec![
        Route::read(
            "/analytics/overview",
            "getOverview",
            "The figures of the day: servers, tools, calls.",
            handler!(overview),
        )
        .reply(one::<OverviewOut>(200)),
        Route::read(
            "/analytics/client-breakdown",
            "getClientBreakdown",
            "Calls by type of AI client within a range of days, both included.",
            handler!(client_breakdown),
        )
        .args(vec![
            Arg::text("from", 100, "First day, YYYY-MM-DD (UTC); all time when omitted.")
                .shaped(day.clone())
                .in_query(),
            Arg::text("to", 100, "Last day, YYYY-MM-DD (UTC); today when omitted.").shaped(day).in_query(),
        ])
        .reply(ReplyDoc { is_list: false, ..list::<ClientOut>() }),
    ]
}

async fn overview(call: Call) -> Result<Reply, RestError> {
    let overview = analytics::overview(call.storage(), call.visibility()).await?;
    Reply::ok(&OverviewOut::from(overview))
}

async fn client_breakdown(call: Call) -> Result<Reply, RestError> {
    let mut faults = Faults::default();
    let from = call.args.parse("from", &mut faults, day);
    let to = call.args.parse("to", &mut faults, day);
    if let (Some(from), Some(to)) = (from, to)
        && from > to
    {
        faults.push(Fault::value("from", "from must not be later than to."));
    }
    faults.or(())?;
    Reply::ok(&Vec::<ClientOut>::new())
}

fn day(name: &str, text: &str) -> Result<Day, Fault> {
    let wrong = || Fault::new(name, FaultKind::InvalidPattern, format!("{name} must be a date like 2026-01-31."));
    Day::parse(text).ok_or_else(wrong)
}
