//! `/analytics`: reports on calls. Each report first flushes the recorder, so that a client sees its latest calls.

mod keys;
mod refusals;
mod servers;
mod timeseries;
mod tools;

use super::range;
use super::{FormatArgs, list_doc, object_doc};
use crate::error::RestError;
use crate::params::arguments;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Format, Operation, Route};
use crate::wire::report::{ClientUsageOut, OverviewOut};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new("getOverview", "Get today's key figures: servers, tools, calls.")
            .read("/analytics/overview", overview)
            .reply(object_doc::<OverviewOut>(200).format(Format::JsonOrCsv)),
        Operation::new("getClientBreakdown", "Get the calls by type of AI client within a range of days, inclusive.")
            .read("/analytics/client-breakdown", client_breakdown)
            .reply(list_doc::<ClientUsageOut<'_>>().format(Format::JsonOrCsv)),
        timeseries::route(),
        servers::route(),
        tools::route(),
        keys::route(),
        refusals::route(),
    ]
}

arguments! {
    struct ClientBreakdownArgs valid if range::parse_days(from, to) {
        ..format: FormatArgs,
        from: Option<String> = range::date_arg("First day, YYYY-MM-DD (UTC). Default: no start."),
        to: Option<String> = range::date_arg("Last day, YYYY-MM-DD (UTC). Default: today."),
    }
}

async fn overview(request: ApiRequest, format: FormatArgs) -> Result<ApiReply, RestError> {
    request.context.services.recorder.flush().await;
    let overview = toolgate_analytics::overview(request.storage(), request.visibility(), request.now()).await?;
    let out = OverviewOut::new(&overview);
    if format.is_csv() { ApiReply::csv("overview", &[out]) } else { ApiReply::ok(&out) }
}

async fn client_breakdown(request: ApiRequest, args: ClientBreakdownArgs) -> Result<ApiReply, RestError> {
    let range = range::parse_days(args.from.as_deref(), args.to.as_deref())?;
    request.context.services.recorder.flush().await;
    let clients =
        toolgate_analytics::client_breakdown(request.storage(), request.visibility(), range.from, range.until).await?;
    let rows: Vec<ClientUsageOut<'_>> = clients.iter().map(ClientUsageOut::new).collect();
    ApiReply::rows(args.format.is_csv(), "client-breakdown", &rows)
}
