//! `GET /analytics/tools`.

use toolgate_analytics::{SUMS_MAX, TOOLS_MAX, ToolsQuery};
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::ServerId;
use toolgate_domain::page::Page;
use toolgate_storage::{ToolUsage, UsageByTool};

use crate::call::Call;
use crate::error::RestError;
use crate::params::Arg;
use crate::reply::Reply;
use crate::route::{Format, Route, handler};
use crate::routes::{DEFAULT_PAGE_SIZE, format_arg, list, paging_args, range};
use crate::wire::ToolUsageOut;

pub(super) fn route() -> Route {
    let mut args = range::day_args(
        "First day, YYYY-MM-DD (UTC); thirty days up to the last when omitted.",
        "Last day, YYYY-MM-DD (UTC); today when omitted.",
    )
    .to_vec();
    args.extend([
        Arg::integer("server", &(1..=i64::MAX), "Only tools of this server, by its numeric id.")
            .in_query()
            .may_be_empty(),
        Arg::boolean("unused", "true: only tools without calls in the range; false: only those with.")
            .in_query()
            .may_be_empty(),
    ]);
    args.extend(paging_args());
    args.push(format_arg());
    Route::read(
        "/analytics/tools",
        "getToolUsage",
        "Calls by tool within a range of days, the busiest first; also the tools that nobody calls.",
        handler!(tools),
    )
    .args(args)
    .rules(|args, _| range::days(args).map(drop))
    .reply(list::<ToolUsageOut<'_>>().format(Format::JsonOrCsv))
}

async fn tools(call: Call) -> Result<Reply, RestError> {
    let (from, until) = range::days(&call.args)?.closed(call.context.clock.now());
    let query = ToolsQuery {
        visibility: call.visibility(),
        server: call.args.integer("server").map(ServerId),
        from,
        until,
        unused: call.args.boolean("unused"),
    };
    call.context.recorder.settle().await;
    let found = match toolgate_analytics::tools(call.storage(), &query).await? {
        UsageByTool::Tools(tools) => tools,
        UsageByTool::TooManyTools => return Err(too_many_tools().into()),
        UsageByTool::TooManyDays { tools } => return Err(too_many_days(tools, query.server.is_some()).into()),
    };
    let page = page(&call);
    let rows: Vec<ToolUsageOut<'_>> = on_page(&found, page).map(ToolUsageOut::from).collect();
    let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    Ok(Reply::rows(&call, "tools", &rows)?.counted(&call, total, page))
}

/// A table has all of them unless a page of it is asked for.
fn page(call: &Call) -> Option<Page> {
    let first = (!call.wants_csv()).then_some(Page { number: 1, size: DEFAULT_PAGE_SIZE });
    call.args.page(DEFAULT_PAGE_SIZE).or(first)
}

fn on_page(tools: &[ToolUsage], page: Option<Page>) -> impl Iterator<Item = &ToolUsage> {
    let (skipped, taken) =
        page.map_or((0, usize::MAX), |page| (usize::try_from(page.offset()).unwrap_or(usize::MAX), page.size as usize));
    tools.iter().skip(skipped).take(taken)
}

fn too_many_tools() -> Fault {
    Fault::value("server", format!("server must be named: there are more than {TOOLS_MAX} tools to look at together."))
}

/// Names the end that is too far away, and the ways out.
fn too_many_days(tools: u64, server_is_named: bool) -> Fault {
    let days = SUMS_MAX / tools.max(1);
    let remedy = if server_is_named { "choose a later from" } else { "choose a later from, or name a server" };
    let message = format!("from is too early: of {tools} tools at most {days} days are told together; {remedy}.");
    Fault::new("from", FaultKind::OutOfBounds, message)
}
