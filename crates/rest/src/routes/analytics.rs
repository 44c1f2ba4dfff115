//! `/analytics`: reports on calls. Each report first flushes the recorder, so that a client sees its latest calls.

mod servers;
mod timeseries;
mod tools;

use super::{format_arg, list_doc, object_doc, range};
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Format, Route, handler};
use crate::wire::{ClientOut, OverviewOut};

pub(super) fn routes() -> Vec<Route> {
    let [from, to] = range::day_args(
        "First day, YYYY-MM-DD (UTC). Default: no start.",
        "Last day, YYYY-MM-DD (UTC). Default: today.",
    );
    vec![
        Route::read(
            "/analytics/overview",
            "getOverview",
            "Get today's key figures: servers, tools, calls.",
            handler!(overview),
        )
        .args(vec![format_arg()])
        .reply(object_doc::<OverviewOut>(200).format(Format::JsonOrCsv)),
        Route::read(
            "/analytics/client-breakdown",
            "getClientBreakdown",
            "Get the calls by type of AI client within a range of days, inclusive.",
            handler!(client_breakdown),
        )
        .args(vec![from, to, format_arg()])
        .rules(|args, _| range::parse_days(args).map(drop))
        .reply(list_doc::<ClientOut<'_>>().format(Format::JsonOrCsv)),
        timeseries::route(),
        servers::route(),
        tools::route(),
    ]
}

async fn overview(request: ApiRequest) -> Result<ApiReply, RestError> {
    request.context.recorder.flush().await;
    let overview =
        toolgate_analytics::overview(request.storage(), request.visibility(), request.context.clock.now()).await?;
    let out = OverviewOut::from(&overview);
    if request.wants_csv() { ApiReply::csv("overview", &[out]) } else { ApiReply::ok(&out) }
}

async fn client_breakdown(request: ApiRequest) -> Result<ApiReply, RestError> {
    let range = range::parse_days(&request.args)?;
    request.context.recorder.flush().await;
    let clients =
        toolgate_analytics::client_breakdown(request.storage(), request.visibility(), range.from, range.until).await?;
    let rows: Vec<ClientOut<'_>> = clients.iter().map(ClientOut::from).collect();
    ApiReply::rows(&request, "client-breakdown", &rows)
}
