//! `GET /analytics/servers`.

use std::collections::HashSet;

use serde_json::json;
use toolgate_analytics::{SERVER_DAYS_MAX, SERVERS_MAX};
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::ServerId;
use toolgate_domain::page::{Direction, Page};
use toolgate_domain::server::ServerSort;
use toolgate_domain::time::{DAY_MS, Timestamp};
use toolgate_storage::{ServerQuery, ServerUsageQuery};

use crate::call::Call;
use crate::error::RestError;
use crate::params::{Arg, Args, Items};
use crate::reply::Reply;
use crate::route::{Format, Route, handler};
use crate::routes::{all_of, format_arg, range};
use crate::wire::ServerUsageOut;

pub(super) fn route() -> Route {
    let text = "The servers to tell of, by their numeric ids, at most 100; the newest when omitted.";
    let shape = json!({"maxItems": SERVERS_MAX});
    let named = Arg::array("servers", Items::Integers, text).shaped(shape).in_query().may_be_empty();
    let [from, to] = range::day_args(
        "First day, YYYY-MM-DD (UTC); thirty days up to the last when omitted.",
        "Last day, YYYY-MM-DD (UTC); today when omitted.",
    );
    Route::read(
        "/analytics/servers",
        "getServerUsage",
        "Calls by server within a range of days: of those that are named, in that order, or of the newest.",
        handler!(servers),
    )
    .args(vec![named, from, to, format_arg()])
    .rules(|args, _| range::days(args).map(drop))
    .reply(all_of::<ServerUsageOut>().format(Format::JsonOrCsv))
}

async fn servers(call: Call) -> Result<Reply, RestError> {
    let (from, until) = range::days(&call.args)?.closed(call.context.clock.now());
    let mut servers = named(&call.args)?;
    if servers.is_empty() {
        servers = newest(&call).await?;
    }
    check_days(servers.len(), from, until)?;
    let query = ServerUsageQuery { visibility: call.visibility(), servers, from, until };
    call.context.recorder.settle().await;
    let found = toolgate_analytics::servers(call.storage(), &query).await?;
    let rows: Vec<ServerUsageOut> = found.iter().map(ServerUsageOut::from).collect();
    Reply::rows(&call, "servers", &rows)
}

/// Each once, in the order of their first mention.
fn named(args: &Args) -> Result<Vec<ServerId>, Fault> {
    let mut ids = args.integers("servers")?;
    if ids.len() > SERVERS_MAX as usize {
        let message = format!("servers must contain at most {SERVERS_MAX} items.");
        return Err(Fault::new("servers", FaultKind::TooManyItems, message));
    }
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(*id));
    Ok(ids.into_iter().map(ServerId).collect())
}

async fn newest(call: &Call) -> Result<Vec<ServerId>, RestError> {
    let query = ServerQuery {
        status: None,
        search: None,
        sort: ServerSort::CreatedAt,
        direction: Direction::Desc,
        page: Page { number: 1, size: SERVERS_MAX },
    };
    let listing = call.storage().list_servers(call.visibility(), query).await?;
    Ok(listing.items.iter().map(|server| server.id).collect())
}

fn check_days(servers: usize, from: Timestamp, until: Timestamp) -> Result<(), Fault> {
    let servers = u64::try_from(servers).unwrap_or(u64::MAX).max(1);
    let millis = u64::try_from(until.as_millis().saturating_sub(from.as_millis())).unwrap_or(0);
    let most = SERVER_DAYS_MAX / servers;
    if millis.div_ceil(DAY_MS.unsigned_abs()) <= most {
        return Ok(());
    }
    let message = format!(
        "from is too early: of {servers} servers at most {most} days are told together; choose a later from, or name fewer."
    );
    Err(Fault::new("from", FaultKind::OutOfBounds, message))
}
