//! `GET /analytics/refusals`: requests that endpoints refused.

use toolgate_domain::ids::ServerId;
use toolgate_storage::RefusalQuery;

use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Format, Operation, Route};
use crate::routes::range;
use crate::routes::{FIRST_PAGE, FormatArgs, PagingArgs, paged_list_doc};
use crate::wire::report::RefusalsOut;

pub(super) fn route() -> Route {
    Operation::new(
        "getRefusals",
        "Get the requests that endpoints refused within a range of days, by server and reason, most frequent first.",
    )
    .read("/analytics/refusals", refusals)
    .reply(paged_list_doc::<RefusalsOut<'_>>().format(Format::JsonOrCsv))
}

arguments! {
    struct RefusalsArgs valid if range::parse_days(from, to) {
        ..paging: PagingArgs,
        ..format: FormatArgs,
        from: Option<String> =
            range::date_arg("First day, YYYY-MM-DD (UTC). Default: thirty days up to the last day."),
        to: Option<String> = range::date_arg("Last day, YYYY-MM-DD (UTC). Default: today."),
        server: Option<ServerId> = arg::integer(&(1..=i64::MAX), "Only requests to this server, by its numeric id.")
            .in_query()
            .may_be_empty(),
    }
}

async fn refusals(request: ApiRequest, args: RefusalsArgs) -> Result<ApiReply, RestError> {
    let (from, until) = range::parse_days(args.from.as_deref(), args.to.as_deref())?.with_defaults(request.now());
    // CSV contains everything unless a page is requested.
    let page = args.paging.page().or((!args.format.is_csv()).then_some(FIRST_PAGE));
    let query = RefusalQuery { visibility: request.visibility(), server: args.server, from, until, page };
    request.context.services.access_counters.flush().await;
    let listing = request.storage().refusals(&query).await?;
    let rows: Vec<RefusalsOut<'_>> = listing.items.iter().map(RefusalsOut::new).collect();
    Ok(ApiReply::rows(args.format.is_csv(), "refusals", &rows)?.with_totals(&request, listing.total, page))
}
