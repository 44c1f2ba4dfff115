//! `GET /analytics/tools`: calls by tool.

use toolgate_analytics::{ROLLUPS_MAX, TOOLS_MAX, ToolsQuery};
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::ServerId;
use toolgate_storage::UsageByTool;

use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Format, Operation, Route};
use crate::routes::range;
use crate::routes::{FIRST_PAGE, FormatArgs, PagingArgs, items_on_page, paged_list_doc};
use crate::wire::report::ToolUsageOut;

pub(super) fn route() -> Route {
    Operation::new(
        "getToolUsage",
        "Get the calls by tool within a range of days, busiest first. Tools without calls are included.",
    )
    .read("/analytics/tools", tools)
    .reply(paged_list_doc::<ToolUsageOut<'_>>().format(Format::JsonOrCsv))
}

arguments! {
    struct ToolUsageArgs valid if range::parse_days(from, to) {
        ..paging: PagingArgs,
        ..format: FormatArgs,
        from: Option<String> =
            range::date_arg("First day, YYYY-MM-DD (UTC). Default: thirty days up to the last day."),
        to: Option<String> = range::date_arg("Last day, YYYY-MM-DD (UTC). Default: today."),
        server: Option<ServerId> = arg::integer(&(1..=i64::MAX), "Only tools of this server, by its numeric id.")
            .in_query()
            .may_be_empty(),
        unused: Option<bool> =
            arg::boolean("true: only tools without calls in the range; false: only tools with calls.")
                .in_query()
                .may_be_empty(),
    }
}

async fn tools(request: ApiRequest, args: ToolUsageArgs) -> Result<ApiReply, RestError> {
    let (from, until) = range::parse_days(args.from.as_deref(), args.to.as_deref())?.with_defaults(request.now());
    let query = ToolsQuery { visibility: request.visibility(), server: args.server, from, until, unused: args.unused };
    request.context.services.recorder.flush().await;
    let usage = match toolgate_analytics::tools(request.storage(), &query).await? {
        UsageByTool::Tools(tools) => tools,
        UsageByTool::TooManyTools => return Err(too_many_tools().into()),
        UsageByTool::TooManyDays { tools } => return Err(too_many_days(tools, query.server.is_some()).into()),
    };
    // CSV contains all tools unless a page is requested.
    let page = args.paging.page().or((!args.format.is_csv()).then_some(FIRST_PAGE));
    let rows: Vec<ToolUsageOut<'_>> = items_on_page(&usage, page).map(ToolUsageOut::new).collect();
    let total = i64::try_from(usage.len()).unwrap_or(i64::MAX);
    Ok(ApiReply::rows(args.format.is_csv(), "tools", &rows)?.with_totals(&request, total, page))
}

fn too_many_tools() -> Fault {
    Fault::invalid_value(
        "server",
        format!("server is required: a report covers at most {TOOLS_MAX} tools. Choose a server."),
    )
}

/// The fault for a range with too many days, with the remedy.
fn too_many_days(tool_count: u64, has_server: bool) -> Fault {
    let days = ROLLUPS_MAX / tool_count.max(1);
    let remedy = if has_server { "Choose a later from" } else { "Choose a later from, or a server" };
    let message = format!("from is too early: a report on {tool_count} tools covers at most {days} days. {remedy}.");
    Fault::new("from", FaultKind::OutOfBounds, message)
}
