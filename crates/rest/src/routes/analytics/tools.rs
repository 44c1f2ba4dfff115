//! `GET /analytics/tools`.

use toolgate_analytics::{ROLLUPS_MAX, TOOLS_MAX, ToolsQuery};
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::ServerId;
use toolgate_domain::page::Page;
use toolgate_storage::{ToolUsage, UsageByTool};

use crate::error::RestError;
use crate::params::Arg;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Format, Route, handler};
use crate::routes::{DEFAULT_PAGE_SIZE, format_arg, paged_list_doc, paging_args, range};
use crate::wire::ToolUsageOut;

pub(super) fn route() -> Route {
    let mut args = range::day_args(
        "First day, YYYY-MM-DD (UTC). Default: thirty days up to the last day.",
        "Last day, YYYY-MM-DD (UTC). Default: today.",
    )
    .to_vec();
    args.extend([
        Arg::integer("server", &(1..=i64::MAX), "Only tools of this server, by its numeric id.")
            .in_query()
            .may_be_empty(),
        Arg::boolean("unused", "true: only tools without calls in the range; false: only tools with calls.")
            .in_query()
            .may_be_empty(),
    ]);
    args.extend(paging_args());
    args.push(format_arg());
    Route::read(
        "/analytics/tools",
        "getToolUsage",
        "Get the calls by tool within a range of days, busiest first. Tools without calls are included.",
        handler!(tools),
    )
    .args(args)
    .rules(|args, _| range::parse_days(args).map(drop))
    .reply(paged_list_doc::<ToolUsageOut<'_>>().format(Format::JsonOrCsv))
}

async fn tools(request: ApiRequest) -> Result<ApiReply, RestError> {
    let (from, until) = range::parse_days(&request.args)?.with_defaults(request.context.clock.now());
    let query = ToolsQuery {
        visibility: request.visibility(),
        server: request.args.integer("server").map(ServerId),
        from,
        until,
        unused: request.args.boolean("unused"),
    };
    request.context.recorder.flush().await;
    let usage = match toolgate_analytics::tools(request.storage(), &query).await? {
        UsageByTool::Tools(tools) => tools,
        UsageByTool::TooManyTools => return Err(too_many_tools().into()),
        UsageByTool::TooManyDays { tools } => return Err(too_many_days(tools, query.server.is_some()).into()),
    };
    let page = requested_page(&request);
    let rows: Vec<ToolUsageOut<'_>> = tools_on_page(&usage, page).map(ToolUsageOut::from).collect();
    let total = i64::try_from(usage.len()).unwrap_or(i64::MAX);
    Ok(ApiReply::rows(&request, "tools", &rows)?.with_totals(&request, total, page))
}

/// The requested page, else the first one. CSV contains all tools unless a page is requested.
fn requested_page(request: &ApiRequest) -> Option<Page> {
    let default_page = (!request.wants_csv()).then_some(Page { number: 1, size: DEFAULT_PAGE_SIZE });
    request.args.page(DEFAULT_PAGE_SIZE).or(default_page)
}

fn tools_on_page(tools: &[ToolUsage], page: Option<Page>) -> impl Iterator<Item = &ToolUsage> {
    let (skipped, taken) =
        page.map_or((0, usize::MAX), |page| (usize::try_from(page.offset()).unwrap_or(usize::MAX), page.size as usize));
    tools.iter().skip(skipped).take(taken)
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
