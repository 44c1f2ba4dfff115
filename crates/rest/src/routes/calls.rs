//! `/calls`: the log of calls.

mod export;
mod stream;

use std::sync::LazyLock;

use serde_json::json;
use toolgate_domain::call::{CallId, FailureReason};
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::user::Visibility;
use toolgate_storage::{CallOutcome, CallQuery};

use super::call_filter::CallFilter;
use super::{DEFAULT_PAGE_SIZE, PER_PAGE_MAX, all_of, format_arg, one, range};
use crate::call::Call;
use crate::error::RestError;
use crate::params::{Arg, Args, Inputs};
use crate::reply::Reply;
use crate::route::{Format, Paging, ReplyDoc, Route, handler};
use crate::wire::{CallOut, CapturedCallOut};

/// What `status` can be: how a call ended, or why it failed.
static STATUSES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| ["success", "failed"].into_iter().chain(FailureReason::NAMES.iter().copied()).collect());

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::read(
            "/calls",
            "listCalls",
            "The log of calls, newest first; a page may be short although another follows.",
            handler!(list_calls),
        )
        .args(list_args())
        .rules(|args, _| range::moments(args).map(drop))
        .reply(all_of::<CallOut<'_>>().paging(Paging::Cursor).format(Format::JsonOrCsv)),
        Route::read("/calls/{id}", "getCall", "A call, with what was captured of it.", handler!(get)).reply(one_call()),
        stream::route(),
    ]
}

fn list_args() -> Vec<Arg> {
    let mut args = CallFilter::args().to_vec();
    args.push(Arg::filter("status", &STATUSES, "success, failed, or a reason of failure; empty for all."));
    args.extend(range::moment_args(
        "Not before this day (YYYY-MM-DD) or moment (YYYY-MM-DDTHH:MM:SS), UTC.",
        "Not after this day or moment, which is included.",
    ));
    args.extend([
        Arg::integer("before", &(1..=i64::MAX), "Older than this call: X-Next-Before of the page before.")
            .in_query()
            .may_be_empty(),
        Arg::integer("per_page", &(1..=PER_PAGE_MAX), "Calls on a page; a table has all of them.")
            .in_query()
            .default(DEFAULT_PAGE_SIZE),
        format_arg(),
    ]);
    args
}

/// A call as in the log, and what was said in it.
fn one_call() -> ReplyDoc {
    let mut doc = one::<CallOut<'_>>(200);
    let captured = |what: &str| json!({"type": ["string", "null"], "description": what});
    doc.schema["properties"]["arguments"] =
        captured("The arguments as JSON text, cut to size and without secrets; null where not captured.");
    doc.schema["properties"]["response"] =
        captured("What the client was answered, cut to size; null where not captured.");
    if let Some(required) = doc.schema["required"].as_array_mut() {
        required.extend(["arguments".into(), "response".into()]);
    }
    doc
}

async fn list_calls(call: Call) -> Result<Reply, RestError> {
    refuse_pages(&call)?;
    let query = query(&call.args, call.visibility())?;
    if query.before.is_none() {
        call.context.recorder.settle().await;
    }
    if call.wants_csv() {
        return export::table(&call, query).await;
    }
    let page = call.storage().calls(&query).await?;
    let reply = Reply::ok(&page.calls.iter().map(CallOut::from).collect::<Vec<_>>())?;
    Ok(match page.next {
        Some(CallId(before)) => reply.followed_by(&call, before),
        None => reply,
    })
}

/// Whoever counts pages would get the first one again and again.
fn refuse_pages(call: &Call) -> Result<(), Fault> {
    let message = "page is not known here: the log goes on with before, which is X-Next-Before of the page before.";
    let is_sent = Inputs::from_query(&call.query).contains("page");
    if is_sent { Err(Fault::value("page", message)) } else { Ok(()) }
}

fn query(args: &Args, visibility: Visibility) -> Result<CallQuery, Faults> {
    let range = range::moments(args)?;
    let CallFilter { server, tool, client } = CallFilter::read(args);
    let size = args.integer("per_page").and_then(|size| u32::try_from(size).ok());
    Ok(CallQuery {
        visibility,
        server,
        tool,
        client_type: client,
        outcome: args.text("status").and_then(outcome),
        from: range.from,
        until: range.until,
        before: args.integer("before").map(CallId),
        limit: size.unwrap_or(DEFAULT_PAGE_SIZE),
    })
}

fn outcome(status: &str) -> Option<CallOutcome> {
    match status {
        "success" => Some(CallOutcome::Success),
        "failed" => Some(CallOutcome::Failure),
        reason => FailureReason::parse(reason).map(CallOutcome::Because),
    }
}

async fn get(call: Call) -> Result<Reply, RestError> {
    let found = call.storage().call(call.visibility(), call.call_id()).await?;
    Reply::ok(&CapturedCallOut::from(&found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_that_is_documented_filters() {
        assert!(STATUSES.iter().all(|status| outcome(status).is_some()));
        assert_eq!(outcome("timeout"), Some(CallOutcome::Because(FailureReason::Timeout)));
        assert_eq!(outcome(""), None);
    }
}
