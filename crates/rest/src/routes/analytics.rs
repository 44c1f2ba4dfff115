//! `/analytics`: reports on calls. Each waits a moment for what was just recorded, so that readers see their own calls.

mod servers;
mod timeseries;
mod tools;

use super::{all_of, format_arg, one, range};
use crate::call::Call;
use crate::error::RestError;
use crate::reply::Reply;
use crate::route::{Format, Route, handler};
use crate::wire::{ClientOut, OverviewOut};

pub(super) fn routes() -> Vec<Route> {
    let [from, to] = range::day_args(
        "First day, YYYY-MM-DD (UTC); all time when omitted.",
        "Last day, YYYY-MM-DD (UTC); today when omitted.",
    );
    vec![
        Route::read(
            "/analytics/overview",
            "getOverview",
            "The figures of the day: servers, tools, calls.",
            handler!(overview),
        )
        .args(vec![format_arg()])
        .reply(one::<OverviewOut>(200).format(Format::JsonOrCsv)),
        Route::read(
            "/analytics/client-breakdown",
            "getClientBreakdown",
            "Calls by type of AI client within a range of days, both included.",
            handler!(client_breakdown),
        )
        .args(vec![from, to, format_arg()])
        .rules(|args, _| range::days(args).map(drop))
        .reply(all_of::<ClientOut<'_>>().format(Format::JsonOrCsv)),
        timeseries::route(),
        servers::route(),
        tools::route(),
    ]
}

async fn overview(call: Call) -> Result<Reply, RestError> {
    call.context.recorder.settle().await;
    let overview = toolgate_analytics::overview(call.storage(), call.visibility(), call.context.clock.now()).await?;
    let out = OverviewOut::from(&overview);
    if call.wants_csv() { Reply::table("overview", &[out]) } else { Reply::ok(&out) }
}

async fn client_breakdown(call: Call) -> Result<Reply, RestError> {
    let range = range::days(&call.args)?;
    call.context.recorder.settle().await;
    let clients =
        toolgate_analytics::client_breakdown(call.storage(), call.visibility(), range.from, range.until).await?;
    let rows: Vec<ClientOut<'_>> = clients.iter().map(ClientOut::from).collect();
    Reply::rows(&call, "client-breakdown", &rows)
}
