//! `GET /analytics/keys`: calls by server and key.

use toolgate_analytics::{KEY_ROLLUPS_MAX, KeysQuery};
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::ServerId;
use toolgate_storage::UsageByKey;

use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Format, Operation, Route};
use crate::routes::range;
use crate::routes::{FIRST_PAGE, FormatArgs, PagingArgs, items_on_page, paged_list_doc};
use crate::wire::report::KeyUsageOut;

pub(super) fn route() -> Route {
    Operation::new(
        "getKeyUsage",
        "Get the calls by server and key within a range of days, busiest first: one row for each endpoint key, for each user \
         with an API key, and for the calls without a key.",
    )
    .read("/analytics/keys", keys)
    .reply(paged_list_doc::<KeyUsageOut<'_>>().format(Format::JsonOrCsv))
}

arguments! {
    struct KeyUsageArgs valid if range::parse_days(from, to) {
        ..paging: PagingArgs,
        ..format: FormatArgs,
        from: Option<String> =
            range::date_arg("First day, YYYY-MM-DD (UTC). Default: thirty days up to the last day."),
        to: Option<String> = range::date_arg("Last day, YYYY-MM-DD (UTC). Default: today."),
        server: Option<ServerId> = arg::integer(&(1..=i64::MAX), "Only calls of this server, by its numeric id.")
            .in_query()
            .may_be_empty(),
    }
}

async fn keys(request: ApiRequest, args: KeyUsageArgs) -> Result<ApiReply, RestError> {
    let (from, until) = range::parse_days(args.from.as_deref(), args.to.as_deref())?.with_defaults(request.now());
    let query = KeysQuery { visibility: request.visibility(), server: args.server, from, until };
    request.context.services.recorder.flush().await;
    let UsageByKey::Keys(usage) = toolgate_analytics::keys(request.storage(), &query).await? else {
        return Err(too_many_rollups(query.server.is_some()).into());
    };
    // CSV contains all keys unless a page is requested.
    let page = args.paging.page().or((!args.format.is_csv()).then_some(FIRST_PAGE));
    let rows: Vec<KeyUsageOut<'_>> = items_on_page(&usage, page).map(KeyUsageOut::new).collect();
    let total = i64::try_from(usage.len()).unwrap_or(i64::MAX);
    Ok(ApiReply::rows(args.format.is_csv(), "keys", &rows)?.with_totals(&request, total, page))
}

/// The fault for a range with too many rollups, with the remedy.
fn too_many_rollups(has_server: bool) -> Fault {
    let remedy = if has_server { "Choose a later from" } else { "Choose a later from, or a server" };
    let message = format!(
        "from is too early: a report covers at most {KEY_ROLLUPS_MAX} daily totals of a key and a server. {remedy}."
    );
    Fault::new("from", FaultKind::OutOfBounds, message)
}
