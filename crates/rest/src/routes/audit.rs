//! `/audit`: who changed what.

use std::sync::LazyLock;

use toolgate_domain::audit::{Action, ObjectKind};
use toolgate_domain::fault::Faults;
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::page::Page;
use toolgate_storage::AuditQuery;

use super::range;
use super::{FIRST_PAGE, PagingArgs, paged_list_doc};
use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::audit::AuditEntryOut;

/// The values of `object_kind`: every kind except calls, which never change.
static OBJECT_KINDS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| ObjectKind::NAMES.iter().copied().filter(|name| *name != ObjectKind::Call.as_str()).collect());

pub(super) fn route() -> Route {
    Operation::new(
        "listAudit",
        "List the changes of the configuration, newest first. Administrators see all, other users those of their \
         servers and of the servers shared with them.",
    )
    .read("/audit", list_entries)
    .reply(paged_list_doc::<AuditEntryOut<'_>>())
}

arguments! {
    struct AuditArgs valid if range::parse_times(from, to) {
        ..paging: PagingArgs,
        user: Option<UserId> = arg::integer(&(1..=i64::MAX), "Changes by this user.").in_query().may_be_empty(),
        server: Option<ServerId> =
            arg::integer(&(1..=i64::MAX), "Changes of this server and of its tools, prompts, resources, keys and members.")
                .in_query()
                .may_be_empty(),
        object_kind: Option<String> = arg::filter_by_names(&OBJECT_KINDS, "Changes of this kind of object; empty for all."),
        object_id: Option<i64> =
            arg::integer(&(1..=i64::MAX), "Changes of the object with this id.").in_query().may_be_empty(),
        action: Option<Action> = arg::filter::<Action>("Changes of this type; empty for all."),
        from: Option<String> =
            range::time_arg("Start, inclusive: a date (YYYY-MM-DD) or a time (YYYY-MM-DDTHH:MM:SS), UTC."),
        to: Option<String> = range::time_arg("End, inclusive: a date or a time."),
    }
}

async fn list_entries(request: ApiRequest, args: AuditArgs) -> Result<ApiReply, RestError> {
    let page = args.paging.page().unwrap_or(FIRST_PAGE);
    let listing = request.storage().audit_entries(&query(&request, &args, page)?).await?;
    ApiReply::list(&request, &listing, Some(page), AuditEntryOut::new)
}

fn query(request: &ApiRequest, args: &AuditArgs, page: Page) -> Result<AuditQuery, Faults> {
    let range = range::parse_times(args.from.as_deref(), args.to.as_deref())?;
    Ok(AuditQuery {
        visibility: request.visibility(),
        user: args.user,
        server: args.server,
        object_kind: args.object_kind.as_deref().and_then(ObjectKind::parse),
        object_id: args.object_id,
        action: args.action,
        from: range.from,
        until: range.until,
        page,
    })
}
