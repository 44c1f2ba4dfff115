//! `GET /analytics/servers`: calls by server.

use std::collections::HashSet;

use serde_json::json;
use serde_json::value::RawValue;
use toolgate_analytics::{SERVER_DAYS_MAX, SERVERS_MAX};
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::ServerId;
use toolgate_domain::page::{Direction, Page};
use toolgate_domain::server::ServerSort;
use toolgate_domain::time::{DAY_MS, Timestamp};
use toolgate_storage::{ServerQuery, ServerUsageQuery};

use crate::error::RestError;
use crate::params::{Items, arguments, integers, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Format, Operation, Route};
use crate::routes::range;
use crate::routes::{FormatArgs, list_doc};
use crate::wire::report::ServerUsageOut;

pub(super) fn route() -> Route {
    Operation::new(
        "getServerUsage",
        "Get the calls by server within a range of days, for the given servers in their order, or for the newest servers.",
    )
    .read("/analytics/servers", servers)
    .reply(list_doc::<ServerUsageOut>().format(Format::JsonOrCsv))
}

arguments! {
    struct ServerUsageArgs valid if range::parse_days(from, to) {
        ..format: FormatArgs,
        servers: Option<Vec<Box<RawValue>>> =
            arg::array(Items::Integers, "Numeric ids of the servers, at most 100. Default: the newest servers.")
                .with_schema(json!({"maxItems": SERVERS_MAX}))
                .in_query()
                .may_be_empty(),
        from: Option<String> =
            range::date_arg("First day, YYYY-MM-DD (UTC). Default: thirty days up to the last day."),
        to: Option<String> = range::date_arg("Last day, YYYY-MM-DD (UTC). Default: today."),
    }
}

async fn servers(request: ApiRequest, args: ServerUsageArgs) -> Result<ApiReply, RestError> {
    let (from, until) = range::parse_days(args.from.as_deref(), args.to.as_deref())?.with_defaults(request.now());
    let mut servers = requested_ids(&args.servers.unwrap_or_default())?;
    if servers.is_empty() {
        servers = newest_servers(&request).await?;
    }
    check_days(servers.len(), from, until)?;
    let query = ServerUsageQuery { visibility: request.visibility(), servers, from, until };
    request.context.services.recorder.flush().await;
    let usage = toolgate_analytics::servers(request.storage(), &query).await?;
    let rows: Vec<ServerUsageOut> = usage.iter().map(ServerUsageOut::new).collect();
    ApiReply::rows(args.format.is_csv(), "servers", &rows)
}

/// The requested ids without duplicates, in request order.
fn requested_ids(items: &[Box<RawValue>]) -> Result<Vec<ServerId>, Fault> {
    let mut ids = integers("servers", items)?;
    if ids.len() > SERVERS_MAX as usize {
        let message = format!("servers must contain at most {SERVERS_MAX} items.");
        return Err(Fault::new("servers", FaultKind::TooManyItems, message));
    }
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(*id));
    Ok(ids.into_iter().map(ServerId).collect())
}

async fn newest_servers(request: &ApiRequest) -> Result<Vec<ServerId>, RestError> {
    let query = ServerQuery {
        status: None,
        search: None,
        sort: ServerSort::CreatedAt,
        direction: Direction::Desc,
        page: Page { number: 1, size: SERVERS_MAX },
    };
    let listing = request.storage().list_servers(request.visibility(), query).await?;
    Ok(listing.items.iter().map(|server| server.id).collect())
}

fn check_days(server_count: usize, from: Timestamp, until: Timestamp) -> Result<(), Fault> {
    let server_count = u64::try_from(server_count).unwrap_or(u64::MAX).max(1);
    let millis = u64::try_from(until.as_millis().saturating_sub(from.as_millis())).unwrap_or(0);
    let days_max = SERVER_DAYS_MAX / server_count;
    if millis.div_ceil(DAY_MS.unsigned_abs()) <= days_max {
        return Ok(());
    }
    let message = format!(
        "from is too early: a report on {server_count} servers covers at most {days_max} days. Choose a later from, or fewer servers."
    );
    Err(Fault::new("from", FaultKind::OutOfBounds, message))
}
