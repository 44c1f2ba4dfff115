//! `/calls`: the call log.

mod export;
mod stream;

use std::sync::LazyLock;

use toolgate_domain::call::{CallId, FailureReason};
use toolgate_domain::closed_set;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_execution::egress::EgressRule;
use toolgate_storage::{CallOutcome, CallQuery};

use self::export::ExportFormat;
use super::call_filter::CallFilter;
use super::origin_filter::{OriginArgs, OriginFilter};
use super::range::{self, TimeRange};
use super::{DEFAULT_PAGE_SIZE, list_doc, object_doc};
use crate::config::PER_PAGE_MAX;
use crate::error::RestError;
use crate::params::{Inputs, arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Format, Operation, Paging, Route};
use crate::wire::call::{CallOut, CapturedCallOut};

/// The values of `status`: the outcome of a call, or the reason of its failure.
static STATUSES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| ["success", "failed"].into_iter().chain(FailureReason::NAMES.iter().copied()).collect());

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new(
            "listCalls",
            "List the calls, newest first. A page may have fewer items than per_page although more pages follow.",
        )
        .read("/calls", list_calls)
        .reply(list_doc::<CallOut<'_>>().paging(Paging::Cursor).format(Format::JsonCsvOrNdjson)),
        Operation::new("getCall", "Get a call, with its captured arguments and response.")
            .read("/calls/{id}", get)
            .reply(object_doc::<CapturedCallOut<'_>>(200)),
        stream::route(),
    ]
}

arguments! {
    struct ListCallsArgs checked by parse {
        ..filter: CallFilter,
        ..origin: OriginArgs,
        format: Option<CallLogFormat> = arg::one_of::<CallLogFormat>(
            "json, csv with a header line, or ndjson with one call a line. _fields and _envelope apply to JSON only.",
        )
        .in_query()
        .default(CallLogFormat::Json.as_str()),
        status: Option<String> =
            arg::filter_by_names(&STATUSES, "success, failed, or a failure reason; empty for all."),
        from: Option<String> =
            range::time_arg("Start, inclusive: a date (YYYY-MM-DD) or a time (YYYY-MM-DDTHH:MM:SS), UTC."),
        to: Option<String> = range::time_arg("End, inclusive: a date or a time."),
        before: Option<CallId> = arg::integer(
            &(1..=i64::MAX),
            "Only calls older than this one: the X-Next-Before header of the previous page.",
        )
        .in_query()
        .may_be_empty(),
        after: Option<CallId> =
            arg::integer(&(1..=i64::MAX), "Only calls newer than this one.").in_query().may_be_empty(),
        per_page: Option<i64> = arg::integer(&(1..=PER_PAGE_MAX), "Calls per page; CSV and NDJSON contain all calls.")
            .in_query()
            .default(DEFAULT_PAGE_SIZE),
    }
}

impl ListCallsArgs {
    /// Parses the texts: the filter on origins, and the range.
    fn parse(&self, _egress: &EgressRule) -> Result<(OriginFilter, TimeRange), Faults> {
        let mut faults = Faults::default();
        let origin = faults.ok_or_record(self.origin.filter());
        let range = faults.ok_or_record(range::parse_times(self.from.as_deref(), self.to.as_deref()));
        faults.into_result((origin.unwrap_or_default(), range.unwrap_or_default()))
    }
}

closed_set! {
    /// The format of the call log.
    pub(crate) enum CallLogFormat {
        /// A page as JSON.
        Json = "json",
        /// All calls as CSV.
        Csv = "csv",
        /// All calls, one JSON object a line.
        Ndjson = "ndjson",
    }
}

impl CallLogFormat {
    /// The format of an export; `None` if the reply is one page.
    fn export(self) -> Option<ExportFormat> {
        match self {
            Self::Json => None,
            Self::Csv => Some(ExportFormat::csv()),
            Self::Ndjson => Some(ExportFormat::Ndjson),
        }
    }
}

async fn list_calls(request: ApiRequest, args: ListCallsArgs) -> Result<ApiReply, RestError> {
    refuse_page_arg(&request)?;
    let export_format = args.format.and_then(CallLogFormat::export);
    let query = query(&request, args)?;
    if query.before.is_none() {
        request.context.services.recorder.flush().await;
        request.context.services.access_counters.flush_subjects().await;
    }
    if let Some(format) = export_format {
        return export::reply(&request, query, format).await;
    }
    let page = request.storage().calls(&query).await?;
    let reply = ApiReply::ok(&page.calls.iter().map(CallOut::logged).collect::<Vec<_>>())?;
    Ok(match page.next {
        Some(CallId(before)) => reply.with_next_page(&request, before),
        None => reply,
    })
}

/// Refuses `page`: a client that counts pages would get the first page every time.
fn refuse_page_arg(request: &ApiRequest) -> Result<(), Fault> {
    let message = "page is not supported here. Use before with the X-Next-Before header of the previous page.";
    let is_sent = Inputs::from_query(&request.query).contains("page");
    if is_sent { Err(Fault::invalid_value("page", message)) } else { Ok(()) }
}

fn query(request: &ApiRequest, args: ListCallsArgs) -> Result<CallQuery, Faults> {
    let (origin, range) = args.parse(&request.context.config.egress)?;
    let size = args.per_page.and_then(|size| u32::try_from(size).ok());
    Ok(CallQuery {
        visibility: request.visibility(),
        server: args.filter.server,
        tool: args.filter.tool,
        client_type: args.filter.client,
        endpoint_key: origin.endpoint_key,
        caller: origin.caller,
        client_address: origin.client_address,
        outcome: args.status.as_deref().and_then(parse_outcome),
        from: range.from,
        until: range.until,
        before: args.before,
        after: args.after,
        limit: size.unwrap_or(DEFAULT_PAGE_SIZE),
    })
}

fn parse_outcome(status: &str) -> Option<CallOutcome> {
    match status {
        "success" => Some(CallOutcome::Success),
        "failed" => Some(CallOutcome::Failure),
        reason => FailureReason::parse(reason).map(CallOutcome::FailedWith),
    }
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let call = request.storage().call(request.visibility(), request.id(CallId)).await?;
    ApiReply::ok(&CapturedCallOut::new(&call))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_documented_status_is_a_filter() {
        assert!(STATUSES.iter().all(|status| parse_outcome(status).is_some()));
        assert_eq!(parse_outcome("timeout"), Some(CallOutcome::FailedWith(FailureReason::Timeout)));
        assert_eq!(parse_outcome(""), None);
    }
}
